//! The durable state of a subject: order records with leases and fences, and notes of foreign code.

use crate::due::DueOrders;
use crate::fact::{Fact, OpMark, Written};
use crate::known::ops::op_of;
use crate::records::{Claim, Projected, Projection, Records};
use std::collections::BTreeMap;
use unacked_mock_providers::approval_desk::DeskDecision;
use unacked_sim::time::{Span, Time};
use unacked_sim::world::NodeId;
use unacked_workflow::order::{Decision, Intent, Lease, Order, OrderId, Statement};
use unacked_workflow::ports::{StoreError, Transition};
use unacked_workflow::time::NEVER;
use unacked_workflow::tool::Tool;

/// What survives a crash of the subject.
#[derive(Debug)]
pub struct Books {
    orders: Vec<Stored>,
    due: DueOrders,
    /// What a record is at the beginning: copied rather than written field by field, once a run.
    blank: Order,
    /// Free-form durable notes of subjects with their own records, by order and name.
    pub notes: BTreeMap<(u32, &'static str), u64>,
}

impl Default for Books {
    fn default() -> Books {
        Books { orders: Vec::new(), due: DueOrders::default(), blank: Order::blank(), notes: BTreeMap::new() }
    }
}

impl Clone for Books {
    fn clone(&self) -> Books {
        Books { orders: self.orders.clone(), due: self.due.clone(), blank: self.blank, notes: self.notes.clone() }
    }

    fn clone_from(&mut self, from: &Books) {
        self.orders.clone_from(&from.orders);
        self.due.rewind(&from.due);
        self.notes.clone_from(&from.notes);
    }
}

#[derive(Clone, Debug)]
struct Stored {
    order: Order,
    /// Grows with every write by a desk: a worker's older view then conflicts.
    version: u32,
}

/// How the store guards writes and claims. A correct ledger port checks all of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guard {
    /// A write under an old claim is refused.
    pub fence: bool,
    /// An order under somebody's live lease is not claimed.
    pub lease: bool,
    /// An order whose lease is over is claimed again, and so is one's own after an interruption.
    pub rescue: bool,
}

impl Guard {
    /// All of it.
    pub const FULL: Guard = Guard { fence: true, lease: true, rescue: true };
}

impl Books {
    /// Empty books for these intents, dealt out in turn to so many workers.
    pub fn reset(&mut self, intents: &[Intent], workers: u8) {
        self.due.reset(intents.len(), usize::from(workers.max(1)));
        self.orders.resize(intents.len(), Stored { order: self.blank, version: 0 });
        for (i, (stored, &intent)) in self.orders.iter_mut().zip(intents).enumerate() {
            stored.order = self.blank;
            stored.order.id = OrderId(i as u32);
            stored.order.intent = intent;
            stored.order.lease.owner = i as u32 % u32::from(workers.max(1));
            stored.version = 0;
            self.due.note(&stored.order);
        }
        self.notes.clear();
    }

    /// The record of an order.
    pub fn order(&self, id: u32) -> Option<&Order> {
        self.orders.get(id as usize).map(|s| &s.order)
    }

    /// All records.
    pub fn orders(&self) -> impl Iterator<Item = &Order> {
        self.orders.iter().map(|s| &s.order)
    }

    /// Whether every order has ended.
    pub fn all_ended(&self) -> bool {
        self.due.all_ended()
    }

    /// The first order that this node should claim now.
    pub fn claimable(&self, node: NodeId, now: Time, lease: Span, guard: Guard) -> Option<u32> {
        let offered = self.first_of_all().filter(|order| offered(order, node, lease, guard) <= now.0);
        offered.map(|order| (order.due, order.id.0)).min().map(|(_, id)| id)
    }

    /// When there is something for this node to claim, as things stand.
    pub fn next_opening(&self, node: NodeId, lease: Span, guard: Guard) -> Option<Time> {
        let next = self.first_of_all().map(|order| offered(order, node, lease, guard)).min()?;
        (next != NEVER).then_some(Time(next))
    }

