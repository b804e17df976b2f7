//! finishes: every order comes to an end, in time.

use crate::clause::{Clause, Need, promise};
use crate::court::{Court, Wording, at};
use crate::known::order_state::OrderState;
use crate::telling::truth;
use unacked_mock_providers::message::Op;
use unacked_sim::time::Time;

promise! {
    "finishes", Eventually, "R11 R26",
        "once the faults have stopped, every order reaches a legal end within the computed bound";
    NEVER = "never", AtTheEnd, [Effects], "R11 R26",
        "every order reaches a legal end";
    LATE = "late", AtTheEnd, [Effects], "R11 R26",
        "every order reaches its end within the bound";
}

/// The run is over.
pub(crate) fn ended(court: &mut Court<'_>, state: &OrderState, calm: Time) {
    let sees_records = court.documented.sees.has(Need::Records);
    if never(state, court.moment.now, sees_records) {
        unfinished(court, state, &NEVER, "it never did");
    }
    let recorded = state.end.map(|(_, at)| at);
    let reached = if sees_records { recorded } else { state.legal_since };
    let Some(reached) = reached else { return };
    if reached > calm + court.documented.finish_bound && !state.handed_off {
        unfinished(court, state, &LATE, &format!("reached at {}", at(reached)));
    }
}

/// Whether there is no end, and nobody else to say so: an order of which nothing was ever done is lost,
/// and what is unresolved in the records should have been handed over.
fn never(state: &OrderState, now: Time, sees_records: bool) -> bool {
    let said_elsewhere = if sees_records { state.unresolved().is_some() } else { state.is_lost() };
    !state.is_settled(now) && state.end.is_none() && !said_elsewhere
}

fn unfinished(court: &mut Court<'_>, state: &OrderState, clause: &'static Clause, found: &str) {
    let said = Wording {
        headline: format!("order {} did not reach a legal end in time", court.number()),
        expected: format!("a legal end within {} of the last fault", court.documented.finish_bound),
        found: format!("{found}: {}", truth(state)),
        evidence: state.facts.seen.to_vec(),
    };
    court.breaks(clause, Op::Fulfill, said);
}
