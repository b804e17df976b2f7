//! What was found survives being written down, and says so when it is mended.

use crate::bell::Ringer;
use unacked_search::mount::Mount;
use unacked_search::replay::{Fate, Saved, replay};
use unacked_search::search::{Search, search};
use unacked_search::watch::Watch;
use unacked_sim::plan::Plan;

/// The simplest way in which the bell rings twice.
fn saved() -> Saved {
    let result = search(&Ringer::pulling(3), &Search::of(0..500), Watch::NOBODY);
    Saved::of(result.findings.iter().min_by_key(|finding| finding.simplicity()).expect("a finding"))
}

/// Written as JSON, read again, and made ready for the door.
fn through_a_file(saved: &Saved) -> Saved {
    let text = serde_json::to_string(&saved.plan).expect("plain data");
    let plan: Plan = serde_json::from_str(&text).expect("what was written");
    let compiled = Ringer::pulling(3).in_lab(|lab| lab.door(|door| plan.compile(&door.kinds))).expect("known kinds");
    Saved { plan, compiled, ..saved.clone() }
}

#[test]
fn a_saved_failure_is_reproduced_from_its_words() {
    let (first, read) = (saved(), through_a_file(&saved()));
    assert_eq!(read, first);
    let (replayed, broken) = replay(&Ringer::pulling(3), &read, |_, _, broken| broken.len());
    assert_eq!((replayed.fate, replayed.missing().count(), broken), (Fate::Reproduced, 0, 1));
}

#[test]
fn a_mended_subject_is_told_from_a_case_that_tests_nothing() {
    let saved = saved();
    let fate = |pulls, saved: &Saved| replay(&Ringer::pulling(pulls), saved, |_, _, _| ()).0.fate;
    assert_eq!(fate(1, &saved), Fate::Fixed);
    assert_eq!(fate(1, &Saved { own: false, ..saved.clone() }), Fate::Kept);
    assert_eq!(fate(0, &saved), Fate::Stale, "who never pulls meets no fault");
}

#[test]
fn without_its_fault_nothing_breaks() {
    let saved = saved();
    let rest = saved.without(1).expect("it has one fault");
    assert_eq!(replay(&Ringer::pulling(3), &rest, |_, _, _| ()).0.fate, Fate::Fixed);
    assert_eq!((saved.without(0), saved.without(2)), (None, None));
}
