//! The tasks of a run: started, polled, killed with their nodes, taken over, dropped.

use super::Lab;
use crate::site::Scope;
use crate::task::{Polled, drop_caught, poll_caught};
use crate::verdict::{Blame, NO_LEAK, NO_PANIC, Promise, Violation};
use crate::world::World;
use std::sync::atomic::Ordering;

impl<W: World> Lab<'_, W> {
    /// Starts a node's main future.
    pub(super) fn start(&mut self, node: u8) {
        self.state.borrow_mut().node_starts(node);
        self.mains[usize::from(node)].start();
    }

    #[inline]
    pub(super) fn poll(&mut self, task: u16, node: u8) {
        let polled = match self.mains.get_mut(usize::from(task)) {
            Some(main) => main.poll(&self.wakers[usize::from(task)]),
            None => self.poll_spawned(task),
        };
        if let Polled::Panicked(message) = polled {
            self.panicked(node, &message);
        }
        if self.any_woken.load(Ordering::Relaxed) {
            self.state.borrow_mut().attention = true;
        }
    }

    /// After a poll or event that asked for it: kills, adopts, and collects what combinators woke.
    #[cold]
    pub(super) fn attend(&mut self) {
        let dying = self.state.borrow_mut().dying.take();
        if let Some(node) = dying {
            self.kill(node);
        }
        self.adopt();
        if self.any_woken.swap(false, Ordering::Relaxed) {
            self.collect_woken();
        }
    }

    /// Wakes of the previous run are nobody's.
    pub(super) fn forget_wakes(&self) {
        if self.any_woken.swap(false, Ordering::Relaxed) {
            self.slots.iter().for_each(|slot| _ = slot.take());
        }
    }

    fn collect_woken(&mut self) {
        for (task, slot) in self.slots.iter().enumerate() {
            if slot.take() {
                self.state.borrow_mut().ready.push(task as u16);
            }
        }
    }

    fn poll_spawned(&mut self, task: u16) -> Polled {
        let slot = usize::from(task) - self.mains.len();
        let Some(Some((_, future))) = self.spawned.get_mut(slot) else { return Polled::Done };
        let polled = poll_caught(future.as_mut(), &self.wakers[usize::from(task)]);
        if !matches!(polled, Polled::Pending) {
            self.spawned[slot] = None;
        }
        polled
    }

    #[cold]
    fn panicked(&mut self, node: u8, message: &str) {
        self.add_violation(node, &NO_PANIC, "no panic", format!("panicked: {message}"));
        self.state.borrow_mut().nodes[usize::from(node)].up = false;
        self.kill(node);
    }

    /// Drops all tasks of a node. Its leaves are inert meanwhile: the node is down.
    #[cold]
    pub(super) fn kill(&mut self, node: u8) {
        let mut panic = self.mains[usize::from(node)].stop();
        for slot in &mut self.spawned {
            if slot.as_ref().is_some_and(|(n, _)| *n == node) {
                panic = drop_caught(|| *slot = None).or(panic);
            }
        }
        let born = std::mem::take(&mut *self.nursery.born.borrow_mut());
        let (dead, alive): (Vec<_>, Vec<_>) = born.into_iter().partition(|(n, _)| *n == node);
        panic = drop_caught(|| drop(dead)).or(panic);
        self.nursery.born.borrow_mut().extend(alive);
        self.state.borrow_mut().nodes[usize::from(node)].forget_pause();
        if let Some(message) = panic {
            self.dropped_badly(node, &message);
        }
    }

    /// Takes over the tasks that were spawned during a poll, in the order in which they were.
    fn adopt(&mut self) {
        let born = std::mem::take(&mut *self.nursery.born.borrow_mut());
        for (node, future) in born {
            let slot = self.spawned.iter().position(Option::is_none).unwrap_or(self.spawned.len());
            if slot == self.spawned.len() {
                self.spawned.push(None);
                if self.wakers.len() < self.mains.len() + self.spawned.len() {
                    self.add_waker();
                }
            }
            self.spawned[slot] = Some((node, future));
            let task = (self.mains.len() + slot) as u16;
            let mut state = self.state.borrow_mut();
            state.task_nodes.resize(self.mains.len() + self.spawned.len(), 0);
            state.task_nodes[usize::from(task)] = node;
            state.ready.push(task);
        }
    }

    pub(super) fn look_for_leaks(&mut self) {
        let leaked = self.spawned.iter().flatten().next().map(|(node, _)| *node);
        if let Some(node) = leaked {
            self.add_violation(node, &NO_LEAK, "only main futures at the end", "a spawned task is still alive".into());
        }
        self.stop_all();
    }

    pub(super) fn stop_all(&mut self) {
        self.state.borrow_mut().nodes.iter_mut().for_each(|n| n.up = false);
        for node in 0..self.mains.len() {
            if self.mains[node].is_live() {
                self.stop_main(node);
            }
        }
        if !self.spawned.is_empty() {
            self.spawned.iter_mut().for_each(|slot| _ = drop_caught(|| *slot = None));
            self.spawned.clear();
        }
        let born = std::mem::take(&mut *self.nursery.born.borrow_mut());
        _ = drop_caught(|| drop(born));
    }

    fn stop_main(&mut self, node: usize) {
        if let Some(message) = self.mains[node].stop() {
            self.dropped_badly(node as u8, &message);
        }
    }

    #[cold]
    fn dropped_badly(&mut self, node: u8, message: &str) {
        self.add_violation(node, &NO_PANIC, "no panic", format!("panicked while it was being dropped: {message}"));
    }

    #[cold]
    pub(super) fn add_violation(&mut self, node: u8, promise: &'static Promise, expected: &str, found: String) {
        let state = &mut *self.state.borrow_mut();
        let scope = state.setting.nodes.get(usize::from(node)).copied().unwrap_or(Scope(0));
        let violation = Violation {
            promise,
            clause: "",
            headline: format!("{}: {found}", state.door.names.scope_name(scope)),
            operation: "node",
            scope,
            blame: Blame::Workflow,
            at: state.now,
            event: state.log.number,
            expected: expected.into(),
            found,
            evidence: Vec::new(),
        };
        state.fx.verdicts.add(violation);
    }
}
