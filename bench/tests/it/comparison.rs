//! Policies side by side, on the worlds that ship.

use unacked_bench::comparison::{Line, Record, compare};
use unacked_bench::presets::preset;
use unacked_bench::worlds::{WORLDS, world};

fn record(policy: &str, seeds: std::ops::Range<u64>) -> Record {
    let mut tallies = Vec::new();
    let world = world("checkout-outage").expect("a world");
    world.run(&preset(policy).expect(policy), seeds, |_, tally| tallies.push(tally)).expect(policy);
    Record { policy: policy.into(), tallies }
}

fn lines(policies: &[&str]) -> Vec<Line> {
    let records: Vec<Record> = policies.iter().map(|policy| record(policy, 0..12)).collect();
    compare(&records, policies[0]).expect("comparable")
}

#[test]
fn every_world_reads() {
    let folder = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/worlds")).expect("the folder");
    assert_eq!(folder.count(), WORLDS.len());
    WORLDS.iter().for_each(|(name, _)| _ = world(name).expect(name));
    assert!(world("checkout").expect_err("a scenario").contains("checkout-outage"));
}

#[test]
fn the_control_is_caught_and_the_others_are_not() {
    let lines = lines(&["none", "new-key", "stripe-sdk"]);
    assert_eq!(lines.iter().map(Line::is_safe).collect::<Vec<_>>(), [true, false, true]);
    assert!(lines[1].charging_twice.events > 6, "{}", lines[1].charging_twice);
}

#[test]
fn retries_complete_more_and_cost_more() {
    let lines = lines(&["none", "go-retryablehttp"]);
    let versus = lines[1].versus.expect("compared");
    assert_eq!(versus.verdict(), 1);
    assert!(versus.completion.low > 0.1 && versus.amplification.low > 0.1, "{versus:?}");
    assert!(lines[0].versus.is_none(), "the baseline is not compared with itself");
}

#[test]
fn nobody_wins_where_nothing_differs() {
    let mut records = ["none", "stripe-sdk"].map(|policy| record(policy, 0..12));
    records[1].tallies = records[0].tallies.clone();
    let lines = compare(&records, "none").expect("comparable");
    assert_eq!(lines[1].versus.expect("compared").verdict(), 0);
}

#[test]
fn many_comparisons_make_each_of_them_harder() {
    let lines = lines(&["stripe-sdk", "none", "urllib3", "p-retry"]);
    for versus in lines.iter().filter_map(|line| line.versus) {
        assert!(versus.completion_p >= versus.completion.p && versus.amplification_p >= versus.amplification.p);
    }
    let raised = |line: &Line| line.versus.is_some_and(|v| v.completion_p > v.completion.p);
    assert!(lines.iter().any(raised));
}

#[test]
fn a_missing_baseline_and_other_seeds_are_refused() {
    let records = [record("none", 0..3), record("stripe-sdk", 0..4)];
    assert!(compare(&records, "p-retry").expect_err("missing").contains("not among"));
    assert!(compare(&records, "none").expect_err("other seeds").contains("the same seeds"));
}
