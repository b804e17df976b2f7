//! A read of the durable state: it takes its time, it may fail, and it may see an older state.

use super::{Cx, StoreFault};
use crate::door::ALL;
use crate::engine::State;
use crate::kind::{Fate, ReadFate};
use crate::site::{Scope, Site, Stage, Verb};
use crate::time::Span;
use crate::wait::WaitId;
use crate::world::World;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

/// Where the answer comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    /// The store as it is when the read arrives.
    Fresh,
    /// A replica that has not seen the latest write.
    Behind,
    /// Nobody answers.
    Nobody,
}

/// A read on its way.
#[must_use = "nothing is read before it is awaited"]
pub struct Load<'w, W: World, F> {
    cx: Cx<'w, W>,
    scope: Scope,
    verb: Verb,
    read: Option<F>,
    source: Source,
    /// While it travels.
    wait: Option<WaitId>,
}

impl<'w, W: World, F> Load<'w, W, F> {
    pub(super) fn new(cx: Cx<'w, W>, scope: Scope, verb: Verb, read: F) -> Self {
        Load { cx, scope, verb, read: Some(read), source: Source::Fresh, wait: None }
    }

    fn leave(&mut self, state: &mut State<W>, cx: &Context<'_>) {
        let site = state.door.occasion(self.scope, self.verb).at(Stage::Store);
        let travel = Span(state.door.sample(site, &state.setting.store_distribution)).max(SHORTEST);
        self.source = state.source(site);
        self.wait = Some(state.open_timer(state.now + travel, cx));
    }
}

/// A read takes some time, whatever the distribution says: a loop of reads lets the world go on.
const SHORTEST: Span = Span(1);

impl<W: World, F, T> Future for Load<'_, W, F>
where
    F: FnOnce(&W, &W::Store) -> T + Unpin,
{
    type Output = Result<T, StoreFault>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let me = self.get_mut();
        let mut state = me.cx.state.borrow_mut();
        if !state.may_act(me.cx.node, cx) {
            return Poll::Pending;
        }
        let Some(wait) = me.wait else {
            me.leave(&mut state, cx);
            return Poll::Pending;
        };
        if state.taken(wait, cx).is_none() {
            return Poll::Pending;
        }
        me.wait = None;
        let store = match me.source {
            Source::Fresh => &state.store,
            Source::Behind => &state.replica,
            Source::Nobody => return Poll::Ready(Err(StoreFault::Unavailable)),
        };
        match me.read.take() {
            Some(read) => Poll::Ready(Ok(read(&state.world, store))),
            None => Poll::Pending,
        }
    }
}

impl<W: World, F> Drop for Load<'_, W, F> {
    fn drop(&mut self) {
        if let Some(wait) = self.wait {
            self.cx.state.borrow_mut().close_wait(wait);
        }
    }
}

impl<W: World> State<W> {
    /// Who answers a read.
    fn source(&mut self, site: Site) -> Source {
        if self.now < self.store_down_until {
            return Source::Nobody;
        }
        let menu = self.setting.read;
        match ReadFate::of(self.door.choose(site, menu, ALL).kind) {
            None => Source::Fresh,
            Some(fate @ ReadFate::Stale) => {
                self.door.felt(fate);
                Source::Behind
            }
        }
    }
}
