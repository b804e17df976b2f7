//! The event queue: (time, sequence) order, few events in flight.
//!
//! A descending sorted vector while at most [`SMALL`] events are in flight, a binary heap above
//! (measured: an insertion beats a heap below about 32). Timeouts are not in it: see `wait`.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Later than every event.
pub(crate) const NEVER: u64 = u64::MAX;

/// From how many events on a heap is faster.
const SMALL: usize = 32;

/// An event: when, in which order, and what. Sixteen bytes, so that insertions move little.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Event {
    pub(crate) at: u64,
    pub(crate) seq: u32,
    what: Packed,
}

impl Event {
    #[inline]
    pub(crate) fn new(at: u64, seq: u32, what: What) -> Event {
        Event { at, seq, what: Packed::new(what) }
    }

    #[inline]
    pub(crate) fn what(self) -> What {
        self.what.open()
    }
}

/// What an event is about: an index into one of the engine's tables, below 2^29.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    /// A message arrives.
    Message(u32),
    /// A node starts (again).
    Start(u8),
    /// A paused node goes on; stale if its pause was extended.
    Resume(u8),
    /// A provider asked to be woken.
    Wake(u32),
    /// A wait that only time ends is over.
    Wait(u32),
}

/// [`What`] in four bytes: the kind in the upper three bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Packed(u32);

const KIND: u32 = 29;

impl Packed {
    #[inline]
    fn new(what: What) -> Packed {
        let (kind, index) = match what {
            What::Message(slot) => (0, slot),
            What::Start(node) => (1, u32::from(node)),
            What::Resume(node) => (2, u32::from(node)),
            What::Wake(slot) => (3, slot),
            What::Wait(slot) => (4, slot),
        };
        debug_assert!(index < 1 << KIND, "fewer than 2^29 messages at once");
        Packed(kind << KIND | index)
    }

    #[inline]
    fn open(self) -> What {
        let index = self.0 & ((1 << KIND) - 1);
        match self.0 >> KIND {
            0 => What::Message(index),
            1 => What::Start(index as u8),
            2 => What::Resume(index as u8),
            3 => What::Wake(index),
            _ => What::Wait(index),
        }
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Queue {
    small: Vec<Event>,
    large: BinaryHeap<Reverse<Event>>,
    heap: bool,
}

impl Queue {
    /// Adds an event; its sequence number is larger than those of all events in the queue.
    #[inline]
    pub(crate) fn push(&mut self, event: Event) {
        if self.heap {
            self.large.push(Reverse(event));
            return;
        }
        let v = &mut self.small;
        let mut i = v.len();
        v.push(event);
        while i > 0 && v[i - 1].at <= event.at {
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

    /// Time and sequence of the next event; [`NEVER`] if there is none.
    #[inline]
    pub(crate) fn next(&self) -> (u64, u32) {
        let event = if self.heap { self.large.peek().map(|r| &r.0) } else { self.small.last() };
        event.map_or((NEVER, 0), |e| (e.at, e.seq))
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

    /// Removes an event that is no longer wanted.
    #[cold]
    pub(crate) fn cancel(&mut self, seq: u32) {
        self.small.retain(|e| e.seq != seq);
        self.large.retain(|e| e.0.seq != seq);
        self.heap = !self.large.is_empty();
    }

    /// As it was in `to`.
    pub(crate) fn rewind(&mut self, to: &Queue) {
        let Queue { small, large, heap } = to;
        self.small.clone_from(small);
        self.large.clone_from(large);
        self.heap = *heap;
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
                queue.push(Event::new(at, i, What::Message(i)));
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
        for n in [4u32, 40] {
            let mut queue = Queue::default();
            (0..n).for_each(|seq| queue.push(Event::new(7, seq, What::Wait(seq))));
            queue.cancel(2);
            let left: Vec<u32> = std::iter::from_fn(|| queue.pop()).map(|e| e.seq).collect();
            assert_eq!(left, (0..n).filter(|&seq| seq != 2).collect::<Vec<u32>>());
        }
    }

    #[test]
    fn an_event_says_what_it_is_about() {
        for what in [What::Message(7), What::Start(3), What::Resume(255), What::Wake((1 << KIND) - 1), What::Wait(0)] {
            assert_eq!(Event::new(1, 2, what).what(), what);
        }
    }
}
