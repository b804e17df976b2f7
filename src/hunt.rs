//! The hunt: runs many seeds over threads, counts, repeats a sample, shrinks what failed.

use crate::minimal::{Finding, deepen_simplest, from_seed};
use crate::rig::Rig;
use crate::spread::{Queue, spread};
use crate::tally::{Judge, Sample, Tally};
use crate::unsteady::{Unsteady, verify};
use crate::watch::Watch;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};
use unacked_scenarios::records::Records;
use unacked_scenarios::shop::Shop;
use unacked_sim::lab::Lab;
use unacked_sim::verdict::Signature;

/// Seeds are handed out in pieces of this many.
pub const PIECE: u64 = 500;

/// Which runs are made again to prove that they are deterministic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verify {
    /// Every thousandth, at least eight.
    Sample,
    /// Every one.
    All,
}

/// What to run, and how.
#[derive(Clone, Debug)]
pub struct Hunt {
    /// The seeds.
    pub seeds: Range<u64>,
    /// Threads.
    pub jobs: usize,
    /// Which violations count.
    pub judge: Judge,
    /// Which runs are made again.
    pub verify: Verify,
    /// Stop at the end of the piece with the first failing run.
    pub fail_fast: bool,
}

/// What came of a hunt.
#[derive(Clone, Debug)]
pub struct Quarry {
    /// The seeds that were run.
    pub seeds: Range<u64>,
    /// Counts.
    pub tally: Tally,
    /// Distinct findings: by signature, then lowest seed; one per fingerprint.
    pub findings: Vec<Finding>,
    /// Runs made again.
    pub verified: u64,
    /// Proof that the subject is not deterministic.
    pub unsteady: Option<Unsteady>,
}

impl Hunt {
    /// So many seeds, everything else as usual.
    pub fn of(seeds: Range<u64>) -> Hunt {
        Hunt { seeds, jobs: 1, judge: Judge::default(), verify: Verify::Sample, fail_fast: false }
    }

    fn runs(&self) -> u64 {
        self.seeds.end.saturating_sub(self.seeds.start)
    }

    fn piece(&self, number: u64) -> Range<u64> {
        let from = self.seeds.start.saturating_add(number.saturating_mul(PIECE));
        from..from.saturating_add(PIECE).min(self.seeds.end)
    }

    fn stride(&self) -> u64 {
        (self.runs() / 8).clamp(1, 1_000)
    }

    fn is_sampled(&self, seed: u64) -> bool {
        self.verify == Verify::All || (seed - self.seeds.start).is_multiple_of(self.stride())
    }
}

/// Runs the seeds.
pub fn hunt<R: Rig>(rig: &R, what: &Hunt, watch: Watch<'_>) -> Quarry {
    let (tally, seeds, unsteady) = run_pieces(rig, what, watch);
    let verified = tally.samples.len() as u64;
    let unsteady = unsteady.or_else(|| match what.verify {
        Verify::Sample => rig.in_lab(|lab| verify(rig, lab, &tally.samples)),
        Verify::All => None,
    });
    let verified = if what.verify == Verify::All { tally.runs } else { verified };
    let (mut findings, unsteady) = match unsteady {
        Some(unsteady) => (Vec::new(), Some(unsteady)),
        None => shrink_all(rig, what.jobs, &tally, watch),
    };
    if !findings.is_empty() {
        rig.in_lab(|lab| deepen_simplest(lab, &mut findings));
    }
    Quarry { seeds, tally, findings, verified, unsteady }
}

/// What one thread brings back.
#[derive(Default)]
struct Catch {
    tally: Tally,
    /// With `fail_fast`: tallies by piece, since pieces after the failing one do not count.
    pieces: Vec<(u64, Tally)>,
    unsteady: Option<Unsteady>,
}

fn run_pieces<R: Rig>(rig: &R, what: &Hunt, watch: Watch<'_>) -> (Tally, Range<u64>, Option<Unsteady>) {
    let queue = Queue::new(what.runs().div_ceil(PIECE), watch.stop);
    let news = News { watch, told: Mutex::default() };
    let caught = spread(what.jobs, &queue, watch.fewer, |queue| rig.in_lab(|lab| catch(rig, lab, what, &news, queue)));
    let mut sum = Catch::default();
    for catch in caught {
        sum.tally.add(catch.tally);
        sum.pieces.extend(catch.pieces);
        sum.unsteady = sum.unsteady.or(catch.unsteady);
    }
    sum.pieces.sort_by_key(|(number, _)| *number);
    let failed = sum.pieces.iter().position(|(_, tally)| tally.failing > 0);
    sum.pieces.truncate(failed.map_or(sum.pieces.len(), |at| at + 1));
    let pieces = if what.fail_fast { sum.pieces.len() as u64 } else { queue.taken() };
    sum.pieces.into_iter().for_each(|(_, tally)| sum.tally.add(tally));
    let to = what.seeds.start.saturating_add(pieces.saturating_mul(PIECE)).min(what.seeds.end);
    (sum.tally, what.seeds.start..to, sum.unsteady)
}

