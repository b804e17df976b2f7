//! A tiny world: one provider that counts effects by key, a diary as durable store, one promise.
//!
//! Text in, text out: menus and plans are written as plans print them, a run comes back as the lines
//! that the subject said.

use std::cell::RefCell;
use std::future::Future;
use std::pin::Pin;
use unacked_sim::cx::{Cx, Reception, StoreFault};
use unacked_sim::distribution::Distribution;
use unacked_sim::door::Door;
use unacked_sim::draw::absorb;
use unacked_sim::kind::Kinds;
use unacked_sim::lab::{Lab, Outcome, Subject, with_lab};
use unacked_sim::menu::{Entry, Menu, MenuId};
use unacked_sim::plan::{CompiledPlan, Landed, Noise, Plan};
use unacked_sim::provider::Answer;
use unacked_sim::site::{Occasion, Scope, Stage, Verb};
use unacked_sim::time::{Span, Time, parse_span};
use unacked_sim::verdict::{Blame, Promise, Violation, When};
use unacked_sim::world::{Actor, Domain, Effects, Moment, Monitor, NodeId, Received, Route, Setting, Wording};

/// The words of the world, in the order of their numbers.
pub(crate) const SCOPES: [&str; 4] = ["order-1", "worker-1", "worker-2", "worker-3"];
pub(crate) const VERBS: [&str; 4] = ["charge", "note", "clock", "own"];
pub(crate) const ORDER: Scope = Scope(0);
pub(crate) const NOTE: Verb = Verb(1);
pub(crate) const OWN: Verb = Verb(3);

const PROVIDER: Actor = Actor(9);

/// No key is charged twice.
static ONCE: Promise = Promise { name: "once", when: When::Always, says: "no key is charged twice", rules: "R7" };

/// A charge under a key.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Charge(pub(crate) u64);

/// How many effects the key has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Charged(pub(crate) u32);

/// What happens.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Fact {
    Effect(u64),
    Noted,
}

/// The durable store: lines with the time at which they were written.
#[derive(Clone, Default)]
pub(crate) struct Diary(pub(crate) Vec<String>);

/// The world.
#[derive(Clone)]
pub(crate) struct Tiny {
    route: Route,
    dedup: bool,
    /// Ask the door twice at the provider's site.
    curious: Option<MenuId>,
    effects: Vec<(u64, u32)>,
    pub(crate) arrivals: Vec<String>,
    pub(crate) said: RefCell<Vec<String>>,
    pub(crate) ended: Vec<&'static str>,
    pub(crate) finished: Option<(Time, Time)>,
}

impl Domain for Tiny {
    type Request = Charge;
    type Reply = Charged;
    type Fact = Fact;
    type Store = Diary;

    fn reset(&mut self, store: &mut Diary, _door: &mut Door, _fx: &mut Effects) {
        store.0.clear();
        self.effects.clear();
        self.arrivals.clear();
        self.said.borrow_mut().clear();
        self.ended.clear();
        self.finished = None;
    }

    fn route(&self, _request: &Charge) -> (Scope, &Route) {
        (ORDER, &self.route)
    }

    fn handle(
        &mut self,
        now: Time,
        at: Occasion,
        request: &Charge,
        door: &mut Door,
        facts: &mut Vec<Fact>,
    ) -> Answer<Charged> {
        let site = at.at(Stage::Provider);
        self.arrivals.push(format!("{now} {}", door.names.describe(site)));
        if let Some(menu) = self.curious {
            let _ = [(); 2].map(|()| door.choose(site, menu, u32::MAX));
        }
        let known = self.effects.iter().position(|e| e.0 == request.0);
        let at = known.unwrap_or_else(|| {
            self.effects.push((request.0, 0));
            self.effects.len() - 1
        });
        if known.is_none() || !self.dedup {
            self.effects[at].1 += 1;
            facts.push(Fact::Effect(request.0));
        }
        Answer::now(Charged(self.effects[at].1))
    }

    fn wake(&mut self, _: Time, _: u32, _: &mut Diary, _: &mut Door, _: &mut Vec<Fact>, _: &mut Effects) {}

