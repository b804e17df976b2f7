//! The desks: what people decide and find out reaches the records.

use super::Shop;
use super::party::Party;
use crate::fact::Fact;
use crate::intent::Decided;
use crate::known::ops::op_of;
use crate::records::Records;
use unacked_mock_providers::approval_desk::DeskDecision;
use unacked_mock_providers::fact::What;
use unacked_mock_providers::message::{Ask, Reply, Request};
use unacked_mock_providers::truth::{Question, Truth};
use unacked_sim::door::Door;
use unacked_sim::provider::{Answer, Provider};
use unacked_sim::site::Occasion;
use unacked_sim::time::Time;
use unacked_sim::world::Effects;
use unacked_workflow::order::{Reference, Statement};
use unacked_workflow::tool::Tool;

impl<R: Records> Shop<R> {
    /// Turns what providers made happen into facts; an acceptance consumes its hold in the same event.
    pub(super) fn pass_on(&mut self, now: Time, facts: &mut Vec<Fact>) {
        let mut i = 0;
        while i < self.effects.len() {
            let effect = self.effects[i];
            facts.push(Fact::Effect(effect));
            if effect.what == What::ShipmentAccepted {
                self.inventory.consume(effect.taint, effect.amount, now, &mut self.effects);
            }
            i += 1;
        }
        self.effects.clear();
    }

    /// Writes the approval desk's decisions into the books: our desk shares the store.
    pub(super) fn write_decisions(&mut self, now: Time, store: &mut R, fx: &mut Effects) {
        while let Some(decision) = self.approver.take_decision() {
            self.judge_decision(&decision);
            store.decide(&decision, now);
            fx.notify = true;
        }
    }

    /// Tells the oracles what was decided, and for which operation it was asked.
    pub(super) fn judge_decision(&mut self, decision: &DeskDecision) {
        let decided = Decided {
            granted: decision.granted,
            content: decision.content,
            operation: self.asked_for.get(decision.taint as usize).copied().unwrap_or(0),
            expires: decision.expires.0,
            consumed: false,
            used_by: 0,
        };
        self.promises.decided(decision.at, decision.taint as usize, decided);
    }

    /// A question reaches the approver: an immediate yes is decided with it.
    pub(super) fn ask_approver(
        &mut self,
        now: Time,
        at: Occasion,
        request: &Request,
        door: &mut Door,
    ) -> Answer<Reply> {
        if let Some(asked) = self.asked_for.get_mut(request.taint as usize)
            && request.ask == Ask::Act
        {
            *asked = request.reference;
        }
        let answer = self.approver.handle(now, at, request, door, &mut self.effects);
        while let Some(decision) = self.approver.take_decision() {
            self.judge_decision(&decision);
        }
        answer
    }

    /// Writes the operator's statements into the books.
    pub(super) fn write_statements(&mut self, now: Time, store: &mut R, facts: &mut Vec<Fact>, fx: &mut Effects) {
        let Some(operator) = &mut self.operator else { return };
        while let Some(found) = operator.take_statement() {
            let (statement, committed) = match found.finding {
                Truth::Committed(reference) => (Statement::Committed(Reference(reference)), true),
                Truth::Absent | Truth::Unsettled(_) => (Statement::Absent, false),
            };
            let order = found.question.taint;
            let Some(tool) = Tool::ALL.into_iter().find(|&t| op_of(t) == found.question.op) else { continue };
            let asked = self.queue.state(order, tool, found.question.key, statement);
            if asked | store.state(order, tool, found.question.key, statement, now) {
                facts.push(Fact::Stated { order, tool, committed });
                fx.notify = true;
            }
        }
    }

    pub(super) fn operator_turn(&mut self, now: Time, store: &mut R, facts: &mut Vec<Fact>, fx: &mut Effects) {
        if let Some(at) = self.wake_operator(now) {
            fx.wakes.push((at, Party::Operator as u32));
        }
        self.write_statements(now, store, facts, fx);
    }

    /// A case is opened at the operator desk, unless it is open already.
    pub(super) fn open_case(&mut self, now: Time, order: u32, tool: Tool, key: u64, door: &mut Door, fx: &mut Effects) {
        let Some(operator) = &mut self.operator else { return };
        if !self.queue.open(order, tool, key) {
            return;
        }
        let at = door.occasion(self.words.order(order), self.words.operator);
        let wake = operator.open(now, at, Question { taint: order, op: op_of(tool), key }, door);
        fx.wakes.push((wake, Party::Operator as u32));
    }

    /// The operators look at everything and act when woken.
    pub(super) fn wake_operator(&mut self, now: Time) -> Option<Time> {
        let Shop { operator, inventory, payments, carrier, mail, approver, .. } = self;
        operator.as_mut()?.wake(now, |question| match Party::of(question.op) {
            Party::Inventory => inventory.truth(question),
            Party::Payments => payments.truth(question),
            Party::Carrier => carrier.truth(question),
            Party::Mail => mail.truth(question),
            _ => approver.truth(question),
        })
    }
}
