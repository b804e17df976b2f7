//! The state of one run: clock, queue, messages, waits, nodes, store, world. No tasks: see `lab`.

use crate::door::{ALL, Door};
use crate::kind::{
    CRASH, HOLD, PAUSE, REPLY_DUPLICATED, REPLY_LATE, REPLY_LOST, REPLY_UNDECODABLE, REQUEST_DUPLICATED, REQUEST_LATE,
    REQUEST_LOST, REQUEST_REFUSED,
};
use crate::menu::{MenuId, Pick};
use crate::mix::absorb;
use crate::node::Node;
use crate::queue::{Event, NEVER, Queue, What};
use crate::site::{Occasion, Scope, Stage};
use crate::task::Ready;
use crate::time::{Span, Time};
use crate::trace::{Log, Mark, TraceEvent};
use crate::wait::{Got, WaitId, Waits};
use crate::world::{Actor, Effects, Moment, NodeId, Setting, World};
use std::task::{Context, Waker};

/// A message on its way. It stays in its slot from the request's departure until the reply has been
/// delivered or dropped; a free slot keeps its last contents.
#[derive(Debug)]
struct Message<W: World> {
    wait: WaitId,
    at: Occasion,
    request: W::Request,
    reply: Option<W::Reply>,
    leg: Leg,
    cause: u32,
    /// The landed choice that its arrival shows (index).
    fault: Option<usize>,
}

/// Which way a message is going.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Leg {
    Out,
    Back,
    /// Back, and nobody will be able to read it.
    Garbled,
}

/// What the lab has to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Turn {
    /// Poll this task of this node.
    Poll(u16, u8),
    /// Start this node.
    Start(u8),
    /// Let the second subject take over.
    TakeOver,
    /// Look after a dying node, new tasks, or tasks that a combinator woke.
    Attend,
    /// Nothing: the run is over.
    Rest,
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
    messages: Vec<Message<W>>,
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
    pub(crate) ready: Ready,
    pub(crate) watchers: Vec<WaitId>,
    wakes: Vec<(u32, u32)>,
    free_wakes: Vec<u32>,
    /// Whether the lab has to look at `dying`, new tasks and wakers before anything else happens.
    pub(crate) attention: bool,
    /// A node to be killed as soon as the current poll is over.
    pub(crate) dying: Option<u8>,
    /// Whether some node may be held until another one writes.
    holding: bool,
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

