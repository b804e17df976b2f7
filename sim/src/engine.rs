//! The state of one run: clock, queue, messages, waits, nodes, store, world. No tasks: see `lab`.

use crate::door::{ALL, Door};
use crate::kind::{
    CRASH, HOLD, PAUSE, REPLY_DUPLICATED, REPLY_LATE, REPLY_LOST, REPLY_UNDECODABLE, REQUEST_DUPLICATED, REQUEST_LATE,
    REQUEST_LOST, REQUEST_REFUSED,
};
use crate::menu::{MenuId, Pick};
use crate::mix::absorb;
use crate::node::Node;
use crate::queue::{Event, Queue, What};
use crate::site::{Occasion, Scope, Stage};
use crate::time::{Span, Time};
use crate::trace::{Log, Mark, TraceEvent};
use crate::wait::{Got, WaitId, Waits};
use crate::world::{Actor, Effects, Moment, NodeId, Setting, World};
use std::collections::VecDeque;
use std::task::Waker;

/// A message on its way. The slot keeps the request until the reply has been delivered or dropped.
#[derive(Debug)]
struct Message<W: World> {
    wait: WaitId,
    at: Occasion,
    request: W::Request,
    reply: Option<W::Reply>,
    garbled: bool,
    cause: u32,
    /// The landed choice that its arrival shows (index).
    fault: Option<usize>,
}

/// What becomes of a task at a strike point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Strike {
    /// It goes on.
    Go,
    /// Its node stands still: poll again later.
    Paused,
    /// Its node is dying.
    Dead,
}

pub(crate) struct State<W: World> {
    pub(crate) now: Time,
    seq: u32,
    queue: Queue,
    messages: Vec<Option<Message<W>>>,
    free_messages: Vec<u32>,
    pub(crate) waits: Waits<W::Reply>,
    pub(crate) nodes: Vec<Node>,
    pub(crate) door: Door,
    pub(crate) world: W,
    pub(crate) store: W::Store,
    pub(crate) setting: Setting,
    facts: Vec<W::Fact>,
    pub(crate) fx: Effects,
    pub(crate) log: Log,
    pub(crate) ready: VecDeque<u16>,
    pub(crate) watchers: Vec<WaitId>,
    wakes: Vec<(u32, u32)>,
    free_wakes: Vec<u32>,
    /// A node to be killed as soon as the current poll is over.
    pub(crate) dying: Option<u8>,
    /// Nodes of spawned tasks, by task number.
    pub(crate) task_nodes: Vec<u8>,
    /// The task being polled, and its node.
    pub(crate) current: (u16, u8),
    pub(crate) wakers: Vec<Waker>,
    pub(crate) store_down_until: Time,
    /// From this event on the subject may do nothing more (see `Lab::rescue`).
    pub(crate) takeover: u32,
    /// Event number and node of the latest strike point "after".
    latest_after: (u32, u8),
    turns: u32,
}

impl<W: World> State<W> {
    pub(crate) fn new(world: W, store: W::Store, door: Door, setting: Setting) -> State<W> {
        let nodes = setting.nodes.iter().map(|_| Node::default()).collect();
        State {
            now: Time::ZERO,
            seq: 0,
            queue: Queue::default(),
            messages: Vec::new(),
            free_messages: Vec::new(),
            waits: Waits::default(),
            nodes,
            door,
            world,
            store,
            setting,
            facts: Vec::new(),
            fx: Effects::default(),
            log: Log::default(),
            ready: VecDeque::new(),
            watchers: Vec::new(),
            wakes: Vec::new(),
            free_wakes: Vec::new(),
            dying: None,
            task_nodes: Vec::new(),
            current: (0, 0),
            wakers: Vec::new(),
            store_down_until: Time::ZERO,
            takeover: u32::MAX,
            latest_after: (0, 0),
            turns: 0,
        }
    }

    /// Everything but the door as at the beginning; memory is kept.
    pub(crate) fn reset(&mut self, keep_trace: bool) {
        self.now = Time::ZERO;
        self.seq = 0;
        self.queue.clear();
        self.free_messages.clear();
        for (i, slot) in self.messages.iter_mut().enumerate().rev() {
            *slot = None;
            self.free_messages.push(i as u32);
        }
        self.waits.reset();
        self.nodes.iter_mut().for_each(Node::reset);
        self.facts.clear();
        self.fx.wakes.clear();
        self.fx.notify = false;
        self.fx.verdicts.clear();
        self.log.reset(keep_trace);
        self.ready.clear();
        self.watchers.clear();
        self.wakes.clear();
        self.free_wakes.clear();
        self.dying = None;
        self.store_down_until = Time::ZERO;
        self.latest_after = (0, 0);
        self.turns = 0;
        self.world.reset(&mut self.store, &mut self.door, &mut self.fx);
        self.follow_up();
    }

