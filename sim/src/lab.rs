//! The lab: a world and a subject's tasks, built once, run again and again.

use crate::checkpoint::{Checkpoint, Trail};
use crate::cx::{Cx, Nursery};
use crate::door::{ALL, Door};
use crate::engine::{State, Turn};
use crate::kind::{CLOCK_AHEAD, CLOCK_BEHIND};
use crate::mix::absorb;
use crate::plan::{Cue, Landed, Noise, Script};
use crate::site::{Scope, Stage};
use crate::task::{Cell, Polled, SlotWaker, Spawned, drop_caught, poll_caught};
use crate::time::Time;
use crate::trace::{Mark, TraceEvent};
use crate::verdict::{Blame, NO_LEAK, NO_LIVELOCK, NO_PANIC, Promise, Violation};
use crate::world::{Actor, NodeId, Setting, World};
use std::cell::RefCell;
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Waker;

pub use crate::task::Task;

/// What is tested: code that runs on every node of a world.
pub trait Subject {
    /// The world it lives in.
    type World: World;

    /// The main future of one node, from its start to its crash. A new one is made at each start.
    fn run<'w>(&'w self, cx: Cx<'w, Self::World>, node: NodeId) -> impl Future<Output = ()> + 'w;

    /// The same as a task. Override it where [`Task::forkable`] fits: exhaustive placement is then
    /// about twice as fast.
    fn task<'w>(&'w self, cx: Cx<'w, Self::World>, node: NodeId) -> Task<'w> {
        Task::new(move || self.run(cx, node))
    }
}

/// What came of a run.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Covers everything that happened.
    pub digest: u64,
    /// Broken promises, the first of each.
    pub violations: Vec<Violation>,
    /// Number of the last event.
    pub events: u32,
    /// Virtual time at the end.
    pub ended: Time,
    /// When calm began.
    pub calm: Time,
    /// Everything has reached a legal end, by truth.
    pub legal: bool,
}

/// One main future per node.
type Mains<'w> = Vec<Box<dyn Cell<'w> + 'w>>;

/// A world with a subject in it.
pub struct Lab<'w, W: World> {
    state: &'w RefCell<State<W>>,
    nursery: &'w Nursery<'w>,
    mains: Mains<'w>,
    /// Main futures of the subject that takes over in [`Lab::rescue`]; none if there is no such subject.
    rescuers: Mains<'w>,
    rescued: bool,
    spawned: Vec<Option<(u8, Spawned<'w>)>>,
    slots: Vec<Arc<SlotWaker>>,
    wakers: Vec<Waker>,
    any_woken: Arc<AtomicBool>,
}

