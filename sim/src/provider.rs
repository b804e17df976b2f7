//! The other side of the tool boundary, as the engine sees it: a handler, not a task.
//!
//! No async and no engine type but the door, so that a socket can call a provider one day.

use crate::door::Door;
use crate::site::Occasion;
use crate::time::{Span, Time};

/// What a provider does with a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer<R> {
    /// What is sent back; `None`: nothing, ever.
    pub reply: Option<R>,
    /// How long after the request's arrival the reply leaves.
    pub after: Span,
    /// When the provider wants to be woken (in addition to earlier wishes).
    pub wake_at: Option<Time>,
}

impl<R> Answer<R> {
    /// Answers at once.
    pub fn now(reply: R) -> Answer<R> {
        Answer { reply: Some(reply), after: Span::ZERO, wake_at: None }
    }

    /// Answers later, and wants to be woken at that same time.
    pub fn later(reply: R, now: Time, after: Span) -> Answer<R> {
        Answer { reply: Some(reply), after, wake_at: Some(now + after) }
    }
}

/// A provider: handles requests, and acts by itself when woken.
pub trait Provider {
    /// What it is asked.
    type Request;
    /// What it answers.
    type Reply;
    /// What it makes happen.
    type Fact;

    /// A request arrives. `at` names the call, so that the provider's own choices have sites.
    fn handle(
        &mut self,
        now: Time,
        at: Occasion,
        request: &Self::Request,
        door: &mut Door,
        facts: &mut Vec<Self::Fact>,
    ) -> Answer<Self::Reply>;

    /// A time it asked for has come. Returns when it wants to be woken next.
    fn wake(&mut self, now: Time, door: &mut Door, facts: &mut Vec<Self::Fact>) -> Option<Time>;
}
