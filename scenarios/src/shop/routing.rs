//! Routing: how requests travel, who handles them, who is woken.

use super::Shop;
use super::party::Party;
use crate::fact::Fact;
use crate::records::Records;
use unacked_mock_providers::message::{Ask, Reply, Request};
use unacked_sim::door::Door;
use unacked_sim::provider::{Answer, Provider};
use unacked_sim::site::{Occasion, Scope};
use unacked_sim::time::Time;
use unacked_sim::world::{Domain, Effects, Route};

impl<R: Records> Domain for Shop<R> {
    type Request = Request;
    type Reply = Reply;
    type Fact = Fact;
    type Store = R;

    fn reset(&mut self, store: &mut R, _door: &mut Door, _fx: &mut Effects) {
        store.reset(&self.intents, self.workers);
        self.known.reset(store, self.intents.len());
        self.promises.reset(&self.intents);
        self.inventory.reset();
        self.payments.reset();
        self.carrier.reset();
        self.mail.reset();
        self.approver.reset();
        if let Some(operator) = &mut self.operator {
            operator.reset();
        }
        self.effects.clear();
        self.asked_for.fill(0);
        self.queue.reset();
    }

    fn rewind(&mut self, to: &Shop<R>) {
        self.promises.rewind(&to.promises);
        self.inventory.rewind(&to.inventory);
        self.payments.rewind(&to.payments);
        self.carrier.rewind(&to.carrier);
        self.mail.rewind(&to.mail);
        self.approver.rewind(&to.approver);
        if let (Some(operator), Some(to)) = (&mut self.operator, &to.operator) {
            operator.rewind(to);
        }
        self.effects.clone_from(&to.effects);
        self.asked_for.clone_from(&to.asked_for);
        self.known.rewind(&to.known);
        self.queue.rewind(&to.queue);
    }

    #[inline]
    fn route(&self, request: &Request) -> (Scope, &Route) {
        let routes = if request.ask == Ask::Act { &self.act } else { &self.lookup };
        (self.words.order(request.taint), &routes[request.op as usize])
    }

    #[inline]
    fn handle(
        &mut self,
        now: Time,
        at: Occasion,
        request: &Request,
        door: &mut Door,
        facts: &mut Vec<Fact>,
    ) -> Answer<Reply> {
        let effects = &mut self.effects;
        let answer = match Party::of(request.op) {
            Party::Inventory => self.inventory.handle(now, at, request, door, effects),
            Party::Payments => self.payments.handle(now, at, request, door, effects),
            Party::Carrier => self.carrier.handle(now, at, request, door, effects),
            Party::Mail => self.mail.handle(now, at, request, door, effects),
            _ => self.ask_approver(now, at, request, door),
        };
        self.pass_on(now, facts);
        answer
    }

    fn wake(&mut self, now: Time, token: u32, store: &mut R, door: &mut Door, facts: &mut Vec<Fact>, fx: &mut Effects) {
        let effects = &mut self.effects;
        let party = Party::ALL.get(token as usize).copied().unwrap_or(Party::Store);
        let next = match party {
            Party::Inventory => self.inventory.wake(now, door, effects),
            Party::Payments => self.payments.wake(now, door, effects),
            Party::Carrier => self.carrier.wake(now, door, effects),
            Party::Mail => self.mail.wake(now, door, effects),
            Party::Approver => self.approver.wake(now, door, effects),
            Party::Operator => return self.operator_turn(now, store, facts, fx),
            Party::Store => None,
        };
        self.pass_on(now, facts);
        if party == Party::Approver {
            self.write_decisions(now, store, fx);
        }
        if let Some(at) = next {
            fx.wakes.push((at, token));
        }
    }

    fn wake_token(&self, request: &Request) -> u32 {
        Party::of(request.op) as u32
    }
}
