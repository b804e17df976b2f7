//! A wait for time, or for the store to change.

use super::Cx;
use crate::engine::State;
use crate::time::Span;
use crate::wait::WaitId;
use crate::world::World;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

/// A wait for time, or for the store to change.
#[derive(Clone)]
#[must_use = "nothing waits before it is awaited"]
pub struct Sleep<'w, W: World> {
    cx: Cx<'w, W>,
    span: Option<Span>,
    watch: bool,
    wait: Option<WaitId>,
}

impl<'w, W: World> Sleep<'w, W> {
    #[inline]
    pub(super) fn new(cx: Cx<'w, W>, span: Option<Span>, watch: bool) -> Self {
        Sleep { cx, span, watch, wait: None }
    }

    #[inline]
    fn begin(&mut self, state: &mut State<W>, cx: &Context<'_>) -> Poll<()> {
        let until = self.span.map(|s| state.now + s);
        let wait = match until {
            Some(until) if !self.watch => state.open_timer(until, cx),
            deadline => state.open_wait(deadline, cx),
        };
        if self.watch {
            state.watchers.push(wait);
        }
        self.wait = Some(wait);
        Poll::Pending
    }
}

impl<W: World> Future for Sleep<'_, W> {
    type Output = ();

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let me = self.get_mut();
        let mut state = me.cx.state.borrow_mut();
        if !state.may_act(me.cx.node, cx) {
            return Poll::Pending;
        }
        let Some(wait) = me.wait else { return me.begin(&mut state, cx) };
        if state.taken(wait, cx).is_none() {
            return Poll::Pending;
        }
        me.wait = None;
        Poll::Ready(())
    }
}

impl<W: World> Drop for Sleep<'_, W> {
    fn drop(&mut self) {
        if let Some(wait) = self.wait {
            let mut state = self.cx.state.borrow_mut();
            state.watchers.retain(|w| *w != wait);
            state.close_wait(wait);
        }
    }
}
