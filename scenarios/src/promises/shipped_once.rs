//! shipped-once: what was ordered goes out once.

use crate::clause::{Clause, promise};
use crate::court::{Court, Wording};
use crate::known::order_state::OrderState;
use unacked_mock_providers::fact::Fact as Effect;
use unacked_mock_providers::message::Op;

promise! {
    "shipped-once", Always, "R8 R12 R15",
        "no more units are live at the carrier than were approved for the order";
    REQUESTED = "requested", Always, [Effects], "R8 R12 R15",
        "no more units are requested than were approved, counting those under way";
    ACCEPTED = "accepted", Always, [Effects], "R8 R12 R15",
        "no more units are accepted than were approved, counting those under way";
    STRAY = "stray", Always, [Effects], "R8",
        "what is shipped goes to an address of an authorised order";
}

/// A shipment was requested.
pub(crate) fn requested(court: &mut Court<'_>, state: &OrderState, earlier: u32) {
    judge(court, state, &REQUESTED, earlier);
}

/// A shipment was accepted.
pub(crate) fn accepted(court: &mut Court<'_>, state: &OrderState, earlier: u32) {
    judge(court, state, &ACCEPTED, earlier);
}

fn judge(court: &mut Court<'_>, state: &OrderState, clause: &'static Clause, earlier: u32) {
    let (facts, approved) = (&state.facts, i64::from(state.registered.intent.quantity));
    let live = facts.live();
    if live <= approved {
        return;
    }
    let said = Wording {
        headline: format!("order {} is being shipped twice", court.number()),
        expected: format!("at most {approved} unit(s) live at the carrier"),
        found: format!("{live} unit(s): {} accepted, {} requested", facts.accepted, facts.requested),
        evidence: vec![earlier],
    };
    court.breaks(clause, Op::Fulfill, said);
}

/// A shipment to nobody's address.
pub(crate) fn stray(court: &mut Court<'_>, effect: &Effect) {
    court.breaks(&STRAY, Op::Fulfill, Wording::stray(effect));
}
