//! Many clients, open arrivals, one provider that fails, is out for a while, or slows down under load.
//!
//! Orders arrive whatever becomes of those before them; each is one charge, attempted as the policy says.
//! Draws are keyed by order and attempt: a further retry moves no other draw, so that policies meet the
//! same worlds. What happened is counted at the provider, never by what clients believe.

mod client;
mod provider;

use crate::calm;
use crate::guard::Budget;
use crate::policy::{Ambiguity, Attempts, Open, Policy};
use crate::statistics::Histogram;
use crate::waits::Law;
use provider::Provider;
use serde::Deserialize;
use unacked_scenarios::units::Length;
use unacked_sim::distribution::Distribution;
use unacked_sim::lab::with_lab;
use unacked_sim::site::Scope;
use unacked_sim::time::{Span, Time};

/// A world for load. Rates are per second.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct World {
    /// What it is, on one line.
    pub about: String,
    /// How many clients there are, each with a budget of its own: 1 to 255.
    pub clients: u8,
    /// Orders per second, all clients together.
    pub rate: f64,
    /// For how long orders arrive.
    pub arrive: Length,
    /// When the run is over; orders that are not done by then never are.
    pub horizon: Length,
    /// Mean of one way over the network, exponential.
    pub hop: Length,
    /// How long a client waits for an answer; a policy's own timeout wins.
    #[serde(default)]
    pub timeout: Option<Length>,
    /// The share of attempts that the provider fails before they have any effect.
    #[serde(default)]
    pub failing: f64,
    /// The share of attempts that take effect, and whose answer never comes.
    #[serde(default)]
    pub unanswered: f64,
    /// How long the provider works on one request that is alone.
    #[serde(default = "nothing")]
    pub service: Length,
    /// How much longer for each request in service, itself included.
    #[serde(default = "nothing")]
    pub crowding: Length,
    /// A time in which more orders arrive.
    #[serde(default)]
    pub surge: Option<Surge>,
    /// A time in which the provider fails more.
    #[serde(default)]
    pub outage: Option<Outage>,
}

/// A time in which more orders arrive.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Surge {
    /// When it begins.
    pub from: Length,
    /// When it is over.
    pub until: Length,
    /// Orders per second meanwhile.
    pub rate: f64,
}

/// A time in which the provider fails more.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Outage {
    /// When it begins.
    pub from: Length,
    /// When it is over.
    pub until: Length,
    /// The share of attempts that fail meanwhile.
    pub failing: f64,
}

/// What one run counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Orders that arrived.
    pub orders: u64,
    /// Requests that left a client.
    pub attempts: u64,
    /// Orders whose client knows that they are done.
    pub done: u64,
    /// Effects beyond the first of an order.
    pub duplicates: u64,
    /// Orders that took effect, and whose client gave up.
    pub unknown: u64,
    /// Retries that a budget refused.
    pub denied: u64,
    /// From arrival to known done, over all orders.
    pub times: Histogram,
    /// Orders done, by the second in which their client learned of it.
    pub per_second: Vec<u32>,
}

impl Tally {
    /// Requests per order: the amplification of load.
    pub fn amplification(&self) -> f64 {
        share(self.attempts, self.orders)
    }

    /// Orders done, of those that arrived.
    pub fn completion(&self) -> f64 {
        share(self.done, self.orders)
    }

    /// Mean orders done per second, in seconds `from..until`.
    pub fn goodput(&self, from: usize, until: usize) -> f64 {
        let seconds = self.per_second.iter().take(until).skip(from);
        share(seconds.map(|&n| u64::from(n)).sum(), until.saturating_sub(from) as u64)
    }
}

fn share(of: u64, all: u64) -> f64 {
    if all == 0 { 0.0 } else { of as f64 / all as f64 }
}

fn nothing() -> Length {
    Length(Span::ZERO)
}

/// The most orders of one run: each has a name of its own at the door.
pub const MOST_ORDERS: u16 = 60_000;

