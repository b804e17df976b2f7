//! Shrinking: the smallest plan that still fails the same way. Knows nothing of orders.
//!
//! Sites that a plan does not list are benign, so removing a choice never creates one. Order: noise
//! off, choices (ddmin, then single removals until none can go: that check is the guarantee of
//! 1-minimality), parameters towards canonical values, noise again.

use crate::plan::{CompiledChoice, CompiledPlan, Noise};

/// A shrunk plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shrunk {
    /// What is left.
    pub compiled: CompiledPlan,
    /// How many runs it took.
    pub runs: u32,
    /// Whether the budget sufficed: if not, the plan may not be minimal.
    pub complete: bool,
}

/// Shrinks `start`. `fails` runs a plan and returns the choices that landed if it still fails the
/// same way. `simpler` lists canonical values for a choice, simplest first. `suspect` says which
/// choices to try to drop first (breaches, undocumented behaviour).
pub fn shrink(
    start: &CompiledPlan,
    budget: u32,
    fails: impl FnMut(&CompiledPlan) -> Option<Vec<CompiledChoice>>,
    simpler: impl Fn(&CompiledChoice) -> Vec<u64>,
    suspect: impl Fn(&CompiledChoice) -> bool,
) -> Shrunk {
    let mut shrinker = Shrinker { best: start.clone(), runs: 0, budget, fails };
    shrinker.best.choices.sort_by_key(|c| !suspect(c));
    shrinker.quiet();
    shrinker.halve();
    shrinker.settle(&simpler);
    if shrinker.quiet() {
        shrinker.settle(&simpler);
    }
    Shrunk { complete: shrinker.runs < budget, compiled: shrinker.best, runs: shrinker.runs }
}

struct Shrinker<F> {
    best: CompiledPlan,
    runs: u32,
    budget: u32,
    fails: F,
}

impl<F: FnMut(&CompiledPlan) -> Option<Vec<CompiledChoice>>> Shrinker<F> {
    /// Takes the candidate if it still fails; choices that no longer land are dropped with it.
    fn consider(&mut self, candidate: &CompiledPlan) -> bool {
        if self.runs >= self.budget {
            return false;
        }
        self.runs += 1;
        let Some(landed) = (self.fails)(candidate) else { return false };
        self.best = candidate.clone();
        self.best.choices.retain(|c| landed.contains(c));
        true
    }

    fn quiet(&mut self) -> bool {
        if self.best.noise == Noise::Off {
            return false;
        }
        let candidate = CompiledPlan { noise: Noise::Off, ..self.best.clone() };
        self.consider(&candidate)
    }

    /// Delta debugging: drops ever smaller chunks.
    fn halve(&mut self) {
        let mut size = self.best.choices.len() / 2;
        while size >= 2 {
            let mut at = 0;
            while at < self.best.choices.len() {
                let mut candidate = self.best.clone();
                let end = (at + size).min(candidate.choices.len());
                candidate.choices.drain(at..end);
                if !self.consider(&candidate) {
                    at += size;
                }
            }
            size /= 2;
        }
    }

    /// Single removals and canonical values, until neither changes anything: what a moved value makes
    /// superfluous goes too.
    fn settle(&mut self, simpler: &impl Fn(&CompiledChoice) -> Vec<u64>) {
        self.single_out();
        while self.simplify(simpler) {
            self.single_out();
        }
    }

    /// Drops single choices until none can go.
    fn single_out(&mut self) {
        let mut dropped = true;
        while dropped {
            dropped = false;
            let mut at = 0;
            while at < self.best.choices.len() {
                let candidate = self.best.without(at);
                if self.consider(&candidate) {
                    dropped = true;
                } else {
                    at += 1;
                }
            }
        }
    }

    /// Moves parameters to the first canonical value that still fails. Returns whether one moved.
    fn simplify(&mut self, simpler: &impl Fn(&CompiledChoice) -> Vec<u64>) -> bool {
        let mut moved = false;
        let mut at = 0;
        while at < self.best.choices.len() {
            let choice = self.best.choices[at];
            for value in simpler(&choice).into_iter().take_while(|&v| v != choice.value) {
                let mut candidate = self.best.clone();
                candidate.choices[at].value = value;
                if self.consider(&candidate) {
                    moved = true;
                    break;
                }
            }
            at += 1;
        }
        moved
    }
}
