//! Judging: the oracles see what happens, the desks react to it.

use super::{Shop, blame};
use crate::clause::Need;
use crate::fact::Fact;
use crate::records::Records;
use unacked_mock_providers::message::{Reply, Request};
use unacked_sim::door::Door;
use unacked_sim::world::{Effects, Moment, Monitor, NodeId, Received};
use unacked_workflow::ports::Transition;

impl<R: Records> Monitor for Shop<R> {
    #[inline]
    fn observe(&mut self, moment: Moment, fact: &Fact, door: &mut Door, fx: &mut Effects) {
        let known = fx.verdicts.all().len();
        self.promises.observe(moment, fact, &mut fx.verdicts);
        if fx.verdicts.all().len() > known {
            blame::judged(known, matches!(fact, Fact::Effect(_)), door, &mut fx.verdicts);
        }
        if let Fact::Queued { order, tool, key, .. } = *fact {
            self.open_case(moment.now, order, tool, key, door, fx);
        }
        if let Fact::Written(record) = fact
            && record.tool.is_none()
        {
            // Who waits for a parked order knows when to look again; that it has ended is news.
            fx.notify |= record.end.is_some();
            if let (Transition::HandedOff, Some((tool, key))) = (record.what, record.handoff) {
                self.open_case(moment.now, record.order, tool, key, door, fx);
            }
        }
    }

    #[inline]
    fn written(&mut self, node: NodeId, store: &R, facts: &mut Vec<Fact>) {
        if !R::REPORTS && self.promises.documented.sees.has(Need::Records) {
            self.known.compare(node, store, facts);
        }
    }

    #[inline]
    fn sent(&mut self, moment: Moment, node: NodeId, request: &Request, fx: &mut Effects) {
        self.promises.sent(moment, node, request, &mut fx.verdicts);
    }

    #[inline]
    fn received(&mut self, moment: Moment, node: NodeId, request: &Request, got: Received<'_, Reply>) {
        self.promises.received(moment.now, node, request, got);
    }

    fn crashed(&mut self, node: NodeId) {
        self.promises.crashed(node);
    }

    fn finish(&mut self, moment: Moment, _store: &mut R, door: &mut Door, fx: &mut Effects) {
        // The drain: whatever time alone settles has settled by then.
        let known = fx.verdicts.all().len();
        let drained = Moment { now: moment.now.max(door.calm_at()) + self.drain, ..moment };
        self.inventory.settle(drained.now, &mut self.effects);
        let mut effects = std::mem::take(&mut self.effects);
        for effect in effects.drain(..) {
            self.promises.observe(drained, &Fact::Effect(effect), &mut fx.verdicts);
        }
        self.effects = effects;
        self.promises.finish(drained, door.calm_at(), &mut fx.verdicts);
        blame::judged(known, true, door, &mut fx.verdicts);
    }

    fn ended_legally(&self) -> bool {
        self.promises.all_legal()
    }
}
