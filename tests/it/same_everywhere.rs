//! The same command gives the same report: on any number of threads, again, from any folder.

use crate::common::{program, said, shell_words, unacked};

#[test]
fn json_is_the_same_on_any_number_of_threads_again_and_from_another_folder() {
    let words = "check checkout --policy naive --seeds 0..1200 --format json";
    let one = unacked(&format!("{words} --jobs 1"));
    assert_eq!(one.code, 1, "{}", one.err);
    assert_eq!(unacked(&format!("{words} --jobs 2")).out, one.out);
    assert_eq!(unacked(&format!("{words} --jobs 5")).out, one.out);
    let elsewhere = said(program().args(words.split_whitespace()).current_dir(std::env::temp_dir()));
    assert_eq!(elsewhere.out, one.out);
}

#[test]
fn stopping_at_the_first_failure_is_the_same_on_any_number_of_threads() {
    let words = "check checkout --policy naive --only shipped-once --seeds 0..4000 --fail-fast --format json";
    let one = unacked(&format!("{words} --jobs 1"));
    assert_eq!(unacked(&format!("{words} --jobs 4")).out, one.out);
    let report: serde_json::Value = serde_json::from_str(&one.out).expect("a report is JSON");
    assert!(report["scenarios"][0]["runs"].as_u64() < Some(4000), "it stops before the end");
}

#[test]
fn the_shape_of_the_report_is_as_promised() {
    let said = unacked("check checkout --policy naive --only charged-once --seeds 0..300 --format json");
    let report: serde_json::Value = serde_json::from_str(&said.out).expect("a report is JSON");
    assert_eq!((&report["format"], &report["verdict"]), (&1.into(), &"violated".into()));
    let scenario = &report["scenarios"][0];
    let keys = ["name", "policy", "seeds", "runs", "faults", "reach", "sometimes", "not_judged", "handoffs", "bound"];
    for key in keys.iter().chain(&["violations", "breaches", "undocumented"]) {
        assert!(!scenario[key].is_null(), "{key}");
    }
    for violation in scenario["violations"].as_array().expect("violations are an array") {
        assert_eq!(violation["promise"], "charged-once");
        let plan = violation["plan"].as_array().expect("a plan is an array");
        assert!(plan.len() <= 3, "minimal: {violation}");
        for key in ["rules", "blame", "signature", "fingerprint", "seed", "runs", "noise", "pins"] {
            assert!(!violation[key].is_null(), "{key}");
        }
    }
}

/// Reproduce commands of a report, without the name of the program.
fn commands(report: &str, program: &str) -> Vec<Vec<String>> {
    let tails = report.lines().filter_map(|line| line.trim_start().strip_prefix("reproduce "));
    tails.map(|tail| shell_words(tail.trim_start().strip_prefix(program).expect(program))).collect()
}

#[test]
fn the_printed_command_fails_the_same_way() {
    let report = unacked("check checkout --policy naive --seeds 0..300 --exclude pause");
    let commands = commands(&report.out, "unacked ");
    assert!(commands.len() >= 4, "{}", report.out);
    let blocks: Vec<&str> = report.out.split("violation[").skip(1).collect();
    for (block, command) in blocks.iter().zip(&commands) {
        let again = said(program().args(command));
        assert_eq!(again.code, 1, "{command:?}: {}{}", again.out, again.err);
        let told = block.split("     blame").next().expect("a block has a blame");
        assert!(again.out.contains(told), "{command:?} tells another story than\n{told}\n{}", again.out);
    }
}

#[test]
fn a_placement_is_reproduced_from_its_words() {
    let report = unacked("exhaust checkout --faults 1 --policy new-key-on-retry --only charged-once");
    let commands = commands(&report.out, "unacked ");
    assert_eq!(commands.len(), 1, "{}", report.out);
    let again = said(program().args(&commands[0]));
    assert_eq!(again.code, 1, "{}{}", again.out, again.err);
    assert!(again.out.contains("violation[charged-once]"), "{}", again.out);
}

#[test]
fn a_needed_fault_is_needed() {
    let report = unacked("check checkout --policy new-key-on-retry --only charged-once --seeds 0..400");
    let command = &commands(&report.out, "unacked ")[0];
    let again = said(program().args(command).args(["--without", "1"]));
    assert!(again.out.contains("the fault is needed"), "{}{}", again.out, again.err);
    assert_eq!(again.code, 0);
}

#[test]
fn a_command_begins_the_way_the_program_was_started() {
    let words = "check checkout --policy naive --only key-durable --seeds 0..20";
    let report = said(program().args(words.split_whitespace()).env("CARGO", "cargo"));
    assert!(!commands(&report.out, "cargo run --release -- ").is_empty(), "{}", report.out);
}

#[test]
fn every_run_made_again_is_the_same() {
    let said = unacked("check checkout two-orders --seeds 0..300 --verify all --jobs 2 --format json");
    assert_ne!(said.code, 3, "{}", said.out);
}
