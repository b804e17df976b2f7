//! One run, turn by turn: how it begins, who is next, how it ends.

use super::{Lab, Outcome};
use crate::checkpoint::Trail;
use crate::draw::absorb;
use crate::engine::Turn;
use crate::verdict::NO_LIVELOCK;
use crate::world::World;
use std::sync::atomic::Ordering;

impl<'w, W: World> Lab<'w, W> {
    /// Everything as at the beginning, and all nodes started.
    pub(super) fn begin(&mut self, keep_trace: bool) {
        self.state.borrow_mut().reset(keep_trace);
        self.forget_wakes();
        for node in 0..self.mains.len() as u8 {
            self.state.borrow_mut().set_clock(node);
            self.start(node);
        }
    }

    /// Checkpoints are left between turns, so none may come about inside a task.
    pub(super) fn loop_along(&mut self, trail: Option<&mut Trail<'w, W>>) {
        self.state.borrow_mut().stepwise = trail.is_some();
        self.loop_until_rest(trail);
        self.state.borrow_mut().stepwise = false;
    }

    pub(super) fn loop_until_rest(&mut self, mut trail: Option<&mut Trail<'w, W>>) {
        loop {
            if let Some(trail) = &mut trail {
                self.leave_mark(trail);
            }
            let turn = self.state.borrow_mut().turn();
            match turn {
                Turn::Poll(task, node) => self.poll(task, node),
                Turn::Start(node) => self.start(node),
                Turn::Attend => self.attend(),
                Turn::TakeOver => self.take_over(),
                Turn::Rest => break,
            }
        }
        if self.state.borrow().exhausted() {
            self.add_violation(0, &NO_LIVELOCK, "coming to rest", "still busy when the event budget was spent".into());
        }
    }

    /// Between two turns: leaves a checkpoint, if one is due and everything there is can be copied.
    fn leave_mark(&self, trail: &mut Trail<'w, W>) {
        let state = self.state.borrow();
        let idle = !state.attention && self.spawned.is_empty() && !self.any_woken.load(Ordering::Relaxed);
        if idle
            && trail.is_due(state.door.offers().len())
            && let Some(mains) = self.mains.iter().map(|main| main.fork()).collect()
        {
            trail.push(&state, mains);
        }
    }

    /// The subject's nodes die here; the rescuer's start at once.
    #[cold]
    fn take_over(&mut self) {
        self.state.borrow_mut().end_of_all_nodes();
        (0..self.mains.len() as u8).for_each(|node| self.kill(node));
        std::mem::swap(&mut self.mains, &mut self.rescuers);
        self.rescued = true;
        (0..self.mains.len() as u8).for_each(|node| self.start(node));
    }

    /// Leaks, the final state, and what came of it all.
    pub(super) fn conclude(&mut self) -> Outcome {
        self.look_for_leaks();
        let mut state = self.state.borrow_mut();
        state.finish();
        let digest = absorb(state.log.digest, state.door.digest());
        Outcome {
            digest: absorb(digest, state.now.0),
            violations: state.fx.verdicts.all().to_vec(),
            events: state.log.number,
            ended: state.now,
            calm: state.door.calm_at(),
            legal: state.world.ended_legally(),
        }
    }
}
