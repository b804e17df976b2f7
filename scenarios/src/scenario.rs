//! A scenario as its file says it: what is ordered, from whom, how long things take, what goes wrong.
//!
//! Every key has a default that makes the world realistic (sourced or assumed, as each file says); a file
//! states what is special about it. Rates are per site; weights are relative within a stage.

use crate::units::{Amount, Length, Share, Takes};
use serde::Deserialize;
use std::collections::BTreeMap;
use unacked_sim::time::Span;

/// A scenario file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// What it is about, in one sentence.
    pub about: String,
    /// The policy that runs here unless another one is asked for; `reference` where nothing is said.
    #[serde(default)]
    pub policy: Option<String>,
    /// Nodes that run the subject.
    #[serde(default = "two")]
    pub workers: u8,
    /// The orders, all due at the beginning. Equal ones may share a table: see [`OrderLine::count`].
    pub order: Vec<OrderLine>,
    /// The stock they compete for.
    #[serde(default)]
    pub stock: Stock,
    /// Whose contracts hold.
    #[serde(default)]
    pub services: Services,
    /// Horizons, leases, clocks.
    #[serde(default)]
    pub time: Times,
    /// How long calls take, request and answer together, by operation; `store` is a durable write.
    #[serde(default)]
    pub latency: BTreeMap<String, Takes>,
    /// Gate rates by stage: the probability that anything strikes at a site.
    #[serde(default)]
    pub rates: Rates,
    /// Relative weights of kinds, 1 where nothing is said; 0 leaves a kind to plans and enumeration. `"payments.outage"`
    /// is the kind at one service.
    #[serde(default)]
    pub weights: BTreeMap<String, f64>,
    /// Canonical parameters of kinds, at most four each, in place of the computed ones; of one service, too.
    #[serde(default)]
    pub values: BTreeMap<String, Vec<Length>>,
    /// Kinds that this world does not have.
    #[serde(default)]
    pub without: Vec<String>,
    /// The approver.
    #[serde(default)]
    pub approval: Approval,
    /// The operator, if there is one.
    #[serde(default)]
    pub operator: Operator,
    /// Attempts and deadlines: horizons that no policy can move.
    #[serde(default)]
    pub limits: LimitsTable,
    /// Timings of the orchestrator that belong to this world.
    #[serde(default)]
    pub retry: RetryTable,
    /// What is demanded of all runs together.
    #[serde(default)]
    pub expect: Expect,
    /// What a set of runs must have reached.
    #[serde(default)]
    pub reach: Reach,
}

/// One order.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OrderLine {
    /// What is charged.
    pub amount: Amount,
    /// Units of the line.
    #[serde(default = "one")]
    pub quantity: u32,
    /// Who orders; equal customers may place equal orders.
    #[serde(default = "one")]
    pub customer: u32,
    /// How many such orders there are.
    #[serde(default = "one")]
    pub count: u32,
}

impl Scenario {
    /// How many orders there are.
    pub fn orders(&self) -> usize {
        self.order.iter().fold(0, |sum, line| sum.saturating_add(line.count as usize))
    }

    /// Units in stock at the beginning: where nothing is said ten, or twice what is ordered.
    pub fn units(&self) -> u32 {
        let ordered = self.order.iter().map(|line| line.count.saturating_mul(line.quantity));
        self.stock.units.unwrap_or_else(|| ordered.fold(0, u32::saturating_add).saturating_mul(2).max(10))
    }

    /// Events after which a run counts as a livelock: each order has its share.
    pub fn budget(&self) -> u32 {
        self.time.budget.saturating_mul(u32::try_from(self.orders()).unwrap_or(u32::MAX))
    }
}

/// The stock.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Stock {
    /// Units at the beginning; what suffices where nothing is said.
    pub units: Option<u32>,
    /// How long a hold lasts.
    pub hold: Length,
}

/// Names of catalog contracts, or paths to contract files.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Services {
    /// charge, refund.
    pub payments: String,
    /// fulfill, cancel-fulfillment.
    pub fulfillment: String,
    /// read-stock, reserve, renew, release.
    pub inventory: String,
    /// notify.
    pub mail: String,
    /// approve.
    pub approval: String,
}

/// Horizons, leases, clocks.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Times {
    /// Random runs have faults until then.
    pub chaos: Length,
    /// The longest finite maximum after calm: late refunds, late commits, people.
    pub drain: Length,
    /// Longest time a request travels.
    pub d_max: Length,
    /// Longest pause between a durable claim and its send.
    pub p_max: Length,
    /// Largest clock offset of a bad node.
    pub skew: Length,
    /// Usual clock offsets, either way.
    pub drift: Length,
    /// How long a claim protects.
    pub lease: Length,
    /// Restart after a crash, where the crash does not say.
    pub restart: Length,
    /// How long a writer waits for an acknowledgement.
    pub store_timeout: Length,
    /// Events per order after which a run counts as a livelock.
    pub budget: u32,
}

/// Gate rates by stage.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Rates {
    /// A request's way out.
    pub request: f64,
    /// What the provider does with it.
    pub provider: f64,
    /// A lookup at the provider.
    pub lookup: f64,
    /// The answer's way back.
    pub reply: f64,
    /// A durable write.
    pub store: f64,
    /// A read of the work queue.
    pub read: f64,
    /// Before a durable write.
    pub before_write: f64,
    /// After it.
    pub after_write: f64,
    /// Before a dispatch.
    pub before_send: f64,
    /// After it.
    pub after_send: f64,
    /// A person.
    pub human: f64,
    /// A node's clock.
    pub clock: f64,
    /// Whether a key past its promised minimum is gone.
    pub pruning: f64,
    /// A card: whether it is declined.
    pub declined: f64,
    /// A refund: whether it is on its way for days before it has succeeded.
    pub refund_pending: f64,
}

