//! The search: runs many seeds over threads, counts, repeats a sample, shrinks what failed.

use crate::minimal::{Finding, deepen_simplest, from_seed};
use crate::mount::Mount;
use crate::news::News;
use crate::parallel::{Queue, on_threads};
use crate::statistics::{Judge, Sample, Statistics};
use crate::told::Told;
use crate::unsteady::{Unsteady, verify};
use crate::watch::{Stop, Watch};
use std::ops::Range;
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
pub struct Search {
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

/// What came of a search.
#[derive(Clone, Debug)]
pub struct SearchResult {
    /// The seeds that were run.
    pub seeds: Range<u64>,
    /// Counts.
    pub statistics: Statistics,
    /// Distinct findings: by signature, then lowest seed; one per fingerprint.
    pub findings: Vec<Finding>,
    /// Runs made again.
    pub verified: u64,
    /// Proof that the subject is not deterministic.
    pub unsteady: Option<Unsteady>,
}

impl Search {
    /// So many seeds, everything else as usual.
    pub fn of(seeds: Range<u64>) -> Search {
        Search { seeds, jobs: 1, judge: Judge::default(), verify: Verify::Sample, fail_fast: false }
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
pub fn search<M: Mount>(mount: &M, what: &Search, watch: Watch<'_>) -> SearchResult {
    let news = News::new(watch);
    let (statistics, seeds, unsteady) = run_pieces(mount, what, &news, watch);
    let verified = statistics.samples.len() as u64;
    let unsteady = unsteady.or_else(|| match what.verify {
        Verify::Sample => mount.in_lab(|lab| verify(mount, lab, &statistics.samples)),
        Verify::All => None,
    });
    let verified = if what.verify == Verify::All { statistics.runs } else { verified };
    let (mut findings, unsteady) = match unsteady {
        Some(unsteady) => (Vec::new(), Some(unsteady)),
        None => shrink_all(mount, what.jobs, &statistics, &news, watch),
    };
    if !findings.is_empty() {
        mount.in_lab(|lab| deepen_simplest(lab, &mut findings, watch.stop));
    }
    SearchResult { seeds, statistics, findings, verified, unsteady }
}

/// What one thread brings back.
#[derive(Default)]
struct Share {
    statistics: Statistics,
    /// With `fail_fast`: statistics by piece, since pieces after the failing one do not count.
    pieces: Vec<(u64, Statistics)>,
    unsteady: Option<Unsteady>,
    /// The first seed that was not run because somebody said stop.
    gap: Option<u64>,
}

fn run_pieces<M: Mount>(
    mount: &M,
    what: &Search,
    news: &News<'_>,
    watch: Watch<'_>,
) -> (Statistics, Range<u64>, Option<Unsteady>) {
    let queue = Queue::new(what.runs().div_ceil(PIECE), watch.stop);
    let caught = on_threads(what.jobs, &queue, watch.fewer, |queue| {
        mount.in_lab(|lab| share(mount, lab, what, (news, watch), queue))
    });
    let mut sum = Share::default();
    for share in caught {
        sum.statistics.add(share.statistics);
        sum.pieces.extend(share.pieces);
        sum.unsteady = sum.unsteady.or(share.unsteady);
        sum.gap = sum.gap.into_iter().chain(share.gap).min();
    }
    sum.pieces.sort_by_key(|(number, _)| *number);
    let failed = sum.pieces.iter().position(|(_, statistics)| statistics.failing > 0);
    sum.pieces.truncate(failed.map_or(sum.pieces.len(), |at| at + 1));
    let pieces = if what.fail_fast { sum.pieces.len() as u64 } else { queue.taken() };
    sum.pieces.into_iter().for_each(|(_, statistics)| sum.statistics.add(statistics));
    let to = what.seeds.start.saturating_add(pieces.saturating_mul(PIECE)).min(what.seeds.end);
    // Whatever was run beyond: all seeds below this one were.
    let to = sum.gap.map_or(to, |gap| to.min(gap));
    (sum.statistics, what.seeds.start..to, sum.unsteady)
}

/// One thread's share.
fn share<M: Mount>(
    mount: &M,
    lab: &mut Lab<'_, M::World>,
    what: &Search,
    (news, watch): (&News<'_>, Watch<'_>),
    queue: &Queue<'_>,
) -> Share {
    let mut share = Share::default();
    while let Some(number) = queue.take() {
        let mut statistics = Statistics::default();
        run_piece(lab, what, what.piece(number), watch.stop, &mut statistics);
        let piece = what.piece(number);
        let next = piece.start + statistics.runs;
        share.gap = share.gap.into_iter().chain((next < piece.end).then_some(next)).min();
        if what.verify == Verify::All {
            let samples = std::mem::take(&mut statistics.samples);
            share.unsteady = share.unsteady.or_else(|| mount.in_lab(|other| verify(mount, other, &samples)));
        }
        (watch.step)(statistics.runs);
        for (signature, runs) in &statistics.found {
            let shrunk = |seed: &u64| news.tell(signature, || from_seed(lab, *seed, signature, watch.stop));
            runs.seeds.first().into_iter().for_each(shrunk);
        }
        if what.fail_fast {
            if statistics.failing > 0 {
                queue.stop_after(number);
            }
            share.pieces.push((number, statistics));
        } else {
            share.statistics.add(statistics);
        }
    }
    share
}

fn run_piece(
    lab: &mut Lab<'_, impl Told>,
    what: &Search,
    seeds: Range<u64>,
    stop: Stop<'_>,
    statistics: &mut Statistics,
) {
    for seed in seeds {
        if statistics.runs > 0 && stop() {
            return;
        }
        let outcome = lab.run_seed(seed);
        statistics.count(seed, &outcome, lab, &what.judge);
        if what.is_sampled(seed) {
            statistics.samples.push(Sample::of(seed, &outcome));
        }
    }
}

/// Shrinks the lowest seeds of every signature; keeps one finding per fingerprint.
fn shrink_all<M: Mount>(
    mount: &M,
    jobs: usize,
    statistics: &Statistics,
    news: &News<'_>,
    watch: Watch<'_>,
) -> (Vec<Finding>, Option<Unsteady>) {
    let each =
        statistics.found.iter().flat_map(|(signature, found)| found.seeds.iter().map(move |seed| (*signature, *seed)));
    let targets: Vec<(Signature, u64)> = each.collect();
    let queue = Queue::new(targets.len() as u64, &|| false);
    let shrink = |lab: &mut Lab<'_, M::World>, queue: &Queue<'_>| {
        let mut done = Vec::new();
        while let Some(at) = queue.take() {
            let (signature, seed) = targets[at as usize];
            (watch.shrinking)(at + 1, targets.len() as u64);
            // Who has been asked to stop tells of each signature once.
            if at > 0 && targets[at as usize - 1].0 == signature && (watch.stop)() {
                continue;
            }
            let known = news.instead(&signature).map(Ok);
            let finding = known.unwrap_or_else(|| from_seed(lab, seed, &signature, watch.stop));
            if let (Some(found), Ok(finding)) = (watch.found, &finding) {
                found(finding);
            }
            done.push((at, finding));
        }
        done
    };
    let shares = on_threads(jobs, &queue, watch.fewer, |queue| mount.in_lab(|lab| shrink(lab, queue)));
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
