//! A budget of tokens at work.

use crate::guard::{Budget, Deposited, Taken};
use crate::policy::Failure;

/// The tokens of one client; without a budget nothing is ever refused.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bucket {
    law: Option<Budget>,
    tokens: f64,
    /// What the latest retry took.
    latest: f64,
}

impl Bucket {
    /// Full.
    pub fn of(law: Option<Budget>) -> Bucket {
        let tokens = if let Some(Budget::Tokens { capacity, .. }) = law { capacity } else { 0.0 };
        Bucket { law, tokens, latest: 0.0 }
    }

    /// Tokens now.
    pub fn tokens(&self) -> f64 {
        self.tokens
    }

    /// A call begins.
    pub fn start(&mut self) {
        self.deposit_for(Deposited::Start);
    }

    /// Attempt `number` of a call succeeded.
    pub fn success(&mut self, number: u32) {
        self.deposit_for(Deposited::Success);
        if number == 1 {
            self.deposit_for(Deposited::CleanSuccess);
        }
        if let Some(Budget::Tokens { refund: true, .. }) = self.law
            && number > 1
        {
            self.add(self.latest);
        }
    }

    /// An attempt failed.
    pub fn failure(&mut self) {
        if let Some(Budget::Tokens { taken: Taken::Failure, cost, .. }) = self.law {
            self.tokens = (self.tokens - cost).max(0.0);
        }
    }

    /// Takes what a retry after such a failure costs. Whether there was enough.
    pub fn take(&mut self, after: Failure) -> bool {
        let Some(Budget::Tokens { taken, cost, cost_throttled, cost_timeout, above, .. }) = self.law else {
            return true;
        };
        let cost = match after {
            _ if taken == Taken::Failure => 0.0,
            Failure::Throttled => cost_throttled.unwrap_or(cost),
            Failure::Timeout => cost_timeout.unwrap_or(cost),
            _ => cost,
        };
        let enough = self.tokens >= cost && (above == 0.0 || self.tokens > above);
        if enough {
            self.tokens -= cost;
            self.latest = cost;
        }
        enough
    }

    fn deposit_for(&mut self, what: Deposited) {
        if let Some(Budget::Tokens { deposit, deposited, .. }) = self.law
            && deposited == what
        {
            self.add(deposit);
        }
    }

    fn add(&mut self, tokens: f64) {
        self.tokens += tokens;
        if let Some(Budget::Tokens { capped: true, capacity, .. }) = self.law {
            self.tokens = self.tokens.min(capacity);
        }
    }
}
