//! What became of a case: reproduced, another violation, stale, fixed.

use super::Ready;
use crate::conclusion::Conclusion;
use crate::minimal::{Finding, as_it_is};
use crate::mount::Mount;
use crate::statistics::signatures;
use crate::unsteady::Unsteady;
use unacked_scenarios::shop::Shop;
use unacked_sim::lab::Lab;
use unacked_sim::plan::CompiledPlan;
use unacked_sim::trace::TraceEvent;

/// What became of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It breaks what it broke, whatever did not land.
    Reproduced,
    /// It breaks something else.
    Otherwise,
    /// It breaks nothing, but a choice that once struck no longer does: it tests nothing any more.
    Stale,
    /// Everything struck and nothing broke, under the policy it was saved with.
    Fixed,
    /// Nothing broke under a policy that is not its own.
    Kept,
    /// It ran differently the second time.
    Unsteady,
}

impl Fate {
    /// The word used in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Fate::Reproduced => "reproduced",
            Fate::Otherwise => "another violation",
            Fate::Stale => "stale",
            Fate::Fixed => "fixed",
            Fate::Kept => "kept",
            Fate::Unsteady => "not deterministic",
        }
    }

    /// What it means for the exit code.
    pub const fn conclusion(self) -> Conclusion {
        match self {
            Fate::Reproduced | Fate::Otherwise => Conclusion::Violated,
            Fate::Stale => Conclusion::Stale,
            Fate::Fixed | Fate::Kept => Conclusion::Kept,
            Fate::Unsteady => Conclusion::Nondeterministic,
        }
    }
}

/// A case, run again.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// What became of it.
    pub fate: Fate,
    /// Its choices in words, and whether they struck.
    pub choices: Vec<(String, bool)>,
    /// What broke; what the case broke comes first.
    pub findings: Vec<Finding>,
    /// Proof that the subject is not deterministic.
    pub unsteady: Option<Unsteady>,
}

impl Replayed {
    /// The choices that did not strike.
    pub fn missing(&self) -> impl Iterator<Item = &str> {
        self.choices.iter().filter(|(_, struck)| !struck).map(|(words, _)| words.as_str())
    }
}

/// Runs a case again; `look` sees the lab and the events.
pub fn replay<T>(ready: &Ready, look: impl FnOnce(&Lab<'_, Shop>, &[TraceEvent], &[u32]) -> T) -> (Replayed, T) {
    ready.mount().in_lab(|lab| {
        let (outcome, events) = lab.trace_plan(&ready.compiled);
        let broken: Vec<u32> = outcome.violations.iter().map(|v| v.event).collect();
        let seen = look(lab, &events, &broken);
        let missing: Vec<u64> = lab.missing().iter().map(|choice| choice.site).collect();
        let struck = CompiledPlan {
            noise: ready.compiled.noise,
            pins: ready.compiled.pins.clone(),
            ..CompiledPlan::of(&lab.landed(), ready.compiled.noise)
        };
        let mut all = signatures(&outcome);
        all.sort_by_key(|signature| *signature != ready.signature);
        let mut replayed =
            Replayed { fate: Fate::Kept, choices: choices(ready, &missing), findings: vec![], unsteady: None };
        for signature in &all {
            match as_it_is(lab, &struck, signature) {
                Ok(finding) => replayed.findings.push(finding),
                Err(differs) => replayed.unsteady = Some(*differs),
            }
        }
        replayed.fate = fate(ready, &replayed, all.first() == Some(&ready.signature), !all.is_empty());
        (replayed, seen)
    })
}

fn choices(ready: &Ready, missing: &[u64]) -> Vec<(String, bool)> {
    ready.plan.choices.iter().map(|c| (c.to_string(), !missing.contains(&c.site.hash()))).collect()
}

fn fate(ready: &Ready, replayed: &Replayed, same: bool, broken: bool) -> Fate {
    let gone = replayed.choices.iter().zip(&ready.landed).any(|((_, struck), landed)| *landed && !struck);
    match (same, broken) {
        _ if replayed.unsteady.is_some() => Fate::Unsteady,
        (true, _) => Fate::Reproduced,
        (false, true) => Fate::Otherwise,
        (false, false) if !ready.own => Fate::Kept,
        (false, false) if gone => Fate::Stale,
        (false, false) => Fate::Fixed,
    }
}