/// No strike point has been passed yet.
const NO_STRIKE: (u32, u8) = (u32::MAX, 0);

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
            ready: Ready::default(),
            watchers: Vec::new(),
            wakes: Vec::new(),
            free_wakes: Vec::new(),
            attention: false,
            dying: None,
            holding: false,
            task_nodes: Vec::new(),
            current: (0, 0),
            wakers: Vec::new(),
            store_down_until: Time::ZERO,
            takeover: u32::MAX,
            latest_after: NO_STRIKE,
            turns: 0,
        }
    }

    /// Everything but the door as at the beginning; memory is kept.
    pub(crate) fn reset(&mut self, keep_trace: bool) {
        self.now = Time::ZERO;
        self.seq = 0;
        self.queue.clear();
        self.free_messages.clear();
        self.free_messages.extend((0..self.messages.len() as u32).rev());
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
        self.attention = false;
        self.dying = None;
        self.holding = false;
        self.store_down_until = Time::ZERO;
        self.latest_after = NO_STRIKE;
        self.turns = 0;
        self.world.reset(&mut self.store, &mut self.door, &mut self.fx);
        self.follow_up();
    }

    // ---- time and events

    #[inline]
    fn schedule(&mut self, at: Time, what: What) {
        self.seq += 1;
        self.queue.push(Event::new(at.0, self.seq, what));
    }

    pub(crate) fn start_node(&mut self, node: u8, after: Span) {
        self.schedule(self.now + after, What::Start(node));
    }

    /// Lets events happen until the lab has something to do. What events do is not inlined here, so
    /// that the loop keeps its registers.
    #[inline(never)]
    pub(crate) fn turn(&mut self) -> Turn {
        loop {
            if self.attention {
                self.attention = false;
                return Turn::Attend;
            }
            if let Some((task, node)) = self.next_ready() {
                // A poll counts too: a task that only wakes itself never lets an event happen.
                return if self.spend() { Turn::Poll(task, node) } else { Turn::Rest };
            }
            if self.log.number >= self.takeover {
                return Turn::TakeOver;
            }
            if !self.spend() {
                return Turn::Rest;
            }
            if let Some(turn) = self.next_event() {
                return turn;
            }
        }
    }

    /// The next event happens: an event of the queue or a deadline, by time, then sequence.
    #[inline]
    fn next_event(&mut self) -> Option<Turn> {
        let (deadline, event) = (self.waits.next_deadline(), self.queue.next());
        let times_out = deadline.when() < event;
        let at = if times_out { deadline.at } else { event.0 };
        if at > self.setting.horizon.0 || at == NEVER {
            return Some(Turn::Rest);
        }
        self.now = Time(at);
        self.door.set_now(self.now);
        if times_out {
            self.time_out(deadline.slot);
            return None;
        }
        match self.queue.pop()?.what() {
            What::Message(slot) => self.message_arrives(slot),
            What::Wait(slot) => self.time_out(slot),
            What::Wake(slot) => self.wake(slot),
            What::Resume(node) => self.resume(node),
            What::Start(node) if self.nodes[usize::from(node)].up => {}
            What::Start(node) => return Some(Turn::Start(node)),
        }
        None
    }

    /// The next task to poll; those of nodes that stand still are put aside, those of dead ones dropped.
    #[inline]
    fn next_ready(&mut self) -> Option<(u16, u8)> {
        while let Some(task) = self.ready.pop() {
            let node = self.node_of(task);
            let at = &mut self.nodes[usize::from(node)];
            if !at.up {
                continue;
            }
            if at.paused {
                at.deferred.push(task);
                continue;
            }
            self.current = (task, node);
            return Some((task, node));
        }
        None
    }

    #[inline]
    fn node_of(&self, task: u16) -> u8 {
        if usize::from(task) < self.nodes.len() {
            task as u8
        } else {
            self.task_nodes.get(usize::from(task)).copied().unwrap_or(0)
        }
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
    #[inline(always)]
    pub(crate) fn settle_facts(&mut self) {
        if !self.facts.is_empty() {
            self.settle_all();
        }
        self.follow_up();
    }

    #[inline(never)]
    fn settle_all(&mut self) {
        let mut facts = std::mem::take(&mut self.facts);
        facts.iter().for_each(|fact| self.settle(fact));
        facts.clear();
        self.facts = facts;
    }

    #[inline]
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
    #[inline(always)]
    pub(crate) fn follow_up(&mut self) {
        if !self.fx.wakes.is_empty() {
            self.schedule_wakes();
        }
        if self.fx.notify {
            self.fx.notify = false;
            self.notify_watchers();
        }
    }

    #[inline(never)]
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

    #[inline(never)]
    fn notify_watchers(&mut self) {
        while let Some(id) = self.watchers.pop() {
            self.fire(id, Got::Notified);
        }
    }

    // ---- waits

    /// Opens a wait of the current task that may give up: most such deadlines never come.
    /// `cx` is polled with: a combinator brings a waker of its own.
    #[inline]
    pub(crate) fn open_wait(&mut self, deadline: Option<Time>, cx: &Context<'_>) -> WaitId {
        let id = self.waits.open(self.current, self.log.cause);
        if let Some(at) = deadline {
            self.seq += 1;
            self.waits.give_up_at(id, at.0, self.seq);
        }
        self.remember(id, cx);
        id
    }

    /// Opens a wait that only time will end.
    #[inline]
    pub(crate) fn open_timer(&mut self, at: Time, cx: &Context<'_>) -> WaitId {
        let id = self.waits.open(self.current, self.log.cause);
        self.schedule(at, What::Wait(id.slot));
        self.waits.end_with(id, self.seq);
        self.remember(id, cx);
        id
    }

    /// Keeps whom to wake: the task that polled last, or the waker that a combinator brings.
    #[inline]
    pub(crate) fn remember(&mut self, id: WaitId, cx: &Context<'_>) {
        self.waits.polled_by(id, self.current.0);
        if self.is_foreign(cx) {
            self.waits.remember(id, cx.waker());
        }
    }

    /// A leaf polled while its node stands still is polled again when the node goes on.
    #[cold]
    pub(crate) fn stall(&mut self, node: u8, cx: &Context<'_>) {
        if self.nodes[usize::from(node)].paused && self.is_foreign(cx) {
            self.nodes[usize::from(node)].stalled.push(cx.waker().clone());
        }
    }

    /// Whether a combinator polls with a waker of its own.
    #[inline]
    fn is_foreign(&self, cx: &Context<'_>) -> bool {
        !cx.waker().will_wake(&self.wakers[usize::from(self.current.0)])
    }

    pub(crate) fn close_wait(&mut self, id: WaitId) {
        if let Some(seq) = self.waits.close(id) {
            self.queue.cancel(seq);
        }
    }

    /// Ends a wait, unless it has ended already, and makes its task ready.
    fn fire(&mut self, id: WaitId, got: Got) {
        if self.waits.is_waiting(id) {
            self.end_wait(id, got);
        }
    }

    #[inline]
    fn end_wait(&mut self, id: WaitId, got: Got) {
        let wait = self.waits.end(id, got);
        if wait.waker.is_none() {
            self.ready.push(wait.task);
        } else if let Some(waker) = wait.waker.take() {
            waker.wake();
            self.attention = true;
        }
    }

    /// The wait in this slot is over: its time has come.
    #[inline]
    fn time_out(&mut self, slot: u32) {
        let (id, cause) = self.waits.in_slot(slot);
        self.log.cause = cause;
        self.end_wait(id, Got::Deadline);
    }

    // ---- strike points

    /// Asks what strikes the current node here. Where nothing at all has happened since its latest
    /// strike point "after", a point "before" is the same one: it is not asked twice.
    #[inline(always)]
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
        self.attention = true;
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
        self.holding |= held;
        self.door.strained_until(until);
        self.schedule(until, What::Resume(node));
        Strike::Paused
    }

    /// A paused node goes on, if this is the end of its latest pause.
    #[cold]
    fn resume(&mut self, node: u8) {
        let now = self.now;
        let paused = &mut self.nodes[usize::from(node)];
        if !paused.up || paused.paused_until > now || !paused.paused {
            return;
        }
        paused.held = false;
        paused.paused = false;
        self.note(u64::from(node), Mark::Node, |_| (Actor(node), None, None, "goes on".into()));
        let paused = &mut self.nodes[usize::from(node)];
        self.attention |= !paused.stalled.is_empty();
        paused.stalled.drain(..).for_each(Waker::wake);
        paused.deferred.drain(..).for_each(|task| self.ready.push(task));
    }

    /// Another node wrote: whoever was held for that goes on.
    #[cold]
    fn let_go(&mut self, writer: u8) {
        for node in 0..self.nodes.len() {
            if self.nodes[node].held && node != usize::from(writer) {
                self.nodes[node].paused_until = self.now;
                self.nodes[node].held = false;
                self.schedule(self.now, What::Resume(node as u8));
            }
        }
        self.holding = self.nodes.iter().any(|n| n.held);
    }

    // ---- the wire

    /// A request leaves: the wire decides what becomes of it.
    #[inline]
    pub(crate) fn send(&mut self, at: Occasion, wait: WaitId, request: &W::Request) {
        let (_, node) = self.current;
        let site = at.at(Stage::Request);
        let (_, route) = self.world.route(request);
        let pick = self.door.choose(site, route.request, ALL);
        let travel = Span(self.door.sample(site, &route.out));
        let value = W::fold_request(site.hash ^ travel.0, request);
        self.note(value, Mark::Send, |s| {
            let (scope, route) = s.world.route(request);
            (Actor(node), Some(route.to), Some(scope), s.world.describe_request(request))
        });
        // Silence follows from this send, not from what came before it.
        self.waits.blame(wait, self.log.cause);
        if pick.kind != REQUEST_REFUSED {
            let moment = self.moment();
            self.world.sent(moment, NodeId(node), request, &mut self.fx);
        }
        if pick.kind.is_benign() {
            self.launch(self.now + travel, at, wait, request);
        } else {
            self.send_badly(pick, travel, at, wait, request);
        }
    }

    #[cold]
    fn send_badly(&mut self, pick: Pick, travel: Span, at: Occasion, wait: WaitId, request: &W::Request) {
        let (from, to) = (Actor(self.current.1), self.world.route(request).1.to);
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
                self.launch(arrival + Span(pick.value), at, wait, request);
            }
            REQUEST_DUPLICATED => {
                self.blame_latest();
                self.launch(arrival, at, wait, request);
                let copy = self.door.names.sub_send(at, 1);
                self.launch(arrival + travel, copy, wait, request);
            }
            _ => self.launch(arrival, at, wait, request),
        }
    }

    fn note_loss(&mut self, from: Actor, to: Actor, scope: Scope, text: &str) {
        self.note(0, Mark::Loss, |_| (from, Some(to), Some(scope), text.into()));
        self.blame_latest();
    }

    /// Puts a request into a slot of its own and on its way.
    #[inline]
    fn launch(&mut self, arrival: Time, at: Occasion, wait: WaitId, request: &W::Request) {
        let cause = self.log.cause;
        let slot = match self.free_messages.pop() {
            Some(slot) => {
                let message = &mut self.messages[slot as usize];
                message.wait = wait;
                message.at = at;
                message.request = request.clone();
                message.leg = Leg::Out;
                message.cause = cause;
                message.fault = None;
                slot
            }
            None => {
                let request = request.clone();
                self.add_message(Message { wait, at, request, reply: None, leg: Leg::Out, cause, fault: None })
            }
        };
        self.schedule(arrival, What::Message(slot));
    }

    #[cold]
    fn add_message(&mut self, message: Message<W>) -> u32 {
        match self.free_messages.pop() {
            Some(slot) => {
                self.messages[slot as usize] = message;
                slot
            }
            None => {
                self.messages.push(message);
                self.messages.len() as u32 - 1
            }
        }
    }

    #[inline(never)]
    fn message_arrives(&mut self, slot: u32) {
        let message = &self.messages[slot as usize];
        self.log.cause = message.cause;
        match message.leg {
            Leg::Out => self.request_arrives(slot),
            Leg::Back | Leg::Garbled => self.reply_arrives(slot),
        }
    }

    #[inline]
    fn request_arrives(&mut self, slot: u32) {
        let known = self.door.landed().len();
        let at = self.messages[slot as usize].at;
        self.note(at.at(Stage::Provider).hash, Mark::Arrive, |s| s.show_request(slot));
        let request = &self.messages[slot as usize].request;
        let answer = self.world.handle(self.now, at, request, &mut self.door, &mut self.facts);
        if self.door.landed().len() > known {
            self.blame_latest();
        }
        self.settle_facts();
        if let Some(at) = answer.wake_at {
            let token = self.world.wake_token(&self.messages[slot as usize].request);
            self.wake_later(at, token);
        }
        match answer.reply {
            Some(reply) => self.reply(slot, reply, answer.after),
            None => self.free_messages.push(slot),
        }
    }

    /// The reply leaves in the slot of its request: the wire decides what becomes of it.
    #[inline]
    fn reply(&mut self, slot: u32, reply: W::Reply, after: Span) {
        let message = &mut self.messages[slot as usize];
        message.reply = Some(reply);
        message.leg = Leg::Back;
        message.cause = self.log.cause;
        let site = message.at.at(Stage::Reply);
        let (_, route) = self.world.route(&message.request);
        let pick = self.door.choose(site, route.reply, ALL);
        let travel = Span(self.door.sample(site, &route.back));
        let arrival = self.now + after + travel;
        if pick.kind.is_benign() {
            self.schedule(arrival, What::Message(slot));
        } else {
            self.reply_badly(slot, pick, arrival, travel);
        }
    }

    #[cold]
    fn reply_badly(&mut self, slot: u32, pick: Pick, mut arrival: Time, travel: Span) {
        match pick.kind {
            REPLY_LOST => return self.lose_reply(slot),
            REPLY_LATE => {
                self.messages[slot as usize].fault = self.latest_fault();
                arrival = arrival + Span(pick.value);
                self.door.strained_until(arrival);
            }
            REPLY_DUPLICATED => {
                self.schedule(arrival, What::Message(slot));
                let copy = self.copy_message(slot);
                self.messages[copy as usize].fault = self.latest_fault();
                return self.schedule(arrival + travel, What::Message(copy));
            }
            REPLY_UNDECODABLE => {
                let fault = self.latest_fault();
                let message = &mut self.messages[slot as usize];
                (message.leg, message.fault) = (Leg::Garbled, fault);
            }
            _ => {}
        }
        self.schedule(arrival, What::Message(slot));
    }

    fn lose_reply(&mut self, slot: u32) {
        let message = &self.messages[slot as usize];
        let (from, scope) = (self.world.route(&message.request).1.to, message.at.scope);
        let to = Actor(self.waits.node(message.wait));
        self.note_loss(from, to, scope, "reply lost");
        self.free_messages.push(slot);
    }

    fn copy_message(&mut self, slot: u32) -> u32 {
        let Message { wait, at, ref request, ref reply, leg, cause, fault } = self.messages[slot as usize];
        let copy = Message { wait, at, request: request.clone(), reply: reply.clone(), leg, cause, fault };
        self.add_message(copy)
    }

    #[inline]
    fn reply_arrives(&mut self, slot: u32) {
        let Message { wait, at, leg, fault, .. } = self.messages[slot as usize];
        let open = self.waits.is_waiting(wait);
        let garbled = leg == Leg::Garbled;
        let value = at.at(Stage::Reply).hash ^ u64::from(open) ^ u64::from(garbled) << 1;
        self.note(value, Mark::Arrive, |s| s.show_reply(slot, open));
        if fault.is_some() {
            self.log.blame(fault);
        }
        if open {
            let reply = self.messages[slot as usize].reply.take();
            let got = if garbled { Got::Garbled } else { Got::Reply };
            self.waits.put_reply(wait, reply);
            self.end_wait(wait, got);
        }
        self.free_messages.push(slot);
    }

    /// The line of a request that arrives.
    fn show_request(&self, slot: u32) -> (Actor, Option<Actor>, Option<Scope>, String) {
        let request = &self.messages[slot as usize].request;
        let (scope, route) = self.world.route(request);
        (route.to, None, Some(scope), self.world.describe_request(request))
    }

    /// The line of a reply that arrives.
    fn show_reply(&self, slot: u32, open: bool) -> (Actor, Option<Actor>, Option<Scope>, String) {
        let Message { wait, request, reply, leg, .. } = &self.messages[slot as usize];
        let (scope, route) = self.world.route(request);
        let what = match reply {
            Some(reply) if *leg == Leg::Back => self.world.describe_reply(request, reply),
            _ => "undecodable answer".into(),
        };
        let text = if open { what } else { format!("{what} (nobody waits)") };
        (Actor(self.waits.node(*wait)), Some(route.to), Some(scope), text)
    }

    // ---- providers acting by themselves

    #[inline(never)]
    fn wake(&mut self, slot: u32) {
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
        if self.holding {
            self.let_go(node);
        }
        out
    }

    /// The final state, judged.
    pub(crate) fn finish(&mut self) {
        let moment = self.moment();
        self.world.finish(moment, &mut self.store, &mut self.door, &mut self.fx);
    }
}
