//! A durable write.

use super::Cx;
use crate::door::ALL;
use crate::engine::State;
use crate::engine::strike::Strike;
use crate::kind::{Fate, StoreFate};
use crate::site::{Occasion, Scope, Site, Stage, Verb};
use crate::time::{Span, Time};
use crate::wait::WaitId;
use crate::world::World;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

/// What went wrong with a durable write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoreFault {
    /// Aborted by a conflict; nothing was written.
    Conflict,
    /// The store cannot be reached; nothing was written.
    Unavailable,
    /// No acknowledgement: the write may or may not have happened.
    Unacknowledged,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum WriteStep {
    Begin,
    /// Stood still before it.
    Struck,
    /// On its way, or waiting for an acknowledgement that does not come.
    Travelling,
    /// Written; stood still afterwards.
    Written,
    Over,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Course {
    Applied,
    Refused(StoreFault),
    /// Applied on arrival, never acknowledged.
    Unacknowledged,
    /// Nothing more happens before the writer gives up waiting.
    GiveUp,
}

/// A durable write on its way, without what it does: that is given when it is polled, so that it can
/// use what its task keeps beside it. For tasks that wait for nothing else meanwhile.
#[must_use = "nothing is written before it is polled"]
pub struct Passage<'w, W: World, T> {
    cx: Cx<'w, W>,
    /// Nothing else is waited for meanwhile.
    alone: bool,
    /// Written, but its node stands still: handed over when it goes on.
    kept: Option<T>,
    scope: Scope,
    verb: Verb,
    step: WriteStep,
    /// What becomes of it, once it has left.
    course: Course,
    /// Of the occasion, once it has begun.
    occurrence: u32,
    /// While it travels.
    wait: WaitId,
}

/// Where a write stands when it is polled.
enum Way {
    /// It reaches the store now, under this occasion.
    Arrives(Occasion),
    /// It waits, for time or for its node.
    Waits,
}

impl<W: World, T: Clone> Clone for Passage<'_, W, T> {
    fn clone(&self) -> Self {
        Passage { kept: self.kept.clone(), ..*self }
    }
}

impl<'w, W: World, T> Passage<'w, W, T> {
    #[inline]
    pub(super) fn new(cx: Cx<'w, W>, scope: Scope, verb: Verb, alone: bool) -> Self {
        Passage {
            cx,
            alone,
            kept: None,
            scope,
            verb,
            step: WriteStep::Begin,
            course: Course::Applied,
            occurrence: 0,
            wait: WaitId::NONE,
        }
    }

    /// As [`Future::poll`]. `apply` runs if the write reaches the store now, which it does once at most.
    ///
    /// # Errors
    /// See [`StoreFault`].
    #[inline]
    pub fn poll_with(
        &mut self,
        cx: &Context<'_>,
        apply: impl FnOnce(&mut W::Store, Time, &mut Vec<W::Fact>) -> T,
    ) -> Poll<Result<T, StoreFault>> {
        let mut state = self.cx.state.borrow_mut();
        if !state.may_act(self.cx.node, cx) {
            return Poll::Pending;
        }
        let polled = self.go(&mut state, cx, apply);
        if matches!(self.step, WriteStep::Struck | WriteStep::Written) && polled.is_pending() {
            state.stall(self.cx.node, cx);
        }
        polled
    }

    #[inline]
    fn go(
        &mut self,
        state: &mut State<W>,
        cx: &Context<'_>,
        apply: impl FnOnce(&mut W::Store, Time, &mut Vec<W::Fact>) -> T,
    ) -> Poll<Result<T, StoreFault>> {
        let way = match self.step {
            WriteStep::Begin | WriteStep::Struck => self.leave(state, cx),
            WriteStep::Travelling if state.taken(self.wait, cx).is_some() => Way::Arrives(self.occasion(state)),
            WriteStep::Travelling | WriteStep::Over => Way::Waits,
            WriteStep::Written => return self.handed_over(),
        };
        match way {
            Way::Waits => Poll::Pending,
            Way::Arrives(at) if self.course == Course::Applied => self.apply(state, at, apply),
            Way::Arrives(at) => self.fail(state, at, cx, apply),
        }
    }

    #[inline]
    fn leave(&mut self, state: &mut State<W>, cx: &Context<'_>) -> Way {
        let at = if self.step == WriteStep::Begin {
            let at = state.door.occasion(self.scope, self.verb);
            self.occurrence = at.occurrence;
            let menu = state.setting.before_write;
            let strike = state.strike(at, Stage::Before, menu);
            if strike != Strike::Go {
                return self.struck(strike);
            }
            at
        } else {
            self.occasion(state)
        };
        let site = at.at(Stage::Store);
        let travel = Span(state.door.sample(site, &state.setting.store_distribution));
        self.course = state.store_fate(site);
        let arrival = state.now + travel;
        if travel == Span::ZERO || self.alone && state.skip_to(arrival) {
            return Way::Arrives(at);
        }
        self.wait = state.open_timer(arrival, cx);
        self.step = WriteStep::Travelling;
        Way::Waits
    }

