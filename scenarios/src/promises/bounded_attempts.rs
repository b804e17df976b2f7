//! bounded-attempts: one try at a time, and not for ever.

use super::key_stable::may_rotate;
use crate::clause::promise;
use crate::court::{Court, Wording};
use crate::fact::Written;
use crate::known::op_state::OpState;
use crate::known::ops::tool_of;
use crate::known::order_state::OrderState;
use crate::status::Knowledge;
use unacked_mock_providers::message::Op;
use unacked_sim::world::NodeId;

promise! {
    "bounded-attempts", Always, "R2 R12",
        "at most one open generation per operation, and no more attempts than the scenario allows";
    CAP = "cap", Always, [Wire], "R2",
        "no more attempts are made than the scenario allows";
    SENT = "sent", Always, [Wire], "R12",
        "nothing is sent under another key while the operation under the old one may still have effect";
    BEGUN = "begun", Always, [Records], "R12",
        "no generation is opened while the one before may still have effect";
}

/// A request has left.
pub(crate) fn sent(court: &mut Court<'_>, state: &OrderState, op: Op) {
    let tool = tool_of(op);
    let cap = court.documented.limits.attempts[tool as usize].saturating_mul(court.documented.layers);
    let sends = state.op(op).sends;
    if sends <= cap {
        return;
    }
    let said = Wording {
        headline: format!("{} of order {} was attempted {sends} times", op.name(), court.number()),
        expected: format!("at most {cap} attempts per generation"),
        found: format!("{sends} attempts under one key"),
        evidence: vec![],
    };
    court.breaks(&CAP, op, said);
}

/// A request leaves under another key than the one before.
pub(crate) fn rotated(court: &mut Court<'_>, before: &OpState, node: NodeId, op: Op) {
    let known = before.status(node);
    if may_rotate(op, known) {
        return;
    }
    let said = Wording::rotated(court, before, known, op, "at most one open generation per operation");
    court.breaks(&SENT, op, said);
}

/// A generation was opened.
pub(crate) fn begun(
    court: &mut Court<'_>,
    state: &OrderState,
    op: Op,
    written: &Written,
    known: Knowledge,
    settled: bool,
) {
    if settled || op == Op::ReadStock {
        return;
    }
    let said = Wording {
        headline: format!("order {} opened a new {} while the old one was {}", court.number(), op.name(), known.name()),
        expected: "at most one open generation per operation".into(),
        found: format!(
            "generation {} while generation {} is {}",
            written.after.generation,
            written.before.generation,
            known.name()
        ),
        evidence: vec![state.op(op).sent_event],
    };
    court.breaks(&BEGUN, op, said);
}