impl World {
    /// Reads a world from TOML.
    ///
    /// # Errors
    /// What is wrong and where, or what no run can have.
    pub fn read(text: &str) -> Result<World, String> {
        let world: World = toml::from_str(text).map_err(|error| error.to_string())?;
        world.impossible().map_or(Ok(world), Err)
    }

    fn impossible(&self) -> Option<String> {
        let shares = [self.failing, self.unanswered, self.outage.map_or(0.0, |outage| outage.failing)];
        if self.clients == 0 {
            return Some("clients = 0: write 1 to 255".into());
        }
        if shares.iter().any(|share| !(0.0..=1.0).contains(share)) {
            return Some("failing and unanswered are shares: write 0.0 to 1.0".into());
        }
        if !self.highest_rate().is_finite() || self.highest_rate() <= 0.0 {
            return Some("rate is in orders per second: write more than 0".into());
        }
        let orders = self.highest_rate() * self.arrive.0.0 as f64 / 1e6;
        let most = f64::from(MOST_ORDERS);
        (orders > 0.9 * most)
            .then(|| format!("about {orders:.0} orders arrive, and a run has room for {most}: lower rate or arrive"))
    }

    /// How many orders there is room for: ten standard deviations more than are expected.
    fn room(&self) -> u16 {
        let expected = self.highest_rate() * self.arrive.0.0 as f64 / 1e6;
        (expected + 10.0 * libm::sqrt(expected) + 50.0).min(f64::from(MOST_ORDERS)) as u16
    }

    fn highest_rate(&self) -> f64 {
        self.surge.map_or(self.rate, |surge| self.rate.max(surge.rate))
    }

    /// Runs this world under a policy once per seed, and hands each count to `each`.
    ///
    /// # Errors
    /// The policy has a part that load worlds do not act out.
    pub fn run(
        &self,
        policy: &Policy,
        seeds: impl Iterator<Item = u64>,
        mut each: impl FnMut(u64, Tally),
    ) -> Result<(), String> {
        if let Some(part) = not_acted_out(policy) {
            return Err(format!("load worlds do not act out {part}: comparing this policy would be unfair to it"));
        }
        let (mut door, menu) = calm::door();
        let orders: Vec<Scope> = (0..self.room()).map(|n| door.names.scope(&format!("order-{}", n + 1))).collect();
        let nodes: Vec<Scope> = (0..self.clients).map(|n| door.names.scope(&format!("client-{}", n + 1))).collect();
        let [charge, clock, ..] = ["charge", "clock", "arrive", "wait"].map(|verb| door.names.verb(verb));
        let hop = Distribution::Exponential { mean: self.hop.0.0 as f64, max: u64::MAX >> 8 };
        let provider = Provider::new(self.clone(), calm::route(charge, menu, hop), orders.len(), nodes.clone());
        let setting = calm::setting(nodes, clock, menu, Time::ZERO + self.horizon.0);
        let subject = client::Clients { world: self, policy };
        with_lab(provider, (), door, setting, &subject, |lab| {
            for seed in seeds {
                lab.run_seed(seed);
                each(seed, lab.world(Provider::tally));
            }
        });
        Ok(())
    }
}

/// The part of a policy without which it would be another.
pub fn not_acted_out(policy: &Policy) -> Option<&'static str> {
    let caller = policy.attempts == Attempts::Open(Open::Caller) || policy.delay == Law::Caller;
    let parts = [
        (caller, "what a policy leaves to its caller"),
        (policy.delay == Law::Runtime, "waits that are not known"),
        (!matches!(policy.budget, None | Some(Budget::Tokens { .. })), "budgets other than tokens"),
        (policy.breaker.is_some(), "breakers"),
        (policy.rate.is_some(), "client rates"),
        (policy.hedge.is_some(), "hedges"),
        (policy.ambiguity == Ambiguity::ReconcileFirst, "lookups"),
    ];
    parts.into_iter().find(|(is, _)| *is).map(|(_, part)| part)
}
