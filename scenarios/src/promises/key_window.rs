//! key-window: a key is relied on only as long as it is certainly remembered.

use crate::clause::{Clause, Need, promise};
use crate::court::{Court, Wording, at};
use crate::known::op_state::OpState;
use crate::known::ops::tool_of;
use crate::status::Knowledge;
use unacked_mock_providers::message::Op;
use unacked_sim::time::{Span, Time};
use unacked_sim::world::NodeId;

promise! {
    "key-window", Always, "R7",
        "no reliance on a key past the latest safe claim of its documented window";
    CLAIM = "claim", Always, [Records, Wire], "R7",
        "no attempt is claimed so late that the key may be forgotten when it arrives";
    SEND = "send", Always, [Wire], "R7",
        "no attempt is sent so late that the key may be forgotten when it arrives; claims are judged instead where they are seen";
}

/// Another attempt is claimed.
pub(crate) fn claimed(court: &mut Court<'_>, before: &OpState, node: NodeId, op: Op) {
    let pause = court.documented.limits.p_max;
    judge(court, before, node, op, pause, &CLAIM);
}

/// A request is repeated under its key.
pub(crate) fn repeated(court: &mut Court<'_>, before: &OpState, node: NodeId, op: Op) {
    if !court.documented.sees.has(Need::Records) {
        judge(court, before, node, op, 0, &SEND);
    }
}

fn judge(court: &mut Court<'_>, before: &OpState, node: NodeId, op: Op, pause: u64, clause: &'static Clause) {
    let now = court.moment.now;
    let Some(window) = court.documented.of(tool_of(op)).window else { return };
    let Some(first) = before.evidence.first_send else { return };
    let limits = &court.documented.limits;
    let margin = pause.saturating_add(limits.d_max).saturating_add(limits.skew);
    let latest = Time(first.0.saturating_add(window.0.saturating_sub(margin)));
    if window == Span::NEVER || now <= latest || before.status(node) != Knowledge::Open {
        return;
    }
    let said = Wording {
        headline: format!(
            "{} of order {} relied on a key that the provider may have forgotten",
            op.name(),
            court.number()
        ),
        expected: format!("no claim under the first key after {}", at(latest)),
        found: format!("a claim at {}; the key was first used at {}", at(now), at(first)),
        evidence: vec![before.sent_event],
    };
    court.breaks(clause, op, said);
}
