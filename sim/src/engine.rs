//! The state of one run: clock, queue, messages, waits, nodes, store, world. No tasks: see `lab`.

mod facts;
mod nodes;
mod rewind;
pub(crate) mod strike;
mod wire;

use crate::door::Door;
use crate::node::Node;
use crate::queue::{Event, NEVER, Queue, What};
use crate::task::Ready;
use crate::time::{Span, Time};
use crate::trace::Log;
use crate::wait::{Got, WaitId, Waits};
use crate::world::{Effects, Moment, Setting, World};
use std::task::{Context, Waker};
use wire::Message;

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

#[derive(Clone)]
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
    /// The store before the latest write, if stale reads are to see it.
    pub(crate) replica: W::Store,
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
    /// Time, event number and node of the latest strike point "after".
    latest_after: (Time, u32, u8),
    turns: u32,
    /// A turn that a task let come about and that was another's.
    ahead: Option<Turn>,
    /// Every turn is the lab's: tasks let none come about by themselves.
    pub(crate) stepwise: bool,
}

/// No strike point has been passed yet.
const NO_STRIKE: (Time, u32, u8) = (Time::ZERO, u32::MAX, 0);

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
            replica: store.clone(),
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
            ahead: None,
            stepwise: false,
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
        self.ahead = None;
        self.world.reset(&mut self.store, &mut self.door, &mut self.fx);
        self.keep_replica();
        self.follow_up();
    }

    /// Stale reads see the store as it is now, until this is asked for again.
    #[inline]
    fn keep_replica(&mut self) {
        if self.setting.replica {
            self.replica.clone_from(&self.store);
        }
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
        if let Some(turn) = self.ahead.take() {
            return turn;
        }
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

    /// The current task waits: goes on until it is its turn again. If it is another's first, the lab gets
    /// that one, once the task has returned.
    #[inline]
    pub(crate) fn turn_again(&mut self) -> bool {
        if self.stepwise {
            return false;
        }
        let (task, node) = self.current;
        let turn = self.turn();
        let mine = turn == Turn::Poll(task, node);
        if !mine {
            self.ahead = Some(turn);
        }
        mine
    }

    /// The current task would wait for nothing but this time. Passes to it at once, if nothing else
    /// happens before: what comes of it is the same, without a way through the queue and the lab.
    #[inline]
    pub(crate) fn skip_to(&mut self, at: Time) -> bool {
        /// An event, a poll of the task and one of its leaf.
        const TURNS: u32 = 3;
        let next = self.queue.next().0.min(self.waits.next_deadline().at);
        let idle = self.ready.is_empty() && !self.attention && self.log.number < self.takeover;
        let in_time = at.0 < next && at <= self.setting.horizon && self.turns + TURNS <= self.setting.budget;
        if idle && in_time {
            self.turns += TURNS;
            self.now = at;
            self.door.set_now(at);
        }
        idle && in_time
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

    // ---- waits

    /// Opens a wait of the current task that may give up: most such deadlines never come.
    /// `cx` is polled with: a combinator brings a waker of its own.
    #[inline]
    pub(crate) fn open_wait(&mut self, deadline: Option<Time>, cx: &Context<'_>) -> WaitId {
        let id = self.waits.open(self.current.0, self.log.cause);
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
        let id = self.waits.open(self.current.0, self.log.cause);
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
}
