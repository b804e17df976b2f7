//! The shop: providers, desks and oracles behind one wire. The world of every scenario.

use crate::books::Books;
use crate::clause::Need;
use crate::fact::Fact;
use crate::intent::Decided;
use crate::known::ops::{op_of, tool_of};
use crate::promises::Promises;
use crate::queue::OperatorQueue;
use crate::records::{Known, Records};
use crate::words::Words;
use unacked_mock_providers::approval_desk::{ApprovalDesk, DeskDecision};
use unacked_mock_providers::effect::reference_name;
use unacked_mock_providers::fact::{Fact as Effect, What};
use unacked_mock_providers::fulfillment::Fulfillment;
use unacked_mock_providers::inventory::Inventory;
use unacked_mock_providers::mail::Mail;
use unacked_mock_providers::message::{Ask, Op, Reply, Request, UNTAINTED};
use unacked_mock_providers::operator_desk::OperatorDesk;
use unacked_mock_providers::payments::Payments;
use unacked_mock_providers::truth::{Question, Truth};
use unacked_sim::door::Door;
use unacked_sim::draw::absorb;
use unacked_sim::menu::MenuId;
use unacked_sim::provider::{Answer, Provider};
use unacked_sim::site::{Occasion, Scope};
use unacked_sim::time::{Span, Time};
use unacked_sim::world::{Actor, Effects, Moment, NodeId, Received, Route, World};
use unacked_workflow::belief::{Belief, Beliefs, Limits};
use unacked_workflow::order::{Intent, Reference, Statement};
use unacked_workflow::ports::Transition;
use unacked_workflow::tool::Tool;

/// Who wakes up: the token of [`World::wake`], and the column of the timeline after the workers'.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Party {
    /// The durable store.
    Store,
    /// The stock service.
    Inventory,
    /// The payment provider.
    Payments,
    /// The carrier.
    Carrier,
    /// The mail service.
    Mail,
    /// The approver.
    Approver,
    /// The operator.
    Operator,
}

impl Party {
    /// All of them, in column order.
    pub const ALL: [Party; 7] = [
        Party::Store,
        Party::Inventory,
        Party::Payments,
        Party::Carrier,
        Party::Mail,
        Party::Approver,
        Party::Operator,
    ];

    /// The word used in output.
    pub const fn name(self) -> &'static str {
        match self {
            Party::Store => "store",
            Party::Inventory => "inventory",
            Party::Payments => "payments",
            Party::Carrier => "carrier",
            Party::Mail => "mail",
            Party::Approver => "approver",
            Party::Operator => "operator",
        }
    }

    /// Its column of the timeline, after those of so many workers.
    pub(crate) fn actor(self, workers: u8) -> Actor {
        Actor(workers + self as u8)
    }

    /// Who performs an operation.
    pub const fn of(op: Op) -> Party {
        match op {
            Op::ReadStock | Op::Reserve | Op::Renew | Op::Release => Party::Inventory,
            Op::Charge | Op::Refund => Party::Payments,
            Op::Fulfill | Op::CancelFulfillment => Party::Carrier,
            Op::Notify => Party::Mail,
            Op::Approve => Party::Approver,
        }
    }
}

/// The world of every scenario.
#[derive(Clone, Debug)]
pub struct Shop<R: Records = Books> {
    /// What was ordered, by order.
    pub intents: Vec<Intent>,
    /// Names of sites.
    pub words: Words,
    /// How long a claim protects.
    pub lease: Span,
    /// What may happen to a read of the work queue.
    pub read_menu: MenuId,
    /// The oracles.
    pub promises: Promises,
    pub(crate) workers: u8,
    pub(crate) act: [Route; Op::COUNT],
    pub(crate) lookup: [Route; Op::COUNT],
    pub(crate) inventory: Inventory,
    pub(crate) payments: Payments,
    pub(crate) carrier: Fulfillment,
    pub(crate) mail: Mail,
    pub(crate) approver: ApprovalDesk,
    pub(crate) operator: Option<OperatorDesk>,
    pub(crate) effects: Vec<Effect>,
    /// Which operation each order's latest question was for.
    pub(crate) asked_for: Vec<u64>,
    /// The scenario's longest finite maximum.
    pub(crate) drain: Span,
    /// What a client may believe: handed to whoever asks for it, and to no judge.
    pub(crate) beliefs: Beliefs,
    /// How long to wait for an answer, by tool.
    pub(crate) timeouts: [Span; Tool::COUNT],
    /// What was handed over to people.
    pub(crate) queue: OperatorQueue,
    /// What the records said when they were last written, by order.
    pub(crate) known: Known<R>,
}

