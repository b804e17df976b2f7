//! What limits a policy beyond one call: budgets, breakers, a client's rate, hedges. All of it data.

use serde::Deserialize;
use unacked_scenarios::units::Length;

/// Among whom a limit is shared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scope {
    /// One client object of one process.
    #[default]
    Client,
    /// All calls of a process to one server name.
    Server,
    /// All hosts of a cluster, seen from one proxy.
    Cluster,
    /// One host.
    Host,
    /// One call.
    Call,
}

/// What limits retries across calls.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "kebab-case", deny_unknown_fields)]
pub enum Budget {
    /// A bucket of tokens, full at the beginning.
    Tokens {
        /// The most it holds, and what it begins with.
        capacity: f64,
        /// Whether it may hold no more than `capacity`.
        #[serde(default = "yes")]
        capped: bool,
        /// When tokens are taken.
        taken: Taken,
        /// What is taken for it.
        cost: f64,
        /// What is taken after a throttled attempt, if other than `cost`.
        #[serde(default)]
        cost_throttled: Option<f64>,
        /// What is taken after a timeout, if other than `cost`.
        #[serde(default)]
        cost_timeout: Option<f64>,
        /// A retry needs more tokens than this; 0 with `taken = "retry"`: at least its cost.
        #[serde(default)]
        above: f64,
        /// Whether the last retry's cost comes back when it succeeds.
        #[serde(default)]
        refund: bool,
        /// What is added, and for what.
        deposit: f64,
        /// For what it is added.
        deposited: Deposited,
        /// Among whom it is shared.
        #[serde(default)]
        scope: Scope,
    },
    /// A share of the calls of a time just gone by, plus a reserve.
    Share {
        /// Retries per call.
        share: f64,
        /// Retries per second that are always allowed.
        per_second: f64,
        /// How long calls count.
        ttl: Length,
        /// Among whom it is shared.
        #[serde(default)]
        scope: Scope,
    },
    /// A number of retries in flight at once.
    Concurrent {
        /// Always allowed.
        at_least: u32,
        /// Share of the calls in flight and waiting that is allowed beyond it.
        share: f64,
        /// Among whom it is shared.
        #[serde(default)]
        scope: Scope,
    },
}

/// When tokens are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Taken {
    /// When a retry is decided on, before its wait.
    Retry,
    /// With every failed attempt.
    Failure,
}

/// For what tokens are added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Deposited {
    /// A first attempt that succeeds.
    CleanSuccess,
    /// Any attempt that succeeds.
    Success,
    /// A call that begins.
    Start,
    /// Nothing.
    Never,
}

/// What refuses calls for a while.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "kebab-case", deny_unknown_fields)]
pub enum Breaker {
    /// Opens on failures in a row, or on a share of failures in a window; whichever is given.
    Opens {
        /// Failures in a row.
        #[serde(default)]
        consecutive: Option<u32>,
        /// Share of failures.
        #[serde(default)]
        share: Option<f64>,
        /// Of how long: none if calls are counted instead.
        #[serde(default)]
        window: Option<Length>,
        /// Calls that the share needs at least.
        #[serde(default)]
        calls: u32,
        /// How long it stays open.
        open: Length,
        /// Up to how long, if that grows or is spread.
        #[serde(default)]
        open_most: Option<Length>,
        /// Calls let through to try whether it may close.
        #[serde(default = "one")]
        trial: u32,
        /// For whom it opens.
        #[serde(default)]
        scope: Scope,
    },
    /// Refuses each call with probability (requests - k * accepts) / (requests + 1).
    Adaptive {
        /// The factor k.
        k: f64,
        /// How long requests count.
        window: Length,
        /// For whom.
        #[serde(default)]
        scope: Scope,
    },
}

/// What slows a client down as a whole: a send rate that grows by a cubic law and shrinks when throttled.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Rate {
    /// What is left of the rate after a throttled attempt.
    pub beta: f64,
    /// Scale of the cubic growth.
    pub scale: f64,
    /// Weight of the newest measurement.
    pub smoothing: f64,
    /// How often the rate is measured.
    pub every: Length,
    /// Smallest rate, per second.
    pub least: f64,
    /// Largest rate, as a multiple of the measured one.
    pub most: f64,
}

/// Attempts that overlap.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Hedge {
    /// After how long the next attempt begins, if that is fixed.
    #[serde(default)]
    pub after: Option<Length>,
    /// At which quantile of recent calls it begins, if that is measured.
    #[serde(default)]
    pub quantile: Option<f64>,
    /// How many attempts beyond the first.
    pub extra: u32,
}

fn yes() -> bool {
    true
}

fn one() -> u32 {
    1
}
