//! The names of the shop's sites: scopes of orders and workers, verbs of calls and writes.

use unacked_mock_providers::message::Op;
use unacked_sim::site::{Names, Scope, SiteName, Verb};
use unacked_workflow::order::{Order, Status};
use unacked_workflow::ports::Transition;
use unacked_workflow::tool::Tool;

const STATUSES: [Status; 6] =
    [Status::Planned, Status::Dispatched, Status::Unknown, Status::Pending, Status::Completed, Status::Rejected];

/// Former verbs with today's, so that old plans stay valid. A renamed operation needs one line:
/// `pay` also stands for `pay.lookup` and `pay.dispatched`.
pub const FORMER: &[(&str, &str)] = &[];

/// A site under today's name.
pub fn today(site: &SiteName, former: &[(&str, &str)]) -> SiteName {
    let renamed = |&(old, new): &(&str, &str)| {
        let rest = site.verb.strip_prefix(old).filter(|rest| rest.is_empty() || rest.starts_with('.'))?;
        Some(format!("{new}{rest}"))
    };
    let verb = former.iter().find_map(renamed);
    SiteName { verb: verb.unwrap_or_else(|| site.verb.clone()), ..site.clone() }
}

/// Handles of all names, made once per world.
#[derive(Clone, Copy, Debug)]
pub struct Words {
    first_order: u16,
    orders: u16,
    first_worker: u16,
    calls: [Verb; Op::COUNT],
    lookups: [Verb; Op::COUNT],
    writes: [[Verb; 6]; Tool::COUNT],
    jitter: [Verb; Tool::COUNT],
    /// A worker takes an order.
    pub claimed: Verb,
    parked: Verb,
    /// An order enters the operator queue.
    pub handed_off: Verb,
    resolved: Verb,
    cancelling: Verb,
    ended: Verb,
    /// A worker looks for due orders.
    pub due: Verb,
    /// A node's clock.
    pub clock: Verb,
    /// The operator takes up an order.
    pub operator: Verb,
    /// A note of a foreign subject.
    pub note: Verb,
    /// A read of its records.
    pub load: Verb,
    /// A look into the operator queue.
    pub statement: Verb,
}

impl Words {
    /// Interns everything.
    pub fn new(names: &mut Names, orders: u16, workers: u16) -> Words {
        let scopes = |names: &mut Names, what: &str, n: u16| {
            (0..n).map(|i| names.scope(&format!("{what}-{}", i + 1)).0).min().unwrap_or(0)
        };
        let first_worker = scopes(names, "worker", workers);
        let first_order = scopes(names, "order", orders);
        let mut verb = |name: &str| names.verb(name);
        Words {
            first_order,
            orders,
            first_worker,
            calls: Op::ALL.map(|op| verb(op.name())),
            lookups: Op::ALL.map(|op| verb(&format!("{}.lookup", op.name()))),
            writes: Tool::ALL.map(|t| STATUSES.map(|s| verb(&format!("{}.{}", t.name(), s.name())))),
            jitter: Tool::ALL.map(|t| verb(&format!("{}.backoff", t.name()))),
            claimed: verb("order.claimed"),
            parked: verb("order.parked"),
            handed_off: verb("order.handed-off"),
            resolved: verb("order.resolved"),
            cancelling: verb("order.cancelling"),
            ended: verb("order.ended"),
            due: verb("due"),
            clock: verb("clock"),
            operator: verb("operator"),
            note: verb("note"),
            load: verb("load"),
            statement: verb("statement"),
        }
    }

    /// Scope of an order; orders beyond the known ones share the last.
    #[inline]
    pub fn order(&self, id: u32) -> Scope {
        Scope(self.first_order + (id as u16).min(self.orders.saturating_sub(1)))
    }

    /// Scope of a worker.
    pub fn worker(&self, node: u8) -> Scope {
        Scope(self.first_worker + u16::from(node))
    }

    /// Verb of a call.
    #[inline]
    pub fn call(&self, op: Op) -> Verb {
        self.calls[op as usize]
    }

    /// Verb of a lookup.
    #[inline]
    pub fn lookup(&self, op: Op) -> Verb {
        self.lookups[op as usize]
    }

    /// Verb of a backoff draw.
    pub fn jitter(&self, tool: Tool) -> Verb {
        self.jitter[tool as usize]
    }

    /// Verb of a durable write.
    #[inline]
    pub fn write(&self, order: &Order, what: Transition) -> Verb {
        match what {
            Transition::Operation(tool) => self.writes[tool as usize][order.op(tool).status as usize],
            Transition::Parked => self.parked,
            Transition::HandedOff => self.handed_off,
            Transition::Resolved(_) => self.resolved,
            Transition::Cancelling => self.cancelling,
            Transition::Ended => self.ended,
        }
    }
}