impl<R: Records> Shop<R> {
    /// What the contracts document about an operation: nothing else may be relied on.
    pub fn documented(&self, op: Op) -> &Belief {
        self.beliefs.of(tool_of(op))
    }

    /// The scenario's horizons: how long requests travel and nodes stand still, when a person is called,
    /// how often something may be tried.
    pub fn limits(&self) -> &Limits {
        &self.promises.documented.limits
    }

    /// How long an answer to this operation is usually waited for.
    pub fn timeout(&self, op: Op) -> Span {
        self.timeouts[tool_of(op) as usize]
    }

    /// How often one generation of this operation may be sent.
    pub fn attempts(&self, op: Op) -> u16 {
        self.limits().attempts[tool_of(op) as usize]
    }

    /// When an operation that was first sent a while ago goes to a person: the later deadline applies as long
    /// as a repetition under its key is covered.
    pub fn deadline(&self, op: Op, covered: bool) -> Span {
        let limits = self.limits();
        let deadlines = if covered { &limits.handoff_covered } else { &limits.handoff };
        Span(deadlines[tool_of(op) as usize])
    }

    fn party(&self, party: Party) -> Actor {
        party.actor(self.workers)
    }

    /// Turns what providers made happen into facts; an acceptance consumes its hold in the same event.
    fn pass_on(&mut self, now: Time, facts: &mut Vec<Fact>) {
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
    fn write_decisions(&mut self, now: Time, store: &mut R, fx: &mut Effects) {
        while let Some(decision) = self.approver.take_decision() {
            self.judge_decision(&decision);
            store.decide(&decision, now);
            fx.notify = true;
        }
    }

    /// Tells the oracles what was decided, and for which operation it was asked.
    fn judge_decision(&mut self, decision: &DeskDecision) {
        let decided = Decided {
            granted: decision.granted,
            content: decision.content,
            operation: self.asked_for.get(decision.taint as usize).copied().unwrap_or(0),
            expires: decision.expires.0,
            consumed: false,
            used_by: 0,
        };
        self.promises.decided(decision.taint as usize, decided);
    }

    /// A question reaches the approver: an immediate yes is decided with it.
    fn ask_approver(&mut self, now: Time, at: Occasion, request: &Request, door: &mut Door) -> Answer<Reply> {
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
    fn write_statements(&mut self, now: Time, store: &mut R, facts: &mut Vec<Fact>, fx: &mut Effects) {
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

    fn operator_turn(&mut self, now: Time, store: &mut R, facts: &mut Vec<Fact>, fx: &mut Effects) {
        if let Some(at) = self.wake_operator(now) {
            fx.wakes.push((at, Party::Operator as u32));
        }
        self.write_statements(now, store, facts, fx);
    }

    /// A case is opened at the operator desk, unless it is open already.
    fn open_case(&mut self, now: Time, order: u32, tool: Tool, key: u64, door: &mut Door, fx: &mut Effects) {
        let Some(operator) = &mut self.operator else { return };
        if !self.queue.open(order, tool, key) {
            return;
        }
        let at = door.occasion(self.words.order(order), self.words.operator);
        let wake = operator.open(now, at, Question { taint: order, op: op_of(tool), key }, door);
        fx.wakes.push((wake, Party::Operator as u32));
    }

    /// The operators look at everything and act when woken.
    fn wake_operator(&mut self, now: Time) -> Option<Time> {
        let Shop { operator, inventory, payments, carrier, mail, approver, .. } = self;
        operator.as_mut()?.wake(now, |question| match Party::of(question.op) {
            Party::Inventory => inventory.truth(question),
            Party::Payments => payments.truth(question),
            Party::Carrier => carrier.truth(question),
            Party::Mail => mail.truth(question),
            _ => approver.truth(question),
        })
    }

    fn order_name(taint: u32) -> String {
        if taint == UNTAINTED { "no order".into() } else { format!("order {}", u64::from(taint) + 1) }
    }
}

impl<R: Records> World for Shop<R> {
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

    #[inline]
    fn observe(&mut self, moment: Moment, fact: &Fact, door: &mut Door, fx: &mut Effects) {
        self.promises.observe(moment, fact, &mut fx.verdicts);
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
        let drained = Moment { now: moment.now.max(door.calm_at()) + self.drain, ..moment };
        self.inventory.settle(drained.now, &mut self.effects);
        let mut effects = std::mem::take(&mut self.effects);
        for effect in effects.drain(..) {
            self.promises.observe(drained, &Fact::Effect(effect), &mut fx.verdicts);
        }
        self.effects = effects;
        self.promises.finish(drained, door.calm_at(), &mut fx.verdicts);
    }

    fn ended_legally(&self) -> bool {
        self.promises.all_legal()
    }

    #[inline]
    fn fold_fact(digest: u64, fact: &Fact) -> u64 {
        match fact {
            Fact::Effect(e) => {
                let d = absorb(digest, u64::from(e.taint) << 8 | e.what as u64);
                absorb(d, e.reference ^ (e.amount as u64) << 16 ^ e.value)
            }
            Fact::Written(r) => {
                let op =
                    u64::from(r.after.attempts) << 16 | (r.after.status as u64) << 8 | r.tool.map_or(255, |t| t as u64);
                absorb(absorb(digest, op), u64::from(r.order) << 8 | u64::from(r.node.0))
            }
            Fact::Fenced { node, order } => absorb(digest, u64::from(*order) << 8 | u64::from(node.0)),
            Fact::Queued { node, order, tool, key } => {
                let what = u64::from(*order) << 16 | (*tool as u64) << 8 | u64::from(node.0);
                absorb(absorb(digest, what), *key)
            }
            Fact::Claimed { node, order, fence } => {
                absorb(digest, u64::from(*fence) << 32 | u64::from(*order) << 8 | u64::from(node.0))
            }
            Fact::Stated { order, tool, committed } => {
                absorb(digest, u64::from(*order) << 16 | (*tool as u64) << 8 | u64::from(*committed))
            }
        }
    }

    #[inline]
    fn fold_request(digest: u64, r: &Request) -> u64 {
        absorb(absorb(digest, r.key), u64::from(r.taint) << 8 | r.op as u64)
    }

    fn actor(&self, actor: Actor) -> String {
        match actor.0.checked_sub(self.workers) {
            None => format!("worker-{}", actor.0 + 1),
            Some(party) => Party::ALL.get(usize::from(party)).map_or("?", |p| p.name()).into(),
        }
    }

    fn describe_request(&self, r: &Request) -> String {
        let what = match r.ask {
            Ask::Act => r.op.name().to_string(),
            Ask::Lookup => format!("look up {}", r.op.name()),
        };
        let key = if r.key == 0 { "no key".into() } else { format!("key {}", short(r.key)) };
        format!("{what} {}, {key}", Self::order_name(r.taint))
    }

    fn describe_reply(&self, request: &Request, reply: &Reply) -> String {
        if reply.reference == 0 {
            return reply.says.name().into();
        }
        format!("{} {}", reply.says.name(), reference_name(request.op, reply.reference))
    }

    fn describe_fact(&self, fact: &Fact) -> (Actor, Option<Scope>, String) {
        match fact {
            Fact::Effect(e) => {
                let name = reference_name(e.what.op(), e.reference);
                let text = format!("{}: {} for {}", e.what.name(), name, Self::order_name(e.taint));
                (self.party(Party::of(e.what.op())), Some(self.words.order(e.taint)), text)
            }
            Fact::Written(r) => {
                let text = match r.tool {
                    Some(tool) => format!("order {}: {} {}", r.order + 1, tool.name(), r.after.status.name()),
                    None => format!("order {}: {}", r.order + 1, transition(r.what)),
                };
                (self.party(Party::Store), Some(self.words.order(r.order)), text)
            }
            Fact::Fenced { order, .. } => {
                self.store_fact(*order, format!("order {}: write refused, a newer owner has it", order + 1))
            }
            Fact::Claimed { node, order, fence } => {
                self.store_fact(*order, format!("order {}: worker-{} owns it (claim {fence})", order + 1, node.0 + 1))
            }
            Fact::Queued { order, tool, .. } => {
                self.store_fact(*order, format!("order {}: {} handed to the operator", order + 1, tool.name()))
            }
            Fact::Stated { order, tool, committed } => {
                let found = if *committed { "exists" } else { "does not exist" };
                let text = format!("operator: {} of order {} {found}", tool.name(), order + 1);
                (self.party(Party::Operator), Some(self.words.order(*order)), text)
            }
        }
    }
}

impl<R: Records> Shop<R> {
    fn store_fact(&self, order: u32, text: String) -> (Actor, Option<Scope>, String) {
        (self.party(Party::Store), Some(self.words.order(order)), text)
    }
}

fn transition(what: Transition) -> &'static str {
    match what {
        Transition::Operation(_) | Transition::Parked => "waits",
        Transition::HandedOff => "handed to the operator",
        Transition::Resolved(_) => "statement taken in",
        Transition::Cancelling => "turns to cancelling",
        Transition::Ended => "ended",
    }
}

/// Enough of a key to tell it from others.
fn short(key: u64) -> String {
    format!("{:04x}", key >> 48 ^ key >> 24 & 0xffff ^ key & 0xffff)
}
