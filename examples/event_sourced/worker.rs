//! A worker: takes an order, carries out one command after the other, writes down what came of each.

use crate::decide::{Command, Context, Memory};
use crate::events::{Append, Event, Seen, Streams};
use crate::order::rules::{Rules, Terms};
use crate::order::state::{Entry, Outcome, Step};
use futures::future::{join_all, select};
use std::pin::pin;
use unacked::prelude::*;

/// The subject: as many workers as there are nodes, by these rules.
pub(crate) struct Workers<R> {
    pub(crate) rules: R,
    /// The store refuses what comes under an old claim.
    pub(crate) fenced: bool,
    /// Nobody takes an order that another one is working on.
    pub(crate) leased: bool,
}

impl<R: Rules> Subject for Workers<R> {
    type World = Shop<Streams>;

    async fn run<'w>(&'w self, cx: Cx<'w, Shop<Streams>>, _node: NodeId) {
        let orders = 0..cx.world(|shop| shop.intents.len() as u32);
        join_all(orders.map(|order| Desk::new(cx, order, self).serve())).await;
    }
}

/// One worker's view of one order.
struct Desk<'w, R> {
    cx: Cx<'w, Shop<Streams>>,
    order: u32,
    intent: Intent,
    workers: &'w Workers<R>,
    lease: Span,
    terms: [Terms; Op::COUNT],
}

/// How often a write is tried before the stream is read again: about a minute.
const PATIENCE: u32 = 12;

/// The longest time between two looks at an order that somebody else works on.
const LOOK_AGAIN: Span = Span::hours(6);

impl<'w, R: Rules> Desk<'w, R> {
    fn new(cx: Cx<'w, Shop<Streams>>, order: u32, workers: &'w Workers<R>) -> Self {
        let terms = Op::ALL.map(|op| Terms::of(cx, op));
        let (intent, lease) = cx.world(|shop| (shop.intents[order as usize], shop.lease));
        Desk { cx, order, intent, workers, lease, terms }
    }

    /// Until the order has ended.
    async fn serve(self) {
        let mut memory = [Memory::default(); Op::COUNT];
        loop {
            let Some(seen) = self.seen().await else { continue };
            if seen.state.end.is_some() {
                return;
            }
            let free_at = self.free_at(&seen);
            if self.cx.now() < free_at {
                self.rest_until(free_at).await;
            } else if let Some(claim) = self.claim(&seen).await {
                self.work(claim, &mut memory).await;
            }
        }
    }

    /// The other worker leaves the order to the one that had it last, for a while.
    fn free_at(&self, seen: &Seen) -> Time {
        let others = seen.claim.is_some_and(|claim| claim.node != self.cx.node());
        let politeness = if others && seen.parked.is_some() { self.lease } else { Span::ZERO };
        match self.workers.leased {
            true => seen.free_at(self.cx.node(), self.lease) + politeness,
            false => seen.parked.unwrap_or(Time::ZERO),
        }
    }

    /// Until then, or until somebody has decided something.
    async fn rest_until(&self, time: Time) {
        let span = time.since(self.cx.now()).min(LOOK_AGAIN).max(Span::secs(1));
        select(pin!(self.cx.sleep(span)), pin!(self.cx.watch(None))).await;
    }

    async fn claim(&self, seen: &Seen) -> Option<Claim> {
        let claim = Claim { node: self.cx.node(), fence: seen.next_fence() };
        self.append(seen.position, claim, Event::Claimed).await.then_some(claim)
    }

    /// One command after the other, for as long as the order is this worker's.
    async fn work(&self, claim: Claim, memory: &mut [Memory; Op::COUNT]) {
        loop {
            let Some(seen) = self.seen().await else { continue };
            if self.workers.fenced && seen.claim.is_some_and(|newest| newest.fence > claim.fence) {
                return;
            }
            let now = self.cx.now();
            let (rules, state) = (&self.workers.rules, seen.state);
            *memory = Op::ALL.map(|op| memory[op as usize].of(state.step(op).at_hand().generation));
            let command = Context { rules, state, heard: memory, terms: &self.terms, now }.decide();
            match command {
                Command::Wait(until) if until > now + self.lease => {
                    if self.append(seen.position, claim, Event::Parked(until)).await {
                        return self.rest_until(until).await;
                    }
                }
                Command::Wait(until) => self.cx.sleep(until.since(now)).await,
                command => self.carry_out(command, &seen, claim, memory).await,
            }
        }
    }

    async fn carry_out(&self, command: Command, seen: &Seen, claim: Claim, memory: &mut [Memory; Op::COUNT]) {
        let note = |entry| self.append(seen.position, claim, Event::Entry(entry));
        match command {
            Command::Send(op) => self.send(op, seen, claim, &mut memory[op as usize]).await,
            Command::Look(op) => self.look(op, seen, claim, &mut memory[op as usize]).await,
            Command::Ask(op) => self.ask_person(op, seen, claim, &mut memory[op as usize]).await,
            Command::HandOff(op) => _ = note(Entry::HandedOff { op }).await,
            Command::Untold => _ = note(Entry::Untold).await,
            Command::End(end) => _ = note(Entry::Ended(end)).await,
            Command::Wait(_) => {}
        }
    }

