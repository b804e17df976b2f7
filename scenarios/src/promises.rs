//! The promises: one file each, and what hears of every fact. A file of this folder that is not named in
//! the list below is not compiled, and a test compares the two.
//!
//! Reading order: the list, then how facts are handed out, then any promise.

use crate::clause::{Clause, Needs};
use crate::court::Court;
use crate::demand::{MOSTLY_AUTOMATIC, MOSTLY_PROMPT};
use crate::fact::{Fact, Written};
use crate::intent::Decided;
use crate::known::documented::Documented;
use crate::known::keys::Keys;
use crate::known::learn::learn;
use crate::known::memory::Memory;
use crate::known::ops::op_of;
use crate::known::order_state::OrderState;
use crate::known::written as known;
use crate::status::Proof;
use unacked_mock_providers::fact::{Fact as Effect, What};
use unacked_mock_providers::message::{Ask, Op, Reply, Request, Says, UNTAINTED};
use unacked_sim::site::Scope;
use unacked_sim::time::{Span, Time};
use unacked_sim::verdict::{NO_LEAK, NO_LIVELOCK, NO_PANIC, Promise, Verdicts};
use unacked_sim::world::{Moment, NodeId, Received};
use unacked_workflow::order::Intent;
use unacked_workflow::ports::Transition;
use unacked_workflow::tool::Tool;

macro_rules! registry {
    ($($promise:ident),* $(,)?) => {
        $(pub(crate) mod $promise;)*
        /// All promises; the demands on all runs together and the engine's own last.
        pub static ALL: &[&Promise] = &[$(&$promise::PROMISE,)* &MOSTLY_AUTOMATIC, &MOSTLY_PROMPT, &NO_PANIC, &NO_LIVELOCK, &NO_LEAK];
        /// The clauses of each, in the same order.
        static CLAUSES: &[&[&Clause]] = &[$($promise::CLAUSES),*];
        /// The files of this folder.
        #[cfg(test)]
        pub(crate) static FILES: &[&str] = &[$(stringify!($promise)),*];
    };
}

registry! {
    charged_once,
    shipped_once,
    paid_before_shipped,
    refund_justified,
    stock_conserved,
    notified_once,
    told_true,
    approved_only,
    key_durable,
    key_stable,
    key_window,
    record_true,
    owner_only,
    intent_honoured,
    handoff_justified,
    handoff_visible,
    bounded_attempts,
    finishes,
}

/// The promise of this name.
pub fn named(name: &str) -> Option<&'static Promise> {
    ALL.iter().copied().find(|p| p.name == name)
}

/// All clauses, in the order of the promises.
pub fn clauses() -> impl Iterator<Item = &'static Clause> {
    CLAUSES.iter().flat_map(|of| of.iter().copied())
}

/// The clauses of a promise; the engine's own promises have none.
pub fn clauses_of(promise: &Promise) -> impl Iterator<Item = &'static Clause> {
    clauses().filter(|clause| clause.promise.name == promise.name)
}

/// What cannot be judged where only so much is seen: a promise's name if that is true of all of its
/// clauses, else the clauses.
pub fn not_judged(seen: Needs) -> Vec<&'static str> {
    let unmet = |clause: &&&Clause| !clause.needs.met_by(seen);
    let of = |clauses: &&'static [&'static Clause]| -> Vec<&'static str> {
        let missing: Vec<&'static str> = clauses.iter().filter(unmet).map(|clause| clause.id).collect();
        if missing.len() == clauses.len() { vec![clauses[0].promise.name] } else { missing }
    };
    CLAUSES.iter().flat_map(of).collect()
}

/// The oracles of one world.
#[derive(Clone, Debug)]
pub struct Promises {
    /// What they judge by.
    pub documented: Documented,
    /// Units accepted by the carrier, of all orders together.
    pub shipped: i64,
    /// Units there are at the beginning.
    initial: i64,
    /// One per order.
    pub orders: Vec<OrderState>,
    /// A clause that is not judged: how tests find out what notices its absence.
    pub muted: Option<&'static str>,
    /// What an order is at the beginning: copied rather than written field by field, once a run.
    blank: Box<OrderState>,
    scopes: Vec<Scope>,
    memory: Memory,
    keys: Keys,
}

impl Promises {
    /// Oracles for orders with these scopes, served from so many units.
    pub fn new(documented: Documented, scopes: Vec<Scope>, initial: i64) -> Promises {
        Promises {
            documented,
            shipped: 0,
            initial,
            orders: Vec::new(),
            muted: None,
            blank: Box::default(),
            scopes,
            memory: Memory::default(),
            keys: Keys::default(),
        }
    }

