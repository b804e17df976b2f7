//! A run set: what `check` found out about one subject in one scenario. All that reports need.

use crate::bound::upper;
use crate::conclusion::Conclusion;
use crate::coverage::{Coverage, coverage};
use crate::minimal::Finding;
use crate::mount::InScenario;
use crate::reproduce::Reproduce;
use crate::search::{Search, SearchResult, search};
use crate::statistics::{Found, Judge};
use crate::watch::Watch;
use unacked_scenarios::demand::{Demand, demands};
use unacked_sim::verdict::Signature;

/// Runs of one subject in one scenario, and what came of them.
#[derive(Clone, Debug)]
pub struct RunSet {
    /// The scenario.
    pub scenario: String,
    /// The policy, or what a foreign subject is called.
    pub policy: String,
    /// Which violations counted.
    pub judge: Judge,
    /// Counts, findings, and whether it was deterministic.
    pub result: SearchResult,
    /// What was reached, and what was not judged.
    pub coverage: Coverage,
    /// What the scenario demands of all runs together; empty where that is not judged.
    pub demands: Vec<Demand>,
    /// Something unreached makes it fail.
    pub must_reach: bool,
    /// How to bring findings about again.
    pub reproduce: Reproduce,
}

/// What must be known besides the runs.
#[derive(Clone, Debug)]
pub struct Label {
    /// What output calls the scenario.
    pub scenario: String,
    /// What output calls the subject.
    pub policy: String,
    /// How to bring findings about again.
    pub reproduce: Reproduce,
    /// Whether unreached kinds may fail: `reference`, unfiltered.
    pub demands_reach: bool,
    /// Whether the scenario's demands are judged: all of its kinds take part, and no others.
    pub unfiltered: bool,
}

/// Runs a set.
pub fn run_set<M: InScenario>(mount: &M, what: &Search, label: Label, watch: Watch<'_>) -> RunSet {
    let result = search(mount, what, watch);
    let coverage = coverage(mount, &result.statistics);
    let enough = result.statistics.runs >= mount.model().scenario.reach.after;
    let demanded = label.unfiltered && what.judge.only.is_none();
    let ends = &result.statistics.ends;
    let demands = demands(&mount.model().scenario, result.statistics.runs, ends);
    RunSet {
        demands: if demanded { demands } else { Vec::new() },
        scenario: label.scenario,
        policy: label.policy,
        judge: what.judge.clone(),
        must_reach: label.demands_reach && enough,
        reproduce: label.reproduce,
        result,
        coverage,
    }
}

impl RunSet {
    /// The conclusion.
    pub fn conclusion(&self) -> Conclusion {
        let unreached = self.must_reach && !self.coverage.unreached.is_empty();
        if self.result.unsteady.is_some() {
            Conclusion::Nondeterministic
        } else if self.result.statistics.failing > 0 || self.unmet().next().is_some() || unreached {
            Conclusion::Violated
        } else {
            Conclusion::Kept
        }
    }

    /// Demands that were not met.
    pub fn unmet(&self) -> impl Iterator<Item = &Demand> {
        self.demands.iter().filter(|demand| !demand.is_met())
    }

    /// The lowest seeds with an order that falls short of a demand.
    pub fn seeds_of(&self, demand: &Demand) -> &[u64] {
        self.result.statistics.end_seeds.get(demand.end).map_or(&[], Vec::as_slice)
    }

    /// The 95 % upper bound on the rate of failing runs.
    pub fn bound(&self) -> f64 {
        upper(self.result.statistics.failing, self.result.statistics.runs.max(1))
    }

    /// Signatures with their failing runs and findings, in order.
    pub fn by_signature(&self) -> impl Iterator<Item = (&Signature, &Found, Vec<&Finding>)> {
        let of = |signature: &Signature| self.result.findings.iter().filter(|f| f.signature == *signature).collect();
        self.result.statistics.found.iter().map(move |(signature, found)| (signature, found, of(signature)))
    }

    /// Kinds reached and kinds possible.
    pub fn reach(&self) -> (usize, usize) {
        let drawn = &self.coverage.drawn;
        (drawn.iter().filter(|(_, n)| *n > 0).count(), drawn.len())
    }
}