/// Tells of each signature at once, so that an interrupted hunt leaves something behind.
struct News<'a> {
    watch: Watch<'a>,
    told: Mutex<BTreeSet<Signature>>,
}

impl News<'_> {
    fn tell(&self, lab: &mut Lab<'_, Shop<impl Records>>, tally: &Tally) {
        let Some(found) = self.watch.found else { return };
        for (signature, runs) in &tally.found {
            let new = self.told.lock().unwrap_or_else(PoisonError::into_inner).insert(*signature);
            if let Some(&seed) = runs.seeds.first().filter(|_| new) {
                // A subject that is not deterministic is reported by those who look for it.
                let _ = from_seed(lab, seed, signature).map(|finding| found(&finding));
            }
        }
    }
}

/// One thread's share.
fn catch<R: Rig>(
    rig: &R,
    lab: &mut Lab<'_, Shop<R::Records>>,
    what: &Hunt,
    news: &News<'_>,
    queue: &Queue<'_>,
) -> Catch {
    let mut catch = Catch::default();
    while let Some(number) = queue.take() {
        let mut tally = Tally::default();
        run_piece(lab, what, what.piece(number), &mut tally);
        if what.verify == Verify::All {
            let samples = std::mem::take(&mut tally.samples);
            catch.unsteady = catch.unsteady.or_else(|| rig.in_lab(|other| verify(rig, other, &samples)));
        }
        (news.watch.step)(tally.runs);
        news.tell(lab, &tally);
        if what.fail_fast {
            if tally.failing > 0 {
                queue.stop_after(number);
            }
            catch.pieces.push((number, tally));
        } else {
            catch.tally.add(tally);
        }
    }
    catch
}

fn run_piece(lab: &mut Lab<'_, Shop<impl Records>>, what: &Hunt, seeds: Range<u64>, tally: &mut Tally) {
    for seed in seeds {
        let outcome = lab.run_seed(seed);
        tally.count(seed, &outcome, lab, &what.judge);
        if what.is_sampled(seed) {
            tally.samples.push(Sample::of(seed, &outcome));
        }
    }
}

/// Shrinks the lowest seeds of every signature; keeps one finding per fingerprint.
fn shrink_all<R: Rig>(rig: &R, jobs: usize, tally: &Tally, watch: Watch<'_>) -> (Vec<Finding>, Option<Unsteady>) {
    let each =
        tally.found.iter().flat_map(|(signature, found)| found.seeds.iter().map(move |seed| (*signature, *seed)));
    let targets: Vec<(Signature, u64)> = each.collect();
    let queue = Queue::new(targets.len() as u64, &|| false);
    let shrink = |lab: &mut Lab<'_, Shop<_>>, queue: &Queue<'_>| {
        let mut done = Vec::new();
        while let Some(at) = queue.take() {
            let (signature, seed) = targets[at as usize];
            (watch.shrinking)(at + 1, targets.len() as u64);
            let finding = from_seed(lab, seed, &signature);
            if let (Some(found), Ok(finding)) = (watch.found, &finding) {
                found(finding);
            }
            done.push((at, finding));
        }
        done
    };
    let shares = spread(jobs, &queue, watch.fewer, |queue| rig.in_lab(|lab| shrink(lab, queue)));
    let mut all: Vec<_> = shares.into_iter().flatten().collect();
    all.sort_by_key(|(at, _)| *at);
    distinct(all.into_iter().map(|(_, finding)| finding))
}

fn distinct(all: impl Iterator<Item = Result<Finding, Box<Unsteady>>>) -> (Vec<Finding>, Option<Unsteady>) {
    let mut findings: Vec<Finding> = Vec::new();
    for finding in all {
        match finding {
            Err(unsteady) => return (findings, Some(*unsteady)),
            Ok(new) if findings.iter().any(|old| old.fingerprint == new.fingerprint) => {}
            Ok(new) => findings.push(new),
        }
    }
    (findings, None)
}
