//! Subjects of other people: what they do to themselves is reported with its seed.

use crate::common::unsteady::Unsteady;
use unacked::conclusion::Conclusion;
use unacked::prelude::*;

/// Code that panics once it has been told anything.
struct Panics;

impl Subject for Panics {
    type World = Shop;

    async fn run<'w>(&'w self, cx: Cx<'w, Shop>, _node: NodeId) {
        cx.sleep(Span::secs(1)).await;
        panic!("the map has no such entry");
    }
}

#[test]
fn a_panic_is_a_violation_with_its_seed() {
    let report = check_subject(&Panics, "checkout", 7..9).expect("it runs");
    assert_eq!(report.runs.result.statistics.runs, 2, "a panic does not end the runs");
    let text = report.to_string();
    assert!(text.contains("violation[no-panic]: worker-1: panicked: the map has no such entry"), "{text}");
    assert!(text.contains("--> checkout:7, "), "{text}");
    assert_eq!(report.runs.conclusion(), Conclusion::Violated);
}

/// Code that never comes to rest.
struct Spins;

impl Subject for Spins {
    type World = Shop;

    async fn run<'w>(&'w self, cx: Cx<'w, Shop>, _node: NodeId) {
        loop {
            cx.sleep(Span::ZERO).await;
        }
    }
}

#[test]
fn a_loop_without_end_is_a_violation() {
    let report = check_subject(&Spins, "checkout", 0..1).expect("it runs");
    assert!(report.broken().contains(&"no-livelock"), "{report}");
}

/// Code that forgets a task.
struct Leaks;

impl Subject for Leaks {
    type World = Shop;

    async fn run<'w>(&'w self, cx: Cx<'w, Shop>, _node: NodeId) {
        cx.spawn(std::future::pending());
    }
}

#[test]
fn a_task_left_behind_is_a_violation() {
    let report = check_subject(&Leaks, "checkout", 0..1).expect("it runs");
    assert!(report.broken().contains(&"no-leak"), "{report}");
}

#[test]
fn a_subject_that_is_not_deterministic_is_found_out() {
    let report = check_subject(&Unsteady::default(), "checkout", 0..20).expect("it runs");
    assert_eq!(report.runs.conclusion(), Conclusion::Nondeterministic);
    let text = report.to_string();
    for part in ["not deterministic: checkout:", "ran differently the second time", "charge order 1, key", "hash maps"]
    {
        assert!(text.contains(part), "{part} is missing from\n{text}");
    }
}

/// Code that does nothing at all.
struct Idle;

impl Subject for Idle {
    type World = Shop;

    async fn run<'w>(&'w self, _cx: Cx<'w, Shop>, _node: NodeId) {}
}

#[test]
fn what_cannot_be_judged_is_not_called_kept() {
    let report = check_subject(&Idle, "checkout", 0..5).expect("it runs");
    let text = report.to_string();
    let line = text.split("not judged").nth(1).expect("some promises need more than effects");
    for promise in ["key-durable", "record-true", "handoff-justified", "owner-only"] {
        assert!(line.contains(promise), "{promise} is missing from\n{text}");
    }
    assert!(report.broken().contains(&"intent-honoured"), "an order that nobody serves is lost:\n{text}");
}

#[test]
fn wrong_input_is_an_error_with_the_fix() {
    let error = check_subject(&Idle, "chekout", 0..5).expect_err("no such scenario").to_string();
    assert!(error.contains("did you mean `checkout`?"), "{error}");
    let error = check_subject(&Idle, "checkout", 5..5).expect_err("no seeds").to_string();
    assert!(error.contains("FROM < TO"), "{error}");
}