    async fn send(&self, op: Op, seen: &Seen, claim: Claim, memory: &mut Memory) {
        let step = seen.state.step(op).at_hand();
        let (key, at) = (self.workers.rules.key(self.order, op, &step), self.cx.now());
        let request = self.request(op, seen, &step);
        let about = request.reference;
        let ahead = self.workers.rules.writes_ahead(op);
        let sending = Event::Entry(Entry::Sending { op, key, about, at });
        if ahead && !self.append(seen.position, claim, sending).await {
            return;
        }
        let position = seen.position + usize::from(ahead);
        let step = Step { tries: step.tries + 1, sends: step.sends + 1, key, last: at, ..step };
        let wire = self.workers.rules.on_the_wire(op, key);
        let got = self.cx.call(request).key(wire).timeout(self.cx.world(|shop| shop.timeout(op))).await;
        self.tried(op, memory, true);
        let entry = match got {
            Reception::Refused => Some(Entry::Unsent { op }),
            Reception::Reply(reply) if reply.says == Says::Throttled => Some(Entry::Unsent { op }),
            Reception::Reply(reply) => {
                let terms = &self.terms[op as usize];
                memory.heard.failed |= reply.says == Says::ServerError && terms.tool.stores_failures;
                learned(op, &step, &reply, self.workers.rules.answered(op, &step, &reply, terms), memory)
            }
            _ => self.workers.rules.unanswered(op),
        };
        self.note(entry, position, claim).await;
    }

    async fn look(&self, op: Op, seen: &Seen, claim: Claim, memory: &mut Memory) {
        let (step, asked) = (seen.state.step(op), self.cx.now());
        let request = client::look_up(self.request(op, seen, &step));
        let got = self.cx.call(request).key(step.key).timeout(Span::secs(5)).await;
        self.tried(op, memory, false);
        if let Reception::Reply(reply) = got {
            let outcome = self.workers.rules.looked_up(op, &step, &reply, asked, &self.terms[op as usize]);
            self.note(learned(op, &step, &reply, outcome, memory), seen.position, claim).await;
        }
    }

    /// What has been stated, if anything; else the operator queue is told, which may know already.
    async fn ask_person(&self, op: Op, seen: &Seen, claim: Claim, memory: &mut Memory) {
        let key = seen.state.step(op).key;
        self.tried(op, memory, false);
        let outcome = match client::statement(self.cx, self.order, op, key).await {
            Ok(Some(Statement::Committed(reference))) => Outcome::Done { reference: reference.0, until: Time::ZERO },
            Ok(Some(Statement::Absent)) => Outcome::Absent,
            Ok(None) if memory.heard.queued != Some(key) => {
                let told = client::hand_off(self.cx, self.order, op, key).await;
                memory.heard.queued = told.is_ok().then_some(key);
                return;
            }
            Ok(None) | Err(_) => return,
        };
        self.note(Some(Entry::Settled { op, outcome }), seen.position, claim).await;
    }

    /// Something was tried: when the next try is due.
    fn tried(&self, op: Op, memory: &mut Memory, sent: bool) {
        (memory.heard.tried, memory.heard.just_sent) = (true, sent);
        memory.due =
            if memory.rounds == 0 { Time::ZERO } else { self.cx.now() + self.workers.rules.pause(op, memory.rounds) };
        memory.rounds += 1;
    }

    fn request(&self, op: Op, seen: &Seen, step: &Step) -> Request {
        let (intent, order, state) = (&self.intent, self.order, &seen.state);
        // What is repeated is repeated as it was.
        let about = |of: Op| if step.tries > 0 { step.about } else { state.reference(of) };
        let end = state.refused().map_or(End::Delivered, |cause| End::Refused(self.workers.rules.cause(cause)));
        let request = match op {
            Op::Reserve => client::reserve(intent, order),
            Op::Renew => client::renew(intent, order, about(Op::Reserve)),
            Op::Release => client::release(intent, order, about(Op::Reserve)),
            Op::Charge => client::charge(intent, order),
            Op::Refund => client::refund(intent, order, about(Op::Charge)),
            Op::Approve => {
                let shipment = self.workers.rules.key(order, Op::Fulfill, &state.step(Op::Fulfill).at_hand());
                client::approve(intent, order, shipment)
            }
            Op::Fulfill => client::fulfill(intent, order),
            _ => client::tell(intent, order, end),
        };
        self.workers.rules.request(request, step)
    }

    // ---- the store

    /// Where the order stands; `None`: it could not be read just now.
    async fn seen(&self) -> Option<Seen> {
        let order = self.order;
        let seen = client::load(self.cx, order, move |streams: &Streams| streams.seen(order)).await;
        if seen.is_err() {
            self.cx.sleep(Span::secs(1)).await;
        }
        seen.ok()
    }

    async fn note(&self, entry: Option<Entry>, position: usize, claim: Claim) {
        if let Some(entry) = entry {
            self.append(position, claim, Event::Entry(entry)).await;
        }
    }

    /// Whether the event is durable: a write that may or may not have happened is made again.
    async fn append(&self, position: usize, claim: Claim, event: Event) -> bool {
        let append =
            Append { order: self.order, position, claim, event, sent: self.cx.now(), fenced: self.workers.fenced };
        for _ in 0..PATIENCE {
            let write =
                client::record(self.cx, self.order, move |streams: &mut Streams, now| streams.append(append, now));
            match write.await {
                Ok(there) => return there,
                Err(_) => self.cx.sleep(Span::secs(1)).await,
            }
        }
        false
    }
}

/// What an answer proves, as an entry. A refund that is refused is a person's business.
fn learned(op: Op, step: &Step, reply: &Reply, outcome: Option<Outcome>, memory: &mut Memory) -> Option<Entry> {
    match outcome {
        Some(Outcome::Refused) if op == Op::Refund => {
            memory.heard.refused = true;
            None
        }
        Some(outcome) => Some(Entry::Settled { op, outcome }),
        None => (reply.says == Says::Pending && !step.pending).then_some(Entry::Pending { op }),
    }
}
