//! Exhaustive placement over threads: every combination of up to K choices, each exactly once.
//!
//! The root's children are handed out one by one; what they find is merged in their order, so that
//! the result does not depend on how many threads there were.

use crate::conclusion::Conclusion;
use crate::minimal::{Finding, deepen_simplest, from_script};
use crate::mount::Mount;
use crate::news::News;
use crate::parallel::{Queue, on_threads};
use crate::reach::families;
use crate::statistics::{Judge, signatures};
use crate::told::Told;
use crate::unsteady::Unsteady;
use crate::watch::{Stop, Watch};
use std::collections::BTreeMap;
use unacked_sim::explore::{Extension, Levels, Walk, extensions};
use unacked_sim::lab::{Lab, Outcome};
use unacked_sim::plan::{CompiledChoice, CompiledPlan};
use unacked_sim::verdict::Signature;

/// What exhaustive placement came to.
#[derive(Clone, Debug)]
pub struct Exhausted {
    /// Most choices in a plan.
    pub faults: usize,
    /// Placements by number of choices, predicted and run.
    pub levels: Levels,
    /// Failing placements by signature.
    pub found: BTreeMap<Signature, u64>,
    /// One finding per signature: the smallest failing placement, the first among equals.
    pub findings: Vec<Finding>,
    /// Classes of choices that were placed, with the number of kinds of each.
    pub families: Vec<(&'static str, usize)>,
    /// Stopped before the end.
    pub interrupted: bool,
    /// Proof that the subject is not deterministic.
    pub unsteady: Option<Unsteady>,
}

impl Exhausted {
    /// What it comes to. A level that is not as large as predicted means that the same plan ran differently.
    pub fn conclusion(&self, judge: &Judge) -> Conclusion {
        if self.unsteady.is_some() || (!self.interrupted && !self.levels.complete()) {
            Conclusion::Nondeterministic
        } else if self.found.keys().any(|s| judge.fails(s)) {
            Conclusion::Violated
        } else {
            Conclusion::Kept
        }
    }
}

/// What one prefix found.
#[derive(Default)]
struct Share {
    levels: Levels,
    found: BTreeMap<Signature, (u64, CompiledPlan)>,
    failed: Option<CompiledPlan>,
    /// Somebody said stop before the end.
    stopped: bool,
}

/// Places up to `faults` choices.
pub fn exhaust<M: Mount>(mount: &M, faults: usize, jobs: usize, judge: &Judge, watch: Watch<'_>) -> Exhausted {
    let (mut sum, prefixes) = mount.in_lab(|lab| root(lab, faults, judge));
    let queue = Queue::new(prefixes.len() as u64, watch.stop);
    let news = News::new(watch);
    let walk = |queue: &Queue<'_>| {
        mount.in_lab(|lab| {
            let mut shares = Vec::new();
            while let Some(at) = queue.take() {
                shares.push((
                    at,
                    below(mount, lab, prefixes[at as usize].choice, &Walking { faults, judge, watch, news: &news }),
                ));
            }
            shares
        })
    };
    let mut shares: Vec<(u64, Share)> = on_threads(jobs, &queue, watch.fewer, walk).into_iter().flatten().collect();
    shares.sort_by_key(|(at, _)| *at);
    let interrupted = shares.len() < prefixes.len() || shares.iter().any(|(_, share)| share.stopped);
    shares.into_iter().for_each(|(_, share)| sum.add(share));
    conclude(mount, faults, sum, interrupted, &news, watch.stop)
}

/// The placement without any choice, and the ones that extend it.
fn root(lab: &mut Lab<'_, impl Told>, faults: usize, judge: &Judge) -> (Share, Vec<Extension>) {
    let compiled = CompiledPlan::default();
    let outcome = lab.enumerate(&compiled);
    let prefixes = if faults == 0 { Vec::new() } else { lab.door(extensions) };
    let mut share = Share { levels: Levels::new(faults), ..Share::default() };
    share.levels.0[0].predicted = 1;
    share.levels.0[0].run = 1;
    if let Some(level) = share.levels.0.get_mut(1) {
        level.predicted = prefixes.len() as u64;
    }
    share.note(&compiled, &outcome, judge);
    (share, prefixes)
}