/// The approver.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Approval {
    /// Grants in the answer to the question, without a person.
    pub immediate: bool,
    /// Ask together with the charge (no-win-9).
    pub with_charge: bool,
    /// The approver may have another version of the order in view, and say yes to that.
    pub careless: bool,
    /// How long a person takes.
    pub takes: Takes,
    /// Until when a person must have decided.
    pub deadline: Length,
    /// How long a yes may be used.
    pub valid: Length,
}

/// The operator.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Operator {
    /// Whether hand-offs are resolved within the run.
    pub present: bool,
    /// From hand-off to statement.
    pub takes: Takes,
}

/// Attempts and deadlines.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LimitsTable {
    /// Attempts per generation, all tools.
    pub attempts: u16,
    /// Hand-off deadlines by tool, where no covered replay is left.
    pub handoff: BTreeMap<String, Length>,
    /// Hand-off deadlines by tool while a covered replay is left.
    pub handoff_covered: BTreeMap<String, Length>,
    /// Until when money may be on its way (pending) before a person asks where it is. Refunds take 1 to 5 days.
    pub pending: Length,
    /// A hold is renewed when less than this is left.
    pub renew_before: Length,
}

/// Timings of the orchestrator that belong to a world.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RetryTable {
    /// Per-attempt timeout of every tool.
    pub timeout: Option<Length>,
    /// Attempts made in a row.
    pub inline_attempts: Option<u16>,
    /// First wait between them.
    pub inline_base: Option<Length>,
    /// Longest wait between them.
    pub inline_cap: Option<Length>,
    /// Waits between durable retries.
    pub durable: Option<Vec<Length>>,
    /// Waits between lookups.
    pub reconcile: Option<Vec<Length>>,
}

/// What is demanded of all runs together: see [`crate::demand`].
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Expect {
    /// The share of orders that end without a person.
    pub automatic: Option<Share>,
    /// How long at most 99 of 100 of those take, the approver's time apart.
    pub p99: Option<Length>,
}

/// What a set of runs must have reached.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Reach {
    /// Runs from which on something unreached fails.
    pub after: u64,
    /// Kinds that this scenario cannot be expected to reach (only a wrong client meets them).
    pub except: Vec<String>,
}

fn two() -> u8 {
    2
}

fn one() -> u32 {
    1
}

const fn secs(n: u64) -> Length {
    Length(Span::secs(n))
}

const fn hours(n: u64) -> Length {
    Length(Span::hours(n))
}

impl Default for Stock {
    fn default() -> Self {
        Stock { units: None, hold: hours(24) }
    }
}

impl Default for Services {
    fn default() -> Self {
        Services {
            payments: "stripe_v1".into(),
            fulfillment: "amazon_mcf".into(),
            inventory: "inventory_house".into(),
            mail: "mail_plain".into(),
            approval: "approval_house".into(),
        }
    }
}

impl Default for Times {
    fn default() -> Self {
        Times {
            chaos: hours(48),
            drain: hours(40 * 24),
            d_max: secs(60),
            p_max: secs(600),
            skew: secs(3),
            drift: Length(Span::millis(10)),
            lease: secs(90),
            restart: secs(3),
            store_timeout: secs(5),
            budget: 20_000,
        }
    }
}

impl Rates {
    /// Nothing ever strikes.
    pub const NONE: Rates = Rates {
        request: 0.0,
        provider: 0.0,
        lookup: 0.0,
        reply: 0.0,
        store: 0.0,
        read: 0.0,
        before_write: 0.0,
        after_write: 0.0,
        before_send: 0.0,
        after_send: 0.0,
        human: 0.0,
        clock: 0.0,
        pruning: 0.0,
        declined: 0.0,
        refund_pending: 0.0,
    };
}

impl Default for Rates {
    fn default() -> Self {
        Rates {
            request: 0.03,
            provider: 0.04,
            lookup: 0.05,
            reply: 0.03,
            store: 0.01,
            read: 0.01,
            before_write: 0.004,
            after_write: 0.004,
            before_send: 0.006,
            after_send: 0.006,
            human: 0.15,
            clock: 0.02,
            pruning: 0.5,
            declined: 0.08,
            refund_pending: 0.1,
        }
    }
}

impl Default for Approval {
    fn default() -> Self {
        Approval {
            immediate: false,
            with_charge: false,
            careless: false,
            takes: Takes::LogNormal(Span::mins(12), Span::hours(14)),
            deadline: hours(72),
            valid: hours(24),
        }
    }
}

impl Default for Operator {
    fn default() -> Self {
        Operator { present: true, takes: Takes::LogNormal(Span::hours(20), Span::hours(80)) }
    }
}

impl Default for LimitsTable {
    fn default() -> Self {
        LimitsTable {
            attempts: 40,
            handoff: BTreeMap::new(),
            handoff_covered: BTreeMap::new(),
            pending: hours(6 * 24),
            renew_before: hours(6),
        }
    }
}

impl Default for Reach {
    fn default() -> Self {
        Reach { after: 20_000, except: Vec::new() }
    }
}
