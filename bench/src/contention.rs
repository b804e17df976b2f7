//! Many clients, one versioned record: the model of "Exponential Backoff And Jitter" (AWS, 2015).
//!
//! Each client reads the version, writes it back with the hope that nobody was faster, and begins again
//! after a conflict, as late as its policy says. Nothing fails but by contention.

use crate::calm;
use crate::policy::Policy;
use crate::waits::Memory;
use unacked_sim::cx::{Cx, Reception};
use unacked_sim::distribution::Distribution;
use unacked_sim::door::Door;
use unacked_sim::draw::absorb;
use unacked_sim::lab::{Lab, Subject, with_lab};
use unacked_sim::provider::Answer;
use unacked_sim::site::{Occasion, Scope, Verb};
use unacked_sim::time::{Span, Time};
use unacked_sim::world::{Actor, Domain, Effects, Moment, Monitor, NodeId, Received, Route, Wording};

const WAIT: Verb = Verb(2);

/// The most clients that a world of it has: each is a node.
pub const MOST: u8 = u8::MAX;

/// What a client asks.
#[derive(Clone, Copy, Debug)]
pub struct Ask {
    client: u8,
    /// The version that a write is based on; none in a read.
    based_on: Option<u64>,
}

/// What it is told.
#[derive(Clone, Copy, Debug)]
pub enum Told {
    /// The version now.
    Version(u64),
    /// Whether the write was in time.
    Written(bool),
}

/// The record and what is counted.
#[derive(Clone, Debug)]
pub struct Record {
    read: Route,
    write: Route,
    version: u64,
    calls: u64,
}

/// What came of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contended {
    /// Writes that reached the record.
    pub calls: u64,
    /// When the last client knew that it had succeeded.
    pub took: Span,
    /// Events of the engine.
    pub events: u32,
}

/// Runs `clients` (at least 1) under a policy, once per seed, and hands each result to `each`.
///
/// The policy decides waits and nothing else: attempts are unlimited here.
pub fn contend(policy: &Policy, clients: u8, seeds: std::ops::Range<u64>, mut each: impl FnMut(Contended)) {
    let (mut door, menu) = calm::door();
    let nodes: Vec<Scope> = (0..clients).map(|n| door.names.scope(&format!("client-{}", n + 1))).collect();
    let [read, write, _, clock] = ["read", "write", "wait", "clock"].map(|verb| door.names.verb(verb));
    let hop = Distribution::Normal { mean: 10_000.0, deviation: 2_000.0, max: 1_000_000 };
    let record =
        Record { read: calm::route(read, menu, hop), write: calm::route(write, menu, hop), version: 0, calls: 0 };
    let setting = calm::setting(nodes, clock, menu, Time::NEVER);
    with_lab(record, (), door, setting, &Clients(policy.clone()), |lab| {
        seeds.for_each(|seed| each(once(lab, seed)));
    });
}

fn once(lab: &mut Lab<'_, Record>, seed: u64) -> Contended {
    let outcome = lab.run_seed(seed);
    let took = outcome.ended.since(Time::ZERO);
    Contended { calls: lab.world(|record| record.calls), took, events: outcome.events }
}

/// One client per node.
struct Clients(Policy);

impl Subject for Clients {
    type World = Record;

    async fn run<'w>(&'w self, cx: Cx<'w, Record>, node: NodeId) {
        let (waits, mut memory) = (self.0.waits(), Memory::default());
        let mut failures = 0;
        while !attempt(cx, node.0).await {
            failures += 1;
            let u = calm::fraction(cx.jitter(Scope(u16::from(node.0)), WAIT, calm::FINE));
            let wait = waits.wait(failures, u, false, &mut memory).unwrap_or(Span::ZERO);
            if wait > Span::ZERO {
                cx.sleep(wait).await;
            }
        }
    }
}

/// Reads and writes once. Whether the write was in time.
async fn attempt(cx: Cx<'_, Record>, client: u8) -> bool {
    let read = cx.call(Ask { client, based_on: None }).await;
    let Reception::Reply(Told::Version(version)) = read else { return false };
    let write = cx.call(Ask { client, based_on: Some(version) }).await;
    matches!(write, Reception::Reply(Told::Written(true)))
}

impl Domain for Record {
    type Request = Ask;
    type Reply = Told;
    type Fact = ();
    type Store = ();

    fn reset(&mut self, (): &mut (), _: &mut Door, _: &mut Effects) {
        (self.version, self.calls) = (0, 0);
    }

    fn route(&self, ask: &Ask) -> (Scope, &Route) {
        (Scope(u16::from(ask.client)), if ask.based_on.is_some() { &self.write } else { &self.read })
    }

    fn handle(&mut self, _: Time, _: Occasion, ask: &Ask, _: &mut Door, _: &mut Vec<()>) -> Answer<Told> {
        let Some(based_on) = ask.based_on else { return Answer::now(Told::Version(self.version)) };
        let in_time = based_on == self.version;
        self.calls += 1;
        self.version += u64::from(in_time);
        Answer::now(Told::Written(in_time))
    }

    fn wake(&mut self, _: Time, _: u32, (): &mut (), _: &mut Door, _: &mut Vec<()>, _: &mut Effects) {}

    fn wake_token(&self, _: &Ask) -> u32 {
        0
    }
}

impl Monitor for Record {
    fn observe(&mut self, _: Moment, (): &(), _: &mut Door, _: &mut Effects) {}

    fn sent(&mut self, _: Moment, _: NodeId, _: &Ask, _: &mut Effects) {}

    fn received(&mut self, _: Moment, _: NodeId, _: &Ask, _: Received<'_, Told>) {}

    fn crashed(&mut self, _: NodeId) {}

    fn finish(&mut self, _: Moment, (): &mut (), _: &mut Door, _: &mut Effects) {}

    fn ended_legally(&self) -> bool {
        true
    }
}

impl Wording for Record {
    fn fold_fact(digest: u64, (): &()) -> u64 {
        digest
    }

    fn fold_request(digest: u64, ask: &Ask) -> u64 {
        absorb(digest, ask.based_on.map_or(0, |version| version + 1))
    }

    fn actor(&self, actor: Actor) -> String {
        if actor == calm::PROVIDER { "record".into() } else { format!("client-{}", actor.0 + 1) }
    }

    fn describe_request(&self, ask: &Ask) -> String {
        ask.based_on.map_or("read".into(), |version| format!("write over version {version}"))
    }

    fn describe_reply(&self, _: &Ask, told: &Told) -> String {
        match told {
            Told::Version(version) => format!("version {version}"),
            Told::Written(true) => "written".into(),
            Told::Written(false) => "conflict".into(),
        }
    }

    fn describe_fact(&self, (): &()) -> (Actor, Option<Scope>, String) {
        (calm::PROVIDER, None, String::new())
    }
}
