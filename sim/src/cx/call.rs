//! A call to a provider.

use super::Cx;
use crate::engine::State;
use crate::engine::strike::Strike;
use crate::site::{Occasion, Stage};
use crate::time::Span;
use crate::trace::Mark;
use crate::wait::{Got, WaitId};
use crate::world::{Actor, NodeId, Received, World};
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

/// What came of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reception<R> {
    /// A decodable answer.
    Reply(R),
    /// An answer that cannot be decoded: the effect may have happened.
    Garbled,
    /// The connection was refused before any byte left: this attempt did nothing.
    Refused,
    /// No answer in time.
    Silence,
}

// This future and those beside it keep plain fields rather than enums with contents: all of them are
// then written once, where the future is made, and nothing half-filled is ever copied.

#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Begin,
    /// Stood still before the send.
    Struck,
    Sent,
    Over,
}

/// A call on its way.
#[derive(Clone)]
#[must_use = "nothing is sent before it is awaited"]
pub struct Call<'w, W: World> {
    cx: Cx<'w, W>,
    request: W::Request,
    /// `NEVER`: none.
    timeout: Span,
    step: Step,
    /// Of the occasion, if it was struck.
    occurrence: u32,
    /// Once it was sent.
    wait: WaitId,
}

impl<'w, W: World> Call<'w, W> {
    #[inline]
    pub(super) fn new(cx: Cx<'w, W>, request: W::Request) -> Self {
        Call { cx, request, timeout: Span::NEVER, step: Step::Begin, occurrence: 0, wait: WaitId::NONE }
    }

    /// Gives up waiting after this long. Without it, a lost answer is waited for for ever.
    #[inline]
    pub fn timeout(mut self, span: Span) -> Self {
        self.timeout = span;
        self
    }

    /// The request, to be changed before it is sent.
    pub fn request_mut(&mut self) -> &mut W::Request {
        &mut self.request
    }

    fn begin(&mut self, state: &mut State<W>, cx: &Context<'_>) {
        let (scope, route) = state.world.route(&self.request);
        let at = state.door.occasion(scope, route.verb);
        let menu = state.setting.before_send;
        match state.strike(at, Stage::Before, menu) {
            Strike::Go => self.send(state, at, cx),
            Strike::Paused => {
                (self.step, self.occurrence) = (Step::Struck, at.occurrence);
                state.stall(self.cx.node, cx);
            }
            Strike::Dead => {}
        }
    }

    /// The node goes on after it was struck.
    #[cold]
    fn go_on(&mut self, state: &mut State<W>, cx: &Context<'_>) {
        let (scope, route) = state.world.route(&self.request);
        let at = state.door.names.occasion(scope, route.verb, self.occurrence);
        self.send(state, at, cx);
    }

    #[inline]
    fn send(&mut self, state: &mut State<W>, at: Occasion, cx: &Context<'_>) {
        let deadline = (self.timeout != Span::NEVER).then(|| state.now + self.timeout);
        self.wait = state.open_wait(deadline, cx);
        self.step = Step::Sent;
        state.send(at, self.wait, &self.request);
        let menu = state.setting.after_send;
        state.strike(at, Stage::After, menu);
    }

    #[inline]
    fn check(&mut self, state: &mut State<W>, cx: &Context<'_>) -> Poll<Reception<W::Reply>> {
        let Some(got) = state.taken(self.wait, cx) else { return Poll::Pending };
        self.step = Step::Over;
        let got = match got {
            Got::Reply => state.waits.reply(self.wait).map_or(Reception::Garbled, Reception::Reply),
            Got::Garbled => Reception::Garbled,
            Got::Refused => Reception::Refused,
            _ => Reception::Silence,
        };
        state.ended(self.cx.node, &self.request, &got);
        Poll::Ready(got)
    }
}

impl<W: World> Future for Call<'_, W>
where
    W::Request: Unpin,
{
    type Output = Reception<W::Reply>;

    #[inline(always)]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let me = self.get_mut();
        let mut state = me.cx.state.borrow_mut();
        if !state.may_act(me.cx.node, cx) {
            return Poll::Pending;
        }
        match me.step {
            Step::Sent => return me.check(&mut state, cx),
            Step::Begin => me.begin(&mut state, cx),
            Step::Struck => me.go_on(&mut state, cx),
            Step::Over => {}
        }
        Poll::Pending
    }
}

impl<W: World> Drop for Call<'_, W> {
    #[inline]
    fn drop(&mut self) {
        if self.step == Step::Sent {
            self.cx.state.borrow_mut().close_wait(self.wait);
        }
    }
}

impl<W: World> State<W> {
    /// Tells the world that a call has ended for its caller.
    #[inline]
    fn ended(&mut self, node: u8, request: &W::Request, got: &Reception<W::Reply>) {
        let received = match got {
            Reception::Reply(reply) => Received::Reply(reply),
            Reception::Garbled => Received::Garbled,
            Reception::Refused => Received::Refused,
            Reception::Silence => Received::Silence,
        };
        if matches!(received, Received::Silence) {
            self.note_silence(node, request);
        }
        let moment = self.moment();
        self.world.received(moment, NodeId(node), request, received);
    }

    #[cold]
    fn note_silence(&mut self, node: u8, request: &W::Request) {
        self.note(u64::from(node), Mark::Timeout, |s| {
            let (scope, route) = s.world.route(request);
            (Actor(node), None, Some(scope), format!("gives up waiting for {}", s.door.names.verb_name(route.verb)))
        });
    }
}
