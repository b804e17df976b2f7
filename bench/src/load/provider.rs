//! The provider of a load world: how long it works, when it fails, and what truly happened.

use super::{Tally, World};
use crate::calm;
use std::cell::Cell;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use unacked_sim::distribution::Distribution;
use unacked_sim::door::Door;
use unacked_sim::draw::absorb;
use unacked_sim::provider::Answer;
use unacked_sim::site::{Occasion, Scope, Stage, Verb};
use unacked_sim::time::{Span, Time};
use unacked_sim::world::{Actor, Domain, Effects, Moment, Monitor, NodeId, Received, Route, Wording};

/// The verb under which arrivals are drawn.
pub(super) const ARRIVE: Verb = Verb(2);

/// A charge of an order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Charge {
    pub(super) order: u16,
    /// Attempts under one key have one effect.
    pub(super) key: u32,
}

/// What a client is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Told {
    Charged,
    Failed,
}

/// An order as it truly is.
#[derive(Clone, Debug, Default)]
struct Order {
    arrived: Time,
    client: u8,
    /// Keys that took effect.
    effects: Vec<u32>,
    done: Option<Time>,
}

/// The provider, and the books of the run.
#[derive(Clone, Debug)]
pub(super) struct Provider {
    world: World,
    route: Route,
    room: usize,
    nodes: Vec<Scope>,
    /// When each request in service is through.
    busy: BinaryHeap<Reverse<u64>>,
    orders: Vec<Order>,
    attempts: u64,
    /// Retries that a budget refused: clients count them here.
    pub(super) denied: Cell<u64>,
}

impl Provider {
    pub(super) fn new(world: World, route: Route, room: usize, nodes: Vec<Scope>) -> Provider {
        let (busy, orders) = (BinaryHeap::new(), Vec::new());
        Provider { world, route, room, nodes, busy, orders, attempts: 0, denied: Cell::new(0) }
    }

    /// The next order of a client, counted from `from`.
    pub(super) fn next(&self, client: u8, from: usize) -> Option<(u16, Time)> {
        let at = self.orders.iter().skip(from).position(|order| order.client == client)? + from;
        Some((at as u16, self.orders[at].arrived))
    }

    /// Draws when orders arrive, and at whom: the same under every policy.
    fn draw_arrivals(&mut self, door: &mut Door) {
        let highest = self.world.highest_rate();
        let gap = Distribution::Exponential { mean: 1e6 / highest, max: u64::MAX >> 8 };
        let clients = Distribution::Uniform { lo: 0, hi: u64::from(self.world.clients) - 1 };
        let mut now = Time::ZERO;
        while self.orders.len() < self.room {
            let at = door.occasion(self.nodes[0], ARRIVE);
            now = now + Span(door.sample(at.at(Stage::Clock), &gap));
            if now > Time::ZERO + self.world.arrive.0 {
                break;
            }
            if uniform(door, at, Stage::Human) * highest < self.rate(now) {
                let client = door.sample(at.at(Stage::Store), &clients) as u8;
                self.orders.push(Order { arrived: now, client, ..Order::default() });
            }
        }
    }

    fn rate(&self, now: Time) -> f64 {
        let surge = self.world.surge.filter(|surge| within(now, surge.from.0, surge.until.0));
        surge.map_or(self.world.rate, |surge| surge.rate)
    }

    fn failing(&self, now: Time) -> f64 {
        let outage = self.world.outage.filter(|outage| within(now, outage.from.0, outage.until.0));
        outage.map_or(self.world.failing, |outage| outage.failing)
    }

    /// Takes a request into service. How long that takes.
    fn serve(&mut self, now: Time) -> Span {
        while self.busy.peek().is_some_and(|end| end.0 <= now.0) {
            self.busy.pop();
        }
        let takes = self.world.service.0 + self.world.crowding.0 * (self.busy.len() as u64 + 1);
        if takes > Span::ZERO {
            self.busy.push(Reverse((now + takes).0));
        }
        takes
    }

