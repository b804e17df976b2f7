//! What a durable write of the subject changes in what is known: records become evidence for all nodes.

use crate::fact::Written;
use crate::known::op_state::OpState;
use crate::known::ops::op_of;
use crate::known::order_state::OrderState;
use crate::status::{Knowledge, Proof};
use unacked_mock_providers::message::Op;
use unacked_sim::time::Time;
use unacked_workflow::order::Status as Recorded;

/// Whether a write claims another attempt.
pub fn claims(written: &Written) -> bool {
    let (before, after) = (&written.before, &written.after);
    after.attempts > before.attempts || after.generation != before.generation && after.attempts > 0
}

/// Whether the generation before may be left behind, by what is known of it.
pub fn may_begin_anew(op: Op, known: Knowledge) -> bool {
    let repeats = matches!(op, Op::Renew | Op::Approve | Op::Reserve | Op::ReadStock);
    matches!(known, Knowledge::NotSent | Knowledge::Rejected) || repeats && known != Knowledge::Open
}

/// A new generation was written.
pub fn begin_anew(state: &mut OpState, op: Op, written: &Written, settled: bool) {
    // A read is not claimed: its first record comes after its sends, which count all the same.
    if op == Op::ReadStock && written.before.generation == 0 {
        return;
    }
    let key = state.key;
    state.renew();
    // A key that may still have effect is not forgotten: the wire is judged by it.
    if !settled {
        state.key = key;
    }
}

/// A status was written: evidence that survives a crash.
pub fn settle(state: &mut OpState, status: Recorded) {
    match status {
        Recorded::Planned | Recorded::Dispatched | Recorded::Unknown => {}
        Recorded::Completed => state.evidence.record(Proof::Committed),
        Recorded::Rejected => state.evidence.record(Proof::Rejected),
        Recorded::Pending => state.evidence.record(Proof::Pending),
    }
}

/// The order as a whole was written.
pub fn order(state: &mut OrderState, written: &Written, now: Time) {
    state.notification_unknown = written.notification_unknown;
    state.handoff = written.handoff.map(|(tool, _)| (op_of(tool), now));
    state.handed_off |= written.handoff.is_some();
    if let (Some(end), None) = (written.end, state.end) {
        state.end = Some((end, now));
    }
}
