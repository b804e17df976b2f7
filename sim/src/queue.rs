//! The event queue: (time, sequence) order, few events in flight.
//!
//! A descending sorted vector while at most [`SMALL`] events are in flight, a binary heap above
//! (measured: an insertion beats a heap below about 32). Cancelling removes from the vector; in the
//! heap a cancelled event stays and is skipped by whoever pops it, since its target is gone.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// From how many events on a heap is faster.
const SMALL: usize = 32;

/// An event: when, in which order, and what (an index into one of the engine's tables).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Event {
    pub(crate) at: u64,
    pub(crate) seq: u32,
    pub(crate) what: What,
}

/// What an event is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum What {
    /// A message arrives.
    Message(u32),
    /// A wait's deadline.
    Deadline(u32),
    /// A node starts (again).
    Start(u8),
    /// A paused node goes on; stale if its pause was extended.
    Resume(u8),
    /// A provider asked to be woken.
    Wake(u32),
}

#[derive(Debug, Default)]
pub(crate) struct Queue {
    small: Vec<Event>,
    large: BinaryHeap<Reverse<Event>>,
    heap: bool,
}

impl Queue {
    #[inline]
    pub(crate) fn push(&mut self, event: Event) {
        if self.heap {
            self.large.push(Reverse(event));
            return;
        }
        let v = &mut self.small;
        let mut i = v.len();
        v.push(event);
        while i > 0 && (v[i - 1].at, v[i - 1].seq) < (event.at, event.seq) {
            v[i] = v[i - 1];
            i -= 1;
        }
        v[i] = event;
        if v.len() > SMALL {
            self.grow();
        }
    }

    #[cold]
    fn grow(&mut self) {
        self.heap = true;
        self.large.extend(self.small.drain(..).map(Reverse));
    }

    #[inline]
    pub(crate) fn pop(&mut self) -> Option<Event> {
        if self.heap {
            let event = self.large.pop().map(|r| r.0);
            self.heap = !self.large.is_empty();
            return event;
        }
        self.small.pop()
    }

    /// Removes an event that is no longer wanted, if that is cheap.
    #[inline]
    pub(crate) fn cancel(&mut self, at: u64, seq: u32) {
        if !self.heap
            && let Some(i) = self.small.iter().position(|e| e.seq == seq && e.at == at)
        {
            self.small.remove(i);
        }
    }

    pub(crate) fn clear(&mut self) {
        self.small.clear();
        self.large.clear();
        self.heap = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pops_in_order_of_time_then_sequence_small_and_large() {
        for n in [3u32, 31, 33, 500] {
            let mut queue = Queue::default();
            for i in 0..n {
                let at = u64::from(i.wrapping_mul(2_654_435_761) % 97);
                queue.push(Event { at, seq: i, what: What::Message(i) });
            }
            let mut last = (0, 0);
            for _ in 0..n {
                let e = queue.pop().expect("as many as were pushed");
                assert!(last <= (e.at, e.seq), "{n} events");
                last = (e.at, e.seq);
            }
            assert_eq!(queue.pop(), None);
        }
    }

    #[test]
    fn a_cancelled_event_does_not_pop() {
        let mut queue = Queue::default();
        for seq in 0..4 {
            queue.push(Event { at: 7, seq, what: What::Deadline(seq) });
        }
        queue.cancel(7, 2);
        let left: Vec<u32> = std::iter::from_fn(|| queue.pop()).map(|e| e.seq).collect();
        assert_eq!(left, [0, 1, 3]);
    }
}
