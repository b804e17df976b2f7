//! Cases: what is saved comes back, and keeps its meaning while everything around it changes.

use crate::common;
use crate::common::cases::findings;
use unacked::case::{Case, Fate, read, replay};
use unacked::mount::Mount;
use unacked::scenarios::catalog::REGRESSIONS;
use unacked::scenarios::model::{Model, kinds};
use unacked::sim::kind::{Kind, Kinds};
use unacked::sim::plan::CompiledPlan;
use unacked::source;

const WRONG: [(&str, &str, usize); 5] = [
    ("peer-baseline", "naive", 150),
    ("checkout", "write-after-answer", 100),
    ("checkout", "new-key-on-retry", 50),
    ("checkout", "naive", 150),
    ("checkout", "send-mail-until-answered", 50),
];

#[test]
fn five_hundred_failing_seeds_come_back_from_their_files() {
    let mut same = 0;
    for (scenario, policy, most) in WRONG {
        for (finding, case) in findings(scenario, policy, most) {
            let text = case.to_json();
            assert!(text.lines().count() < 60, "{text}");
            let again = read("case.json", &text).expect("what was written can be read");
            assert_eq!(again, case);
            let (replayed, ()) = replay(&again.ready("case.json", None).expect("it can be run"), |_, _, _| ());
            assert_eq!(replayed.fate, Fate::Reproduced, "{text}");
            assert_eq!(replayed.findings[0].fingerprint, finding.fingerprint, "{text}");
            assert_eq!(replayed.missing().count(), 0, "{text}");
            same += 1;
        }
    }
    assert_eq!(same, 500);
}

/// The committed cases that reproduce under their own policy.
fn committed() -> impl Iterator<Item = (&'static str, Case)> {
    let all = REGRESSIONS.iter().map(|(name, text)| (*name, read(name, text).expect(name)));
    all.filter(|(_, case)| case.policy.name != "reference")
}

#[track_caller]
fn reproduces(name: &str, case: &Case, change: &str) {
    let (replayed, ()) = replay(&case.ready(name, None).expect(name), |_, _, _| ());
    assert_eq!(replayed.fate, Fate::Reproduced, "{name}, {change}: {:?}", replayed.choices);
}

/// The case in a scenario that somebody has changed since.
fn in_variant(case: &Case, change: impl Fn(&str) -> String) -> Case {
    let model = source::scenario(&case.scenario.name).expect("it is embedded");
    let mut case = case.clone();
    case.scenario.text = Some(change(&model.text));
    case
}

#[test]
fn another_order_leaves_old_cases_valid() {
    for (name, case) in committed() {
        let changed = in_variant(&case, |text| format!("{text}\n[[order]]\namount = \"7.00 EUR\"\ncustomer = 9\n"));
        reproduces(name, &changed, "another order");
        let ready = changed.ready(name, None).expect(name);
        assert!(ready.notices[0].contains("no longer the one"), "{:?}", ready.notices);
    }
}

#[test]
fn a_new_kind_and_a_missing_other_kind_leave_old_cases_valid() {
    for (name, mut case) in committed() {
        case.include = vec!["record-lost".to_string()];
        case.exclude = vec!["stale-read".to_string(), "clock-ahead".to_string()];
        reproduces(name, &case, "other kinds");
    }
}

#[test]
fn another_worker_leaves_old_cases_valid() {
    for (name, case) in committed() {
        let workers = |text: &str| match text.find("\nworkers = ") {
            Some(_) => text.replace("\nworkers = 2", "\nworkers = 3"),
            None => format!("workers = 3\n{text}"),
        };
        reproduces(name, &in_variant(&case, workers), "another worker");
    }
}

/// What a case's plan gives under other names, run in today's world.
fn compile(case: &Case, kinds: &Kinds, former: &[(&str, &str)]) -> Result<CompiledPlan, String> {
    case.compile(kinds, former)
}

#[test]
fn a_renamed_operation_needs_one_line() {
    for (name, case) in committed() {
        let mut old = case.clone();
        old.choices.iter_mut().for_each(|c| c.site = c.site.replace(" charge", " pay").replace(" fulfill", " ship"));
        let former = [("pay", "charge"), ("ship", "fulfill")];
        let today = compile(&case, &kinds(), &[]).expect(name);
        assert_eq!(compile(&old, &kinds(), &former).expect(name), today, "{name}");
        if old != case {
            let (replayed, ()) = replay(&old.ready(name, None).expect(name), |_, _, _| ());
            assert!(replayed.missing().count() > 0, "{name}: without the line it is reported");
        }
    }
}

