//! Facts of the shop: effects at providers, and durable writes of the subject.

use unacked_mock_providers::fact::Fact as Effect;
use unacked_sim::world::NodeId;
use unacked_workflow::order::{End, Operation, Status};
use unacked_workflow::ports::Transition;
use unacked_workflow::tool::Tool;

/// What happened in the shop.
#[derive(Clone, Copy, Debug, PartialEq)]
// A tag of its own: every fact is matched on twice, and a niche takes longer to read.
#[repr(u8)]
pub enum Fact {
    /// At a provider or a desk.
    Effect(Effect),
    /// A durable write of the subject was accepted by the store.
    Written(Written),
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
    /// An operation was handed over to a person, in a durable write of its own.
    Queued {
        /// By whom.
        node: NodeId,
        /// Of which order.
        order: u32,
        /// Which operation.
        tool: Tool,
        /// Under which key.
        key: u64,
    },
    /// An operator's statement was written into the record by the operator desk.
    Stated {
        /// Of which order.
        order: u32,
        /// About which operation.
        tool: Tool,
        /// Whether the effect exists.
        committed: bool,
    },
}

/// One change in a durable write of an order's record: a write is one of these per operation that
/// it changes, and one for the order itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Written {
    /// Who wrote.
    pub node: NodeId,
    /// Which order.
    pub order: u32,
    /// What the write was for.
    pub what: Transition,
    /// Which operation changed; `None`: the order itself.
    pub tool: Option<Tool>,
    /// The operation before.
    pub before: OpMark,
    /// The operation as written.
    pub after: OpMark,
    /// Its key as written.
    pub key: u64,
    /// The approval was used up as of this write.
    pub consumed: bool,
    /// "Notification unknown" as written.
    pub notification_unknown: bool,
    /// An open entry in the operator queue as written: about what, under which key.
    pub handoff: Option<(Tool, u64)>,
    /// The end as written.
    pub end: Option<End>,
    /// The writer's claim was not the newest.
    pub stale: bool,
}

/// What of an operation's record the oracles look at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpMark {
    /// Its status.
    pub status: Status,
    /// Its generation.
    pub generation: u16,
    /// Attempts claimed in it.
    pub attempts: u16,
}

impl From<&Operation> for OpMark {
    fn from(op: &Operation) -> OpMark {
        OpMark { status: op.status, generation: op.generation, attempts: op.attempts }
    }
}
