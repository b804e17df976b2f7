//! What a scenario demands of all its runs together: how many orders end by themselves, and how soon. A workflow
//! that hands everything to people, or waits for days, breaks no promise in any single run.

use crate::scenario::Scenario;
use crate::told::{HANDED_OFF, SLOW};
use unacked_search::bound::lower;
use unacked_sim::verdict::{Promise, When};

/// Enough orders have to end by themselves.
pub static MOSTLY_AUTOMATIC: Promise = Promise {
    name: "mostly-automatic",
    when: When::AtTheEnd,
    says: "over all runs, at least the share of orders that the scenario demands ends without a person",
    rules: "R11 R20",
};

/// Orders have to end soon enough.
pub static MOSTLY_PROMPT: Promise = Promise {
    name: "mostly-prompt",
    when: When::AtTheEnd,
    says: "over all runs, 99 of 100 orders that end by themselves do so in the time that the scenario demands, not counting how long the approver takes",
    rules: "R11 R26",
};

/// One demand, and how far it was met.
#[derive(Clone, Debug, PartialEq)]
pub struct Demand {
    /// As what it is reported.
    pub promise: &'static Promise,
    /// What is demanded, in words.
    pub says: String,
    /// Orders that count.
    pub orders: u64,
    /// Those that fell short.
    pub short: u64,
    /// The share that may.
    pub allowed: f64,
    /// The end by which they are counted: its number among the shop's ends.
    pub end: usize,
}

impl Demand {
    /// Whether it is met, as far as so few orders can tell: a rate that is too high only by chance is none.
    pub fn is_met(&self) -> bool {
        lower(self.short, self.orders) <= self.allowed
    }
}

/// The demands of a scenario, after so many runs with these ends.
pub fn demands(scenario: &Scenario, runs: u64, ends: &[u64]) -> Vec<Demand> {
    let orders = runs * scenario.orders() as u64;
    let ended = |end: usize| ends.get(end).copied().unwrap_or(0);
    let handed = ended(HANDED_OFF);
    let automatic = scenario.expect.automatic.map(|share| Demand {
        promise: &MOSTLY_AUTOMATIC,
        says: format!("at least {share} of the orders end without a person"),
        orders,
        short: handed,
        allowed: 1.0 - share.0,
        end: HANDED_OFF,
    });
    let prompt = scenario.expect.p99.map(|span| Demand {
        promise: &MOSTLY_PROMPT,
        says: format!("99 % of the orders that end without a person do so within {}", span.0),
        orders: orders.saturating_sub(handed),
        short: ended(SLOW),
        allowed: 0.01,
        end: SLOW,
    });
    automatic.into_iter().chain(prompt).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::scenario;
    use crate::model::Model;

    fn demanded(runs: u64, ends: &[u64]) -> Vec<bool> {
        let text = format!("{}\n[expect]\nautomatic = \"90%\"\np99 = \"1h\"\n", scenario("canary").expect("embedded"));
        let model = Model::read("canary", &text, &|_| Err("no files".into())).expect("it is sound");
        demands(&model.scenario, runs, ends).iter().map(Demand::is_met).collect()
    }

    #[test]
    fn too_many_hand_offs_and_too_many_slow_ends_fall_short_each_by_itself() {
        assert_eq!(demanded(1_000, &[100, 900, 0, 9]), [true, true]);
        assert_eq!(demanded(1_000, &[150, 850, 0, 0]), [false, true]);
        assert_eq!(demanded(1_000, &[0, 1_000, 0, 30]), [true, false]);
    }

    #[test]
    fn few_runs_accuse_nobody_of_what_chance_may_do() {
        assert_eq!(demanded(10, &[2, 8, 0, 1]), [true, true]);
        assert_eq!(demanded(0, &[]), [true, true]);
    }
}
