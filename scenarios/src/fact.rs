//! Facts of the shop: effects at providers, and durable writes of the subject.

use unacked_mock_providers::fact::Fact as Effect;
use unacked_sim::world::NodeId;
use unacked_workflow::order::{Approval, End, Handoff, Operation};
use unacked_workflow::ports::Transition;

/// What happened in the shop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fact {
    /// At a provider or a desk.
    Effect(Effect),
    /// A durable write of the subject was accepted by the store.
    Record(Record),
    /// A durable write was refused, since its writer is no longer the owner.
    Fenced {
        /// Whose write.
        node: NodeId,
        /// Of which order.
        order: u32,
    },
    /// A worker took an order's lease.
    Claimed {
        /// Which worker.
        node: NodeId,
        /// Which order.
        order: u32,
        /// Number of the claim.
        fence: u32,
    },
    /// An operator's statement was written into the record by the operator desk.
    Stated {
        /// Of which order.
        order: u32,
        /// About which operation.
        tool: unacked_workflow::tool::Tool,
        /// Whether the effect exists.
        committed: bool,
    },
}

/// One change in a durable write of an order's record: a write is one of these per operation that
/// it changes, and one for the order itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Record {
    /// Who wrote.
    pub node: NodeId,
    /// Which order.
    pub order: u32,
    /// What the write was for.
    pub what: Transition,
    /// Which operation changed; `None`: the order itself.
    pub tool: Option<unacked_workflow::tool::Tool>,
    /// The operation before.
    pub before: Operation,
    /// The operation as written.
    pub op: Operation,
    /// The approval as written.
    pub approval: Approval,
    /// The hand-off as written.
    pub handoff: Option<Handoff>,
    /// "Notification unknown" as written.
    pub notification_unknown: bool,
    /// The end as written.
    pub end: Option<End>,
    /// The writer's claim was not the newest.
    pub stale: bool,
}
