//! handoff-visible: what is unresolved is in somebody's queue, and stands still there.

use crate::clause::{Need, promise};
use crate::court::{Court, Wording, at};
use crate::known::order_state::OrderState;
use crate::telling::truth;
use unacked_mock_providers::message::Request;

promise! {
    "handoff-visible", Always, "R19 R20",
        "what stays unresolved past its horizon is in the operator queue, and blocks new mutations";
    BLOCKS = "blocks", Always, [OperatorDesk, Wire], "R20",
        "an order that waits for an operator begins nothing new";
    UNRESOLVED = "unresolved", AtTheEnd, [Records, OperatorDesk], "R19 R20",
        "what stays unresolved is in the operator queue";
}

/// A request leaves. Covered same-key replays stay allowed, and so is what had been claimed before.
pub(crate) fn sent(court: &mut Court<'_>, state: &OrderState, request: &Request) {
    let Some((about, since)) = state.handoff else { return };
    let op = state.op(request.op);
    let repeats = op.sends > 0 && op.key == request.key;
    let may_be_claimed = op.claims > 0 || !court.documented.sees.has(Need::Records);
    let claimed_before = may_be_claimed && court.moment.now <= since + court.documented.arrival();
    if repeats || claimed_before {
        return;
    }
    let said = Wording {
        headline: format!(
            "order {} went on with {} although it waits for an operator",
            court.number(),
            request.op.name()
        ),
        expected: "no new mutation while an operation is handed off".into(),
        found: format!("{} handed off at {}, then a new {}", about.name(), at(since), request.op.name()),
        evidence: vec![],
    };
    court.breaks(&BLOCKS, request.op, said);
}

/// The run is over.
pub(crate) fn ended(court: &mut Court<'_>, state: &OrderState) {
    let Some(op) = state.unresolved().filter(|_| court.documented.sees.has(Need::Records)) else { return };
    if state.end.is_some() || state.is_settled(court.moment.now) {
        return;
    }
    let said = Wording {
        headline: format!(
            "{} of order {} stayed unresolved, and no operator was told",
            op.name(),
            court.number()
        ),
        expected: "an entry in the operator queue once no automatic step is left".into(),
        found: truth(state),
        evidence: vec![state.op(op).sent_event],
    };
    court.breaks(&UNRESOLVED, op, said);
}
