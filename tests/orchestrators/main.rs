//! The orchestrators of `examples/`: kept as they stand, and caught with any one rule broken. An executable of
//! its own, since the examples are crates.

mod clauses;
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
mod slips;
#[path = "../../examples/event_sourced/worker.rs"]
mod worker;

use order::rules::Right;
use saga::Saga;
use slips::{Row, Slip, TABLE};
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

/// Looks for one promise's violations until there are some.
fn look_for<R: Records, S: Subject<World = Shop<R>> + Sync>(subject: &S, row: &Row) -> Report {
    let check = Check::new(subject, row.scenario).and_then(|check| check.only(row.promise)).expect("names of ours");
    // Who never comes to rest takes long, and is found soon.
    let restless = matches!(row.slip, Slip::HandsOffUnsent | Slip::TendsWhatAPersonHas);
    let seeds = if restless || row.promise == "finishes" { 100 } else { 2_000 };
    check.seeds(0..seeds).fail_fast().sees_store().run().expect("it runs")
}

fn workers<R: order::rules::Rules>(rules: R) -> Workers<R> {
    Workers { rules, fenced: true, leased: true }
}

#[test]
fn the_saga_is_kept_with_and_without_declared_records() {
    for (scenario, declared) in SCENARIOS.into_iter().flat_map(|s| [(s, true), (s, false)]) {
        let report = check(&Saga(Right), scenario, 1_000, declared);
        assert!(report.broken().is_empty(), "declared: {declared}\n{report}");
    }
}

#[test]
fn the_event_sourced_workers_are_kept_with_and_without_declared_records() {
    for (scenario, declared) in SCENARIOS.into_iter().flat_map(|s| [(s, true), (s, false)]) {
        let report = check(&workers(Right), scenario, 1_000, declared);
        assert!(report.broken().is_empty(), "declared: {declared}\n{report}");
    }
}

#[test]
fn both_are_kept_wherever_one_fault_is_placed() {
    for scenario in ["checkout", "two-workers", "approval-week"] {
        let saga = Check::new(&Saga(Right), scenario).expect("a scenario of ours").sees_store().exhaust(1);
        assert!(saga.is_kept(), "{saga}");
        let workers = workers(Right);
        let workers = Check::new(&workers, scenario).expect("a scenario of ours").sees_store().exhaust(1);
        assert!(workers.is_kept(), "{workers}");
    }
}

/// Whether a mistake was caught by the promise it breaks, with a story that names what decided it.
fn caught(row: &Row, report: &Report) -> Result<(), String> {
    let text = report.to_string();
    let Some(start) = text.find(&format!("violation[{}]", row.promise)) else {
        return Err(format!("{:?}: not caught by {} in {}", row.slip, row.promise, row.scenario));
    };
    let story = &text[start..];
    let story = &story[..story.find(" reproduce ").unwrap_or(story.len())];
    match row.story.iter().find(|part| !story.contains(**part)) {
        None => Ok(()),
        Some(part) => Err(format!("{:?}: `{part}` is missing from\n{story}", row.slip)),
    }
}

#[test]
fn every_mistake_of_a_saga_is_caught() {
    let of_a_saga = TABLE.iter().filter(|row| row.slip != Slip::Unfenced);
    let missed: Vec<String> = of_a_saga.filter_map(|row| caught(row, &look_for(&Saga(row.slip), row)).err()).collect();
    assert!(missed.is_empty(), "{}", missed.join("\n\n"));
}

#[test]
fn every_mistake_of_event_sourced_workers_is_caught() {
    // With a yes for ever they never come to rest, which takes minutes to see.
    let missed = TABLE.iter().filter(|row| row.slip != Slip::YesIsForEver).filter_map(|row| {
        let subject = Workers { rules: row.slip, fenced: row.slip != Slip::Unfenced, leased: true };
        caught(row, &look_for(&subject, row)).err()
    });
    let missed: Vec<String> = missed.collect();
    assert!(missed.is_empty(), "{}", missed.join("\n\n"));
}
