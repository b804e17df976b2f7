//! A bell that must not ring twice, and somebody who pulls the rope again when nobody answers.

use std::sync::atomic::{AtomicU64, Ordering};
use unacked_search::mount::Mount;
use unacked_search::told::{Role, Told};
use unacked_sim::cx::{Cx, Reception};
use unacked_sim::distribution::Distribution;
use unacked_sim::door::Door;
use unacked_sim::draw::absorb;
use unacked_sim::kind::Kinds;
use unacked_sim::lab::{Lab, Subject, with_lab};
use unacked_sim::menu::{Entry, Menu, MenuId};
use unacked_sim::provider::Answer;
use unacked_sim::site::{Occasion, Scope, Verb};
use unacked_sim::time::{Span, Time};
use unacked_sim::trace::TraceEvent;
use unacked_sim::verdict::{Blame, Promise, Violation, When};
use unacked_sim::world::{Actor, Domain, Effects, Moment, Monitor, NodeId, Received, Route, Setting, Wording};

static ONCE: Promise = Promise { name: "once", when: When::Always, says: "the bell rings once", rules: "" };

/// Somebody pulls the rope.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pull;

#[derive(Clone)]
pub(crate) struct Bell {
    rope: Route,
    rung: u32,
}

impl Domain for Bell {
    type Request = Pull;
    type Reply = u32;
    type Fact = u32;
    type Store = ();

    fn reset(&mut self, _: &mut (), _: &mut Door, _: &mut Effects) {
        self.rung = 0;
    }

    fn route(&self, _: &Pull) -> (Scope, &Route) {
        (Scope(0), &self.rope)
    }

    fn handle(&mut self, _: Time, _: Occasion, _: &Pull, _: &mut Door, facts: &mut Vec<u32>) -> Answer<u32> {
        self.rung += 1;
        facts.push(self.rung);
        Answer::now(self.rung)
    }

    fn wake(&mut self, _: Time, _: u32, (): &mut (), _: &mut Door, _: &mut Vec<u32>, _: &mut Effects) {}

    fn wake_token(&self, _: &Pull) -> u32 {
        0
    }
}

impl Monitor for Bell {
    fn observe(&mut self, moment: Moment, rung: &u32, _: &mut Door, fx: &mut Effects) {
        if *rung > 1 {
            fx.verdicts.add(Violation {
                promise: &ONCE,
                clause: "",
                operation: "pull",
                scope: Scope(0),
                blame: Blame::Workflow,
                at: moment.now,
                event: moment.event,
                headline: "the bell rang twice".into(),
                expected: "one ring".into(),
                found: format!("{rung} rings"),
                evidence: Vec::new(),
            });
        }
    }

    fn sent(&mut self, _: Moment, _: NodeId, _: &Pull, _: &mut Effects) {}

    fn received(&mut self, _: Moment, _: NodeId, _: &Pull, _: Received<'_, u32>) {}

    fn crashed(&mut self, _: NodeId) {}

    fn finish(&mut self, _: Moment, (): &mut (), _: &mut Door, _: &mut Effects) {}

    fn ended_legally(&self) -> bool {
        self.rung == 1
    }
}

impl Wording for Bell {
    fn fold_fact(digest: u64, rung: &u32) -> u64 {
        absorb(digest, u64::from(*rung))
    }

    fn fold_request(digest: u64, _: &Pull) -> u64 {
        absorb(digest, 7)
    }

    fn actor(&self, actor: Actor) -> String {
        ["ringer", "bell", "tower"].get(usize::from(actor.0)).map_or("?", |name| name).into()
    }

    fn describe_request(&self, _: &Pull) -> String {
        "pull the rope".into()
    }

    fn describe_reply(&self, _: &Pull, rung: &u32) -> String {
        format!("ring {rung}")
    }

    fn describe_fact(&self, rung: &u32) -> (Actor, Option<Scope>, String) {
        (Actor(1), Some(Scope(0)), format!("rings for the {rung}. time"))
    }
}

impl Told for Bell {
    const ENDS: &'static [&'static str] = &["rung", "silent"];

    fn count_ends(&self, counts: &mut [u64]) {
        counts[usize::from(self.rung == 0)] += 1;
    }

    fn role(&self, _: &TraceEvent) -> Role {
        Role::Deed
    }
}

/// Pulls until somebody answers, at most so often; `moody` ringers wait for a time of their own each run.
pub(crate) struct Ringer {
    pub(crate) pulls: u32,
    pub(crate) moody: bool,
    pub(crate) runs: AtomicU64,
}

impl Subject for Ringer {
    type World = Bell;

    async fn run<'w>(&'w self, cx: Cx<'w, Bell>, _: NodeId) {
        if self.moody {
            cx.sleep(Span(self.runs.fetch_add(1, Ordering::Relaxed))).await;
        }
        for _ in 0..self.pulls {
            if matches!(cx.call(Pull).timeout(Span::secs(5)).await, Reception::Reply(_)) {
                return;
            }
        }
    }
}

impl Ringer {
    pub(crate) fn pulling(pulls: u32) -> Ringer {
        Ringer { pulls, moody: false, runs: AtomicU64::new(0) }
    }
}

impl Mount for Ringer {
    type World = Bell;

    fn in_lab<T>(&self, work: impl FnOnce(&mut Lab<'_, Bell>) -> T) -> T {
        let (world, door, setting) = tower();
        with_lab(world, (), door, setting, self, work)
    }
}

/// One ringer and one bell; requests and replies get lost, replies come late.
fn tower() -> (Bell, Door, Setting) {
    let mut door = Door::new(Kinds::with(&[]));
    let _ = ["bell", "ringer"].map(|scope| door.names.scope(scope));
    let _ = ["pull", "clock"].map(|verb| door.names.verb(verb));
    let none = door.menu(Menu::new(0.0, Vec::new()));
    let request = menu(&mut door, &[("request-lost", &[])]);
    let reply = menu(&mut door, &[("reply-lost", &[]), ("reply-late", &[2, 9])]);
    let instant = Distribution::Const(10_000);
    let rope = Route { verb: Verb(0), to: Actor(1), request, reply, out: instant, back: instant };
    let setting = Setting {
        nodes: vec![Scope(1)],
        store_actor: Actor(2),
        before_write: none,
        after_write: none,
        before_send: none,
        after_send: none,
        store: none,
        read: none,
        replica: false,
        store_distribution: instant,
        store_timeout: Span::secs(5),
        clock: none,
        clock_verb: Verb(1),
        clock_distribution: Distribution::Const(0),
        hold_max: Span::mins(1),
        restart: Span::secs(1),
        budget: 10_000,
        horizon: Time::ZERO + Span::hours(1),
    };
    door.set_chaos(Span::NEVER);
    (Bell { rope, rung: 0 }, door, setting)
}

/// Strikes at one site in five; parameters in seconds.
fn menu(door: &mut Door, options: &[(&'static str, &[u64])]) -> MenuId {
    let entry = |(name, secs): &(&'static str, &[u64])| {
        let kind = door.kinds.named(name).expect(name);
        Entry::with_values(kind, name, 1.0, secs.iter().map(|&s| Span::secs(s).0).collect(), None)
    };
    let entries = options.iter().map(entry).collect();
    door.menu(Menu::new(0.2, entries))
}
