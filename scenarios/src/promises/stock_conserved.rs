//! stock-conserved: every unit is somewhere, and leaves only for whom it was held.

use crate::clause::promise;
use crate::court::{Court, Wording, at};
use crate::known::order_state::OrderState;
use crate::known::units::UnitLedger;
use unacked_mock_providers::message::Op;
use unacked_sim::world::NodeId;

promise! {
    "stock-conserved", Always, "R9 R17",
        "every unit is available, held or consumed; nothing is released while charge or fulfillment is unknown, and nothing ships without a live hold";
    RELEASE = "release", Always, [Wire], "R17",
        "nothing is released while charge or fulfillment is unknown";
    LASTING = "lasting", Always, [Records], "R9",
        "fulfillment is claimed under a hold that lasts until the request must have arrived";
    UNHELD = "unheld", Always, [Effects], "R9",
        "the carrier accepts only units that are held for the order";
    BALANCE = "balance", AtTheEnd, [Effects], "R9",
        "every unit is available, held or consumed";
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
    let facts = &state.facts;
    let until = court.moment.now + court.documented.arrival();
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
    court.breaks(&LASTING, Op::Fulfill, said);
}

/// The carrier accepted units that nobody holds for the order.
pub(crate) fn unheld(court: &mut Court<'_>) {
    let said = Wording {
        headline: format!("order {} ships units that nobody holds for it", court.number()),
        expected: "a live hold for the order when the carrier accepts".into(),
        found: "no live hold".into(),
        evidence: vec![],
    };
    court.breaks(&UNHELD, Op::Fulfill, said);
}

/// The run is over. `open`: some order still may need its hold.
pub(crate) fn ended(court: &mut Court<'_>, units: UnitLedger, open: bool) {
    let UnitLedger { initial, available, held, consumed } = units;
    let said = || Wording {
        headline: "the stock does not add up".into(),
        expected: format!("available + held + consumed = {initial}, and nothing held for orders that have ended"),
        found: format!("{available} available, {held} held, {consumed} consumed"),
        evidence: vec![],
    };
    if available + held + consumed != initial {
        court.breaks(&BALANCE, Op::Reserve, said());
    }
    if held != 0 && !open {
        court.breaks(&LEFT, Op::Reserve, said());
    }
}