    /// As at the beginning, for these intents.
    pub fn reset(&mut self, intents: &[Intent]) {
        self.shipped = 0;
        self.memory.reset(intents.len());
        self.keys.reset();
        self.orders.resize_with(intents.len(), OrderState::default);
        for (state, intent) in self.orders.iter_mut().zip(intents) {
            *state = *self.blank;
            state.registered.intent = *intent;
        }
    }

    /// As they were in `to`, a copy taken earlier.
    pub(crate) fn rewind(&mut self, to: &Promises) {
        self.orders.clone_from(&to.orders);
        self.shipped = to.shipped;
        self.memory.rewind(&to.memory);
        self.keys.rewind(&to.keys);
    }

    /// Whether every order has reached a legal end, by truth: delivered, refused for a true cause, or
    /// waiting for an operator.
    pub fn all_legal(&self) -> bool {
        self.orders.iter().all(|state| state.handoff.is_some() || state.legal_since.is_some())
    }

    /// An order and the court that hears about it; no order, if there is none of this number.
    #[inline]
    fn hear<'a>(
        &'a mut self,
        moment: Moment,
        order: usize,
        verdicts: &'a mut Verdicts,
    ) -> (Option<&'a mut OrderState>, Court<'a>) {
        let state = self.orders.get_mut(order);
        let order = if state.is_some() { order } else { usize::MAX };
        let scope = self.scopes.get(order).copied().unwrap_or(Scope(0));
        (state, Court { documented: &self.documented, moment, order, scope, muted: self.muted, verdicts })
    }

    // ---- what happens in the shop

    /// A fact came about.
    #[inline]
    pub fn observe(&mut self, moment: Moment, fact: &Fact, verdicts: &mut Verdicts) {
        match fact {
            Fact::Effect(effect) => self.effect(moment, effect, verdicts),
            Fact::Written(written) => self.written(moment, written, verdicts),
            Fact::Queued { node, order, tool, .. } => self.queued(moment, *node, *order as usize, *tool, verdicts),
            Fact::Fenced { .. } => {}
            Fact::Claimed { node, order, .. } => {
                if let Some(state) = self.orders.get_mut(*order as usize) {
                    state.owner = Some(*node);
                }
            }
            Fact::Stated { order, tool, committed } => self.stated(*order as usize, op_of(*tool), *committed),
        }
    }

    fn effect(&mut self, moment: Moment, effect: &Effect, verdicts: &mut Verdicts) {
        if effect.what == What::ShipmentAccepted {
            self.shipped += effect.amount;
        }
        let (shipped, initial) = (self.shipped, self.initial);
        let (state, mut court) = self.hear(moment, index(effect.taint), verdicts);
        let Some(state) = state else { return stray(&mut court, effect) };
        let (seen, held) = (state.facts.seen, state.facts.held_at(moment.now));
        state.facts.apply(effect, moment.event);
        state.registered.causes.note(effect.what);
        if let Some(op) = made_by(effect.what).map(|op| state.op_mut(op)) {
            op.surfaced |= op.missed;
        }
        match effect.what {
            What::Captured => charged_once::captured(&mut court, state, effect, seen[0]),
            What::RefundPending | What::Refunded => refund_justified::refunding(&mut court, state, effect),
            What::ShipmentRequested => shipped_once::requested(&mut court, state, seen[1]),
            What::ShipmentAccepted => {
                shipped_once::accepted(&mut court, state, seen[1]);
                paid_before_shipped::accepted(&mut court, state);
                stock_conserved::accepted(&mut court, effect.amount, held);
                stock_conserved::consumed(&mut court, shipped, initial);
            }
            What::Mailed => notified_once::mailed(&mut court, state, seen[2]),
            _ => {}
        }
        state.note_legal(since(effect, moment.now));
    }

    /// The approval desk decided.
    pub fn decided(&mut self, now: Time, order: usize, decided: Decided) {
        if let Some(state) = self.orders.get_mut(order) {
            state.waited += state.asked.take().map_or(Span::ZERO, |asked| now.since(asked));
            state.registered.decision = Some(decided);
            state.registered.causes.not_approved |= !decided.granted;
            // Our desk writes its decision into the subject's store: it is durable evidence.
            let proof = if decided.granted { Proof::Committed } else { Proof::Rejected };
            state.op_mut(Op::Approve).evidence.record(proof);
        }
    }

    /// An operator established what became of a handed-off operation.
    fn stated(&mut self, order: usize, op: Op, committed: bool) {
        if let Some(state) = self.orders.get_mut(order) {
            state.op_mut(op).evidence.record(if committed { Proof::Committed } else { Proof::Rejected });
            state.handoff = None;
            // A person has looked into it: what to do about the card is decided anew.
            state.told_declined &= op != Op::Charge;
        }
    }

    // ---- what the subject sends and receives

    /// A request leaves a node.
    #[inline]
    pub fn sent(&mut self, moment: Moment, node: NodeId, request: &Request, verdicts: &mut Verdicts) {
        // One order alone shares its keys with nobody.
        let act = request.ask == Ask::Act && self.orders.len() > 1;
        let owner = if act { self.keys.owner(request) } else { request.taint };
        if let (Some(state), mut court) = self.hear(moment, index(request.taint), verdicts) {
            key_stable::used(&mut court, request, owner);
            match (request.ask, request.op) {
                (Ask::Lookup, op) => state.op_mut(op).asked = moment.now,
                (Ask::Act, Op::ReadStock) => read(state, moment.now),
                (Ask::Act, _) => acted(&mut court, state, node, request),
            }
        }
    }

    /// A call has ended for its caller: what it establishes becomes evidence.
    #[inline]
    pub fn received(&mut self, now: Time, node: NodeId, request: &Request, got: Received<'_, Reply>) {
        self.memory.note(node, index(request.taint));
        if let Some(state) = self.orders.get_mut(index(request.taint)) {
            learn(state, &self.documented, node, request, got);
            let declined = matches!(got, Received::Reply(reply) if reply.says == Says::Declined);
            state.told_declined |= declined && request.op == Op::Charge;
            // What a read showed may be all that it takes: an order refused at once has ended there.
            if request.op == Op::ReadStock {
                state.note_legal(now);
            }
        }
    }

    /// A node forgot what it had not recorded.
    pub fn crashed(&mut self, node: NodeId) {
        for order in self.memory.forget(node) {
            for op in &mut self.orders[order as usize].ops {
                op.evidence.forget(node);
                if let Some(unsent) = op.unsent.get_mut(usize::from(node.0)) {
                    *unsent = 0;
                }
            }
        }
    }

    // ---- what the subject writes down

    fn written(&mut self, moment: Moment, written: &Written, verdicts: &mut Verdicts) {
        self.memory.note(written.node, written.order as usize);
        if let (Some(state), mut court) = self.hear(moment, written.order as usize, verdicts) {
            if written.stale {
                owner_only::stale_write(&mut court, written);
            }
            match written.tool {
                Some(tool) => operation(&mut court, state, tool, written),
                None => order(&mut court, state, written),
            }
        }
    }

    /// Handed over in a write of its own.
    fn queued(&mut self, moment: Moment, node: NodeId, order: usize, tool: Tool, verdicts: &mut Verdicts) {
        if let (Some(state), mut court) = self.hear(moment, order, verdicts) {
            handoff_justified::handed(&mut court, state, tool, node);
            state.handoff = Some((op_of(tool), moment.now));
            state.handed_off = true;
        }
    }

    // ---- the end

    /// Judges the final state. `calm`: when the faults stopped.
    pub fn finish(&mut self, moment: Moment, calm: Time, verdicts: &mut Verdicts) {
        for i in 0..self.orders.len() {
            let (Some(state), mut court) = self.hear(moment, i, verdicts) else { continue };
            state.note_legal(moment.now);
            told_true::ended(&mut court, state);
            stock_conserved::ended(&mut court, state);
            intent_honoured::ended(&mut court, state);
            handoff_visible::ended(&mut court, state);
            finishes::ended(&mut court, state, calm);
            record_true::ended(&mut court, state);
            notified_once::ended(&mut court, state);
        }
    }
}

