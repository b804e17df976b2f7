//! The trace: every event with its cause. Costs nothing unless asked for; the digest covers it always.

use crate::draw::absorb;
use crate::site::Scope;
use crate::time::Time;
use crate::world::Actor;

/// What a line of the trace shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// A message leaves.
    Send,
    /// A message does not arrive (lost, refused).
    Loss,
    /// A message arrives.
    Arrive,
    /// A durable write.
    Write,
    /// Something became true at a provider or desk.
    Fact,
    /// A node crashes, starts, pauses, goes on.
    Node,
    /// A wait ended without an answer.
    Timeout,
}

/// One event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceEvent {
    /// Its number, from 1.
    pub number: u32,
    /// When.
    pub at: Time,
    /// The event that led to it; 0 = the beginning.
    pub cause: u32,
    /// What it shows.
    pub mark: Mark,
    /// Who did it or where it happened.
    pub actor: Actor,
    /// The other end of a message.
    pub peer: Option<Actor>,
    /// Whom it concerns.
    pub scope: Option<Scope>,
    /// In the user's words.
    pub text: String,
    /// Which of the landed choices made it so (index).
    pub fault: Option<usize>,
}

/// Numbers events, keeps the digest, and the events themselves if asked.
#[derive(Clone, Debug, Default)]
pub(crate) struct Log {
    pub(crate) digest: u64,
    pub(crate) number: u32,
    pub(crate) cause: u32,
    trace: Option<Vec<TraceEvent>>,
}

impl Log {
    pub(crate) fn reset(&mut self, keep: bool) {
        *self = Log { trace: keep.then(Vec::new), ..Log::default() };
    }

    /// One more event; what follows in the same turn is caused by it.
    #[inline]
    pub(crate) fn count(&mut self, value: u64) -> u32 {
        self.number += 1;
        self.digest = absorb(self.digest, value);
        self.number
    }

    #[inline]
    pub(crate) fn wanted(&self) -> bool {
        self.trace.is_some()
    }

    #[cold]
    pub(crate) fn keep(&mut self, event: TraceEvent) {
        if let Some(trace) = &mut self.trace {
            trace.push(event);
        }
    }

    /// Marks the latest event as the work of a landed choice.
    pub(crate) fn blame(&mut self, fault: Option<usize>) {
        if let Some(event) = self.trace.as_mut().and_then(|t| t.last_mut()) {
            event.fault = fault;
        }
    }

    pub(crate) fn take(&mut self) -> Vec<TraceEvent> {
        self.trace.take().unwrap_or_default()
    }
}
