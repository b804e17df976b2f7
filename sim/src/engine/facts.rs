//! What happens is noted and judged: events, facts and what follows from them at once.

use super::State;
use crate::draw::absorb;
use crate::queue::What;
use crate::site::{Occasion, Scope, Stage};
use crate::time::Time;
use crate::trace::{Mark, TraceEvent};
use crate::wait::Got;
use crate::world::{Actor, NodeId, World};

impl<W: World> State<W> {
    /// Counts an event, and keeps it if a trace is wanted. The text is made only then.
    #[inline]
    pub(crate) fn note(
        &mut self,
        value: u64,
        mark: Mark,
        line: impl FnOnce(&Self) -> (Actor, Option<Actor>, Option<Scope>, String),
    ) {
        let number = self.log.count(absorb(value, self.now.0 ^ (mark as u64) << 56));
        if self.log.wanted() {
            let (actor, peer, scope, text) = line(self);
            let event =
                TraceEvent { number, at: self.now, cause: self.log.cause, mark, actor, peer, scope, text, fault: None };
            self.log.keep(event);
        }
        self.log.cause = number;
    }

    /// Marks the latest event as the work of the latest landed choice.
    pub(super) fn blame_latest(&mut self) {
        if self.log.wanted() {
            let fault = self.latest_fault();
            self.log.blame(fault);
        }
    }

    /// The latest landed choice (index).
    pub(super) fn latest_fault(&self) -> Option<usize> {
        self.door.landed().len().checked_sub(1)
    }

    /// Judges and notes the facts that just came about.
    #[inline(always)]
    pub(crate) fn settle_facts(&mut self) {
        if !self.facts.is_empty() {
            self.settle_all();
        }
        self.follow_up();
    }

    #[inline(never)]
    fn settle_all(&mut self) {
        let mut facts = std::mem::take(&mut self.facts);
        facts.iter().for_each(|fact| self.settle(fact));
        facts.clear();
        self.facts = facts;
    }

    #[inline]
    fn settle(&mut self, fact: &W::Fact) {
        let value = W::fold_fact(self.log.digest, fact);
        self.note(value, Mark::Fact, |s| {
            let (actor, scope, text) = s.world.describe_fact(fact);
            (actor, None, scope, text)
        });
        let moment = self.moment();
        self.world.observe(moment, fact, &mut self.door, &mut self.fx);
    }

    /// Does what the world asked for: wake-ups and notices.
    #[inline(always)]
    pub(crate) fn follow_up(&mut self) {
        if !self.fx.wakes.is_empty() {
            self.schedule_wakes();
        }
        if self.fx.notify {
            self.fx.notify = false;
            self.notify_watchers();
        }
    }

    #[inline(never)]
    fn schedule_wakes(&mut self) {
        while let Some((at, token)) = self.fx.wakes.pop() {
            self.wake_later(at, token);
        }
    }

    pub(super) fn wake_later(&mut self, at: Time, token: u32) {
        let entry = (token, self.log.cause);
        let slot = match self.free_wakes.pop() {
            Some(slot) => {
                self.wakes[slot as usize] = entry;
                slot
            }
            None => {
                self.wakes.push(entry);
                self.wakes.len() as u32 - 1
            }
        };
        self.schedule(at.max(self.now), What::Wake(slot));
    }

    #[inline(never)]
    fn notify_watchers(&mut self) {
        while let Some(id) = self.watchers.pop() {
            self.fire(id, Got::Notified);
        }
    }

    // ---- where facts come from, besides requests

    /// A provider or a desk acts by itself, at the time it had asked for.
    #[inline(never)]
    pub(super) fn wake(&mut self, slot: u32) {
        let (token, cause) = self.wakes[slot as usize];
        self.free_wakes.push(slot);
        self.log.cause = cause;
        self.world.wake(self.now, token, &mut self.store, &mut self.door, &mut self.facts, &mut self.fx);
        self.settle_facts();
    }

    /// Runs a durable write and everything that follows from it at once.
    #[inline]
    pub(crate) fn write<T>(
        &mut self,
        at: Occasion,
        apply: impl FnOnce(&mut W::Store, Time, &mut Vec<W::Fact>) -> T,
    ) -> T {
        let (_, node) = self.current;
        self.note(at.at(Stage::Store).hash, Mark::Write, |s| {
            let verb = s.door.names.verb_name(at.verb).to_string();
            (Actor(node), Some(s.setting.store_actor), Some(at.scope), verb)
        });
        self.keep_replica();
        let out = apply(&mut self.store, self.now, &mut self.facts);
        self.world.written(NodeId(node), &self.store, &mut self.facts);
        self.settle_facts();
        if self.holding {
            self.let_go(node);
        }
        out
    }

    /// The final state, judged.
    pub(crate) fn finish(&mut self) {
        let moment = self.moment();
        self.world.finish(moment, &mut self.store, &mut self.door, &mut self.fx);
    }
}
