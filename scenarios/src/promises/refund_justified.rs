//! refund-justified: money goes back for a reason, once, and as it came.

use crate::clause::{Clause, promise};
use crate::court::{Court, Wording, money};
use crate::known::order_state::OrderState;
use crate::status::Knowledge;
use unacked_mock_providers::effect::reference_name;
use unacked_mock_providers::fact::Fact as Effect;
use unacked_mock_providers::message::{Op, Request};
use unacked_sim::world::NodeId;
use unacked_workflow::tool::Tool;

promise! {
    "refund-justified", Always, "R13 R17",
        "a refund needs an established charge, a true decision to cancel, and a fulfillment that cannot come any more";
    CHARGE = "charge", Always, [Wire], "R13",
        "a refund is requested by one who knows that the charge is done";
    FULFILLMENT = "fulfillment", Always, [Wire], "R17",
        "a refund is requested only where the fulfillment cannot come any more";
    DECISION = "decision", Always, [Wire], "R13",
        "a refund is requested only once somebody or something has decided against the order";
    AMOUNT = "amount", Always, [Wire], "R13",
        "what is refunded is what was charged: amount and currency";
    REFERENCE = "reference", Always, [Wire, Effects], "R13",
        "what is refunded is a charge of this order";
    KEYLESS = "keyless", Always, [Wire], "R13",
        "a refund has a key where the provider takes one";
    SHARED_KEY = "shared-key", Always, [Wire], "R13",
        "a refund has a key of its own, not the charge's";
    SURPLUS = "surplus", Always, [Effects], "R13",
        "no more is given back, or on its way back, than was captured";
    STRAY = "stray", Always, [Effects], "R13",
        "what is refunded belongs to an authorised order";
}

/// A refund is requested.
pub(crate) fn dispatched(court: &mut Court<'_>, state: &OrderState, node: NodeId, request: &Request) {
    let keyed = court.documented.of(Tool::Refund).window.is_some();
    let found = unjustified(state, node, request).or_else(|| unkeyed(state, keyed, request));
    let Some((clause, found)) = found else { return };
    let said = Wording {
        headline: format!("order {} was refunded without justification: {found}", court.number()),
        expected: "an established charge, a true decision to cancel, and no fulfillment that could still come".into(),
        found,
        evidence: vec![state.op(Op::Charge).sent_event],
    };
    court.breaks(clause, Op::Refund, said);
}

/// Why a refund is not justified, if it is not.
fn unjustified(state: &OrderState, node: NodeId, request: &Request) -> Option<(&'static Clause, String)> {
    let charge = state.op(Op::Charge).status(node);
    let fulfillment = state.op(Op::Fulfill).status(node);
    let approved = state.registered.intent.amount;
    // What was captured beyond what was approved is given back whatever becomes of the order.
    let surplus = request.currency == approved.currency && request.amount <= state.facts.covered() - approved.minor;
    if surplus {
        return None;
    }
    if charge != Knowledge::Committed {
        Some((&CHARGE, format!("the charge was {}", charge.name())))
    } else if matches!(fulfillment, Knowledge::Open | Knowledge::Pending | Knowledge::Committed) {
        Some((&FULFILLMENT, format!("the fulfillment was {}", fulfillment.name())))
    } else if !state.registered.causes.any() {
        Some((&DECISION, "nobody had decided to cancel".into()))
    } else if request.amount != approved.minor || request.currency != approved.currency {
        let (asked, of) = (money(request.amount, request.currency), money(approved.minor, approved.currency));
        Some((&AMOUNT, format!("{asked} for a charge of {of}")))
    } else if request.reference != 0 && !state.facts.charges.contains(&request.reference) {
        Some((&REFERENCE, format!("{} is no charge of this order", reference_name(Op::Charge, request.reference))))
    } else {
        None
    }
}

/// How a refund is not protected against being made twice, if it is not.
fn unkeyed(state: &OrderState, keyed: bool, request: &Request) -> Option<(&'static Clause, String)> {
    if keyed && request.key == 0 {
        Some((&KEYLESS, "it has no key, though the provider takes one".into()))
    } else if request.key != 0 && request.key == state.op(Op::Charge).key {
        Some((&SHARED_KEY, "it has the key of the charge".into()))
    } else {
        None
    }
}

/// A refund exists, or succeeded.
pub(crate) fn refunding(court: &mut Court<'_>, state: &OrderState, effect: &Effect) {
    let facts = &state.facts;
    let (live, captured, currency) = (facts.refunded + facts.refund_pending, facts.captured, effect.currency);
    if live <= captured {
        return;
    }
    let said = Wording {
        headline: format!("order {} was refunded more than it was charged", court.number()),
        expected: format!("at most {} refunded", money(captured, currency)),
        found: format!("{} refunded or on its way", money(live, currency)),
        evidence: vec![facts.seen[0]],
    };
    court.breaks(&SURPLUS, Op::Refund, said);
}

/// A refund of nobody's money.
pub(crate) fn stray(court: &mut Court<'_>, effect: &Effect) {
    court.breaks(&STRAY, Op::Refund, Wording::stray(effect));
}
