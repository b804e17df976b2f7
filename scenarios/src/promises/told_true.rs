//! told-true: what a customer is told is known when it is said, and so in the end.

use crate::clause::{Clause, promise};
use crate::court::{Court, Wording};
use crate::known::order_state::OrderState;
use crate::status::Knowledge;
use crate::telling::{ended as end_name, told, truth};
use unacked_mock_providers::message::{Op, Request};
use unacked_sim::world::NodeId;
use unacked_workflow::order::{Cause, End};

promise! {
    "told-true", Always, "R23",
        "a customer is told only what is known then and true in the end: on its way, or refused and why";
    WORDS = "words", Always, [Wire, Channels], "R23",
        "a mail says that the order is on its way, or refused and why";
    SHIPPED = "shipped", Always, [Wire, Channels], "R23",
        "an order is said to be on its way by one who knows that the carrier has it";
    REFUSED = "refused", Always, [Wire, Channels], "R23",
        "an order is said to be refused only where nothing is on its way or may still come";
    CAUSE = "cause", Always, [Wire, Channels, Effects], "R23",
        "the cause that a customer is told came true";
    LATER = "later", AtTheEnd, [Effects, Channels], "R23",
        "what was told last is what became of the order";
}

/// A mail is sent.
pub(crate) fn telling(court: &mut Court<'_>, state: &OrderState, node: NodeId, request: &Request) {
    let fulfillment = state.op(Op::Fulfill).status(node);
    let said = told(state, request.content);
    let Some((clause, found)) = unsupported(state, said, fulfillment) else { return };
    let said = Wording {
        headline: format!(
            "the customer of order {} was told \"{}\" although {found}",
            court.number(),
            said.map_or("something else".into(), end_name)
        ),
        expected: "words that the evidence supports".into(),
        found,
        evidence: vec![state.op(Op::Fulfill).sent_event],
    };
    court.breaks(clause, Op::Notify, said);
}

/// What speaks against the words.
fn unsupported(state: &OrderState, said: Option<End>, fulfillment: Knowledge) -> Option<(&'static Clause, String)> {
    let shipment = || format!("the fulfillment was {}", fulfillment.name());
    match said {
        None => Some((&WORDS, "a mail says how an order ended".into())),
        Some(End::Delivered) => (fulfillment != Knowledge::Committed).then(|| (&SHIPPED, shipment())),
        Some(End::Refused(cause)) => match fulfillment {
            Knowledge::NotSent | Knowledge::Rejected => untrue(state, cause),
            _ => Some((&REFUSED, shipment())),
        },
    }
}

fn untrue(state: &OrderState, cause: Cause) -> Option<(&'static Clause, String)> {
    let wrong = !state.registered.causes.has(cause);
    wrong.then(|| (&CAUSE, "that had not come true".into()))
}

/// The run is over.
pub(crate) fn ended(court: &mut Court<'_>, state: &OrderState) {
    if state.facts.mails == 0 || state.handoff.is_some() {
        return;
    }
    let said = told(state, state.facts.told);
    let holds = match said {
        Some(End::Delivered) => state.is_delivered(),
        Some(End::Refused(_)) => state.is_refused(court.moment.now),
        None => true,
    };
    if holds {
        return;
    }
    let said = Wording {
        headline: format!(
            "the customer of order {} was told \"{}\", and it is not so",
            court.number(),
            said.map_or("something else".into(), end_name)
        ),
        expected: "a correction, once it is known to be otherwise".into(),
        found: truth(state),
        evidence: vec![state.facts.seen[2]],
    };
    court.breaks(&LATER, Op::Notify, said);
}
