//! What a subject's code holds: call, write, read, sleep, watch, spawn. All of it goes through the door.

mod call;
mod load;
mod sleep;
mod write;

pub use call::{Call, Reception};
pub use load::Load;
pub use sleep::Sleep;
pub use write::{Passage, StoreFault, Write};

use crate::door::ALL;
use crate::engine::State;
use crate::kind::Fate;
use crate::menu::{MenuId, Pick};
use crate::site::{Scope, Stage, Verb};
use crate::task::Spawned;
use crate::time::{Span, Time};
use crate::wait::{Got, WaitId};
use crate::world::{NodeId, World};
use std::cell::RefCell;
use std::future::Future;
use std::mem::ManuallyDrop;
use std::task::Context;

/// Futures that were spawned and not yet taken over by the executor.
///
/// `ManuallyDrop` only because tasks may borrow the world they live in; the lab empties it.
#[derive(Default)]
pub(crate) struct Nursery<'w> {
    pub(crate) born: ManuallyDrop<RefCell<Vec<(u8, Spawned<'w>)>>>,
}

/// A node's access to the world.
pub struct Cx<'w, W: World> {
    pub(crate) state: &'w RefCell<State<W>>,
    pub(crate) nursery: &'w Nursery<'w>,
    node: u8,
}

impl<W: World> Clone for Cx<'_, W> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<W: World> Copy for Cx<'_, W> {}

impl<'w, W: World> Cx<'w, W> {
    pub(crate) fn new(state: &'w RefCell<State<W>>, nursery: &'w Nursery<'w>, node: u8) -> Self {
        Cx { state, nursery, node }
    }

    /// The node this code runs on.
    pub fn node(&self) -> NodeId {
        NodeId(self.node)
    }

    /// How often this node has started, from 1.
    pub fn incarnation(&self) -> u32 {
        self.state.borrow().nodes[usize::from(self.node)].incarnation
    }

    /// This node's clock, which may be off.
    #[inline]
    pub fn now(&self) -> Time {
        let state = self.state.borrow();
        state.nodes[usize::from(self.node)].clock(state.now)
    }

    /// Reads the subject's durable state: that takes its time, it may fail, and it may see the state as it
    /// was before the latest write.
    #[inline]
    pub fn load<T, F>(self, scope: Scope, verb: Verb, read: F) -> Load<'w, W, F>
    where
        F: FnOnce(&W, &W::Store) -> T,
    {
        Load::new(self, scope, verb, read)
    }

    /// Looks at the world (what is configured in it, never at the truth of effects).
    pub fn world<T>(&self, look: impl FnOnce(&W) -> T) -> T {
        look(&self.state.borrow().world)
    }

    /// Asks the door about something of the subject's own.
    pub fn choose(&self, scope: Scope, verb: Verb, stage: Stage, menu: MenuId) -> Pick {
        let mut state = self.state.borrow_mut();
        if !state.nodes[usize::from(self.node)].up {
            return Pick::BENIGN;
        }
        let at = state.door.occasion(scope, verb);
        state.door.choose(at.at(stage), menu, ALL)
    }

    /// A choice of the subject's own was applied, and something is different because of it.
    pub fn felt(&self, fate: impl Fate) {
        self.state.borrow_mut().door.felt(fate);
    }

    /// A uniform draw in `0..=max` that depends only on its site: backoff jitter, for example.
    pub fn jitter(&self, scope: Scope, verb: Verb, max: u64) -> u64 {
        let mut state = self.state.borrow_mut();
        if !state.nodes[usize::from(self.node)].up {
            return 0;
        }
        let site = state.door.occasion(scope, verb).at(Stage::Clock);
        state.door.sample(site, &crate::distribution::Distribution::Uniform { lo: 0, hi: max })
    }

    /// Calls a provider; add [`Call::timeout`]. Nothing is sent before it is awaited.
    #[inline]
    pub fn call(self, request: W::Request) -> Call<'w, W> {
        Call::new(self, request)
    }

    /// Writes durably, in one transaction. `apply` runs when the write reaches the store.
    #[inline]
    pub fn write<T, F>(self, scope: Scope, verb: Verb, apply: F) -> Write<'w, W, F, T>
    where
        F: FnOnce(&mut W::Store, Time, &mut Vec<W::Fact>) -> T,
    {
        Write::new(self, scope, verb, apply)
    }

    /// The same for a task that polls it by itself and nothing else meanwhile: what the write does is
    /// given to [`Passage::poll_with`].
    #[inline]
    pub fn passage<T>(self, scope: Scope, verb: Verb) -> Passage<'w, W, T> {
        Passage::new(self, scope, verb, true)
    }

    /// Waits so long.
    #[inline]
    pub fn sleep(self, span: Span) -> Sleep<'w, W> {
        Sleep::new(self, Some(span), false)
    }

    /// Waits until the store changes in a way that others should look at, or until `span` has passed.
    pub fn watch(self, span: Option<Span>) -> Sleep<'w, W> {
        Sleep::new(self, span, true)
    }

    /// For a task that waits for one thing and has just found it pending: lets the world go on until it
    /// is this task's turn to poll again. If something else has to be done first, returns false, and
    /// the task has to return [`Poll::Pending`](std::task::Poll::Pending) as always. Only a shortcut:
    /// what comes of a run is the same without it.
    #[inline]
    pub fn turn_again(&self) -> bool {
        self.state.borrow_mut().turn_again()
    }

    /// Starts a task beside the main one. It dies with the node, and must not outlive the main task.
    pub fn spawn(&self, task: impl Future<Output = ()> + 'w) {
        let mut state = self.state.borrow_mut();
        if state.nodes[usize::from(self.node)].up {
            state.attention = true;
            self.nursery.born.borrow_mut().push((self.node, Box::pin(task)));
        }
    }
}

/// A free look at the durable state and at the store's clock, both exact: nothing of the kind exists in
/// production. For tests, and for advice that nothing depends on; a subject's own reads are
/// [`Cx::load`].
pub trait Peek<W: World> {
    /// Looks.
    fn peek<T>(&self, look: impl FnOnce(&W::Store, Time) -> T) -> T;
}

impl<W: World> Peek<W> for Cx<'_, W> {
    #[inline]
    fn peek<T>(&self, look: impl FnOnce(&W::Store, Time) -> T) -> T {
        let state = self.state.borrow();
        look(&state.store, state.now)
    }
}

// ---- what all leaves ask of the state

impl<W: World> State<W> {
    /// Whether a leaf of this node may do anything: its node is up and does not stand still, and the
    /// budget is not spent.
    #[inline]
    fn may_act(&mut self, node: u8, cx: &Context<'_>) -> bool {
        let at = &self.nodes[usize::from(node)];
        if at.paused {
            self.stall(node, cx);
            return false;
        }
        at.up && self.log.number < self.takeover && self.spend()
    }

    /// What ended the wait, if something did: it is closed then. Else remembers whom to wake.
    #[inline]
    fn taken(&mut self, id: WaitId, cx: &Context<'_>) -> Option<Got> {
        match self.waits.take(id) {
            Got::Nothing => {
                self.remember(id, cx);
                None
            }
            got => Some(got),
        }
    }
}