/// The number of the order that a taint stands for; one that no order has, for nobody's.
fn index(taint: u32) -> usize {
    if taint == UNTAINTED { usize::MAX } else { taint as usize }
}

/// The operation whose effect this is, of those that people ask about.
fn made_by(what: What) -> Option<Op> {
    match what {
        What::Captured => Some(Op::Charge),
        What::ShipmentRequested | What::ShipmentAccepted => Some(Op::Fulfill),
        What::RefundPending | What::Refunded => Some(Op::Refund),
        _ => None,
    }
}

/// When an effect came about: an expiry is noticed when somebody looks.
fn since(effect: &Effect, now: Time) -> Time {
    if effect.what == What::HoldExpired { now.min(Time(effect.value)) } else { now }
}

/// A read needs no key and no claim, but it has its attempts and its horizon like anything else.
fn read(state: &mut OrderState, now: Time) {
    let evidence = &mut state.op_mut(Op::ReadStock).evidence;
    evidence.attempts += 1;
    evidence.first_claim.get_or_insert(now);
}

/// An effect that uses nobody's card, address or lot breaks the promise of its kind.
#[cold]
fn stray(court: &mut Court<'_>, effect: &Effect) {
    match effect.what {
        What::Captured => charged_once::stray(court, effect),
        What::ShipmentRequested | What::ShipmentAccepted => shipped_once::stray(court, effect),
        What::RefundPending | What::Refunded => refund_justified::stray(court, effect),
        What::Mailed => notified_once::stray(court, effect),
        _ => {}
    }
}