    // ---- time and events

    #[inline]
    fn schedule(&mut self, at: Time, what: What) -> u32 {
        self.seq += 1;
        self.queue.push(Event { at: at.0, seq: self.seq, what });
        self.seq
    }

    pub(crate) fn start_node(&mut self, node: u8, after: Span) {
        self.schedule(self.now + after, What::Start(node));
    }

    /// The next event, with the clock moved to it; `None` at rest or past the horizon.
    #[inline]
    pub(crate) fn next_event(&mut self) -> Option<What> {
        let event = self.queue.pop()?;
        if event.at > self.setting.horizon.0 {
            return None;
        }
        self.now = Time(event.at);
        self.door.set_now(self.now);
        Some(event.what)
    }

    /// Counts one turn (event or leaf poll); false once the budget is spent.
    #[inline]
    pub(crate) fn spend(&mut self) -> bool {
        self.turns += 1;
        self.turns <= self.setting.budget
    }

    pub(crate) fn exhausted(&self) -> bool {
        self.turns > self.setting.budget
    }

    #[inline]
    pub(crate) fn moment(&self) -> Moment {
        Moment { now: self.now, event: self.log.number }
    }

    // ---- noting what happens

    /// Counts an event, and keeps it if a trace is wanted. The text is made only then.
    #[inline]
    pub(crate) fn note(
        &mut self,
        value: u64,
        mark: Mark,
        line: impl FnOnce(&Self) -> (Actor, Option<Actor>, Option<Scope>, String),
    ) {
        let number = self.log.count(absorb(value, self.now.0 ^ (mark as u64) << 56));
        if self.log.wanted() {
            let (actor, peer, scope, text) = line(self);
            let event =
                TraceEvent { number, at: self.now, cause: self.log.cause, mark, actor, peer, scope, text, fault: None };
            self.log.keep(event);
        }
        self.log.cause = number;
    }

    /// Marks the latest event as the work of the latest landed choice.
    fn blame_latest(&mut self) {
        if self.log.wanted() {
            let fault = self.latest_fault();
            self.log.blame(fault);
        }
    }

    /// The latest landed choice (index).
    fn latest_fault(&self) -> Option<usize> {
        self.door.landed().len().checked_sub(1)
    }

    /// Judges and notes the facts that just came about.
    #[inline]
    pub(crate) fn settle_facts(&mut self) {
        if !self.facts.is_empty() {
            let mut facts = std::mem::take(&mut self.facts);
            facts.iter().for_each(|fact| self.settle(fact));
            facts.clear();
            self.facts = facts;
        }
        self.follow_up();
    }

    fn settle(&mut self, fact: &W::Fact) {
        let value = W::fold_fact(self.log.digest, fact);
        self.note(value, Mark::Fact, |s| {
            let (actor, scope, text) = s.world.describe_fact(fact);
            (actor, None, scope, text)
        });
        let moment = self.moment();
        self.world.observe(moment, fact, &mut self.door, &mut self.fx);
    }

    /// Does what the world asked for: wake-ups and notices.
    #[inline]
    pub(crate) fn follow_up(&mut self) {
        if !self.fx.wakes.is_empty() {
            self.schedule_wakes();
        }
        if self.fx.notify {
            self.fx.notify = false;
            self.notify_watchers();
        }
    }

    fn schedule_wakes(&mut self) {
        while let Some((at, token)) = self.fx.wakes.pop() {
            self.wake_later(at, token);
        }
    }

    fn wake_later(&mut self, at: Time, token: u32) {
        let entry = (token, self.log.cause);
        let slot = match self.free_wakes.pop() {
            Some(slot) => {
                self.wakes[slot as usize] = entry;
                slot
            }
            None => {
                self.wakes.push(entry);
                self.wakes.len() as u32 - 1
            }
        };
        self.schedule(at.max(self.now), What::Wake(slot));
    }

    fn notify_watchers(&mut self) {
        while let Some(id) = self.watchers.pop() {
            self.fire(id, Got::Notified);
        }
    }