#[test]
fn a_renamed_kind_needs_its_former_name() {
    let renamed: Vec<Kind> = kinds()
        .iter()
        .skip(unacked::sim::kind::ENGINE_KINDS.len())
        .map(|(_, kind)| Kind {
            name: Box::leak(format!("new-{}", kind.name).into_boxed_str()),
            aliases: Box::leak(vec![kind.name].into_boxed_slice()),
            ..*kind
        })
        .collect();
    let renamed = Kinds::with(&[Box::leak(renamed.into_boxed_slice())]);
    for (name, case) in committed() {
        assert_eq!(compile(&case, &renamed, &[]), compile(&case, &kinds(), &[]), "{name}");
    }
}

#[test]
fn reproduced_stale_fixed_and_kept_are_told_apart() {
    let (_, case) = findings("checkout", "new-key-on-retry", 1).remove(0);
    let fate = |case: &Case, policy: Option<&str>| {
        let policy = policy.map(|p| source::policy(p).expect(p));
        let (replayed, ()) = replay(&case.ready("case", policy.as_ref()).expect("runs"), |_, _, _| ());
        (replayed.fate, replayed.missing().count())
    };
    assert_eq!(fate(&case, None), (Fate::Reproduced, 0));
    assert_eq!(fate(&case, Some("reference")), (Fate::Kept, 0));
    let mut mended = case.clone();
    mended.policy.change = String::new();
    assert_eq!(fate(&mended, None), (Fate::Fixed, 0));
    let mut stale = mended.clone();
    stale.choices[0].site = "order-9 charge #1 reply".into();
    assert_eq!(fate(&stale, None), (Fate::Stale, 1));
    assert_eq!(fate(&stale, Some("new-key-on-retry")), (Fate::Kept, 1), "under a policy not its own it is reported");
    stale.choices[0].landed = false;
    assert_eq!(fate(&stale, None), (Fate::Fixed, 1));
    let mut more = case.clone();
    more.choices.push(stale.choices[0].clone());
    more.choices[1].landed = true;
    assert_eq!(fate(&more, None), (Fate::Reproduced, 1), "whatever is missing");
    let mut other = case.clone();
    (other.broke.promise, other.broke.operation) = ("shipped-once".into(), "fulfill".into());
    other.broke.signature = "shipped-once/fulfill/workflow".into();
    assert_eq!(fate(&other, None).0, Fate::Otherwise);
}

#[test]
fn a_file_of_the_user_is_carried_along() {
    let text = source::scenario("checkout").expect("embedded").text + "\n# mine\n";
    let model = Model::read("mine.toml", &text, &|_| Err("no files".into())).expect("it is right");
    let policy = source::policy("new-key-on-retry").expect("embedded");
    let filter = unacked::scenarios::filter::Filter::default();
    let mount = unacked::mount::BuiltIn { model: &model, policy: &policy, filter: &filter };
    let report = unacked::search::search(&mount, &unacked::search::Search::of(0..300), unacked::watch::Watch::NOBODY);
    let case = Case::of(&report.findings[0], &mount);
    assert_eq!(case.scenario.text.as_deref(), Some(text.as_str()));
    reproduces("mine", &case, "nothing");
    mount.in_lab(|_| ());
}

#[track_caller]
fn refused(change: impl Fn(&mut serde_json::Value), parts: &[&str]) {
    let (_, text) = REGRESSIONS[0];
    let mut value: serde_json::Value = serde_json::from_str(text).expect("JSON");
    change(&mut value);
    let text = value.to_string();
    let error = read("x.json", &text).and_then(|case| case.ready("x.json", None)).expect_err(&text).to_string();
    for part in parts.iter().chain(&["x.json"]) {
        assert!(error.contains(part), "`{part}` is missing from {error}");
    }
}