    #[cold]
    fn struck(&mut self, strike: Strike) -> Way {
        if strike == Strike::Paused {
            self.step = WriteStep::Struck;
        }
        Way::Waits
    }

    /// The occasion of a write that had to wait.
    #[inline]
    fn occasion(&self, state: &State<W>) -> Occasion {
        state.door.names.occasion(self.scope, self.verb, self.occurrence)
    }

    #[cold]
    fn fail(
        &mut self,
        state: &mut State<W>,
        at: Occasion,
        cx: &Context<'_>,
        apply: impl FnOnce(&mut W::Store, Time, &mut Vec<W::Fact>) -> T,
    ) -> Poll<Result<T, StoreFault>> {
        match self.course {
            Course::Refused(fault) => return self.over(Err(fault)),
            Course::Unacknowledged => _ = state.write(at, apply),
            Course::Applied | Course::GiveUp => {}
        }
        let patience = state.setting.store_timeout;
        self.course = Course::Refused(StoreFault::Unacknowledged);
        self.wait = state.open_timer(state.now + patience, cx);
        self.step = WriteStep::Travelling;
        Poll::Pending
    }

    #[inline]
    fn over(&mut self, result: Result<T, StoreFault>) -> Poll<Result<T, StoreFault>> {
        self.step = WriteStep::Over;
        Poll::Ready(result)
    }

    #[inline]
    fn apply(
        &mut self,
        state: &mut State<W>,
        at: Occasion,
        apply: impl FnOnce(&mut W::Store, Time, &mut Vec<W::Fact>) -> T,
    ) -> Poll<Result<T, StoreFault>> {
        let out = state.write(at, apply);
        let menu = state.setting.after_write;
        match state.strike(at, Stage::After, menu) {
            Strike::Go => self.over(Ok(out)),
            strike => self.keep(state, strike, out),
        }
    }

    #[cold]
    fn keep(&mut self, state: &mut State<W>, strike: Strike, out: T) -> Poll<Result<T, StoreFault>> {
        // Whatever comes of it, it reaches the store only once.
        self.step = WriteStep::Over;
        if strike == Strike::Paused {
            state.nodes[usize::from(self.cx.node)].stood_after_write = true;
            self.kept = Some(out);
            self.step = WriteStep::Written;
        }
        Poll::Pending
    }

    #[cold]
    fn handed_over(&mut self) -> Poll<Result<T, StoreFault>> {
        match self.kept.take() {
            Some(out) => self.over(Ok(out)),
            None => Poll::Pending,
        }
    }
}

impl<W: World, T> Drop for Passage<'_, W, T> {
    #[inline]
    fn drop(&mut self) {
        if self.step == WriteStep::Travelling {
            self.cx.state.borrow_mut().close_wait(self.wait);
        }
    }
}

/// A durable write on its way, with what it does.
#[must_use = "nothing is written before it is awaited"]
pub struct Write<'w, W: World, F, T> {
    passage: Passage<'w, W, Option<T>>,
    apply: Option<F>,
}

impl<'w, W: World, F, T> Write<'w, W, F, T>
where
    F: FnOnce(&mut W::Store, Time, &mut Vec<W::Fact>) -> T,
{
    #[inline]
    pub(super) fn new(cx: Cx<'w, W>, scope: Scope, verb: Verb, apply: F) -> Self {
        Write { passage: Passage::new(cx, scope, verb, false), apply: Some(apply) }
    }
}

impl<W: World, F, T> Future for Write<'_, W, F, T>
where
    F: FnOnce(&mut W::Store, Time, &mut Vec<W::Fact>) -> T + Unpin,
    T: Unpin,
{
    type Output = Result<T, StoreFault>;

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let Write { passage, apply } = self.get_mut();
        match passage.poll_with(cx, |store, now, facts| apply.take().map(|apply| apply(store, now, facts))) {
            Poll::Ready(Ok(Some(out))) => Poll::Ready(Ok(out)),
            Poll::Ready(Err(fault)) => Poll::Ready(Err(fault)),
            Poll::Ready(Ok(None)) | Poll::Pending => Poll::Pending,
        }
    }
}

impl<W: World> State<W> {
    /// What becomes of a durable write.
    #[inline]
    fn store_fate(&mut self, site: Site) -> Course {
        if self.now < self.store_down_until {
            return Course::Refused(StoreFault::Unavailable);
        }
        let menu = self.setting.store;
        let pick = self.door.choose(site, menu, ALL);
        match StoreFate::of(pick.kind) {
            None => Course::Applied,
            Some(fate) => self.written_badly(fate, Span(pick.value)),
        }
    }

    #[cold]
    fn written_badly(&mut self, fate: StoreFate, value: Span) -> Course {
        self.door.felt(fate);
        match fate {
            StoreFate::Conflict => Course::Refused(StoreFault::Conflict),
            StoreFate::Unacknowledged => Course::Unacknowledged,
            StoreFate::Lost => Course::GiveUp,
            StoreFate::Unavailable => {
                self.store_down_until = self.now + value;
                Course::Refused(StoreFault::Unavailable)
            }
        }
    }
}