    /// The orders that come into question for a claim: of each owner's without a lease the one that is due
    /// first, since all of them are offered by when they are due; and all under a lease.
    fn first_of_all(&self) -> impl Iterator<Item = &Order> {
        let candidates = self.due.free().chain(self.due.leased());
        candidates.filter_map(|id| self.order(id))
    }

    /// Takes the lease: one compare-and-set.
    #[expect(clippy::too_many_arguments, reason = "one transaction: who, what, when, under which guard")]
    pub fn claim(
        &mut self,
        into: &mut Order,
        id: u32,
        node: NodeId,
        now: Time,
        lease: Span,
        guard: Guard,
        facts: &mut Vec<Fact>,
    ) -> Option<u32> {
        let stored = self.orders.get_mut(id as usize)?;
        if opens(&stored.order, node, guard) > now.0 {
            return None;
        }
        let fence = stored.order.lease.fence + 1;
        stored.order.lease = Lease { owner: u32::from(node.0), fence, until: (now + lease).0 };
        facts.push(Fact::Claimed { node, order: id, fence });
        *into = stored.order;
        self.due.note(&stored.order);
        Some(stored.version)
    }

    /// Writes a record, if its writer is still the owner and no desk has written since.
    ///
    /// # Errors
    /// `Fenced` or `Conflict`; nothing is written then.
    #[expect(clippy::too_many_arguments, reason = "one transaction: who, what, when, under which guard")]
    pub fn commit(
        &mut self,
        node: NodeId,
        order: &mut Order,
        version: u32,
        what: Transition,
        now: Time,
        lease: Span,
        guard: Guard,
        facts: &mut Vec<Fact>,
    ) -> Result<(), StoreError> {
        let id = order.id.0;
        let Some(stored) = self.orders.get_mut(id as usize) else { return Err(StoreError::Fenced) };
        let stale = stored.order.lease.fence != order.lease.fence;
        if stale && guard.fence {
            facts.push(Fact::Fenced { node, order: id });
            return Err(StoreError::Fenced);
        }
        if stored.version != version {
            return Err(StoreError::Conflict);
        }
        if order.lease.until != 0 {
            order.lease.until = (now + lease).0;
        }
        note_changes(node, &stored.order, order, what, stale, facts);
        let newest = stored.order.lease.fence.max(order.lease.fence);
        stored.take_over(order);
        stored.order.lease.fence = newest;
        order.touched = 0;
        self.due.note(&stored.order);
        Ok(())
    }

    /// The approval desk's decision, in one compare-and-set. Ended orders are left alone.
    pub fn decide(&mut self, id: u32, granted: bool, content: u64, expires: Time, now: Time) -> bool {
        let Some(stored) = self.open_order(id) else { return false };
        let approval = &mut stored.order.approval;
        if approval.decision != Decision::Open {
            return false;
        }
        approval.decision = if granted { Decision::Granted } else { Decision::Denied };
        approval.content = content;
        approval.expires = expires.0;
        stored.wake(now);
        self.due.note(&self.orders[id as usize].order);
        true
    }

    /// An operator's statement about what was handed off under this key.
    pub fn state(&mut self, id: u32, tool: Tool, key: u64, statement: Statement, now: Time) -> bool {
        let Some(stored) = self.open_order(id) else { return false };
        let open = stored.order.handoff.as_mut().filter(|h| h.statement.is_none());
        let Some(handoff) = open.filter(|h| h.tool == tool && h.key.0 == key) else { return false };
        handoff.statement = Some(statement);
        stored.wake(now);
        self.due.note(&self.orders[id as usize].order);
        true
    }

    fn open_order(&mut self, id: u32) -> Option<&mut Stored> {
        self.orders.get_mut(id as usize).filter(|s| s.order.end.is_none())
    }
}

impl Records for Books {
    const REPORTS: bool = true;

    fn reset(&mut self, intents: &[Intent], workers: u8) {
        Books::reset(self, intents, workers);
    }

