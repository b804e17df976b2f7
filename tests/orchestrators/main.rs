//! The orchestrators of `examples/`: kept as they stand, with and without declared records. An executable of its
//! own, since the examples are crates.

#[path = "../../examples/event_sourced/decide.rs"]
mod decide;
#[path = "../../examples/event_sourced/events.rs"]
mod events;
#[path = "../../examples/saga/journal.rs"]
mod journal;
#[path = "../../examples/order/mod.rs"]
mod order;
#[path = "../../examples/saga/saga.rs"]
mod saga;
#[path = "../../examples/saga/settle.rs"]
mod settle;
#[path = "../../examples/event_sourced/worker.rs"]
mod worker;

use order::rules::Right;
use saga::Saga;
use unacked::prelude::*;
use worker::Workers;

const SCENARIOS: [&str; 4] = ["checkout", "two-orders", "two-workers", "approval-week"];

/// Runs a subject in a scenario.
fn check<R: Records, S: Subject<World = Shop<R>> + Sync>(
    subject: &S,
    scenario: &str,
    seeds: u64,
    declared: bool,
) -> Report {
    let check = Check::new(subject, scenario).expect("a scenario of ours").seeds(0..seeds);
    let check = if declared { check.sees_store() } else { check };
    check.run().expect("it runs")
}

fn workers<R: order::rules::Rules>(rules: R) -> Workers<R> {
    Workers { rules, fenced: true, leased: true }
}

#[test]
fn the_saga_is_kept_with_and_without_declared_records() {
    for (scenario, declared) in SCENARIOS.into_iter().flat_map(|s| [(s, true), (s, false)]) {
        let report = check(&Saga(Right), scenario, 500, declared);
        assert!(report.broken().is_empty(), "declared: {declared}\n{report}");
    }
}

#[test]
fn the_event_sourced_workers_are_kept_with_and_without_declared_records() {
    for (scenario, declared) in SCENARIOS.into_iter().flat_map(|s| [(s, true), (s, false)]) {
        let report = check(&workers(Right), scenario, 500, declared);
        assert!(report.broken().is_empty(), "declared: {declared}\n{report}");
    }
}
