//! Ctrl-C and SIGTERM: long work stops soon, says what it knows, and what it found is on disk before.

#![cfg(unix)]

use super::common::program;
use std::cell::Cell;
use std::fs::File;
use std::process::{Child, Command};
use unacked::minimal::{deepen, from_seed};
use unacked::mount::Mount;
use unacked::watch::GO_ON;

/// Looks again and again until `done`; at most for a minute.
#[expect(clippy::disallowed_methods, reason = "the test watches a process from outside")]
fn wait(what: &str, mut done: impl FnMut() -> bool) {
    for _ in 0..600 {
        if done() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    panic!("{what} took more than a minute");
}

/// The folder of a test, where its standard output goes too.
fn folder(name: &str) -> String {
    let folder = format!("{}/{name}", env!("CARGO_TARGET_TMPDIR"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn started(folder: &str, words: &str) -> Child {
    let file = |name: &str| File::create(format!("{folder}/{name}")).expect("a file for output");
    let mut command = program();
    command.args(words.split(' ')).args(["--jobs", "2", "--save", folder]);
    command.stdout(file("out")).stderr(file("err")).spawn().expect("it starts")
}

fn stopped(child: &mut Child, signal: &str) -> Option<i32> {
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().expect("kill starts");
    assert!(sent.success(), "it is still running when the signal comes");
    wait("stopping", || child.try_wait().expect("it can be waited for").is_some());
    child.wait().expect("it has ended").code()
}

fn cases(folder: &str) -> Vec<String> {
    let files = std::fs::read_dir(folder).into_iter().flatten();
    let mut names: Vec<String> = files.map(|f| f.expect("a file").file_name().to_string_lossy().into_owned()).collect();
    names.retain(|name| name.ends_with(".json"));
    names.sort();
    names
}

/// Starts, waits for the first case on disk, stops: what is reported is what is saved.
#[track_caller]
fn check(name: &str, words: &str, signal: &str) {
    let folder = folder(name);
    let mut child = started(&folder, &format!("{words} --format json"));
    wait("the first case", || !cases(&folder).is_empty());
    let code = stopped(&mut child, signal);
    let said = |name: &str| std::fs::read_to_string(format!("{folder}/{name}")).expect("text");
    assert_eq!(code, Some(130), "{words}: {}", said("err"));
    let out = said("out");
    let report: serde_json::Value = serde_json::from_str(&out).expect("the summary is whole");
    let violations = report["scenarios"][0]["violations"].as_array().expect("an array").iter();
    let mut reported: Vec<String> = violations.map(|v| v["case"].as_str().expect("a file").to_string()).collect();
    reported.sort();
    assert_eq!(cases(&folder), reported, "{words}");
    assert!(!reported.is_empty());
}

#[test]
fn shrinking_and_explaining_stop_when_asked_and_say_so() {
    let (finding, case) = super::common::cases::findings("checkout", "naive", 1).remove(0);
    let ready = case.ready("case", None).expect("it runs");
    ready.mount().in_lab(|lab| {
        let seed = finding.seed.expect("of a seed");
        for allowed in 0..3 {
            let asked = Cell::new(0);
            let stop = || asked.replace(asked.get() + 1) >= allowed;
            let cut = from_seed(lab, seed, &finding.signature, &stop).expect("deterministic").story.shrinking;
            assert_eq!((cut.complete, cut.runs), (false, allowed));
        }
        let mut untold = finding.clone();
        deepen(lab, &mut untold, &|| true);
        assert_eq!(untold.story.detail, None);
        deepen(lab, &mut untold, GO_ON);
        assert!(untold.story.detail.is_some());
    });
}

#[test]
fn exhaustive_placement_stops_and_has_saved_what_it_found() {
    check("stopped-exhaust", "exhaust checkout --faults 4 --policy naive", "-INT");
}

#[test]
fn a_search_stops_and_has_saved_what_it_found() {
    check("stopped-check", "check checkout --seeds 0..18446744073709551615 --policy naive", "-TERM");
}

#[test]
fn what_is_killed_leaves_its_findings_behind() {
    let folder = folder("killed");
    let mut child = started(&folder, "exhaust checkout --faults 4 --policy naive");
    wait("the first case", || !cases(&folder).is_empty());
    assert_eq!(stopped(&mut child, "-KILL"), None);
    let case = format!("{folder}/{}", cases(&folder).remove(0));
    assert_eq!(super::common::unacked(&format!("replay {case}")).code, 1);
}