    fn wake_token(&self, _request: &Charge) -> u32 {
        0
    }
}

impl Monitor for Tiny {
    fn observe(&mut self, moment: Moment, fact: &Fact, _door: &mut Door, fx: &mut Effects) {
        match fact {
            Fact::Noted => fx.notify = true,
            Fact::Effect(key) if self.effects_of(*key) > 1 => fx.verdicts.add(Violation {
                promise: &ONCE,
                clause: "",
                operation: "charge",
                scope: ORDER,
                blame: Blame::Workflow,
                at: moment.now,
                event: moment.event,
                headline: format!("key {key} was charged twice"),
                expected: "one effect".into(),
                found: "two".into(),
                evidence: Vec::new(),
            }),
            Fact::Effect(_) => {}
        }
    }

    fn sent(&mut self, _: Moment, _: NodeId, _: &Charge, _: &mut Effects) {
        self.ended.push("sent");
    }

    fn received(&mut self, _: Moment, _: NodeId, _: &Charge, got: Received<'_, Charged>) {
        self.ended.push(match got {
            Received::Reply(_) => "reply",
            Received::Garbled => "garbled",
            Received::Refused => "refused",
            Received::Silence => "silence",
        });
    }

    fn crashed(&mut self, node: NodeId) {
        self.said.borrow_mut().push(format!("w{} crashes", node.0 + 1));
    }

    fn finish(&mut self, moment: Moment, _: &mut Diary, door: &mut Door, _: &mut Effects) {
        self.finished = Some((moment.now, door.calm_at()));
    }

    fn ended_legally(&self) -> bool {
        true
    }
}

impl Wording for Tiny {
    fn fold_fact(digest: u64, fact: &Fact) -> u64 {
        match fact {
            Fact::Effect(key) => absorb(digest, *key),
            Fact::Noted => absorb(digest, 1 << 40),
        }
    }

    fn fold_request(digest: u64, request: &Charge) -> u64 {
        absorb(digest, request.0)
    }

    fn actor(&self, actor: Actor) -> String {
        format!("actor {}", actor.0)
    }

    fn describe_request(&self, request: &Charge) -> String {
        format!("charge, key {}", request.0)
    }

    fn describe_reply(&self, _request: &Charge, reply: &Charged) -> String {
        format!("charged {}", reply.0)
    }

    fn describe_fact(&self, fact: &Fact) -> (Actor, Option<Scope>, String) {
        (PROVIDER, Some(ORDER), format!("{fact:?}"))
    }
}

impl Tiny {
    fn effects_of(&self, key: u64) -> u32 {
        self.effects.iter().find(|e| e.0 == key).map_or(0, |e| e.1)
    }

    /// `1: 2 effects` as `1:2`.
    fn effects(&self) -> String {
        let each: Vec<String> = self.effects.iter().map(|(key, n)| format!("{key}:{n}")).collect();
        each.join(" ")
    }
}

// ---- building one

/// What a tiny world is made of. Menus are written as `crash(1s,1m) hold`.
#[derive(Clone, Debug)]
pub(crate) struct Setup {
    pub(crate) nodes: usize,
    pub(crate) rate: f64,
    pub(crate) request: String,
    pub(crate) reply: String,
    pub(crate) before_write: String,
    pub(crate) after_write: String,
    pub(crate) before_send: String,
    pub(crate) after_send: String,
    pub(crate) store: String,
    pub(crate) read: String,
    pub(crate) clock: String,
    pub(crate) provider: String,
    pub(crate) dedup: bool,
    pub(crate) latency: Distribution,
    pub(crate) store_distribution: Distribution,
    pub(crate) chaos: Span,
    pub(crate) budget: u32,
}

