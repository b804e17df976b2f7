//! Strike points: where a node may crash, stand still, or be held until another one writes.

use super::State;
use crate::door::ALL;
use crate::kind::{Fate, StrikeFate};
use crate::menu::MenuId;
use crate::queue::What;
use crate::site::{Occasion, Scope, Stage};
use crate::time::Span;
use crate::trace::Mark;
use crate::world::{Actor, NodeId, World};
use std::task::Waker;

/// What becomes of a task at a strike point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Strike {
    /// It goes on.
    Go,
    /// Its node stands still: poll again later.
    Paused,
    /// Its node is dying.
    Dead,
}

impl<W: World> State<W> {
    /// Asks what strikes the current node here. Where nothing at all has happened since its latest
    /// strike point "after", and no time has passed, a point "before" is the same one: it is not asked
    /// twice. Nor is it after a write that the node stood still at: between a write and what follows it
    /// there is one pause, as long as pauses may be.
    #[inline(always)]
    pub(crate) fn strike(&mut self, at: Occasion, stage: Stage, menu: MenuId) -> Strike {
        let here = (self.now, self.log.number, self.current.1);
        if stage == Stage::Before && (self.latest_after == here || self.stood_here()) {
            return Strike::Go;
        }
        if stage == Stage::After {
            self.latest_after = here;
        }
        let pick = self.door.choose(at.at(stage), menu, ALL);
        match StrikeFate::of(pick.kind) {
            None => Strike::Go,
            Some(fate) => self.struck(at, fate, Span(pick.value)),
        }
    }

    #[inline]
    fn stood_here(&mut self) -> bool {
        std::mem::take(&mut self.nodes[usize::from(self.current.1)].stood_after_write)
    }

    #[cold]
    fn struck(&mut self, at: Occasion, fate: StrikeFate, value: Span) -> Strike {
        let (task, node) = self.current;
        self.door.felt(fate);
        match fate {
            StrikeFate::Crash => self.crash(node, at.scope, value),
            StrikeFate::Pause => self.pause(node, task, at.scope, value, false),
            StrikeFate::Hold => self.pause(node, task, at.scope, self.setting.hold_max, true),
        }
    }

    fn crash(&mut self, node: u8, scope: Scope, restart: Span) -> Strike {
        let after = if restart == Span::ZERO { self.setting.restart } else { restart };
        self.note(u64::from(node) ^ after.0, Mark::Node, |_| {
            (Actor(node), None, Some(scope), format!("crash, back in {after}"))
        });
        self.blame_latest();
        self.nodes[usize::from(node)].up = false;
        self.dying = Some(node);
        self.attention = true;
        self.door.strained_until(self.now + after);
        self.world.crashed(NodeId(node));
        self.start_node(node, after);
        Strike::Dead
    }

    fn pause(&mut self, node: u8, task: u16, scope: Scope, span: Span, held: bool) -> Strike {
        let until = self.now + span;
        self.note(u64::from(node) ^ span.0, Mark::Node, |_| {
            let text = if held { "held until another node writes".into() } else { format!("stands still for {span}") };
            (Actor(node), None, Some(scope), text)
        });
        self.blame_latest();
        self.nodes[usize::from(node)].pause(until, held, task);
        self.holding |= held;
        self.door.strained_until(until);
        self.schedule(until, What::Resume(node));
        Strike::Paused
    }

    /// A paused node goes on, if this is the end of its latest pause.
    #[cold]
    pub(super) fn resume(&mut self, node: u8) {
        let now = self.now;
        let paused = &mut self.nodes[usize::from(node)];
        if !paused.up || paused.paused_until > now || !paused.paused {
            return;
        }
        paused.held = false;
        paused.paused = false;
        self.note(u64::from(node), Mark::Node, |_| (Actor(node), None, None, "goes on".into()));
        let paused = &mut self.nodes[usize::from(node)];
        self.attention |= !paused.stalled.is_empty();
        paused.stalled.drain(..).for_each(Waker::wake);
        paused.deferred.drain(..).for_each(|task| self.ready.push(task));
    }

    /// Another node wrote: whoever was held for that goes on.
    #[cold]
    pub(super) fn let_go(&mut self, writer: u8) {
        for node in 0..self.nodes.len() {
            if self.nodes[node].held && node != usize::from(writer) {
                self.nodes[node].paused_until = self.now;
                self.nodes[node].held = false;
                self.schedule(self.now, What::Resume(node as u8));
            }
        }
        self.holding = self.nodes.iter().any(|n| n.held);
    }
}
