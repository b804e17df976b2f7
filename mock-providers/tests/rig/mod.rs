//! A bench on which one provider is called by hand, with faults planned by call number.
#![allow(dead_code, unreachable_pub)]

use unacked_mock_providers::catalog;
use unacked_mock_providers::fact::{Fact, What};
use unacked_mock_providers::kinds::PROVIDER_KINDS;
use unacked_mock_providers::menus::Menus;
use unacked_mock_providers::message::{Ask, Op, Reply, Request, Says};
use unacked_mock_providers::service::Service;
use unacked_sim::door::Door;
use unacked_sim::kind::{KindId, Kinds};
use unacked_sim::menu::{Entry, Menu};
use unacked_sim::plan::{Cue, Noise, Script};
use unacked_sim::provider::{Answer, Provider};
use unacked_sim::site::{Scope, SiteName, Stage, Verb};
use unacked_sim::time::{Span, Time};

/// What goes wrong: at which call (from 1), at which stage, how, with which parameter.
pub type Planned = (u32, Stage, KindId, Span);

/// One provider on the bench.
pub struct Rig<P> {
    pub provider: P,
    pub door: Door,
    pub facts: Vec<Fact>,
    pub now: Time,
    scope: Scope,
    verb: Verb,
}

/// A preset, or a panic with the error's text.
pub fn preset(name: &str) -> Service {
    catalog::preset(name).unwrap_or_else(|e| panic!("{e}"))
}

/// A service from text, or a panic with the error's text.
pub fn service(text: &str) -> Service {
    let head = "name = \"t\"\nabout = \"\"\nsource = \"\"\nchecked_on = \"\"\nconfidence = \"assumed\"\n";
    catalog::parse(&format!("{head}{text}"), "t").unwrap_or_else(|e| panic!("{e}"))
}

/// A charge: intent 0, 5.00 EUR.
pub fn charge(key: u64) -> Request {
    Request {
        op: Op::Charge,
        ask: Ask::Act,
        taint: 0,
        key,
        reference: 0,
        amount: 500,
        currency: *b"EUR",
        sku: 0,
        quantity: 1,
        content: 7,
    }
}

/// Any operation with the parameters of [`charge`].
pub fn act(op: Op, key: u64, reference: u64) -> Request {
    Request { op, reference, ..charge(key) }
}

/// The same, looked up.
pub fn lookup(op: Op, key: u64, reference: u64) -> Request {
    Request { ask: Ask::Lookup, ..act(op, key, reference) }
}

impl<P: Provider<Request = Request, Reply = Reply, Fact = Fact>> Rig<P> {
    /// A provider with every kind on every menu, and these faults planned.
    pub fn new(build: impl FnOnce(&Menus, &Door) -> P, planned: &[Planned]) -> Rig<P> {
        let mut door = Door::new(Kinds::with(&[PROVIDER_KINDS]));
        let (scope, verb) = (door.names.scope("order-1"), door.names.verb("call"));
        let entries: Vec<Entry> = PROVIDER_KINDS
            .iter()
            .map(|k| Entry::plain(door.kinds.named(k.name).expect("a known kind"), k.name, 1.0))
            .collect();
        let all = door.menu(Menu::new(1.0, entries));
        let menus = Menus { act: [all; Op::COUNT], lookup: [all; Op::COUNT], pruning: all, human: all };
        let provider = build(&menus, &door);
        door.replay(&Script { noise: Noise::Off, pins: Vec::new(), cues: planned.iter().map(cue).collect() });
        Rig { provider, door, facts: Vec::new(), now: Time::ZERO, scope, verb }
    }

    /// Calls it now.
    pub fn call(&mut self, request: Request) -> Answer<Reply> {
        let at = self.door.occasion(self.scope, self.verb);
        self.provider.handle(self.now, at, &request, &mut self.door, &mut self.facts)
    }

    /// Calls it now and wants an answer.
    pub fn ask(&mut self, request: Request) -> Reply {
        self.call(request).reply.expect("an answer")
    }

    /// What it says now.
    pub fn says(&mut self, request: Request) -> Says {
        self.ask(request).says
    }

    /// Time passes; what is due happens.
    pub fn pass(&mut self, span: Span) {
        self.now = self.now + span;
        self.provider.wake(self.now, &mut self.door, &mut self.facts);
    }

    /// How often something happened.
    pub fn count(&self, what: What) -> usize {
        self.facts.iter().filter(|f| f.what == what).count()
    }
}

fn cue(&(occurrence, stage, kind, value): &Planned) -> Cue {
    let site = SiteName { scope: "order-1".into(), verb: "call".into(), occurrence, stage };
    Cue { site: site.hash(), kind, value: value.0 }
}
