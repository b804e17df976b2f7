//! The wall clock: for speed on stderr and for `--for`, never for a run or a report.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "speed and --for are about real time")]

use std::time::{Duration, Instant};
use unacked_sim::time::Span;

/// Measures real time.
#[derive(Clone, Copy)]
pub(super) struct Clock(Instant);

impl Clock {
    pub(super) fn start() -> Clock {
        Clock(Instant::now())
    }

    pub(super) fn seconds(self) -> f64 {
        self.0.elapsed().as_secs_f64()
    }

    /// Whether so much time has passed.
    pub(super) fn is_past(self, span: Span) -> bool {
        self.0.elapsed() >= Duration::from_micros(span.0)
    }
}
