//! Waits: one slot per leaf future that waits for something, and the deadlines of open waits.

use crate::queue::NEVER;
use std::task::Waker;

/// What ended a wait.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Got {
    /// Nothing yet.
    #[default]
    Nothing,
    /// A reply, kept beside it.
    Reply,
    Garbled,
    Refused,
    /// The deadline passed.
    Deadline,
    /// The store changed.
    Notified,
}

/// How a wait gives up by itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Timed {
    /// Not at all.
    #[default]
    No,
    /// By an entry among the deadlines.
    Listed,
    /// By an event of this sequence number in the queue.
    Queued(u32),
}

#[derive(Clone, Debug)]
pub(crate) struct Wait<R> {
    /// Grows when the wait is closed, so that late messages find nobody.
    generation: u32,
    pub(crate) task: u16,
    got: Got,
    timed: Timed,
    /// The event that opened it: cause of a timeout.
    cause: u32,
    /// The next free slot, while this one is free.
    next_free: u32,
    reply: Option<R>,
    /// Set only where a combinator polls with a waker of its own.
    pub(crate) waker: Option<Waker>,
}

/// Handle of a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WaitId {
    pub(crate) slot: u32,
    pub(crate) generation: u32,
}

impl WaitId {
    /// Nobody's.
    pub(crate) const NONE: WaitId = WaitId { slot: NOBODY, generation: 0 };
}

/// When a wait gives up: time, sequence and slot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline {
    pub(crate) at: u64,
    seq: u32,
    pub(crate) slot: u32,
}

impl Deadline {
    /// No wait gives up.
    const NONE: Deadline = Deadline { at: NEVER, seq: u32::MAX, slot: NOBODY };

    /// Time and sequence.
    #[inline]
    pub(crate) fn when(&self) -> (u64, u32) {
        (self.at, self.seq)
    }
}

/// Deadlines of open waits. Few at a time, and most are cancelled: not worth a place in the queue.
#[derive(Clone, Debug)]
struct Deadlines {
    list: Vec<Deadline>,
    /// The earliest of them.
    first: Deadline,
}

impl Deadlines {
    /// Adds one; its sequence number is larger than all others.
    #[inline]
    fn push(&mut self, deadline: Deadline) {
        if deadline.at < self.first.at {
            self.first = deadline;
        }
        self.list.push(deadline);
    }

    #[inline]
    fn cancel(&mut self, slot: u32) {
        if let Some(index) = self.list.iter().position(|d| d.slot == slot) {
            self.list.swap_remove(index);
            if self.first.slot == slot {
                self.look_again();
            }
        }
    }

    #[inline]
    fn look_again(&mut self) {
        self.first = Deadline::NONE;
        for deadline in &self.list {
            if deadline.when() < self.first.when() {
                self.first = *deadline;
            }
        }
    }