#[test]
fn what_is_wrong_with_a_case_is_said_with_its_line() {
    let (_, text) = REGRESSIONS[0];
    let check = |path: &str, value: serde_json::Value, line_of: &str| {
        let mut case: serde_json::Value = serde_json::from_str(text).expect("JSON");
        *case.pointer_mut(path).expect(path) = value;
        let text = serde_json::to_string_pretty(&case).expect("JSON");
        let line = text.lines().position(|line| line.contains(line_of)).expect(line_of) + 1;
        let ready = read("x.json", &text).and_then(|case| case.ready_from("x.json", &text, None));
        let error = ready.map(|_| "it was read").expect_err(path).to_string();
        assert!(error.starts_with(&format!("x.json: line {line}: ")), "{path}: {error}");
    };
    check("/policy/change", "key = 3".into(), "\"change\"");
    check("/policy/change", "durable = [\"0s\"]".into(), "\"change\"");
    check("/broke/promise", "charged-onc".into(), "\"promise\"");
    check("/choices/0/site", "order-1".into(), "\"order-1\"");
    check("/scenario/name", "chekout".into(), "chekout");
    check("/noise", "loud".into(), "loud");
}

#[test]
fn what_is_wrong_with_a_case_is_said_with_place_and_fix() {
    refused(
        |v| {
            v["format"] = 2.into();
            v["new"] = 1.into();
        },
        &["case format 2 is not known", "reads format 1"],
    );
    refused(|v| drop(v.as_object_mut().expect("object").remove("format")), &["\"format\": 1"]);
    refused(|v| v["choices"][0]["site"] = "order-1".into(), &["choices[0].site", "SCOPE VERB #N STAGE"]);
    refused(|v| v["choices"][0]["param"] = "9 parsecs".into(), &["choices[0].param", "250ms"]);
    refused(|v| v["choices"][0]["param"] = "never".into(), &["choices[0].param", "too long"]);
    refused(|v| v["choices"][0]["option"] = "crush".into(), &["crush", "list faults"]);
    refused(|v| v["choices"][0]["parm"] = "1s".into(), &["parm", "param"]);
    refused(
        |v| {
            let twice = v["choices"][0].clone();
            v["choices"].as_array_mut().expect("list").push(twice);
        },
        &["named twice"],
    );
    refused(|v| v["broke"]["promise"] = "charged-onc".into(), &["did you mean"]);
    refused(|v| v["broke"]["blame"] = "nobody".into(), &["workflow"]);
    refused(|v| v["broke"]["signature"] = "x".into(), &["contradicts"]);
    refused(|v| v["scenario"]["name"] = "chekout".into(), &["scenario.name", "did you mean `checkout`?"]);
    refused(|v| v["policy"]["change"] = "key = 3".into(), &["policy.change"]);
    refused(|v| v["noise"] = "loud".into(), &["noise", "32 hexadecimal"]);
    refused(|v| v["exclude"] = serde_json::json!(["crush"]), &["did you mean `crash`?"]);
}

/// A folder of its own under the target directory.
fn folder(name: &str) -> String {
    let path = format!("{}/{name}", env!("CARGO_TARGET_TMPDIR"));
    let _ = std::fs::remove_dir_all(&path);
    path
}

#[test]
fn what_is_saved_is_what_is_reported_and_fails_the_same_way_as_a_process() {
    for (name, words) in [("drawn", "check checkout --seeds 0..300"), ("placed", "exhaust checkout --faults 1")] {
        check_saved(&folder(name), words);
    }
}

fn check_saved(folder: &str, words: &str) {
    let words = format!("{words} --policy naive --format json --save {folder}");
    let report: serde_json::Value = serde_json::from_str(&common::unacked(&words).out).expect("a report is JSON");
    let mut reported: Vec<String> = Vec::new();
    for violation in report["scenarios"][0]["violations"].as_array().expect("an array") {
        let file = violation["case"].as_str().expect("every finding has its file").to_string();
        reported.push(file);
    }
    let files = std::fs::read_dir(folder).expect("the folder was made");
    let mut saved: Vec<String> = files.map(|f| f.expect("a file").file_name().to_string_lossy().into_owned()).collect();
    saved.sort();
    reported.sort();
    assert_eq!(saved, reported);
    for file in saved.iter().step_by(7) {
        let said = common::unacked(&format!("replay {folder}/{file} --format json"));
        let again: serde_json::Value = serde_json::from_str(&said.out).expect("a replay is JSON");
        assert_eq!((said.code, again["result"].as_str()), (1, Some("reproduced")), "{file}: {}", said.err);
        let told = again["violations"][0]["fingerprint"].as_str().expect("text");
        assert!(file.contains(told), "{file}: {told}");
        let shown = common::unacked(&format!("replay {folder}/{file}")).out;
        let command = shown.lines().find_map(|l| l.trim().strip_prefix("reproduce  unacked ")).expect("a command");
        let said = common::said(common::program().args(common::shell_words(command)));
        assert_eq!((said.code, &said.out), (1, &shown), "{command}");
    }
    assert!(common::unacked(&format!("replay {folder}/{} --without 1", saved[0])).out.contains("without fault 1"));
}

