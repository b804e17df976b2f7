//! Waits: one slot per leaf future that waits for something.

use std::task::Waker;

/// What ended a wait.
#[derive(Clone, Debug, Default)]
pub(crate) enum Got<R> {
    /// Nothing yet.
    #[default]
    Nothing,
    Reply(R),
    Garbled,
    Refused,
    /// The deadline passed.
    Deadline,
    /// The store changed.
    Notified,
}

#[derive(Debug)]
pub(crate) struct Wait<R> {
    /// Grows each time the slot is reused, so that late messages find nobody.
    pub(crate) generation: u32,
    pub(crate) task: u16,
    pub(crate) node: u8,
    pub(crate) open: bool,
    pub(crate) got: Got<R>,
    /// Time and sequence of the deadline event; time `u64::MAX` = none.
    pub(crate) deadline: (u64, u32),
    /// The event that opened it: cause of a timeout.
    pub(crate) cause: u32,
    /// Set only where a combinator polls with a waker of its own.
    pub(crate) waker: Option<Waker>,
}

/// Handle of a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WaitId {
    pub(crate) slot: u32,
    pub(crate) generation: u32,
}

#[derive(Debug)]
pub(crate) struct Waits<R> {
    slots: Vec<Wait<R>>,
    free: Vec<u32>,
}

impl<R> Default for Waits<R> {
    fn default() -> Self {
        Waits { slots: Vec::new(), free: Vec::new() }
    }
}

impl<R> Waits<R> {
    #[inline]
    pub(crate) fn open(&mut self, (task, node): (u16, u8), cause: u32) -> WaitId {
        match self.free.pop() {
            Some(slot) => {
                let wait = &mut self.slots[slot as usize];
                wait.task = task;
                wait.node = node;
                wait.open = true;
                wait.cause = cause;
                WaitId { slot, generation: wait.generation }
            }
            None => self.grow(task, node, cause),
        }
    }

    #[cold]
    fn grow(&mut self, task: u16, node: u8, cause: u32) -> WaitId {
        let slot = self.slots.len() as u32;
        self.slots.push(Wait {
            generation: 0,
            task,
            node,
            open: true,
            got: Got::Nothing,
            deadline: (u64::MAX, 0),
            cause,
            waker: None,
        });
        WaitId { slot, generation: 0 }
    }

    /// The wait, if it is still the same and open.
    #[inline]
    pub(crate) fn get(&mut self, id: WaitId) -> Option<&mut Wait<R>> {
        let wait = &mut self.slots[id.slot as usize];
        (wait.generation == id.generation && wait.open).then_some(wait)
    }

    #[inline]
    pub(crate) fn by_slot(&mut self, slot: u32) -> &mut Wait<R> {
        &mut self.slots[slot as usize]
    }

    #[inline]
    pub(crate) fn close(&mut self, id: WaitId) {
        let wait = &mut self.slots[id.slot as usize];
        if wait.generation == id.generation && wait.open {
            wait.open = false;
            wait.generation = wait.generation.wrapping_add(1);
            wait.got = Got::Nothing;
            wait.deadline = (u64::MAX, 0);
            wait.waker = None;
            self.free.push(id.slot);
        }
    }

    /// Forgets everything; the same slots are then used in the same order as in a fresh run.
    pub(crate) fn reset(&mut self) {
        self.free.clear();
        for (slot, wait) in self.slots.iter_mut().enumerate().rev() {
            wait.open = false;
            wait.generation = wait.generation.wrapping_add(1);
            wait.got = Got::Nothing;
            wait.deadline = (u64::MAX, 0);
            wait.waker = None;
            self.free.push(slot as u32);
        }
    }
}
