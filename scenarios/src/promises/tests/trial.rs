//! Facts by hand: what happens, step by step, and which clauses the oracles find broken.

use crate::catalog::scenario;
use crate::clause::Needs;
use crate::client;
use crate::fact::{Fact, OpMark, Written};
use crate::intent::Decided;
use crate::known::documented::{Documented, reliable};
use crate::model::Model;
use crate::promises::Promises;
use unacked_mock_providers::fact::{Fact as Effect, What};
use unacked_mock_providers::message::{Reply, Request, Says};
use unacked_sim::site::Scope;
use unacked_sim::time::{Span, Time};
use unacked_sim::verdict::Verdicts;
use unacked_sim::world::{Moment, NodeId, Received};
use unacked_workflow::order::{End, Intent, Status};
use unacked_workflow::ports::Transition;
use unacked_workflow::tool::Tool;

const ME: NodeId = NodeId(0);

/// Two orders of `checkout`, one unit on the shelves, and nothing has happened.
pub(super) struct Trial {
    pub(super) intent: Intent,
    promises: Promises,
    verdicts: Verdicts,
    now: Time,
}

impl Trial {
    pub(super) fn new(records: bool, muted: Option<&'static str>) -> Trial {
        let text = scenario("checkout").expect("it is embedded");
        let model = Model::read("checkout", text, &|_| Err("no files".into())).expect("it is sound");
        let documented = Documented {
            tools: reliable(&model.contracts),
            limits: model.limits,
            layers: 1,
            sees: Needs::seen(records),
            finish_bound: model.finish_bound(),
        };
        let intent = model.intents()[0];
        let mut promises = Promises::new(documented, vec![Scope(0), Scope(1)], 1);
        promises.muted = muted;
        promises.reset(&[intent, intent]);
        Trial { intent, promises, verdicts: Verdicts::default(), now: Time::ZERO + Span::hours(1) }
    }

    fn moment(&self) -> Moment {
        Moment { now: self.now, event: 1 }
    }

    pub(super) fn fact(&mut self, fact: Fact) {
        self.promises.observe(self.moment(), &fact, &mut self.verdicts);
    }

    pub(super) fn effect_of(&mut self, effect: Effect) {
        self.fact(Fact::Effect(effect));
    }

    /// An effect of order 1, under reference 1.
    pub(super) fn effect(&mut self, what: What, amount: i64) {
        self.effect_of(Effect { what, taint: 0, reference: 1, amount, currency: *b"EUR", value: 0 });
    }

    /// One unit is held for an order.
    pub(super) fn held(&mut self, taint: u32, until: Time) {
        self.effect_of(Effect { what: What::Held, taint, reference: 1, amount: 1, currency: [0; 3], value: until.0 });
    }

    pub(super) fn send(&mut self, request: Request, key: u64) {
        let request = Request { key, ..request };
        self.promises.sent(self.moment(), ME, &request, &mut self.verdicts);
    }

    pub(super) fn answer(&mut self, request: Request, key: u64, says: Says) {
        let request = Request { key, ..request };
        self.promises.received(self.now, ME, &request, Received::Reply(&Reply::bare(says)));
    }

    /// The charge is sent, done and answered.
    pub(super) fn paid(&mut self) {
        let request = client::charge(&self.intent, 0);
        self.send(request, 2);
        self.effect(What::Captured, self.intent.amount.minor);
        self.answer(request, 2, Says::Done);
    }

    /// A person says yes to the fulfillment, for an hour.
    pub(super) fn yes(&mut self) -> Decided {
        Decided {
            granted: true,
            content: self.intent.content,
            operation: 0,
            expires: (self.now + Span::hours(1)).0,
            consumed: false,
            used_by: 0,
        }
    }

    pub(super) fn decide(&mut self, decided: Decided) {
        self.promises.decided(self.now, 0, decided);
    }

    /// A record of an operation is written.
    pub(super) fn write(&mut self, tool: Tool, key: u64, after: (Status, u16, u16), before: (Status, u16, u16)) {
        let mark = |(status, generation, attempts)| OpMark { status, generation, attempts };
        let what = Transition::Operation(tool);
        let written =
            Written { what, tool: Some(tool), before: mark(before), after: mark(after), key, ..self.written() };
        self.fact(Fact::Written(written));
    }

    /// The first attempt of the first generation is claimed.
    pub(super) fn claim(&mut self, tool: Tool, key: u64) {
        self.write(tool, key, (Status::Dispatched, 1, 1), (Status::Planned, 0, 0));
    }

    pub(super) fn written(&self) -> Written {
        Written {
            node: ME,
            order: 0,
            what: Transition::Ended,
            tool: None,
            before: OpMark::default(),
            after: OpMark::default(),
            key: 0,
            consumed: false,
            notification_unknown: false,
            handoff: None,
            end: None,
            stale: false,
        }
    }

    /// The record says that the order has ended.
    pub(super) fn end(&mut self, end: End) {
        let written = Written { end: Some(end), ..self.written() };
        self.fact(Fact::Written(written));
    }

    pub(super) fn hand_off(&mut self, tool: Tool) {
        self.fact(Fact::Queued { node: ME, order: 0, tool, key: 2 });
    }

    pub(super) fn wait(&mut self, span: Span) {
        self.now = self.now + span;
    }

    /// The run is over.
    pub(super) fn finish(&mut self) {
        self.promises.finish(self.moment(), Time::ZERO, &mut self.verdicts);
    }

    /// Clause and headline of what was broken.
    pub(super) fn broken(&self) -> Vec<(&'static str, &str)> {
        self.verdicts.all().iter().map(|v| (v.clause, v.headline.as_str())).collect()
    }
}