#[test]
fn a_folder_is_told_in_a_table_and_the_gravest_counts() {
    let kept = common::unacked("replay scenarios/regressions --policy reference");
    assert_eq!(kept.code, 0, "{}", kept.out);
    assert_eq!(common::unacked("replay scenarios/regressions").code, 1);
    let folder = folder("mixed");
    std::fs::create_dir_all(&folder).expect("a folder");
    let mut case = committed().next().expect("a case").1;
    case.policy.change = String::new();
    case.choices.iter_mut().for_each(|c| c.site = c.site.replace("order-1", "order-9"));
    std::fs::write(format!("{folder}/stale.json"), case.to_json()).expect("written");
    let stale = common::unacked(&format!("replay {folder}"));
    assert_eq!(stale.code, if case.choices.is_empty() { 0 } else { 4 }, "{}", stale.out);
    std::fs::write(format!("{folder}/broken.json"), "{").expect("written");
    let broken = common::unacked(&format!("replay {folder}"));
    assert_eq!(broken.code, 2);
    assert!(broken.out.contains("error") && broken.out.contains("stale"), "{}", broken.out);
}

#[test]
fn a_check_begins_with_the_regressions() {
    let said = common::unacked("check checkout --seeds 0..50");
    assert!(said.out.contains("each a failure of old"), "{}", said.out);
    let json = common::unacked("check checkout --seeds 0..50 --format json").out;
    let report: serde_json::Value = serde_json::from_str(&json).expect("a report is JSON");
    assert!(report["regressions"].as_array().is_some_and(|r| r.len() > 3), "{json}");
}

/// What is in a folder, by name.
fn contents(folder: &str) -> std::collections::BTreeMap<String, String> {
    let files = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file"));
    let text = |path| std::fs::read_to_string(path).expect("text");
    files.map(|f| (f.file_name().to_string_lossy().into_owned(), text(f.path()))).collect()
}

#[test]
fn what_was_saved_before_stays_with_its_notes() {
    let folder = folder("twice");
    let words = format!("check checkout --policy naive --seeds 0..400 --jobs 2 --save {folder}");
    assert_eq!(common::unacked(&words).code, 1);
    for (name, text) in contents(&folder) {
        let mut case = read(&name, &text).expect("a case");
        case.note = Some(format!("mine: {name}"));
        std::fs::write(format!("{folder}/{name}"), case.to_json()).expect("written");
    }
    std::fs::write(format!("{folder}/other.txt"), "mine").expect("written");
    let before = contents(&folder);
    // Other runs that find some of the same, something else, and nothing.
    for words in ["--policy naive --seeds 0..400", "--policy naive --seeds 200..500", "--seeds 0..50"] {
        common::unacked(&format!("check checkout {words} --jobs 2 --save {folder}"));
        let after = contents(&folder);
        for (name, text) in &before {
            assert_eq!(after.get(name), Some(text), "{name} after {words}");
        }
    }
}

#[test]
fn two_that_save_into_one_folder_at_the_same_time_lose_nothing() {
    let folder = folder("at-once");
    let started = |seeds: &str| {
        let words = format!("check checkout --policy naive --seeds {seeds} --jobs 1 --format json --save {folder}");
        common::program().args(words.split(' ')).stdout(std::process::Stdio::piped()).spawn().expect("it starts")
    };
    let both = ["0..3000", "1500..4500"].map(started);
    let mut reported = std::collections::BTreeSet::new();
    for child in both {
        let out = child.wait_with_output().expect("it ends").stdout;
        let report: serde_json::Value = serde_json::from_slice(&out).expect("a report");
        let violations = report["scenarios"][0]["violations"].as_array().expect("an array").clone();
        reported.extend(violations.iter().map(|v| v["case"].as_str().expect("a file").to_string()));
    }
    assert_eq!(contents(&folder).into_keys().collect::<std::collections::BTreeSet<String>>(), reported);
    assert!(reported.len() > 3, "{reported:?}");
}