    /// What was counted.
    pub(super) fn tally(&self) -> Tally {
        let mut tally = Tally { attempts: self.attempts, denied: self.denied.get(), ..Tally::default() };
        self.orders.iter().for_each(|order| count(order, &mut tally));
        tally
    }
}

fn count(order: &Order, tally: &mut Tally) {
    tally.orders += 1;
    tally.duplicates += (order.effects.len() as u64).saturating_sub(1);
    let Some(done) = order.done else {
        tally.unknown += u64::from(!order.effects.is_empty());
        return tally.times.unfinished();
    };
    let second = (done.0 / 1_000_000) as usize;
    tally.per_second.resize(tally.per_second.len().max(second + 1), 0);
    tally.per_second[second] += 1;
    tally.done += 1;
    tally.times.finished(done.since(order.arrived));
}

fn within(now: Time, from: Span, until: Span) -> bool {
    (from.0..until.0).contains(&now.0)
}

fn uniform(door: &Door, at: Occasion, stage: Stage) -> f64 {
    calm::fraction(door.sample(at.at(stage), &Distribution::Uniform { lo: 0, hi: calm::FINE }))
}

impl Domain for Provider {
    type Request = Charge;
    type Reply = Told;
    type Fact = ();
    type Store = ();

    fn reset(&mut self, (): &mut (), door: &mut Door, _: &mut Effects) {
        self.busy.clear();
        self.orders.clear();
        self.attempts = 0;
        self.denied.set(0);
        self.draw_arrivals(door);
    }

    fn route(&self, charge: &Charge) -> (Scope, &Route) {
        (Scope(charge.order), &self.route)
    }

    fn handle(&mut self, now: Time, at: Occasion, charge: &Charge, door: &mut Door, _: &mut Vec<()>) -> Answer<Told> {
        let after = self.serve(now);
        let (u, failing) = (uniform(door, at, Stage::Provider), self.failing(now));
        if u < failing {
            return Answer { reply: Some(Told::Failed), after, wake_at: None };
        }
        let effects = &mut self.orders[usize::from(charge.order)].effects;
        if !effects.contains(&charge.key) {
            effects.push(charge.key);
        }
        let silent = u < failing + (1.0 - failing) * self.world.unanswered;
        Answer { reply: (!silent).then_some(Told::Charged), after, wake_at: None }
    }

    fn wake(&mut self, _: Time, _: u32, (): &mut (), _: &mut Door, _: &mut Vec<()>, _: &mut Effects) {}

    fn wake_token(&self, _: &Charge) -> u32 {
        0
    }
}

impl Monitor for Provider {
    fn observe(&mut self, _: Moment, (): &(), _: &mut Door, _: &mut Effects) {}

    fn sent(&mut self, _: Moment, _: NodeId, _: &Charge, _: &mut Effects) {
        self.attempts += 1;
    }

    fn received(&mut self, moment: Moment, _: NodeId, charge: &Charge, got: Received<'_, Told>) {
        if got == Received::Reply(&Told::Charged) {
            self.orders[usize::from(charge.order)].done = Some(moment.now);
        }
    }

    fn crashed(&mut self, _: NodeId) {}

    fn finish(&mut self, _: Moment, (): &mut (), _: &mut Door, _: &mut Effects) {}

    fn ended_legally(&self) -> bool {
        true
    }
}

impl Wording for Provider {
    fn fold_fact(digest: u64, (): &()) -> u64 {
        digest
    }

    fn fold_request(digest: u64, charge: &Charge) -> u64 {
        absorb(digest, u64::from(charge.key))
    }

    fn actor(&self, actor: Actor) -> String {
        if actor == calm::PROVIDER { "provider".into() } else { format!("client-{}", actor.0 + 1) }
    }

    fn describe_request(&self, charge: &Charge) -> String {
        format!("charge order {}, key {}", charge.order + 1, charge.key)
    }

    fn describe_reply(&self, _: &Charge, told: &Told) -> String {
        if *told == Told::Charged { "charged".into() } else { "failed".into() }
    }

    fn describe_fact(&self, (): &()) -> (Actor, Option<Scope>, String) {
        (calm::PROVIDER, None, String::new())
    }
}