impl Setup {
    /// One node; nothing can go wrong.
    pub(crate) fn calm() -> Setup {
        Setup {
            nodes: 1,
            rate: 0.0,
            request: String::new(),
            reply: String::new(),
            before_write: String::new(),
            after_write: String::new(),
            before_send: String::new(),
            after_send: String::new(),
            store: String::new(),
            read: String::new(),
            clock: String::new(),
            provider: String::new(),
            dedup: false,
            latency: Distribution::Const(10_000),
            store_distribution: Distribution::Const(0),
            chaos: Span::NEVER,
            budget: 10_000,
        }
    }

    /// One node; everything can go wrong, if a plan says so or with this rate.
    pub(crate) fn wild(rate: f64) -> Setup {
        let strike = "crash(1s,1m) pause(1m) hold";
        Setup {
            rate,
            request: "request-refused request-lost request-late(2s,9s) request-duplicated".into(),
            reply: "reply-lost reply-late(2s,9s) reply-duplicated reply-undecodable".into(),
            before_write: strike.into(),
            after_write: strike.into(),
            before_send: strike.into(),
            after_send: strike.into(),
            read: "stale-read".into(),
            store: "write-unacknowledged write-lost write-conflict store-unavailable(3s)".into(),
            clock: "clock-ahead(1m) clock-behind(1m)".into(),
            ..Setup::calm()
        }
    }

    fn world(&self) -> (Tiny, Door, Setting) {
        let mut door = Door::new(Kinds::with(&[]));
        let _ = SCOPES.map(|scope| door.names.scope(scope));
        let _ = VERBS.map(|verb| door.names.verb(verb));
        let mut menu = |text: &str| door.menu(Menu::new(self.rate, entries(text)));
        let route = Route {
            verb: Verb(0),
            to: PROVIDER,
            request: menu(&self.request),
            reply: menu(&self.reply),
            out: self.latency,
            back: self.latency,
        };
        let setting = Setting {
            nodes: (0..self.nodes).map(|n| Scope(n as u16 + 1)).collect(),
            store_actor: Actor(8),
            before_write: menu(&self.before_write),
            after_write: menu(&self.after_write),
            before_send: menu(&self.before_send),
            after_send: menu(&self.after_send),
            store: menu(&self.store),
            read: menu(&self.read),
            replica: true,
            store_distribution: self.store_distribution,
            store_timeout: Span::secs(5),
            clock: menu(&self.clock),
            clock_verb: Verb(2),
            clock_distribution: Distribution::Const(0),
            hold_max: Span::mins(1),
            restart: Span::secs(1),
            budget: self.budget,
            horizon: Time::ZERO + Span::hours(1),
        };
        let curious = (!self.provider.is_empty()).then(|| menu(&self.provider));
        door.set_chaos(self.chaos);
        let tiny = Tiny {
            route,
            dedup: self.dedup,
            curious,
            effects: Vec::new(),
            arrivals: Vec::new(),
            said: RefCell::default(),
            ended: Vec::new(),
            finished: None,
        };
        (tiny, door, setting)
    }

