//! Statistics: what a set of runs came to. They add up in any order to the same sum.

use crate::told::Told;
use std::collections::BTreeMap;
use unacked_sim::lab::{Lab, Outcome};
use unacked_sim::verdict::{Blame, Signature};

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
    /// What the runs ended in, by number of the domain's [`Told::ENDS`].
    pub ends: Vec<u64>,
    /// The lowest seeds of each of these ends, sorted.
    pub end_seeds: Vec<Vec<u64>>,
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
    pub fn count<W: Told>(&mut self, seed: u64, outcome: &Outcome, lab: &Lab<'_, W>, judge: &Judge) {
        self.runs += 1;
        self.events += u64::from(outcome.events);
        lab.door(|door| {
            self.faults.resize(door.kinds.len() + 1, 0);
            door.landed().iter().for_each(|l| self.faults[usize::from(l.kind.0)] += 1);
        });
        self.count_ends(seed, lab);
        if !outcome.violations.is_empty() {
            self.count_violations(seed, outcome, judge);
        }
    }

    fn count_ends<W: Told>(&mut self, seed: u64, lab: &Lab<'_, W>) {
        self.ends.resize(W::ENDS.len(), 0);
        self.end_seeds.resize(W::ENDS.len(), Vec::new());
        let mut of_run = vec![0; W::ENDS.len()];
        lab.world(|world| world.count_ends(&mut of_run));
        for ((all, seeds), n) in self.ends.iter_mut().zip(&mut self.end_seeds).zip(of_run) {
            *all += n;
            if n > 0 && seeds.len() < KEPT {
                seeds.push(seed);
            }
        }
    }

    /// How often runs ended in this; 0 if there were none. `end`: its number among [`Told::ENDS`].
    pub fn ended(&self, end: usize) -> u64 {
        self.ends.get(end).copied().unwrap_or(0)
    }

    #[cold]
    fn count_violations(&mut self, seed: u64, outcome: &Outcome, judge: &Judge) {
        let broken: Vec<Signature> = signatures(outcome).into_iter().filter(|s| judge.counts(s)).collect();
        self.failing += u64::from(broken.iter().any(|s| judge.fails(s)));
        for signature in broken {
            self.found.entry(signature).or_default().add(&Found { runs: 1, seeds: vec![seed] });
        }
    }

    /// Adds those of other runs.
    pub fn add(&mut self, other: Statistics) {
        self.runs += other.runs;
        self.failing += other.failing;
        self.events += other.events;
        add_each(&mut self.ends, &other.ends);
        add_each(&mut self.faults, &other.faults);
        self.end_seeds.resize(self.end_seeds.len().max(other.end_seeds.len()), Vec::new());
        self.end_seeds.iter_mut().zip(&other.end_seeds).for_each(|(mine, theirs)| add_seeds(mine, theirs));
        for (signature, found) in &other.found {
            self.found.entry(*signature).or_default().add(found);
        }
        self.samples.extend(other.samples);
        self.samples.sort_by_key(|s| s.seed);
    }
}

fn add_each(mine: &mut Vec<u64>, theirs: &[u64]) {
    mine.resize(mine.len().max(theirs.len()), 0);
    mine.iter_mut().zip(theirs).for_each(|(mine, theirs)| *mine += theirs);
}

/// The lowest of both.
fn add_seeds(mine: &mut Vec<u64>, theirs: &[u64]) {
    mine.extend(theirs);
    mine.sort_unstable();
    mine.dedup();
    mine.truncate(KEPT);
}

impl Found {
    /// Adds more failing runs: lowest-n and addition commute.
    pub fn add(&mut self, other: &Found) {
        self.runs += other.runs;
        add_seeds(&mut self.seeds, &other.seeds);
    }
}
