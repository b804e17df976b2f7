//! Records of one's own shape: any cloneable durable state, and what it says about an order.
//!
//! The oracles do not read a subject's records. They are told what changed in them: after each durable
//! write the [`Projection`] of every order is compared with the one before, and each difference becomes a
//! [`Fact`]. The built-in orchestrator's [`Books`](crate::books::Books) go through the same door; they only
//! know their differences without looking.

use crate::fact::{Fact, OpMark, Written};
use crate::known::ops::{op_of, tool_of};
use std::marker::PhantomData;
use unacked_mock_providers::approval_desk::DeskDecision;
use unacked_mock_providers::message::Op;
use unacked_sim::time::Time;
use unacked_sim::world::NodeId;
use unacked_workflow::order::{End, Intent, Statement, Status};
use unacked_workflow::ports::Transition;
use unacked_workflow::tool::Tool;

/// Durable state of a subject: what survives a crash.
pub trait Records: Clone + Default + 'static {
    /// Whether a write reports its changes itself; [`Records::project`] is not asked then.
    const REPORTS: bool = false;

    /// Empty records for these orders, to be served by so many workers.
    fn reset(&mut self, intents: &[Intent], workers: u8);

    /// What the records say about an order, by its number from 0. All that is judged about them is
    /// judged by this: leave out nothing that another worker, or the same one after a crash, acts on.
    fn project(&self, order: u32) -> Projection;

    /// The approval desk's decision reaches the store, for subjects that let it write there. Others look
    /// the question up.
    fn decide(&mut self, decision: &DeskDecision, now: Time) {
        let _ = (decision, now);
    }

    /// An operator's statement reaches the store. Returns whether it was waited for there; others ask with
    /// [`client::statement`](crate::client::statement).
    fn state(&mut self, order: u32, tool: Tool, key: u64, statement: Statement, now: Time) -> bool {
        let _ = (order, tool, key, statement, now);
        false
    }
}

/// What the records say about one order. The default says nothing: no operation was begun, nobody owns it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Projection {
    /// Its operations: see [`Projection::op_mut`].
    pub ops: [Projected; Op::COUNT],
    /// Who may write, and the number of the claim; `None`: whoever comes (a single worker has no leases).
    pub owner: Option<Claim>,
    /// The approval was used up: say so from the write on that first dispatches the fulfillment.
    pub approval_used: bool,
    /// The customer may not have been told, and the records show it.
    pub notification_unknown: bool,
    /// It waits for an operator, about this operation under this key.
    pub handoff: Option<(Op, u64)>,
    /// How it ended.
    pub end: Option<End>,
}

/// A claim on an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Whose.
    pub node: NodeId,
    /// Its number: the highest one is the owner's.
    pub fence: u32,
}

/// What the records say about one operation of an order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Projected {
    /// Where it stands. [`Status::Dispatched`] is to be durable before the first byte leaves.
    pub status: Status,
    /// Counts from 1; the next one begins once this one is known to have ended without effect.
    pub generation: u16,
    /// Sends of this generation that were written down beforehand; leave it at 0 if they are not counted.
    pub claims: u16,
    /// The key, or client reference, of this generation.
    pub key: u64,
    /// The provider's reference, once known.
    pub reference: u64,
}

impl Projection {
    /// One operation.
    pub fn op(&self, op: Op) -> &Projected {
        &self.ops[op as usize]
    }

    /// The same, to fill it in.
    pub fn op_mut(&mut self, op: Op) -> &mut Projected {
        &mut self.ops[op as usize]
    }
}

impl Projected {
    /// As the oracles see it: what has begun has been claimed at least once.
    fn mark(&self) -> OpMark {
        let begun = u16::from(self.status != Status::Planned);
        OpMark { status: self.status, generation: self.generation.max(begun), attempts: self.claims.max(begun) }
    }
}

/// What the records said when they were last written.
#[derive(Clone, Debug)]
pub(crate) struct Known<R> {
    orders: Vec<Projection>,
    records: PhantomData<R>,
}

impl<R: Records> Known<R> {
    pub(crate) fn new() -> Known<R> {
        Known { orders: Vec::new(), records: PhantomData }
    }

    pub(crate) fn reset(&mut self, records: &R, orders: usize) {
        self.orders.clear();
        if !R::REPORTS {
            self.orders.extend((0..orders as u32).map(|order| records.project(order)));
        }
    }

    pub(crate) fn rewind(&mut self, to: &Known<R>) {
        self.orders.clone_from(&to.orders);
    }

    /// A node has written: what is different now.
    pub(crate) fn compare(&mut self, node: NodeId, records: &R, facts: &mut Vec<Fact>) {
        for (order, before) in self.orders.iter_mut().enumerate() {
            let order = order as u32;
            let after = records.project(order);
            if after != *before {
                differences(node, order, before, &after, facts);
                *before = after;
            }
        }
    }
}

/// The facts that lead from one projection to another: a claim, one per changed operation, and one for the
/// order itself.
pub fn differences(node: NodeId, order: u32, before: &Projection, after: &Projection, facts: &mut Vec<Fact>) {
    let claimed = after.owner.filter(|_| after.owner != before.owner);
    if let Some(Claim { node, fence }) = claimed {
        facts.push(Fact::Claimed { node, order, fence });
    }
    let mut written = Written {
        node,
        order,
        what: transition(before, after),
        tool: None,
        before: OpMark::default(),
        after: OpMark::default(),
        key: 0,
        consumed: after.approval_used,
        notification_unknown: after.notification_unknown,
        handoff: after.handoff.map(|(op, key)| (tool_of(op), key)),
        end: after.end,
        stale: claimed.is_none() && after.owner.is_some_and(|owner| owner.node != node),
    };
    for tool in Tool::ALL {
        let (old, new) = (before.op(op_of(tool)), after.op(op_of(tool)));
        if old != new {
            let what = Transition::Operation(tool);
            let (before, after) = (old.mark(), new.mark());
            facts.push(Fact::Written(Written { what, tool: Some(tool), before, after, key: new.key, ..written }));
            written.stale = false;
        }
    }
    if concerns_order(before, after) || written.stale {
        facts.push(Fact::Written(written));
    }
}

fn concerns_order(before: &Projection, after: &Projection) -> bool {
    (before.approval_used, before.notification_unknown, before.handoff, before.end)
        != (after.approval_used, after.notification_unknown, after.handoff, after.end)
}

/// What a write did to the order as a whole.
fn transition(before: &Projection, after: &Projection) -> Transition {
    if after.end.is_some() && before.end.is_none() {
        Transition::Ended
    } else if after.handoff.is_some() && after.handoff != before.handoff {
        Transition::HandedOff
    } else {
        Transition::Parked
    }
}
