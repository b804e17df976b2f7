//! paid-before-shipped: goods leave against money.

use crate::clause::promise;
use crate::court::{Court, Wording, money};
use crate::known::order_state::OrderState;
use crate::status::Knowledge;
use unacked_mock_providers::message::Op;
use unacked_sim::world::NodeId;

promise! {
    "paid-before-shipped", Always, "R11",
        "fulfillment is requested only on an established charge, and accepted only against captured money";
    DISPATCH = "dispatch", Always, [Wire], "R11",
        "fulfillment is requested by one who knows that the charge is done";
    ACCEPTANCE = "acceptance", Always, [Effects], "R11",
        "when the carrier accepts, the money is captured and not on its way back";
}

/// Fulfillment is requested.
pub(crate) fn dispatched(court: &mut Court<'_>, state: &OrderState, node: NodeId) {
    let charge = state.op(Op::Charge);
    let known = charge.status(node);
    if known == Knowledge::Committed {
        return;
    }
    let said = Wording {
        headline: format!(
            "fulfillment of order {} was requested while its charge was {}",
            court.number(),
            known.name()
        ),
        expected: "an established charge before fulfillment is requested".into(),
        found: format!("charge {}", known.name()),
        evidence: vec![charge.sent_event],
    };
    court.breaks(&DISPATCH, Op::Fulfill, said);
}

/// The carrier accepted.
pub(crate) fn accepted(court: &mut Court<'_>, state: &OrderState) {
    let value = state.registered.intent.amount;
    let covered = state.facts.covered();
    if covered >= value.minor {
        return;
    }
    let said = Wording {
        headline: format!("order {} was shipped without being paid for", court.number()),
        expected: format!("{} captured when the carrier accepts", money(value.minor, value.currency)),
        found: format!("{} captured and not being refunded", money(covered, value.currency)),
        evidence: vec![state.facts.seen[0]],
    };
    court.breaks(&ACCEPTANCE, Op::Fulfill, said);
}