/// What all threads that walk have in common.
struct Walking<'a> {
    faults: usize,
    judge: &'a Judge,
    watch: Watch<'a>,
    news: &'a News<'a>,
}

fn below<M: Mount>(mount: &M, lab: &mut Lab<'_, M::World>, prefix: CompiledChoice, walking: &Walking<'_>) -> Share {
    let Walking { faults, judge, watch, news } = *walking;
    let mut noted = Share::default();
    let mut since = 0;
    let mut visit = |compiled: &CompiledPlan, outcome: &Outcome, _: &Lab<'_, M::World>| {
        for signature in noted.note(compiled, outcome, judge) {
            let shrunk = || mount.in_lab(|lab| from_script(lab, compiled, &signature, watch.stop));
            news.tell(&signature, shrunk);
        }
        since += 1;
        if since % 4_096 == 0 {
            (watch.step)(4_096);
        }
        !(watch.stop)()
    };
    let mut walk = Walk::new(faults, &mut visit);
    let mut compiled = CompiledPlan { choices: vec![prefix], ..CompiledPlan::default() };
    let ended = walk.below(lab, &mut compiled);
    let levels = walk.levels;
    (watch.step)(since % 4_096);
    let stopped = matches!(ended, Ok(false));
    Share { levels, failed: ended.err(), stopped, ..noted }
}

impl Share {
    /// Notes what a placement broke, and returns what nothing broke before.
    #[inline]
    fn note(&mut self, compiled: &CompiledPlan, outcome: &Outcome, judge: &Judge) -> Vec<Signature> {
        if outcome.violations.is_empty() { Vec::new() } else { self.note_violations(compiled, outcome, judge) }
    }

    #[cold]
    fn note_violations(&mut self, compiled: &CompiledPlan, outcome: &Outcome, judge: &Judge) -> Vec<Signature> {
        let all: Vec<Signature> = signatures(outcome).into_iter().filter(|s| judge.counts(s)).collect();
        let new = all.iter().filter(|s| !self.found.contains_key(s)).copied().collect();
        all.into_iter().for_each(|signature| self.put(signature, 1, compiled));
        new
    }

    fn put(&mut self, signature: Signature, times: u64, compiled: &CompiledPlan) {
        let entry = self.found.entry(signature).or_insert_with(|| (0, compiled.clone()));
        entry.0 += times;
        if compiled.choices.len() < entry.1.choices.len() {
            entry.1 = compiled.clone();
        }
    }

    fn add(&mut self, other: Share) {
        self.levels.add(&other.levels);
        other.found.iter().for_each(|(signature, (times, compiled))| self.put(*signature, *times, compiled));
        self.failed = self.failed.take().or(other.failed);
    }
}

fn conclude<M: Mount>(
    mount: &M,
    faults: usize,
    sum: Share,
    interrupted: bool,
    news: &News<'_>,
    stop: Stop<'_>,
) -> Exhausted {
    let families = mount.in_lab(|lab| {
        let offered = |d: &unacked_sim::door::Door| {
            let in_menu = |id| d.menus().any(|m| m.has(id));
            families(d.kinds.iter().filter(|(id, _)| in_menu(*id)).map(|(_, kind)| kind))
        };
        lab.door(offered)
    });
    let mut unsteady = sum.failed.map(|_| Unsteady { seed: None, first: None, broken: vec![], broken_again: vec![] });
    let mut findings = Vec::new();
    for (signature, (_, compiled)) in &sum.found {
        let shrunk = || mount.in_lab(|lab| from_script(lab, compiled, signature, stop));
        match news.instead(signature).map_or_else(shrunk, Ok) {
            Ok(finding) => findings.push(finding),
            Err(differs) => unsteady = Some(*differs),
        }
    }
    if !findings.is_empty() {
        mount.in_lab(|lab| deepen_simplest(lab, &mut findings, stop));
    }
    let found = sum.found.into_iter().map(|(signature, (times, _))| (signature, times)).collect();
    Exhausted { faults, levels: sum.levels, found, findings, families, interrupted, unsteady }
}