    // ---- waits

    #[inline]
    pub(crate) fn open_wait(&mut self, deadline: Option<Time>) -> WaitId {
        let id = self.waits.open(self.current, self.log.cause);
        if let Some(at) = deadline {
            let seq = self.schedule(at, What::Deadline(id.slot));
            self.waits.by_slot(id.slot).deadline = (at.0, seq);
        }
        id
    }

    #[inline]
    pub(crate) fn close_wait(&mut self, id: WaitId) {
        if let Some(wait) = self.waits.get(id) {
            let (at, seq) = wait.deadline;
            if at != u64::MAX {
                self.queue.cancel(at, seq);
            }
            self.waits.close(id);
        }
    }

    /// Ends a wait, unless it has ended already, and makes its task ready.
    #[inline]
    fn fire(&mut self, id: WaitId, got: Got<W::Reply>) -> bool {
        let Some(wait) = self.waits.get(id) else { return false };
        if !matches!(wait.got, Got::Nothing) {
            return false;
        }
        wait.got = got;
        let task = wait.task;
        let (at, seq) = std::mem::replace(&mut wait.deadline, (u64::MAX, 0));
        match wait.waker.take() {
            Some(waker) => waker.wake(),
            None => self.ready.push_back(task),
        }
        if at != u64::MAX {
            self.queue.cancel(at, seq);
        }
        true
    }

    pub(crate) fn deadline_passed(&mut self, slot: u32) {
        let now = self.now.0;
        let wait = self.waits.by_slot(slot);
        if !wait.open || wait.deadline.0 != now {
            return;
        }
        wait.deadline = (u64::MAX, 0);
        let cause = wait.cause;
        let id = WaitId { slot, generation: wait.generation };
        self.log.cause = cause;
        self.fire(id, Got::Deadline);
    }

    // ---- strike points

    /// Asks what strikes the current node here. Where nothing at all has happened since its latest
    /// strike point "after", a point "before" is the same one: it is not asked twice.
    #[inline]
    pub(crate) fn strike(&mut self, at: Occasion, stage: Stage, menu: MenuId) -> Strike {
        let here = (self.log.number, self.current.1);
        if stage == Stage::Before && self.latest_after == here {
            return Strike::Go;
        }
        if stage == Stage::After {
            self.latest_after = here;
        }
        let pick = self.door.choose(at.at(stage), menu, ALL);
        if pick.kind.is_benign() { Strike::Go } else { self.struck(at, pick) }
    }

    #[cold]
    fn struck(&mut self, at: Occasion, pick: Pick) -> Strike {
        let (task, node) = self.current;
        match pick.kind {
            CRASH => self.crash(node, at.scope, Span(pick.value)),
            PAUSE => self.pause(node, task, at.scope, Span(pick.value), false),
            HOLD => self.pause(node, task, at.scope, self.setting.hold_max, true),
            _ => Strike::Go,
        }
    }

    fn crash(&mut self, node: u8, scope: Scope, restart: Span) -> Strike {
        let after = if restart == Span::ZERO { self.setting.restart } else { restart };
        self.note(u64::from(node) ^ after.0, Mark::Node, |_| {
            (Actor(node), None, Some(scope), format!("crash, back in {after}"))
        });
        self.blame_latest();
        self.nodes[usize::from(node)].up = false;
        self.dying = Some(node);
        self.door.strained_until(self.now + after);
        self.world.crashed(NodeId(node));
        self.start_node(node, after);
        Strike::Dead
    }

    fn pause(&mut self, node: u8, task: u16, scope: Scope, span: Span, held: bool) -> Strike {
        let until = self.now + span;
        self.note(u64::from(node) ^ span.0, Mark::Node, |_| {
            let text = if held { "held until another node writes".into() } else { format!("stands still for {span}") };
            (Actor(node), None, Some(scope), text)
        });
        self.blame_latest();
        self.nodes[usize::from(node)].pause(until, held, task);
        self.door.strained_until(until);
        self.schedule(until, What::Resume(node));
        Strike::Paused
    }

    /// A paused node goes on, if this is the end of its latest pause.
    pub(crate) fn resume(&mut self, node: u8) {
        let now = self.now;
        let paused = &mut self.nodes[usize::from(node)];
        if !paused.up || paused.paused_until > now || !paused.is_paused() {
            return;
        }
        paused.held = false;
        paused.paused_until = Time::ZERO;
        self.note(u64::from(node), Mark::Node, |_| (Actor(node), None, None, "goes on".into()));
        let deferred = &mut self.nodes[usize::from(node)].deferred;
        self.ready.extend(deferred.drain(..));
    }