    fn project(&self, id: u32) -> Projection {
        self.order(id).map_or_else(Projection::default, projection)
    }

    fn decide(&mut self, decision: &DeskDecision, now: Time) {
        Books::decide(self, decision.taint, decision.granted, decision.content, decision.expires, now);
    }

    fn state(&mut self, id: u32, tool: Tool, key: u64, statement: Statement, now: Time) -> bool {
        Books::state(self, id, tool, key, statement, now)
    }
}

/// What an order's record says, for the oracles.
fn projection(order: &Order) -> Projection {
    let lease = order.lease;
    let mut said = Projection {
        owner: (lease.fence > 0).then_some(Claim { node: NodeId(lease.owner as u8), fence: lease.fence }),
        approval_used: order.approval.consumed,
        notification_unknown: order.notification_unknown,
        handoff: waiting(order).map(|(tool, key)| (op_of(tool), key)),
        end: order.end,
        ..Projection::default()
    };
    for tool in Tool::ALL {
        let op = order.op(tool);
        *said.op_mut(op_of(tool)) = Projected {
            status: op.status,
            generation: op.generation,
            claims: op.attempts,
            key: op.key.0,
            reference: op.reference.0,
        };
    }
    said
}

/// The open entry in the operator queue.
fn waiting(order: &Order) -> Option<(Tool, u64)> {
    order.handoff.filter(|h| h.statement.is_none()).map(|h| (h.tool, h.key.0))
}

impl Stored {
    /// Copies what a writer may have changed: the operations it touched, and all that is not one.
    fn take_over(&mut self, from: &Order) {
        for tool in from.changed() {
            self.order.ops[tool as usize] = *from.op(tool);
        }
        self.order.course = from.course;
        self.order.approval = from.approval;
        self.order.handoff = from.handoff;
        self.order.notification_unknown = from.notification_unknown;
        self.order.end = from.end;
        self.order.lease = from.lease;
        self.order.due = from.due;
    }

    fn wake(&mut self, now: Time) {
        self.order.due = self.order.due.min(now.0);
        self.version += 1;
    }
}

/// When a node should try to claim an order: as soon as it is due for its latest owner, one lease later
/// for others. Without that every worker would wake for every order, and all claims but one would be
/// lost. Only advice: [`Books::claim`] does not depend on it.
fn offered(order: &Order, node: NodeId, lease: Span, guard: Guard) -> u64 {
    let opens = opens(order, node, guard);
    let own = order.lease.owner == u32::from(node.0);
    if own || !guard.lease { opens } else { opens.max(order.due.saturating_add(lease.0)) }
}

/// When an order may be claimed by a node: due, and its lease free, over or the node's own.
fn opens(order: &Order, node: NodeId, guard: Guard) -> u64 {
    if order.end.is_some() {
        return NEVER;
    }
    if !guard.rescue && order.lease.until != 0 {
        return NEVER;
    }
    let own = order.lease.owner == u32::from(node.0);
    if own || !guard.lease { order.due } else { order.due.max(order.lease.until) }
}

/// One fact per changed operation, and one for the order where it matters to others.
fn note_changes(node: NodeId, old: &Order, new: &Order, what: Transition, stale: bool, facts: &mut Vec<Fact>) {
    let mut written = Written {
        node,
        order: new.id.0,
        what,
        tool: None,
        before: OpMark::default(),
        after: OpMark::default(),
        key: 0,
        consumed: new.approval.consumed,
        notification_unknown: new.notification_unknown,
        handoff: waiting(new),
        end: new.end,
        stale,
    };
    for tool in new.changed() {
        let (before, op) = (OpMark::from(old.op(tool)), new.op(tool));
        facts.push(Fact::Written(Written { tool: Some(tool), before, after: op.into(), key: op.key.0, ..written }));
        written.stale = false;
    }
    if !matches!(what, Transition::Operation(_)) || new.lease.until == 0 {
        facts.push(Fact::Written(written));
    }
}
