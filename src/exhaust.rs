//! Exhaustive placement over threads: every combination of up to K choices, each exactly once.
//!
//! The root's children are handed out one by one; what they find is merged in their order, so that
//! the result does not depend on how many threads there were.

use crate::coverage::families;
use crate::minimal::{Finding, deepen_simplest, from_script};
use crate::mount::Mount;
use crate::parallel::{Queue, on_threads};
use crate::statistics::{Judge, signatures};
use crate::unsteady::Unsteady;
use crate::watch::Watch;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};
use unacked_scenarios::records::Records;
use unacked_scenarios::shop::Shop;
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

/// What one prefix found.
#[derive(Default)]
struct Share {
    levels: Levels,
    found: BTreeMap<Signature, (u64, CompiledPlan)>,
    failed: Option<CompiledPlan>,
    /// Somebody said stop before the end.
    stopped: bool,
}

/// Placements between two looks at whether to stop.
const STOP: u64 = 64;

/// Places up to `faults` choices.
pub fn exhaust<R: Mount>(mount: &R, faults: usize, jobs: usize, judge: &Judge, watch: Watch<'_>) -> Exhausted {
    let (mut sum, prefixes) = mount.in_lab(|lab| root(lab, faults, judge));
    let queue = Queue::new(prefixes.len() as u64, watch.stop);
    let news = News { mount, judge, watch, told: Mutex::default() };
    let walk = |queue: &Queue<'_>| {
        mount.in_lab(|lab| {
            let mut shares = Vec::new();
            while let Some(at) = queue.take() {
                shares.push((at, below(lab, faults, prefixes[at as usize].choice, &news)));
            }
            shares
        })
    };
    let mut shares: Vec<(u64, Share)> = on_threads(jobs, &queue, watch.fewer, walk).into_iter().flatten().collect();
    shares.sort_by_key(|(at, _)| *at);
    let interrupted = shares.len() < prefixes.len() || shares.iter().any(|(_, share)| share.stopped);
    shares.into_iter().for_each(|(_, share)| sum.add(share));
    conclude(mount, faults, sum, interrupted)
}

/// The placement without any choice, and the ones that extend it.
fn root(lab: &mut Lab<'_, Shop<impl Records>>, faults: usize, judge: &Judge) -> (Share, Vec<Extension>) {
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

/// What is known while threads are still walking.
struct News<'a, R> {
    mount: &'a R,
    judge: &'a Judge,
    watch: Watch<'a>,
    told: Mutex<BTreeSet<Signature>>,
}

impl<R: Mount> News<'_, R> {
    /// Tells of each signature at once, so that an interrupted walk leaves something behind.
    #[cold]
    fn tell(&self, compiled: &CompiledPlan, outcome: &Outcome) {
        let Some(found) = self.watch.found else { return };
        for signature in signatures(outcome).into_iter().filter(|s| self.judge.counts(s)) {
            if self.told.lock().unwrap_or_else(PoisonError::into_inner).insert(signature) {
                // A subject that is not deterministic is reported in the end.
                let _ = self.mount.in_lab(|lab| from_script(lab, compiled, &signature)).map(|finding| found(&finding));
            }
        }
    }
}

fn below<R: Mount>(
    lab: &mut Lab<'_, Shop<R::Records>>,
    faults: usize,
    prefix: CompiledChoice,
    news: &News<'_, R>,
) -> Share {
    let (mut noted, watch) = (Share::default(), news.watch);
    let mut since = 0;
    let mut visit = |compiled: &CompiledPlan, outcome: &Outcome, _: &Lab<'_, Shop<R::Records>>| {
        noted.note(compiled, outcome, news.judge);
        if !outcome.violations.is_empty() {
            news.tell(compiled, outcome);
        }
        since += 1;
        if since % 4_096 == 0 {
            (watch.step)(4_096);
        }
        since % STOP != 0 || !(watch.stop)()
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
    #[inline]
    fn note(&mut self, compiled: &CompiledPlan, outcome: &Outcome, judge: &Judge) {
        if !outcome.violations.is_empty() {
            self.note_violations(compiled, outcome, judge);
        }
    }

    #[cold]
    fn note_violations(&mut self, compiled: &CompiledPlan, outcome: &Outcome, judge: &Judge) {
        for signature in signatures(outcome).into_iter().filter(|s| judge.counts(s)) {
            self.put(signature, 1, compiled);
        }
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

fn conclude<R: Mount>(mount: &R, faults: usize, sum: Share, interrupted: bool) -> Exhausted {
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
        match mount.in_lab(|lab| from_script(lab, compiled, signature)) {
            Ok(finding) => findings.push(finding),
            Err(differs) => unsteady = Some(*differs),
        }
    }
    if !findings.is_empty() {
        mount.in_lab(|lab| deepen_simplest(lab, &mut findings));
    }
    let found = sum.found.into_iter().map(|(signature, (times, _))| (signature, times)).collect();
    Exhausted { faults, levels: sum.levels, found, findings, families, interrupted, unsteady }
}