#[test]
fn what_is_in_the_way_of_a_case_is_left_alone_and_said() {
    let folder = folder("in-the-way");
    let words = format!("check checkout --policy naive --seeds 0..50 --save {folder}");
    common::unacked(&words);
    let name = contents(&folder).into_keys().next().expect("a case");
    std::fs::write(format!("{folder}/{name}"), "my own notes").expect("written");
    let said = common::unacked(&words);
    assert_eq!(said.code, 2, "{}", said.out);
    assert!(said.err.contains(&name) && said.err.contains("in the way"), "{}", said.err);
    assert!(said.out.contains("violation["), "the report is not lost");
    assert_eq!(contents(&folder)[&name], "my own notes");
}

#[test]
fn a_folder_that_cannot_be_saved_into_is_refused_before_anything_runs() {
    let file = format!("{}/a-file", env!("CARGO_TARGET_TMPDIR"));
    std::fs::write(&file, "").expect("written");
    for folder in [&file, "/proc/nowhere"] {
        let said = common::said(common::program().args(["check", "checkout", "--save", folder]));
        assert_eq!((said.code, said.out.as_str()), (2, ""), "{}", said.err);
        assert!(said.err.contains("--save") && said.err.contains("can be written to"), "{}", said.err);
    }
    let said = common::said(common::program().args(["exhaust", "checkout", "--faults", "0", "--save", ""]));
    assert_eq!((said.code, said.out.as_str()), (2, ""));
    assert!(said.err.contains("--save: an empty name"), "{}", said.err);
}

#[test]
fn what_cannot_be_read_in_a_folder_does_not_stop_the_rest() {
    let folder = folder("odd");
    std::fs::create_dir_all(format!("{folder}/folder.json")).expect("a folder");
    std::fs::write(format!("{folder}/a.json"), REGRESSIONS[0].1).expect("written");
    std::fs::write(format!("{folder}/latin.json"), b"\xff").expect("written");
    #[cfg(unix)]
    std::os::unix::fs::symlink("loop.json", format!("{folder}/loop.json")).expect("a link to itself");
    let said = common::unacked(&format!("replay {folder} --policy reference"));
    assert_eq!(said.code, 2, "{}", said.err);
    assert!(said.out.contains("latin.json: line 1: not UTF-8"), "{}", said.out);
    assert!(cfg!(not(unix)) || said.out.contains("loop.json: cannot read"), "{}", said.out);
    assert!(said.out.contains("a.json") && said.out.contains("fixed"), "{}", said.out);
    assert!(!said.out.contains("folder.json"), "{}", said.out);
}

#[test]
fn without_a_fault_answers_in_the_format_asked_for() {
    let folder = folder("without");
    let (_, case) = findings("checkout", "new-key-on-retry", 1).remove(0);
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(format!("{folder}/case.json"), case.to_json()).expect("written");
    for what in [format!("{folder}/case.json"), "checkout:32 --policy naive".into()] {
        let said = |format: &str| common::unacked(&format!("replay {what} --without 1 {format}"));
        let json: serde_json::Value = serde_json::from_str(&said("--format json").out).expect("JSON");
        assert_eq!((&json["without"], &json["needed"]), (&1.into(), &true.into()), "{json}");
        assert_eq!((&json["verdict"], said("--format json").code), (&"kept".into(), 0));
        assert!(said("").out.contains("the fault is needed"));
        assert!(said("--trace").out.contains("the fault is needed") && said("--trace").out.lines().count() > 5);
        let mermaid = said("--format mermaid").out;
        assert!(mermaid.starts_with("sequenceDiagram\n") && mermaid.contains("without fault 1"), "{mermaid}");
        let perfetto: serde_json::Value = serde_json::from_str(&said("--format perfetto").out).expect("JSON");
        assert!(perfetto["traceEvents"].is_array());
        let trace: serde_json::Value = serde_json::from_str(&said("--trace --format json").out).expect("JSON");
        assert!(trace.is_array());
    }
}
