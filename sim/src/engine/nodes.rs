//! Nodes come to life: with a clock of their own, once and again.

use super::State;
use crate::door::ALL;
use crate::kind::{ClockFate, Fate};
use crate::site::Stage;
use crate::trace::Mark;
use crate::world::{Actor, NodeId, World};

impl<W: World> State<W> {
    /// How far off a node's clock is in this run.
    pub(crate) fn set_clock(&mut self, node: u8) {
        let (scope, verb) = (self.setting.nodes[usize::from(node)], self.setting.clock_verb);
        let site = self.door.occasion(scope, verb).at(Stage::Clock);
        let distribution = self.setting.clock_distribution;
        let pick = self.door.choose(site, self.setting.clock, ALL);
        let offset = signed(self.door.sample(site, &distribution)) - signed(distribution.median());
        let fault = match ClockFate::of(pick.kind) {
            None => 0,
            Some(fate) => self.clock_off(fate, signed(pick.value)),
        };
        self.nodes[usize::from(node)].skew = offset.saturating_add(fault);
    }

    #[cold]
    fn clock_off(&mut self, fate: ClockFate, by: i64) -> i64 {
        if by != 0 {
            self.door.felt(fate);
        }
        match fate {
            ClockFate::Ahead => by,
            ClockFate::Behind => -by,
        }
    }

    /// A node is up; its main future is ready to be polled.
    pub(crate) fn node_starts(&mut self, node: u8) {
        let at = &mut self.nodes[usize::from(node)];
        at.up = true;
        at.incarnation += 1;
        if at.incarnation > 1 {
            self.log.cause = 0;
            self.note(u64::from(node), Mark::Node, |_| {
                (Actor(node), None, None, "starts again from its records".into())
            });
        }
        self.ready.push(u16::from(node));
    }

    /// All nodes die here, and everything is benign from here on.
    pub(crate) fn end_of_all_nodes(&mut self) {
        self.takeover = u32::MAX;
        self.door.calm_down();
        self.ready.clear();
        self.dying = None;
        for node in 0..self.nodes.len() {
            self.nodes[node].up = false;
            self.world.crashed(NodeId(node as u8));
        }
    }
}

/// A length as one that may be taken away.
fn signed(micros: u64) -> i64 {
    i64::try_from(micros).unwrap_or(i64::MAX)
}
