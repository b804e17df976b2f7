//! A node: one process of the subject. It crashes, stands still, starts again.

use crate::time::Time;
use std::task::Waker;

#[derive(Clone, Debug, Default)]
pub(crate) struct Node {
    /// Whether it runs (or stands still); a crashed node is down until it starts again.
    pub(crate) up: bool,
    /// It stands still: its tasks are not polled.
    pub(crate) paused: bool,
    /// Until when, at the longest.
    pub(crate) paused_until: Time,
    /// Held back until another node writes.
    pub(crate) held: bool,
    /// It stood still right after a write: the point before its next act is the same one.
    pub(crate) stood_after_write: bool,
    /// Offset of its clock, microseconds.
    pub(crate) skew: i64,
    /// Counts its lives, from 1.
    pub(crate) incarnation: u32,
    /// Tasks that became ready while it stood still.
    pub(crate) deferred: Vec<u16>,
    /// Wakers of leaves that were polled by a combinator while it stood still.
    pub(crate) stalled: Vec<Waker>,
}

impl Node {
    pub(crate) fn reset(&mut self) {
        self.up = false;
        self.skew = 0;
        self.incarnation = 0;
        self.forget_pause();
    }

    /// It no longer stands still, and nothing waits for that.
    pub(crate) fn forget_pause(&mut self) {
        self.paused = false;
        self.held = false;
        self.stood_after_write = false;
        self.deferred.clear();
        self.stalled.clear();
    }

    pub(crate) fn pause(&mut self, until: Time, held: bool, task: u16) {
        self.paused = true;
        self.paused_until = until;
        self.held = held;
        self.deferred.push(task);
    }

    /// Its own clock's reading: off by `skew`. A clock that is behind runs at half speed until it is
    /// as far behind as it should be, so that it never stands still or shows a negative time.
    #[inline]
    pub(crate) fn clock(&self, now: Time) -> Time {
        let off = self.skew.unsigned_abs();
        if self.skew < 0 { Time(now.0 - off.min(now.0 / 2)) } else { Time(now.0.saturating_add(off)) }
    }
}