    /// Another node wrote: whoever was held for that goes on.
    pub(crate) fn let_go(&mut self, writer: u8) {
        for node in 0..self.nodes.len() {
            if self.nodes[node].held && node != usize::from(writer) {
                self.nodes[node].paused_until = self.now;
                self.nodes[node].held = false;
                self.schedule(self.now, What::Resume(node as u8));
            }
        }
    }

    // ---- the wire

    /// A request leaves: the wire decides what becomes of it.
    #[inline]
    pub(crate) fn send(&mut self, at: Occasion, wait: WaitId, request: &W::Request) {
        let (_, node) = self.current;
        let (scope, route) = self.world.route(request);
        let (to, menu, law) = (route.to, route.request, route.out);
        let site = at.at(Stage::Request);
        let pick = self.door.choose(site, menu, ALL);
        let travel = Span(self.door.sample(site, &law));
        let value = W::fold_request(site.hash ^ travel.0, request);
        self.note(value, Mark::Send, |s| (Actor(node), Some(to), Some(scope), s.world.describe_request(request)));
        // Silence follows from this send, not from what came before it.
        self.waits.by_slot(wait.slot).cause = self.log.cause;
        if pick.kind != REQUEST_REFUSED {
            let moment = self.moment();
            self.world.sent(moment, NodeId(node), request, &mut self.fx);
        }
        if pick.kind.is_benign() {
            self.launch(self.now + travel, at, wait, request.clone());
        } else {
            self.send_badly(pick, travel, at, wait, request, to);
        }
    }

    #[cold]
    fn send_badly(&mut self, pick: Pick, travel: Span, at: Occasion, wait: WaitId, request: &W::Request, to: Actor) {
        let from = Actor(self.current.1);
        let arrival = self.now + travel;
        match pick.kind {
            REQUEST_REFUSED => {
                self.note_loss(from, to, at.scope, "connection refused");
                self.fire(wait, Got::Refused);
            }
            REQUEST_LOST => self.note_loss(from, to, at.scope, "request lost"),
            REQUEST_LATE => {
                self.blame_latest();
                self.door.strained_until(arrival + Span(pick.value));
                self.launch(arrival + Span(pick.value), at, wait, request.clone());
            }
            REQUEST_DUPLICATED => {
                self.blame_latest();
                self.launch(arrival, at, wait, request.clone());
                let copy = self.door.names.sub_send(at, 1);
                self.launch(arrival + travel, copy, wait, request.clone());
            }
            _ => self.launch(arrival, at, wait, request.clone()),
        }
    }

    fn note_loss(&mut self, from: Actor, to: Actor, scope: Scope, text: &str) {
        self.note(0, Mark::Loss, |_| (from, Some(to), Some(scope), text.into()));
        self.blame_latest();
    }

    #[inline]
    fn launch(&mut self, arrival: Time, at: Occasion, wait: WaitId, request: W::Request) {
        let message = Message { wait, at, request, reply: None, garbled: false, cause: self.log.cause, fault: None };
        self.post(arrival, message);
    }

    #[inline]
    fn post(&mut self, arrival: Time, message: Message<W>) {
        let slot = match self.free_messages.pop() {
            Some(slot) => {
                self.messages[slot as usize] = Some(message);
                slot
            }
            None => {
                self.messages.push(Some(message));
                self.messages.len() as u32 - 1
            }
        };
        self.schedule(arrival, What::Message(slot));
    }

    #[inline]
    pub(crate) fn message_arrives(&mut self, slot: u32) {
        let Some(message) = self.messages[slot as usize].take() else { return };
        self.free_messages.push(slot);
        self.log.cause = message.cause;
        if message.reply.is_none() && !message.garbled {
            self.request_arrives(message);
        } else {
            self.reply_arrives(message);
        }
    }

