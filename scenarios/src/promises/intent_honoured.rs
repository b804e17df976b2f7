//! intent-honoured: no order is lost, and none ends for no reason.

use crate::clause::{Need, promise};
use crate::court::{Court, Wording};
use crate::known::order_state::OrderState;
use crate::telling::{ended as end_name, truth};
use unacked_mock_providers::message::Op;

promise! {
    "intent-honoured", AtTheEnd, "R4 R11",
        "every legitimate order takes effect, is refused for a cause that was true, or is handed to a person";
    FALSE_END = "false-end", AtTheEnd, [Records, Effects], "R4 R11",
        "an order that has ended took effect, or was refused for a cause that was true";
    LOST = "lost", AtTheEnd, [Effects], "R4",
        "no order is left untouched";
}

/// The run is over.
pub(crate) fn ended(court: &mut Court<'_>, state: &OrderState) {
    if state.is_settled(court.moment.now) {
        return;
    }
    if let Some((end, _)) = state.end {
        let said = Wording {
            headline: format!("order {} ended as {} but is not", court.number(), end_name(end)),
            expected: "delivered as approved, or refused for a true cause with nothing left behind".into(),
            found: truth(state),
            evidence: state.facts.seen.to_vec(),
        };
        court.breaks(&FALSE_END, Op::Charge, said);
    } else if state.is_lost() && !court.documented.sees.has(Need::Records) {
        let said = Wording {
            headline: format!("order {} was lost", court.number()),
            expected: "the order takes effect, is refused for a true cause, or is handed to a person".into(),
            found: "nothing was ever charged, shipped or refused".into(),
            evidence: vec![],
        };
        court.breaks(&LOST, Op::Charge, said);
    }
}