    fn clear(&mut self) {
        self.list.clear();
        self.first = Deadline::NONE;
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Waits<R> {
    slots: Vec<Wait<R>>,
    /// The first free slot; the others hang on it. `NOBODY`: none.
    free: u32,
    deadlines: Deadlines,
}

/// No slot.
const NOBODY: u32 = u32::MAX;

impl<R> Default for Waits<R> {
    fn default() -> Self {
        Waits { slots: Vec::new(), free: NOBODY, deadlines: Deadlines { list: Vec::new(), first: Deadline::NONE } }
    }
}

impl<R> Waits<R> {
    #[inline]
    pub(crate) fn open(&mut self, task: u16, cause: u32) -> WaitId {
        let slot = self.free;
        let Some(wait) = self.slots.get_mut(slot as usize) else { return self.grow(task, cause) };
        self.free = wait.next_free;
        (wait.task, wait.cause) = (task, cause);
        WaitId { slot, generation: wait.generation }
    }

    #[cold]
    fn grow(&mut self, task: u16, cause: u32) -> WaitId {
        let slot = self.slots.len() as u32;
        let (got, timed) = (Got::Nothing, Timed::No);
        let wait = Wait { generation: 0, task, got, timed, cause, next_free: NOBODY, reply: None, waker: None };
        self.slots.push(wait);
        WaitId { slot, generation: 0 }
    }

    /// A wait that was just opened gives up then; `seq` orders it among the events of that time.
    #[inline]
    pub(crate) fn give_up_at(&mut self, id: WaitId, at: u64, seq: u32) {
        self.slots[id.slot as usize].timed = Timed::Listed;
        self.deadlines.push(Deadline { at, seq, slot: id.slot });
    }

    /// A wait that was just opened ends with this event of the queue.
    #[inline]
    pub(crate) fn end_with(&mut self, id: WaitId, seq: u32) {
        self.slots[id.slot as usize].timed = Timed::Queued(seq);
    }

    /// The next deadline, [`NEVER`] if there is none.
    #[inline]
    pub(crate) fn next_deadline(&self) -> Deadline {
        self.deadlines.first
    }

    /// The wait in a slot, with its cause.
    #[inline]
    pub(crate) fn in_slot(&self, slot: u32) -> (WaitId, u32) {
        let wait = &self.slots[slot as usize];
        (WaitId { slot, generation: wait.generation }, wait.cause)
    }

    /// What a timeout of the wait will have been caused by.
    #[inline]
    pub(crate) fn blame(&mut self, id: WaitId, cause: u32) {
        self.slots[id.slot as usize].cause = cause;
    }

    /// Whether the wait is open and has got nothing yet.
    #[inline]
    pub(crate) fn is_waiting(&self, id: WaitId) -> bool {
        let wait = &self.slots[id.slot as usize];
        wait.generation == id.generation && wait.got == Got::Nothing
    }

    /// Ends a wait that [`Waits::is_waiting`].
    #[inline]
    pub(crate) fn end(&mut self, id: WaitId, got: Got) -> &mut Wait<R> {
        let wait = &mut self.slots[id.slot as usize];
        wait.got = got;
        if std::mem::take(&mut wait.timed) == Timed::Listed {
            self.deadlines.cancel(id.slot);
        }
        wait
    }

    /// Puts a reply beside what ended the wait.
    #[inline]
    pub(crate) fn put_reply(&mut self, id: WaitId, reply: Option<R>) {
        self.slots[id.slot as usize].reply = reply;
    }

    /// The reply of a wait that was just taken.
    #[inline]
    pub(crate) fn reply(&mut self, id: WaitId) -> Option<R> {
        self.slots[id.slot as usize].reply.take()
    }

    /// What ended the wait, or `Nothing` yet. Once it has ended it is closed.
    #[inline]
    pub(crate) fn take(&mut self, id: WaitId) -> Got {
        let Some(wait) = self.slots.get_mut(id.slot as usize).filter(|w| w.generation == id.generation) else {
            return Got::Nothing;
        };
        if wait.got == Got::Nothing {
            return Got::Nothing;
        }
        let got = wait.shut(self.free);
        self.free = id.slot;
        got
    }

    /// The task that polled it last is the one to wake.
    #[inline]
    pub(crate) fn polled_by(&mut self, id: WaitId, task: u16) {
        if let Some(wait) = self.slots.get_mut(id.slot as usize).filter(|w| w.generation == id.generation) {
            wait.task = task;
        }
    }

    /// A wait that has got nothing yet remembers the waker that a combinator brought.
    #[cold]
    pub(crate) fn remember(&mut self, id: WaitId, waker: &Waker) {
        if self.is_waiting(id) {
            self.slots[id.slot as usize].waker = Some(waker.clone());
        }
    }

    /// Gives up a wait, whatever it got. Returns the sequence of its event, if one is in the queue.
    pub(crate) fn close(&mut self, id: WaitId) -> Option<u32> {
        let wait = self.slots.get_mut(id.slot as usize).filter(|w| w.generation == id.generation)?;
        let timed = std::mem::take(&mut wait.timed);
        wait.shut(self.free);
        wait.reply = None;
        wait.waker = None;
        self.free = id.slot;
        match timed {
            Timed::No => None,
            Timed::Queued(seq) => Some(seq),
            Timed::Listed => {
                self.deadlines.cancel(id.slot);
                None
            }
        }
    }

    /// As they were in `to`.
    pub(crate) fn rewind(&mut self, to: &Waits<R>)
    where
        R: Clone,
    {
        let Waits { slots, free, deadlines } = to;
        self.slots.clone_from(slots);
        self.free = *free;
        self.deadlines.list.clone_from(&deadlines.list);
        self.deadlines.first = deadlines.first;
    }

    /// Forgets everything; the same slots are then used in the same order as in a fresh run.
    pub(crate) fn reset(&mut self) {
        self.deadlines.clear();
        self.free = NOBODY;
        for (slot, wait) in self.slots.iter_mut().enumerate().rev() {
            wait.shut(self.free);
            wait.timed = Timed::No;
            wait.reply = None;
            wait.waker = None;
            self.free = slot as u32;
        }
    }
}

impl<R> Wait<R> {
    /// The slot is free; what its wait had got.
    #[inline]
    fn shut(&mut self, next_free: u32) -> Got {
        self.generation = self.generation.wrapping_add(1);
        self.next_free = next_free;
        std::mem::take(&mut self.got)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deadlines_come_by_time_then_sequence_and_cancelled_ones_do_not() {
        let mut waits: Waits<()> = Waits::default();
        let ids: Vec<WaitId> = (0..5).map(|_| waits.open(0, 0)).collect();
        for (seq, (id, at)) in ids.iter().zip([7, 5, 5, 9, 3]).enumerate() {
            waits.give_up_at(*id, at, seq as u32);
        }
        waits.close(ids[1]);
        let mut order = Vec::new();
        while waits.next_deadline().at != NEVER {
            let slot = waits.next_deadline().slot;
            order.push(slot);
            waits.end(waits.in_slot(slot).0, Got::Deadline);
        }
        assert_eq!(order, [4, 2, 0, 3]);
    }

    #[test]
    fn a_late_message_finds_nobody() {
        let mut waits = Waits::default();
        let first = waits.open(0, 0);
        waits.end(first, Got::Reply);
        waits.put_reply(first, Some(1));
        assert_eq!((waits.take(first), waits.reply(first)), (Got::Reply, Some(1)));
        let second = waits.open(0, 0);
        assert_eq!(first.slot, second.slot);
        assert!(!waits.is_waiting(first) && waits.is_waiting(second));
    }
}
