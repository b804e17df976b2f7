//! Seeds and placements: found, shrunk, counted, the same on any number of threads.

use crate::bell::Ringer;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use unacked_search::exhaust::exhaust;
use unacked_search::free::Without;
use unacked_search::rescue::NoReturn;
use unacked_search::search::{Search, Verify, search};
use unacked_search::statistics::Judge;
use unacked_search::watch::Watch;

#[test]
fn seeds_are_searched_shrunk_and_told() {
    let result = search(&Ringer::pulling(3), &Search::of(0..2_000), Watch::NOBODY);
    assert_eq!((result.statistics.runs, result.unsteady), (2_000, None));
    assert!(result.statistics.failing > 100, "{}", result.statistics.failing);
    assert_eq!(result.statistics.ends.iter().sum::<u64>(), 2_000);
    assert!(result.statistics.ended(1) > 0, "a rope may be pulled in vain three times");
    let finding = result.findings.iter().min_by_key(|finding| finding.simplicity()).expect("a finding");
    assert_eq!(finding.signature.to_string(), "once/pull/workflow");
    assert_eq!(finding.plan.choices.len(), 1, "{}", finding.plan);
    assert!(finding.story.steps.iter().any(|step| step.broken && step.text == "rings for the 2. time"));
    let detail = finding.story.detail.as_ref().expect("the simplest finding is deepened");
    assert_eq!((detail.freedom[0].without, &detail.no_return), (Without::Kept, &NoReturn::Unknown));
}

#[test]
fn who_pulls_once_is_kept() {
    let result = search(&Ringer::pulling(1), &Search::of(0..2_000), Watch::NOBODY);
    assert_eq!((result.statistics.failing, result.findings.len()), (0, 0));
}

#[test]
fn threads_change_nothing() {
    let on = |jobs| {
        let result = search(&Ringer::pulling(3), &Search { jobs, ..Search::of(0..3_000) }, Watch::NOBODY);
        (result.statistics, result.findings)
    };
    assert_eq!(on(1), on(3));
}

#[test]
fn every_placement_is_made_once() {
    let done = exhaust(&Ringer::pulling(2), 2, 2, &Judge::default(), Watch::NOBODY);
    assert!(done.levels.complete() && done.unsteady.is_none() && !done.interrupted);
    // The one pull: lost, answer lost, answer late by two lengths.
    assert_eq!((done.levels.0[0].run, done.levels.0[1].run), (1, 4));
    assert_eq!(done.findings.len(), 1);
    assert_eq!(done.findings[0].plan.choices.len(), 1, "the smallest one is kept");
}

#[test]
fn a_moody_subject_is_found_out() {
    let moody = Ringer { moody: true, ..Ringer::pulling(3) };
    let what = Search { verify: Verify::All, ..Search::of(0..20) };
    let differs = search(&moody, &what, Watch::NOBODY).unsteady.expect("found out");
    assert!(differs.seed.is_some());
}

#[test]
fn who_is_stopped_says_which_seeds_were_run() {
    let asked = AtomicU64::new(0);
    let stop = || asked.fetch_add(1, Relaxed) >= 700;
    let watch = Watch { stop: &stop, ..Watch::NOBODY };
    let result = search(&Ringer::pulling(1), &Search { jobs: 1, ..Search::of(0..20_000) }, watch);
    let (runs, to) = (result.statistics.runs, result.seeds.end);
    assert!(0 < runs && runs < 20_000, "{runs}");
    assert_eq!(to, runs, "one thread runs its seeds in order");
}
