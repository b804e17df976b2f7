//! owner-only: one worker at a time has an order.

use crate::clause::{Need, promise};
use crate::court::{Court, Wording};
use crate::fact::Written;
use crate::known::ops::op_of;
use crate::known::order_state::OrderState;
use unacked_mock_providers::message::Op;
use unacked_sim::world::NodeId;

promise! {
    "owner-only", Always, "R6",
        "only the newest owner claims, rotates and records; an old one may finish the send it had claimed";
    SEND = "send", Always, [Records, Wire], "R6",
        "a worker that no longer owns an order sends nothing but what it had claimed";
    WRITE = "write", Always, [Records], "R6",
        "a worker that no longer owns an order writes nothing into its record";
}

/// A request leaves a node.
pub(crate) fn sent(court: &mut Court<'_>, state: &OrderState, node: NodeId, op: Op) {
    // Who keeps no claims has no owner to be.
    let Some(owner) = state.owner.filter(|_| court.documented.sees.has(Need::Records)) else { return };
    if owner == node || state.op(op).has_claim(node) {
        return;
    }
    let said = Wording {
        headline: format!("a worker that no longer owns order {} sent {}", court.number(), op.name()),
        expected: "only the newest owner sends, or an old one what it had claimed".into(),
        found: "a send without a claim, by an old owner".into(),
        evidence: vec![],
    };
    court.breaks(&SEND, op, said);
}

/// The store accepted a write under an old claim.
pub(crate) fn stale_write(court: &mut Court<'_>, written: &Written) {
    let said = Wording {
        headline: format!("a worker that no longer owns order {} wrote its record", court.number()),
        expected: "a write under an old claim is refused".into(),
        found: "the store accepted it".into(),
        evidence: vec![],
    };
    court.breaks(&WRITE, written.tool.map_or(Op::ReadStock, op_of), said);
}