/// A mutating request leaves.
fn acted(court: &mut Court<'_>, state: &mut OrderState, node: NodeId, request: &Request) {
    let op = request.op;
    owner_only::sent(court, state, node, op);
    state.op_mut(op).use_claim(node);
    key_durable::sent(court, state, request);
    match op {
        Op::Fulfill => paid_before_shipped::dispatched(court, state, node),
        Op::Refund => refund_justified::dispatched(court, state, node, request),
        Op::Release => stock_conserved::releasing(court, state, node),
        Op::Notify => told_true::telling(court, state, node, request),
        Op::Approve => _ = state.asked.get_or_insert(court.moment.now),
        _ => {}
    }
    // An old owner finishes a send of a generation left behind: not the current one's business.
    if state.op(op).is_leftover(request.key) {
        return;
    }
    handoff_visible::sent(court, state, request);
    if op == Op::Fulfill && state.op(op).is_first(request.key) {
        approved_only::dispatched(court, state, request);
        stock_conserved::dispatched(court, state);
    }
    if op == Op::Charge && state.op(op).is_first(request.key) {
        key_stable::retried(court, state);
    }
    keyed(court, state, node, request);
    let claims_seen = court.documented.sees.has(crate::clause::Need::Records);
    let (now, event) = (court.moment.now, court.moment.event);
    let known = state.op_mut(op);
    known.send(request.key, key_stable::payload(request), now, event, claims_seen);
    if !claims_seen {
        known.sent_by(node);
    }
    bounded_attempts::sent(court, state, op);
}

/// Another request of an operation of which one had left before.
fn keyed(court: &mut Court<'_>, state: &mut OrderState, node: NodeId, request: &Request) {
    let before = *state.op(request.op);
    if before.key == 0 {
        return;
    }
    if request.key != before.key {
        key_stable::rotated(court, &before, node, request.op);
        bounded_attempts::rotated(court, &before, node, request.op);
        state.op_mut(request.op).rotate(request.key);
    } else {
        key_stable::repeated(court, &before, request);
        key_window::repeated(court, &before, node, request.op);
    }
}

/// One operation was written.
fn operation(court: &mut Court<'_>, state: &mut OrderState, tool: Tool, written: &Written) {
    let op = op_of(tool);
    let known = state.op(op).status(written.node);
    // A record that comes after its send opens nothing and permits nothing: what is known concerns that send.
    let late = state.op(op).is_late(written.key);
    if written.after.generation != written.before.generation && !late {
        let settled = known::may_begin_anew(op, known);
        bounded_attempts::begun(court, state, op, written, known, settled);
        known::begin_anew(state.op_mut(op), op, written, settled);
    }
    if late {
        state.op_mut(op).note_late(written.key);
    } else if known::claims(written) {
        claimed(court, state, tool, written);
    }
    if written.after.status != written.before.status {
        record_true::step(court, state, op, written);
        known::settle(state.op_mut(op), written.after.status);
    }
    let op = state.op_mut(op);
    op.written = written.after.status;
    op.generation = written.after.generation;
}

/// A durable claim: the next send may leave from now on.
fn claimed(court: &mut Court<'_>, state: &mut OrderState, tool: Tool, written: &Written) {
    let op = op_of(tool);
    if state.op(op).claims > 0 {
        key_window::claimed(court, state.op(op), written.node, op);
    } else if tool == Tool::Fulfill {
        approved_only::claimed(court, state, written);
        stock_conserved::claimed(court, state);
    }
    let known = state.op_mut(op);
    known.claim(written.node, written.key, court.moment.now);
    known.sent_by(written.node);
}

/// The order as a whole was written.
fn order(court: &mut Court<'_>, state: &mut OrderState, written: &Written) {
    if let (Transition::HandedOff, Some((tool, _))) = (written.what, written.handoff) {
        handoff_justified::handed(court, state, tool, written.node);
    }
    known::order(state, written, court.moment.now);
}

#[cfg(test)]
mod tests;