    /// A lab with this code on every node.
    pub(crate) fn lab<F, R>(&self, code: F, work: impl FnOnce(&mut Lab<'_, Tiny>) -> R) -> R
    where
        F: for<'w> Fn(Cx<'w, Tiny>, NodeId) -> Job<'w>,
    {
        self.lab_of(&Code(code), work)
    }

    /// A lab with this subject.
    pub(crate) fn lab_of<S: Subject<World = Tiny>, R>(
        &self,
        subject: &S,
        work: impl FnOnce(&mut Lab<'_, Tiny>) -> R,
    ) -> R {
        let (tiny, door, setting) = self.world();
        with_lab(tiny, Diary::default(), door, setting, subject, work)
    }

    /// Replays a plan, all of which must land, and returns what was to be seen.
    pub(crate) fn run<F>(&self, code: F, plan: &str) -> Seen
    where
        F: for<'w> Fn(Cx<'w, Tiny>, NodeId) -> Job<'w>,
    {
        self.lab(code, |lab| {
            let outcome = lab.run_plan(&compile(plan));
            assert_eq!(lab.missing(), [], "all of `{plan}` lands");
            Seen::of(lab, outcome)
        })
    }
}

/// Reads `crash(1s,1m) hold`.
pub(crate) fn entries(text: &str) -> Vec<Entry> {
    let kinds = Kinds::with(&[]);
    let entry = |word: &str| {
        let (name, values) = word.split_once('(').unwrap_or((word, ""));
        let kind = kinds.named(name).unwrap_or_else(|| panic!("no kind `{name}`"));
        let values = values.trim_end_matches(')').split(',').filter(|v| !v.is_empty());
        let values = values.map(|v| parse_span(v).expect(v).0).collect();
        Entry::with_values(kind, name, 1.0, values, None)
    };
    text.split_whitespace().map(entry).collect()
}

/// Reads a plan; choices may also be separated by `;`.
pub(crate) fn compile(plan: &str) -> CompiledPlan {
    let plan: Plan = plan.replace(';', "\n").parse().expect(plan);
    plan.compile(&Kinds::with(&[])).expect("a plan of known kinds")
}

/// What landed, in words.
pub(crate) fn in_words(lab: &Lab<'_, Tiny>, landed: &[Landed]) -> Vec<String> {
    let plan = lab.door(|d| Plan::describe(landed, Noise::Off, &d.names, &d.kinds));
    plan.choices.iter().map(ToString::to_string).collect()
}

/// What was to be seen of a run.
#[derive(Debug)]
pub(crate) struct Seen {
    pub(crate) outcome: Outcome,
    pub(crate) said: Vec<String>,
    pub(crate) diary: Vec<String>,
    pub(crate) arrivals: Vec<String>,
    pub(crate) ended: Vec<&'static str>,
    pub(crate) effects: String,
}

impl Seen {
    pub(crate) fn of(lab: &Lab<'_, Tiny>, outcome: Outcome) -> Seen {
        let diary = lab.store(|d| d.0.clone());
        lab.world(|w| Seen {
            outcome,
            said: w.said.borrow().clone(),
            diary,
            arrivals: w.arrivals.clone(),
            ended: w.ended.clone(),
            effects: w.effects(),
        })
    }

    pub(crate) fn broken(&self) -> Vec<&'static str> {
        self.outcome.violations.iter().map(|v| v.promise.name).collect()
    }
}

// ---- code to run in it

/// What a node runs.
pub(crate) type Job<'w> = Pin<Box<dyn Future<Output = ()> + 'w>>;

/// A subject made from a closure.
struct Code<F>(F);

impl<F: for<'w> Fn(Cx<'w, Tiny>, NodeId) -> Job<'w>> Subject for Code<F> {
    type World = Tiny;

    fn run<'w>(&'w self, cx: Cx<'w, Tiny>, node: NodeId) -> impl Future<Output = ()> + 'w {
        (self.0)(cx, node)
    }
}

/// Tells the test something, with the node and its time.
pub(crate) fn say(cx: Cx<'_, Tiny>, text: impl ToString) {
    let line = format!("{} w{} {}", cx.now(), cx.node().0 + 1, text.to_string());
    cx.world(|w| w.said.borrow_mut().push(line));
}

/// A charge under a key, given up after five seconds, in words.
pub(crate) async fn charge(cx: Cx<'_, Tiny>, key: u64) -> String {
    match cx.call(Charge(key)).timeout(Span::secs(5)).await {
        Reception::Reply(charged) => format!("charged {}", charged.0),
        Reception::Garbled => "garbled".into(),
        Reception::Refused => "refused".into(),
        Reception::Silence => "silence".into(),
    }
}

/// A durable write: one line in the diary.
pub(crate) async fn note(cx: Cx<'_, Tiny>, text: &'static str) -> Result<usize, StoreFault> {
    let write = cx.write(ORDER, NOTE, move |diary: &mut Diary, now, facts: &mut Vec<Fact>| {
        diary.0.push(format!("{now} {text}"));
        facts.push(Fact::Noted);
        diary.0.len()
    });
    write.await
}

/// Types a closure as a job.
pub(crate) fn job<F: for<'w> Fn(Cx<'w, Tiny>, NodeId) -> Job<'w>>(code: F) -> F {
    code
}
