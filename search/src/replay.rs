//! What became of a case: reproduced, another violation, stale, fixed.

use crate::conclusion::Conclusion;
use crate::minimal::{Finding, as_it_is};
use crate::mount::Mount;
use crate::statistics::signatures;
use crate::unsteady::Unsteady;
use unacked_sim::lab::Lab;
use unacked_sim::plan::{CompiledPlan, Plan};
use unacked_sim::trace::TraceEvent;
use unacked_sim::verdict::Signature;

/// A failure as it was saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saved {
    /// The plan in words of today.
    pub plan: Plan,
    /// The same for the door.
    pub compiled: CompiledPlan,
    /// Which choices struck when it was saved, in the order of the plan.
    pub landed: Vec<bool>,
    /// What it broke.
    pub signature: Signature,
    /// Whether it is replayed against the subject that it was saved with.
    pub own: bool,
}

impl Saved {
    /// A finding, as it is saved: all of its choices have struck.
    pub fn of(finding: &Finding) -> Saved {
        let landed = vec![true; finding.plan.choices.len()];
        let (plan, compiled) = (finding.plan.clone(), finding.compiled.clone());
        Saved { plan, compiled, landed, signature: finding.signature, own: true }
    }

    /// The same without one choice, counted from 1; `None` if there is no such choice.
    pub fn without(&self, number: usize) -> Option<Saved> {
        let at = number.checked_sub(1).filter(|&at| at < self.plan.choices.len())?;
        let site = self.plan.choices[at].site.hash();
        let mut rest = self.clone();
        rest.plan.choices.remove(at);
        rest.landed.remove(at);
        rest.compiled.choices.retain(|choice| choice.site != site);
        Some(rest)
    }
}

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

/// Runs a saved failure again; `look` sees the lab, the events, and the numbers of those that broke something.
pub fn replay<M: Mount, T>(
    mount: &M,
    saved: &Saved,
    look: impl FnOnce(&Lab<'_, M::World>, &[TraceEvent], &[u32]) -> T,
) -> (Replayed, T) {
    mount.in_lab(|lab| {
        let (outcome, events) = lab.trace_plan(&saved.compiled);
        let broken: Vec<u32> = outcome.violations.iter().map(|v| v.event).collect();
        let seen = look(lab, &events, &broken);
        let missing: Vec<u64> = lab.missing().iter().map(|choice| choice.site).collect();
        let struck = CompiledPlan {
            noise: saved.compiled.noise,
            pins: saved.compiled.pins.clone(),
            ..CompiledPlan::of(&lab.landed(), saved.compiled.noise)
        };
        let mut all = signatures(&outcome);
        all.sort_by_key(|signature| *signature != saved.signature);
        let mut replayed =
            Replayed { fate: Fate::Kept, choices: choices(saved, &missing), findings: vec![], unsteady: None };
        for signature in &all {
            match as_it_is(lab, &struck, signature) {
                Ok(finding) => replayed.findings.push(finding),
                Err(differs) => replayed.unsteady = Some(*differs),
            }
        }
        replayed.fate = fate(saved, &replayed, all.first() == Some(&saved.signature), !all.is_empty());
        (replayed, seen)
    })
}

fn choices(saved: &Saved, missing: &[u64]) -> Vec<(String, bool)> {
    saved.plan.choices.iter().map(|c| (c.to_string(), !missing.contains(&c.site.hash()))).collect()
}

fn fate(saved: &Saved, replayed: &Replayed, same: bool, broken: bool) -> Fate {
    let gone = replayed.choices.iter().zip(&saved.landed).any(|((_, struck), landed)| *landed && !struck);
    match (same, broken) {
        _ if replayed.unsteady.is_some() => Fate::Unsteady,
        (true, _) => Fate::Reproduced,
        (false, true) => Fate::Otherwise,
        (false, false) if !saved.own => Fate::Kept,
        (false, false) if gone => Fate::Stale,
        (false, false) => Fate::Fixed,
    }
}