/// Builds a lab around a world and a subject, and hands it to `work`.
pub fn with_lab<S: Subject, R>(
    world: S::World,
    store: <S::World as World>::Store,
    door: Door,
    setting: Setting,
    subject: &S,
    work: impl FnOnce(&mut Lab<'_, S::World>) -> R,
) -> R {
    let state = RefCell::new(State::new(world, store, door, setting));
    let nursery = Nursery::default();
    let mut lab = Lab::new(&state, &nursery, subject);
    let out = work(&mut lab);
    lab.stop_all();
    out
}

/// The same with a second subject on the same durable records, which can take over: see [`Lab::rescue`].
pub fn with_rescuer<S: Subject, T: Subject<World = S::World>, R>(
    world: S::World,
    store: <S::World as World>::Store,
    door: Door,
    setting: Setting,
    (subject, rescuer): (&S, &T),
    work: impl FnOnce(&mut Lab<'_, S::World>) -> R,
) -> R {
    let state = RefCell::new(State::new(world, store, door, setting));
    let nursery = Nursery::default();
    let mut lab = Lab::new(&state, &nursery, subject);
    lab.rescuers = mains(&state, &nursery, rescuer);
    let out = work(&mut lab);
    lab.stop_all();
    out
}

/// Main futures, not started.
fn mains<'w, S: Subject>(state: &'w RefCell<State<S::World>>, nursery: &'w Nursery<'w>, subject: &'w S) -> Mains<'w> {
    let nodes = state.borrow().nodes.len() as u8;
    (0..nodes).map(|node| subject.task(Cx::new(state, nursery, node), NodeId(node)).0).collect()
}

impl<'w, W: World> Lab<'w, W> {
    fn new<S: Subject<World = W>>(state: &'w RefCell<State<W>>, nursery: &'w Nursery<'w>, subject: &'w S) -> Self {
        let mut lab = Lab {
            state,
            nursery,
            mains: mains(state, nursery, subject),
            rescuers: Vec::new(),
            rescued: false,
            spawned: Vec::new(),
            slots: Vec::new(),
            wakers: Vec::new(),
            any_woken: Arc::new(AtomicBool::new(false)),
        };
        (0..lab.mains.len()).for_each(|_| lab.add_waker());
        lab
    }

    fn add_waker(&mut self) {
        let slot = SlotWaker::new(&self.any_woken);
        let waker = Waker::from(slot.clone());
        self.state.borrow_mut().wakers.push(waker.clone());
        self.wakers.push(waker);
        self.slots.push(slot);
    }

    // ---- runs

    /// Runs a seed: the door draws.
    pub fn run_seed(&mut self, seed: u64) -> Outcome {
        self.state.borrow_mut().door.draw_from(seed);
        self.run(false)
    }

    /// Runs a plan: the door replays.
    pub fn run_script(&mut self, script: &Script) -> Outcome {
        self.state.borrow_mut().door.replay(script);
        self.run(false)
    }

    /// Runs a plan and records the menus met after its last landing.
    pub fn enumerate(&mut self, script: &Script) -> Outcome {
        self.state.borrow_mut().door.enumerate(script);
        self.run(false)
    }

    /// The same, and leaves a trail of checkpoints, if the subject can be copied.
    pub(crate) fn enumerate_along(&mut self, script: &Script, trail: &mut Trail<'w, W>) -> Outcome {
        trail.clear();
        self.state.borrow_mut().door.enumerate(script);
        self.begin(false);
        self.loop_along(Some(trail));
        self.conclude()
    }

    /// Runs a plan from a checkpoint on, which stems from a run of all its choices but the last, before
    /// the menu of the last was met. With a trail, records menus and leaves checkpoints of its own.
    pub(crate) fn branch(
        &mut self,
        from: &Checkpoint<'w, W>,
        script: &Script,
        mut onward: Option<&mut Trail<'w, W>>,
    ) -> Outcome {
        if let Some(trail) = &mut onward {
            trail.clear();
        }
        self.state.borrow_mut().rewind(&from.state);
        self.state.borrow_mut().door.go_on_with(script, onward.is_some());
        self.forget_wakes();
        self.mains = from.mains.iter().filter_map(|main| main.fork()).collect();
        self.loop_along(onward);
        self.conclude()
    }

    /// Checkpoints are left between turns, so none may come about inside a task.
    fn loop_along(&mut self, trail: Option<&mut Trail<'w, W>>) {
        self.state.borrow_mut().stepwise = trail.is_some();
        self.loop_until_rest(trail);
        self.state.borrow_mut().stepwise = false;
    }

    /// Runs a seed and keeps every event.
    pub fn trace_seed(&mut self, seed: u64) -> (Outcome, Vec<TraceEvent>) {
        self.state.borrow_mut().door.draw_from(seed);
        let outcome = self.run(true);
        (outcome, self.state.borrow_mut().log.take())
    }

    /// Runs a plan and keeps every event.
    pub fn trace_script(&mut self, script: &Script) -> (Outcome, Vec<TraceEvent>) {
        self.state.borrow_mut().door.replay(script);
        let outcome = self.run(true);
        (outcome, self.state.borrow_mut().log.take())
    }

    /// Runs a plan up to an event; there all nodes crash, everything is benign from then on, and the
    /// second subject (see [`with_rescuer`]) goes on from the durable records. `None` without one.
    pub fn rescue(&mut self, script: &Script, event: u32) -> Option<Outcome> {
        if self.rescuers.is_empty() {
            return None;
        }
        self.state.borrow_mut().door.replay(script);
        self.state.borrow_mut().takeover = event;
        let outcome = self.run(false);
        self.state.borrow_mut().takeover = u32::MAX;
        if std::mem::take(&mut self.rescued) {
            std::mem::swap(&mut self.mains, &mut self.rescuers);
        }
        Some(outcome)
    }

    /// The subject's nodes die here; the rescuer's start at once.
    #[cold]
    fn take_over(&mut self) {
        {
            let state = &mut *self.state.borrow_mut();
            state.takeover = u32::MAX;
            state.door.calm_down();
            state.ready.clear();
            state.dying = None;
            for node in 0..state.nodes.len() {
                state.nodes[node].up = false;
                state.world.crashed(NodeId(node as u8));
            }
        }
        (0..self.mains.len() as u8).for_each(|node| self.kill(node));
        std::mem::swap(&mut self.mains, &mut self.rescuers);
        self.rescued = true;
        (0..self.mains.len() as u8).for_each(|node| self.start(node));
    }

    /// Looks at the door after a run.
    pub fn door<T>(&self, look: impl FnOnce(&Door) -> T) -> T {
        look(&self.state.borrow().door)
    }

    /// Looks at the world after a run.
    pub fn world<T>(&self, look: impl FnOnce(&W) -> T) -> T {
        look(&self.state.borrow().world)
    }

    /// Looks at the subject's durable state after a run.
    pub fn store<T>(&self, look: impl FnOnce(&W::Store) -> T) -> T {
        look(&self.state.borrow().store)
    }

    /// What was not benign in the latest run.
    pub fn landed(&self) -> Vec<Landed> {
        self.door(|d| d.landed().to_vec())
    }

    /// The planned choices that did not land in the latest run.
    pub fn missing(&self) -> Vec<Cue> {
        self.door(|d| d.missing().copied().collect())
    }

    /// The source of samples of the latest run.
    pub fn noise(&self) -> Noise {
        self.door(Door::noise)
    }

    fn run(&mut self, keep_trace: bool) -> Outcome {
        self.begin(keep_trace);
        self.loop_until_rest(None);
        self.conclude()
    }

    fn begin(&mut self, keep_trace: bool) {
        self.state.borrow_mut().reset(keep_trace);
        self.forget_wakes();
        self.start_nodes();
    }

    fn conclude(&mut self) -> Outcome {
        self.look_for_leaks();
        let mut state = self.state.borrow_mut();
        state.finish();
        let digest = absorb(state.log.digest, state.door.digest());
        Outcome {
            digest: absorb(digest, state.now.0),
            violations: state.fx.verdicts.all().to_vec(),
            events: state.log.number,
            ended: state.now,
            calm: state.door.calm_at(),
            legal: state.world.ended_legally(),
        }
    }

    fn start_nodes(&mut self) {
        for node in 0..self.mains.len() as u8 {
            self.set_clock(node);
            self.start(node);
        }
    }

    fn set_clock(&mut self, node: u8) {
        let state = &mut *self.state.borrow_mut();
        let site = {
            let (scope, verb) = (state.setting.nodes[usize::from(node)], state.setting.clock_verb);
            state.door.occasion(scope, verb).at(Stage::Clock)
        };
        let law = state.setting.clock_law;
        let pick = state.door.choose(site, state.setting.clock, ALL);
        let offset = state.door.sample(site, &law) as i64 - law.median() as i64;
        let fault = match pick.kind {
            CLOCK_AHEAD => pick.value as i64,
            CLOCK_BEHIND => -(pick.value as i64),
            _ => 0,
        };
        state.nodes[usize::from(node)].skew = offset + fault;
    }

    /// Starts a node's main future.
    fn start(&mut self, node: u8) {
        {
            let state = &mut *self.state.borrow_mut();
            let at = &mut state.nodes[usize::from(node)];
            at.up = true;
            at.incarnation += 1;
            let again = at.incarnation > 1;
            if again {
                state.log.cause = 0;
                state.note(u64::from(node), Mark::Node, |_| {
                    (Actor(node), None, None, "starts again from its records".into())
                });
            }
            state.ready.push(u16::from(node));
        }
        self.mains[usize::from(node)].start();
    }

    fn loop_until_rest(&mut self, mut trail: Option<&mut Trail<'w, W>>) {
        loop {
            if let Some(trail) = &mut trail {
                self.leave_mark(trail);
            }
            let turn = self.state.borrow_mut().turn();
            match turn {
                Turn::Poll(task, node) => self.poll(task, node),
                Turn::Start(node) => self.start(node),
                Turn::Attend => self.attend(),
                Turn::TakeOver => self.take_over(),
                Turn::Rest => break,
            }
        }
        if self.state.borrow().exhausted() {
            self.add_violation(0, &NO_LIVELOCK, "coming to rest", "still busy when the event budget was spent".into());
        }
    }

    /// Between two turns: leaves a checkpoint, if one is due and everything there is can be copied.
    fn leave_mark(&self, trail: &mut Trail<'w, W>) {
        let state = self.state.borrow();
        let idle = !state.attention && self.spawned.is_empty() && !self.any_woken.load(Ordering::Relaxed);
        if idle
            && trail.is_due(state.door.offers().len())
            && let Some(mains) = self.mains.iter().map(|main| main.fork()).collect()
        {
            trail.push(&state, mains);
        }
    }

    // ---- polling

    #[inline]
    fn poll(&mut self, task: u16, node: u8) {
        let polled = match self.mains.get_mut(usize::from(task)) {
            Some(main) => main.poll(&self.wakers[usize::from(task)]),
            None => self.poll_spawned(task),
        };
        if let Polled::Panicked(message) = polled {
            self.panicked(node, &message);
        }
        if self.any_woken.load(Ordering::Relaxed) {
            self.state.borrow_mut().attention = true;
        }
    }

    /// After a poll or event that asked for it: kills, adopts, and collects what combinators woke.
    #[cold]
    fn attend(&mut self) {
        let dying = self.state.borrow_mut().dying.take();
        if let Some(node) = dying {
            self.kill(node);
        }
        self.adopt();
        if self.any_woken.swap(false, Ordering::Relaxed) {
            self.collect_woken();
        }
    }

    /// Wakes of the previous run are nobody's.
    fn forget_wakes(&self) {
        if self.any_woken.swap(false, Ordering::Relaxed) {
            self.slots.iter().for_each(|slot| _ = slot.take());
        }
    }

    fn collect_woken(&mut self) {
        for (task, slot) in self.slots.iter().enumerate() {
            if slot.take() {
                self.state.borrow_mut().ready.push(task as u16);
            }
        }
    }

    fn poll_spawned(&mut self, task: u16) -> Polled {
        let slot = usize::from(task) - self.mains.len();
        let Some(Some((_, future))) = self.spawned.get_mut(slot) else { return Polled::Done };
        let polled = poll_caught(future.as_mut(), &self.wakers[usize::from(task)]);
        if !matches!(polled, Polled::Pending) {
            self.spawned[slot] = None;
        }
        polled
    }

    #[cold]
    fn panicked(&mut self, node: u8, message: &str) {
        self.add_violation(node, &NO_PANIC, "no panic", format!("panicked: {message}"));
        self.state.borrow_mut().nodes[usize::from(node)].up = false;
        self.kill(node);
    }

    /// Drops all tasks of a node. Its leaves are inert meanwhile: the node is down.
    #[cold]
    fn kill(&mut self, node: u8) {
        let mut panic = self.mains[usize::from(node)].stop();
        for slot in &mut self.spawned {
            if slot.as_ref().is_some_and(|(n, _)| *n == node) {
                panic = drop_caught(|| *slot = None).or(panic);
            }
        }
        let born = std::mem::take(&mut *self.nursery.born.borrow_mut());
        let (dead, alive): (Vec<_>, Vec<_>) = born.into_iter().partition(|(n, _)| *n == node);
        panic = drop_caught(|| drop(dead)).or(panic);
        self.nursery.born.borrow_mut().extend(alive);
        self.state.borrow_mut().nodes[usize::from(node)].forget_pause();
        if let Some(message) = panic {
            self.dropped_badly(node, &message);
        }
    }

    /// Takes over the tasks that were spawned during a poll, in the order in which they were.
    fn adopt(&mut self) {
        let born = std::mem::take(&mut *self.nursery.born.borrow_mut());
        for (node, future) in born {
            let slot = self.spawned.iter().position(Option::is_none).unwrap_or(self.spawned.len());
            if slot == self.spawned.len() {
                self.spawned.push(None);
                if self.wakers.len() < self.mains.len() + self.spawned.len() {
                    self.add_waker();
                }
            }
            self.spawned[slot] = Some((node, future));
            let task = (self.mains.len() + slot) as u16;
            let mut state = self.state.borrow_mut();
            state.task_nodes.resize(self.mains.len() + self.spawned.len(), 0);
            state.task_nodes[usize::from(task)] = node;
            state.ready.push(task);
        }
    }

    // ---- the end

    fn look_for_leaks(&mut self) {
        let leaked = self.spawned.iter().flatten().next().map(|(node, _)| *node);
        if let Some(node) = leaked {
            self.add_violation(node, &NO_LEAK, "only main futures at the end", "a spawned task is still alive".into());
        }
        self.stop_all();
    }

    fn stop_all(&mut self) {
        self.state.borrow_mut().nodes.iter_mut().for_each(|n| n.up = false);
        for node in 0..self.mains.len() {
            if self.mains[node].is_live() {
                self.stop_main(node);
            }
        }
        if !self.spawned.is_empty() {
            self.spawned.iter_mut().for_each(|slot| _ = drop_caught(|| *slot = None));
            self.spawned.clear();
        }
        let born = std::mem::take(&mut *self.nursery.born.borrow_mut());
        _ = drop_caught(|| drop(born));
    }

    fn stop_main(&mut self, node: usize) {
        if let Some(message) = self.mains[node].stop() {
            self.dropped_badly(node as u8, &message);
        }
    }

    #[cold]
    fn dropped_badly(&mut self, node: u8, message: &str) {
        self.add_violation(node, &NO_PANIC, "no panic", format!("panicked while it was being dropped: {message}"));
    }

    #[cold]
    fn add_violation(&mut self, node: u8, promise: &'static Promise, expected: &str, found: String) {
        let state = &mut *self.state.borrow_mut();
        let scope = state.setting.nodes.get(usize::from(node)).copied().unwrap_or(Scope(0));
        let violation = Violation {
            promise,
            headline: format!("{}: {found}", state.door.names.scope_name(scope)),
            operation: "node",
            scope,
            blame: Blame::Workflow,
            at: state.now,
            event: state.log.number,
            expected: expected.into(),
            found,
            evidence: Vec::new(),
        };
        state.fx.verdicts.add(violation);
    }
}
