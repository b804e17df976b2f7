//! stock-conserved: every unit is somewhere, and leaves only for whom it was held.

use crate::clause::{Clause, promise};
use crate::court::{Court, Wording, at};
use crate::known::order_state::OrderState;
use unacked_mock_providers::message::Op;
use unacked_sim::time::Span;
use unacked_sim::world::NodeId;

promise! {
    "stock-conserved", Always, "R9 R17",
        "every unit is available, held or consumed; nothing is released while charge or fulfillment is unknown, and nothing ships without a live hold";
    RELEASE = "release", Always, [Wire], "R17",
        "nothing is released while charge or fulfillment is unknown";
    LASTING = "lasting", Always, [Records], "R9",
        "fulfillment is claimed under a hold that lasts until the request must have arrived";
    DISPATCH = "dispatch", Always, [Wire, Effects], "R9",
        "fulfillment is first sent under a hold that lasts until the request must have arrived";
    UNHELD = "unheld", Always, [Effects], "R9",
        "the carrier accepts only units that are held for the order";
    OVERSOLD = "oversold", Always, [Effects], "R9",
        "all orders together ship no more units than there were";
    LEFT = "left", AtTheEnd, [Effects], "R9",
        "nothing is held for orders that have ended";
}

/// Stock is given back.
pub(crate) fn releasing(court: &mut Court<'_>, state: &OrderState, node: NodeId) {
    let unsettled = [Op::Charge, Op::Fulfill].into_iter().find(|&op| state.op(op).status(node).is_unsettled());
    let Some(op) = unsettled else { return };
    let known = state.op(op).status(node);
    let said = Wording {
        headline: format!(
            "stock of order {} was released while its {} was {}",
            court.number(),
            op.name(),
            known.name()
        ),
        expected: "no release while charge or fulfillment is unknown".into(),
        found: format!("{} {}", op.name(), known.name()),
        evidence: vec![state.op(op).sent_event],
    };
    court.breaks(&RELEASE, Op::Release, said);
}

/// The first attempt at the carrier is claimed.
pub(crate) fn claimed(court: &mut Court<'_>, state: &OrderState) {
    lasts(court, state, court.documented.arrival(), &LASTING);
}

/// The first attempt at the carrier leaves; its claim may lie a pause back.
pub(crate) fn dispatched(court: &mut Court<'_>, state: &OrderState) {
    let limits = &court.documented.limits;
    lasts(court, state, Span(limits.d_max) + Span(limits.skew), &DISPATCH);
}

fn lasts(court: &mut Court<'_>, state: &OrderState, margin: Span, clause: &'static Clause) {
    let facts = &state.facts;
    let until = court.moment.now + margin;
    if facts.held > 0 && facts.held_until >= until {
        return;
    }
    let found = match facts.held {
        0 => "no hold".into(),
        _ => format!("a hold that ends at {}", at(facts.held_until)),
    };
    let said = Wording {
        headline: format!("fulfillment of order {} was dispatched without a hold that lasts", court.number()),
        expected: format!("a hold until at least {}", at(until)),
        found,
        evidence: vec![],
    };
    court.breaks(clause, Op::Fulfill, said);
}

/// The carrier accepted; `held`: what was held for the order until now.
pub(crate) fn accepted(court: &mut Court<'_>, units: i64, held: i64) {
    if held >= units {
        return;
    }
    let said = Wording {
        headline: format!("order {} ships units that nobody holds for it", court.number()),
        expected: "a live hold for the order when the carrier accepts".into(),
        found: format!("{held} unit(s) held, {units} accepted"),
        evidence: vec![],
    };
    court.breaks(&UNHELD, Op::Fulfill, said);
}

/// The carrier accepted; `shipped`: units of all orders together, `initial`: units there were.
pub(crate) fn consumed(court: &mut Court<'_>, shipped: i64, initial: i64) {
    if shipped <= initial {
        return;
    }
    let said = Wording {
        headline: format!("{shipped} unit(s) were shipped of {initial}"),
        expected: format!("at most {initial} unit(s), all orders together"),
        found: format!("{shipped} unit(s) accepted"),
        evidence: vec![],
    };
    court.breaks(&OVERSOLD, Op::Fulfill, said);
}

/// The run is over, and what time ends has ended.
pub(crate) fn ended(court: &mut Court<'_>, state: &OrderState) {
    let held = state.facts.held_at(court.moment.now);
    if held == 0 || state.is_open() {
        return;
    }
    let said = Wording {
        headline: format!("{held} unit(s) stay held for order {}, which has ended", court.number()),
        expected: "nothing held for orders that have ended".into(),
        found: format!("a hold until {}", at(state.facts.held_until)),
        evidence: vec![],
    };
    court.breaks(&LEFT, Op::Reserve, said);
}