    #[inline]
    fn request_arrives(&mut self, message: Message<W>) {
        let known = self.door.landed().len();
        let (scope, route) = self.world.route(&message.request);
        let (to, menu, law) = (route.to, route.reply, route.back);
        let hash = message.at.at(Stage::Provider).hash;
        self.note(hash, Mark::Arrive, |s| (to, None, Some(scope), s.world.describe_request(&message.request)));
        let answer = self.world.handle(self.now, message.at, &message.request, &mut self.door, &mut self.facts);
        if self.door.landed().len() > known {
            self.blame_latest();
        }
        self.settle_facts();
        if let Some(at) = answer.wake_at {
            let token = self.world.wake_token(&message.request);
            self.wake_later(at, token);
        }
        if let Some(reply) = answer.reply {
            self.reply(message, reply, answer.after, menu, &law, to);
        }
    }

    #[inline]
    fn reply(
        &mut self,
        mut message: Message<W>,
        reply: W::Reply,
        after: Span,
        menu: MenuId,
        law: &crate::law::Law,
        from: Actor,
    ) {
        let site = message.at.at(Stage::Reply);
        let pick = self.door.choose(site, menu, ALL);
        let travel = Span(self.door.sample(site, law));
        let arrival = self.now + after + travel;
        message.reply = Some(reply);
        message.cause = self.log.cause;
        if pick.kind.is_benign() {
            self.post(arrival, message);
        } else {
            self.reply_badly(message, pick, arrival, travel, from);
        }
    }

    #[cold]
    fn reply_badly(&mut self, mut message: Message<W>, pick: Pick, arrival: Time, travel: Span, from: Actor) {
        match pick.kind {
            REPLY_LOST => {
                let to = Actor(self.waits.by_slot(message.wait.slot).node);
                self.note_loss(from, to, message.at.scope, "reply lost");
            }
            REPLY_LATE => {
                message.fault = self.latest_fault();
                self.door.strained_until(arrival + Span(pick.value));
                self.post(arrival + Span(pick.value), message);
            }
            REPLY_DUPLICATED => {
                let fault = self.latest_fault();
                let copy = Message { request: message.request.clone(), reply: message.reply.clone(), fault, ..message };
                self.post(arrival, message);
                self.post(arrival + travel, copy);
            }
            REPLY_UNDECODABLE => {
                message.fault = self.latest_fault();
                message.garbled = true;
                self.post(arrival, message);
            }
            _ => self.post(arrival, message),
        }
    }

    #[inline]
    fn reply_arrives(&mut self, message: Message<W>) {
        let Message { wait, at, request, reply, garbled, fault, .. } = message;
        let hash = at.at(Stage::Reply).hash;
        let open = self.waits.get(wait).is_some_and(|w| matches!(w.got, Got::Nothing));
        let node = self.waits.by_slot(wait.slot).node;
        self.note(hash ^ u64::from(open) ^ u64::from(garbled) << 1, Mark::Arrive, |s| {
            let (scope, route) = s.world.route(&request);
            let what = match &reply {
                Some(_) if garbled => "undecodable answer".into(),
                Some(reply) => s.world.describe_reply(&request, reply),
                None => "undecodable answer".into(),
            };
            let text = if open { what } else { format!("{what} (nobody waits)") };
            (Actor(node), Some(route.to), Some(scope), text)
        });
        if fault.is_some() {
            self.log.blame(fault);
        }
        match reply {
            Some(reply) if !garbled => self.fire(wait, Got::Reply(reply)),
            _ => self.fire(wait, Got::Garbled),
        };
    }

    // ---- providers acting by themselves

    pub(crate) fn wake(&mut self, slot: u32) {
        let (token, cause) = self.wakes[slot as usize];
        self.free_wakes.push(slot);
        self.log.cause = cause;
        self.world.wake(self.now, token, &mut self.store, &mut self.door, &mut self.facts, &mut self.fx);
        self.settle_facts();
    }

    /// Runs a durable write and everything that follows from it at once.
    #[inline]
    pub(crate) fn write<T>(
        &mut self,
        at: Occasion,
        apply: impl FnOnce(&mut W::Store, Time, &mut Vec<W::Fact>) -> T,
    ) -> T {
        let (_, node) = self.current;
        self.note(at.at(Stage::Store).hash, Mark::Write, |s| {
            let verb = s.door.names.verb_name(at.verb).to_string();
            (Actor(node), Some(s.setting.store_actor), Some(at.scope), verb)
        });
        let out = apply(&mut self.store, self.now, &mut self.facts);
        self.settle_facts();
        self.let_go(node);
        out
    }

    /// The final state, judged.
    pub(crate) fn finish(&mut self) {
        let moment = self.moment();
        self.world.finish(moment, &mut self.store, &mut self.door, &mut self.fx);
    }
}
