//! The lab: a world and a subject's tasks, built once, run again and again.

mod tasks;
mod turns;

pub use crate::task::Task;

use crate::checkpoint::{Checkpoint, Trail};
use crate::cx::{Cx, Nursery};
use crate::door::Door;
use crate::engine::State;
use crate::plan::{CompiledChoice, CompiledPlan, Landed, Noise};
use crate::task::{Cell, SlotWaker, Spawned};
use crate::time::Time;
use crate::trace::TraceEvent;
use crate::verdict::Violation;
use crate::world::{Domain, NodeId, Setting, World};
use std::cell::RefCell;
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::task::Waker;

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
    store: <S::World as Domain>::Store,
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
    store: <S::World as Domain>::Store,
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
    pub fn run_plan(&mut self, compiled: &CompiledPlan) -> Outcome {
        self.state.borrow_mut().door.replay(compiled);
        self.run(false)
    }

    /// Runs a plan and records the menus met after its last landing.
    pub fn enumerate(&mut self, compiled: &CompiledPlan) -> Outcome {
        self.state.borrow_mut().door.enumerate(compiled);
        self.run(false)
    }

    /// The same, and leaves a trail of checkpoints, if the subject can be copied.
    pub(crate) fn enumerate_along(&mut self, compiled: &CompiledPlan, trail: &mut Trail<'w, W>) -> Outcome {
        trail.clear();
        self.state.borrow_mut().door.enumerate(compiled);
        self.begin(false);
        self.loop_along(Some(trail));
        self.conclude()
    }

    /// Runs a plan from a checkpoint on, which stems from a run of all its choices but the last, before
    /// the menu of the last was met. With a trail, records menus and leaves checkpoints of its own.
    pub(crate) fn branch(
        &mut self,
        from: &Checkpoint<'w, W>,
        compiled: &CompiledPlan,
        mut onward: Option<&mut Trail<'w, W>>,
    ) -> Outcome {
        if let Some(trail) = &mut onward {
            trail.clear();
        }
        self.state.borrow_mut().rewind(&from.state);
        self.state.borrow_mut().door.go_on_with(compiled, onward.is_some());
        self.forget_wakes();
        self.mains = from.mains.iter().filter_map(|main| main.fork()).collect();
        self.loop_along(onward);
        self.conclude()
    }

    /// Runs a seed and keeps every event.
    pub fn trace_seed(&mut self, seed: u64) -> (Outcome, Vec<TraceEvent>) {
        self.state.borrow_mut().door.draw_from(seed);
        let outcome = self.run(true);
        (outcome, self.state.borrow_mut().log.take())
    }

    /// Runs a plan and keeps every event.
    pub fn trace_plan(&mut self, compiled: &CompiledPlan) -> (Outcome, Vec<TraceEvent>) {
        self.state.borrow_mut().door.replay(compiled);
        let outcome = self.run(true);
        (outcome, self.state.borrow_mut().log.take())
    }

    /// Runs a plan up to an event; there all nodes crash, everything is benign from then on, and the
    /// second subject (see [`with_rescuer`]) goes on from the durable records. `None` without one.
    pub fn rescue(&mut self, compiled: &CompiledPlan, event: u32) -> Option<Outcome> {
        if self.rescuers.is_empty() {
            return None;
        }
        self.state.borrow_mut().door.replay(compiled);
        self.state.borrow_mut().takeover = event;
        let outcome = self.run(false);
        self.state.borrow_mut().takeover = u32::MAX;
        if std::mem::take(&mut self.rescued) {
            std::mem::swap(&mut self.mains, &mut self.rescuers);
        }
        Some(outcome)
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
    pub fn missing(&self) -> Vec<CompiledChoice> {
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
}
