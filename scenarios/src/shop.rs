//! The shop: providers, desks and oracles behind one wire. The world of every scenario.

mod blame;
mod desks;
mod judging;
mod party;
mod routing;
mod wording;

pub use party::Party;

use crate::books::Books;
use crate::known::ops::tool_of;
use crate::promises::Promises;
use crate::queue::OperatorQueue;
use crate::records::{Known, Records};
use crate::words::Words;
use unacked_mock_providers::approval_desk::ApprovalDesk;
use unacked_mock_providers::fact::Fact as Effect;
use unacked_mock_providers::fulfillment::Fulfillment;
use unacked_mock_providers::inventory::Inventory;
use unacked_mock_providers::mail::Mail;
use unacked_mock_providers::message::Op;
use unacked_mock_providers::operator_desk::OperatorDesk;
use unacked_mock_providers::payments::Payments;
use unacked_sim::menu::MenuId;
use unacked_sim::time::Span;
use unacked_sim::world::Route;
use unacked_workflow::belief::{Belief, Beliefs, Limits};
use unacked_workflow::order::Intent;
use unacked_workflow::tool::Tool;

/// The world of every scenario.
#[derive(Clone, Debug)]
pub struct Shop<R: Records = Books> {
    /// What was ordered, by order.
    pub intents: Vec<Intent>,
    /// Names of sites.
    pub words: Words,
    /// How long a claim protects.
    pub lease: Span,
    /// What may happen to a read of the work queue.
    pub read_menu: MenuId,
    /// The oracles.
    pub promises: Promises,
    pub(crate) workers: u8,
    pub(crate) act: [Route; Op::COUNT],
    pub(crate) lookup: [Route; Op::COUNT],
    pub(crate) inventory: Inventory,
    pub(crate) payments: Payments,
    pub(crate) carrier: Fulfillment,
    pub(crate) mail: Mail,
    pub(crate) approver: ApprovalDesk,
    pub(crate) operator: Option<OperatorDesk>,
    pub(crate) effects: Vec<Effect>,
    /// Which operation each order's latest question was for.
    pub(crate) asked_for: Vec<u64>,
    /// What the scenario demands of most orders: how long they take, the approver apart.
    pub(crate) prompt: Span,
    /// The scenario's longest finite maximum.
    pub(crate) drain: Span,
    /// What a client may believe: handed to whoever asks for it, and to no judge.
    pub(crate) beliefs: Beliefs,
    /// How long to wait for an answer, by tool.
    pub(crate) timeouts: [Span; Tool::COUNT],
    /// What was handed over to people.
    pub(crate) queue: OperatorQueue,
    /// What the records said when they were last written, by order.
    pub(crate) known: Known<R>,
}

impl<R: Records> Shop<R> {
    /// What the contracts document about an operation: nothing else may be relied on.
    pub fn documented(&self, op: Op) -> &Belief {
        self.beliefs.of(tool_of(op))
    }

    /// The scenario's horizons: how long requests travel and nodes stand still, when a person is called,
    /// how often something may be tried.
    pub fn limits(&self) -> &Limits {
        &self.promises.documented.limits
    }

    /// How long an answer to this operation is usually waited for.
    pub fn timeout(&self, op: Op) -> Span {
        self.timeouts[tool_of(op) as usize]
    }

    /// How often one generation of this operation may be sent.
    pub fn attempts(&self, op: Op) -> u16 {
        self.limits().attempts[tool_of(op) as usize]
    }

    /// When an operation that was first sent a while ago goes to a person: the later deadline applies as long
    /// as a repetition under its key is covered.
    pub fn deadline(&self, op: Op, covered: bool) -> Span {
        let limits = self.limits();
        let deadlines = if covered { &limits.handoff_covered } else { &limits.handoff };
        Span(deadlines[tool_of(op) as usize])
    }
}
