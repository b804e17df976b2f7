//! The alarms work: the canary always fails, and a subject that is not deterministic is found out.

use crate::common::unsteady::Unsteady;
use crate::common::{program, said, unacked};
use unacked::mount::UserSubject;
use unacked::prelude::*;
use unacked::scenarios::filter::Filter;
use unacked::search::{Search, Verify, search};
use unacked::source;
use unacked::watch::Watch;

#[test]
fn the_canary_fails_like_anything_else() {
    let said = unacked("check canary --seeds 0..60");
    assert_eq!(said.code, 1, "{}{}", said.out, said.err);
    assert!(said.out.contains("violation[charged-once]: order 1 was charged twice"), "{}", said.out);
    assert!(said.out.contains("needed"), "{}", said.out);
    let right = unacked("check canary --seeds 0..60 --policy reference");
    assert_eq!(right.code, 0, "it is the policy that is wrong: {}", right.out);
}

#[test]
fn the_canary_is_not_among_all() {
    assert!(source::usual_scenarios().all(|name| name != source::CANARY));
    assert!(source::scenario(source::CANARY).is_ok());
}

#[test]
fn a_difference_is_shown_at_its_first_event_whichever_runs_are_made_again() {
    for verify in [Verify::Sample, Verify::All] {
        let model = source::scenario("checkout").expect("embedded");
        let subject = Unsteady::default();
        let mount = UserSubject { model: &model, subject: &subject, filter: &Filter::default(), sees_store: false };
        let result = search(&mount, &Search { verify, ..Search::of(0..20) }, Watch::NOBODY);
        let differs = result.unsteady.expect("it is found out");
        let first = differs.first.expect("the first event that differs");
        assert!(first.at >= Time(7_000_000 - 20_000) && first.at < Time(8_000_000), "{first:?}");
        assert!(first.one.contains("charge") && first.one != first.other, "{first:?}");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_check_leaves_what_it_found_and_says_130() {
    let folder = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("interrupted");
    let _ = std::fs::remove_dir_all(&folder);
    let words = "check checkout --policy naive --for 10m --jobs 1 --save";
    let mut command = program();
    command.args(words.split_whitespace()).arg(&folder);
    command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    let child = command.spawn().expect("it starts");
    let saved = || std::fs::read_dir(&folder).map_or(0, |files| files.count());
    while saved() < 3 {
        std::thread::yield_now();
    }
    said(std::process::Command::new("kill").args(["-INT", &child.id().to_string()]));
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("verdict"), "the summary is printed: {text}");
    let replayed = said(program().arg("replay").arg(&folder));
    assert_eq!(replayed.code, 1, "{}", replayed.out);
    assert!(!replayed.out.contains("stale") && !replayed.out.contains("error"), "{}", replayed.out);
}
