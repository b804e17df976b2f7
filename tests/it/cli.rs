//! What users see: help, lists, explanations, a full report. `INSTA_UPDATE=always cargo test` renews.

use crate::common::unacked;
use insta::assert_snapshot;

#[test]
fn help_is_short_and_complete() {
    for words in ["--help", "check --help", "replay --help", "exhaust --help", "list --help", "explain --help"] {
        let said = unacked(words);
        assert_eq!((said.code, said.err.as_str()), (0, ""), "{words}");
        assert_snapshot!(words.replace("--help", "help").replace(' ', "_"), said.out);
    }
}

#[test]
fn promises_and_faults_explain_themselves() {
    for words in ["list promises", "explain charged-once", "explain crash"] {
        let said = unacked(words);
        assert_eq!((said.code, said.err.as_str()), (0, ""), "{words}");
        assert_snapshot!(words.replace(' ', "_"), said.out);
    }
}

#[test]
fn everything_listed_can_be_explained() {
    for sort in ["scenarios", "policies", "promises", "faults", "contracts", "presets"] {
        let listed = unacked(&format!("list {sort} --format json"));
        let rows: serde_json::Value = serde_json::from_str(&listed.out).expect("a list is JSON");
        for row in rows.as_array().expect("a list is an array") {
            let name = row["name"].as_str().expect("every row has a name");
            let said = unacked(&format!("explain {name}"));
            assert_eq!(said.code, 0, "{name}: {}", said.err);
            assert!(said.out.lines().count() > 2, "{name}: {}", said.out);
        }
    }
}

#[test]
fn an_explained_scenario_shows_its_defaults_bounds_and_contracts() {
    let text = unacked("explain checkout").out;
    for part in ["lease", "together", "what a correct client may rely on", "payments: stripe_v1", "no deduplication"] {
        assert!(text.contains(part), "{part} is missing from\n{text}");
    }
}

#[test]
fn a_violation_is_told_in_one_block() {
    let said = unacked("check checkout --policy naive --only charged-once --seeds 49..449");
    assert_eq!(said.code, 1, "{}", said.err);
    let block = said.out.split("\n\nscenario").next().expect("a block");
    assert!(block.lines().count() <= 30, "{block}");
    assert!(block.lines().all(|line| line.chars().count() <= 100), "{block}");
    assert_snapshot!("naive_charges_twice", said.out);
}

#[test]
fn exhaustive_placement_counts_as_predicted() {
    let said = unacked("exhaust checkout --faults 1 --policy write-after-answer --format json --jobs 2");
    let report: serde_json::Value = serde_json::from_str(&said.out).expect("a report is JSON");
    let scenario = &report["scenarios"][0];
    assert_eq!(scenario["by_level"], scenario["predicted"]);
    assert_eq!(scenario["by_level"][0], 1);
    let one = unacked("exhaust checkout --faults 1 --policy write-after-answer --format json --jobs 1");
    assert_eq!((one.code, one.out), (said.code, said.out));
}

#[test]
fn a_green_run_says_what_it_covered() {
    let said = unacked("check peer-baseline --seeds 0..500");
    assert_eq!(said.code, 0, "{}{}", said.out, said.err);
    for part in ["rate at most", "covered", "noisy timing", "made again", "kept: no violation in 500 runs"] {
        assert!(said.out.contains(part), "{part} is missing from\n{}", said.out);
    }
}
