//! A statistics: what a set of runs came to. Tallies add up in any order to the same sum.

use std::collections::BTreeMap;
use unacked_scenarios::records::Records;
use unacked_scenarios::shop::Shop;
use unacked_sim::lab::{Lab, Outcome};
use unacked_sim::verdict::{Blame, Signature};
use unacked_workflow::order::End;

/// Seeds kept per signature: the lowest ones.
pub const KEPT: usize = 8;

/// Which violations count, and which of them fail.
#[derive(Clone, Debug)]
pub struct Judge {
    /// Only this promise, if given.
    pub only: Option<&'static str>,
    /// The gravest blame that still fails.
    pub fail_on: FailOn,
}

/// Whose fault makes a run set fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailOn {
    /// Only what the subject did without being entitled to.
    Workflow,
    /// Also what it suffers from people, hidden layers and undocumented behaviour.
    Undocumented,
    /// Also what it suffers from a provider that breaks its contract.
    Breach,
}

impl Default for Judge {
    fn default() -> Self {
        Judge { only: None, fail_on: FailOn::Workflow }
    }
}

impl Judge {
    /// Whether a violation is counted.
    pub fn counts(&self, signature: &Signature) -> bool {
        self.only.is_none_or(|only| only == signature.promise)
    }

    /// Whether it makes the run set fail.
    pub fn fails(&self, signature: &Signature) -> bool {
        let gravest = match self.fail_on {
            FailOn::Workflow => Blame::Workflow,
            FailOn::Undocumented => Blame::Undocumented,
            FailOn::Breach => Blame::Breach,
        };
        signature.blame <= gravest
    }
}

/// Failing runs of one signature.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// How many.
    pub runs: u64,
    /// The lowest seeds, sorted.
    pub seeds: Vec<u64>,
}

/// A run to be repeated elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// Its seed.
    pub seed: u64,
    /// Covers everything that happened.
    pub digest: u64,
    /// What was broken.
    pub broken: Vec<Signature>,
}

/// What a set of runs came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Runs made.
    pub runs: u64,
    /// Runs with a violation that fails.
    pub failing: u64,
    /// Events, all runs together.
    pub events: u64,
    /// Choices that struck, by number of their kind.
    pub faults: Vec<u64>,
    /// Orders that were handed to a person.
    pub handoffs: u64,
    /// Orders recorded as delivered.
    pub delivered: u64,
    /// Orders recorded as refused.
    pub refused: u64,
    /// Failing runs by signature.
    pub found: BTreeMap<Signature, Found>,
    /// Runs to be repeated elsewhere.
    pub samples: Vec<Sample>,
}

impl Sample {
    /// What a run looked like.
    pub fn of(seed: u64, outcome: &Outcome) -> Sample {
        Sample { seed, digest: outcome.digest, broken: signatures(outcome) }
    }
}

/// What was broken in a run.
pub fn signatures(outcome: &Outcome) -> Vec<Signature> {
    outcome.violations.iter().map(|v| v.signature()).collect()
}

/// Whether a run broke this promise in this way.
pub fn breaks(outcome: &Outcome, signature: &Signature) -> bool {
    outcome.violations.iter().any(|v| v.signature() == *signature)
}

impl Statistics {
    /// Counts one run.
    pub fn count(&mut self, seed: u64, outcome: &Outcome, lab: &Lab<'_, Shop<impl Records>>, judge: &Judge) {
        self.runs += 1;
        self.events += u64::from(outcome.events);
        lab.door(|door| {
            self.faults.resize(door.kinds.len() + 1, 0);
            door.landed().iter().for_each(|l| self.faults[usize::from(l.kind.0)] += 1);
        });
        lab.world(|shop| {
            let orders = shop.promises.orders.iter();
            orders.for_each(|order| self.count_end(order.handed_off, order.end.map(|(end, _)| end)));
        });
        if !outcome.violations.is_empty() {
            self.count_violations(seed, outcome, judge);
        }
    }

    fn count_end(&mut self, handed_off: bool, end: Option<End>) {
        self.handoffs += u64::from(handed_off);
        match end {
            Some(End::Delivered) => self.delivered += 1,
            Some(End::Refused(_)) => self.refused += 1,
            None => {}
        }
    }

    #[cold]
    fn count_violations(&mut self, seed: u64, outcome: &Outcome, judge: &Judge) {
        let broken: Vec<Signature> = signatures(outcome).into_iter().filter(|s| judge.counts(s)).collect();
        self.failing += u64::from(broken.iter().any(|s| judge.fails(s)));
        for signature in broken {
            self.found.entry(signature).or_default().add(&Found { runs: 1, seeds: vec![seed] });
        }
    }

    /// Adds another statistics.
    pub fn add(&mut self, other: Statistics) {
        self.runs += other.runs;
        self.failing += other.failing;
        self.events += other.events;
        self.handoffs += other.handoffs;
        self.delivered += other.delivered;
        self.refused += other.refused;
        self.faults.resize(self.faults.len().max(other.faults.len()), 0);
        self.faults.iter_mut().zip(&other.faults).for_each(|(mine, theirs)| *mine += theirs);
        for (signature, found) in &other.found {
            self.found.entry(*signature).or_default().add(found);
        }
        self.samples.extend(other.samples);
        self.samples.sort_by_key(|s| s.seed);
    }
}

impl Found {
    /// Adds more failing runs: lowest-n and addition commute.
    pub fn add(&mut self, other: &Found) {
        self.runs += other.runs;
        self.seeds.extend(&other.seeds);
        self.seeds.sort_unstable();
        self.seeds.dedup();
        self.seeds.truncate(KEPT);
    }
}
