//! Explanations: what does not matter, the point of no return, the mistake, and the same plan under `reference`.

use crate::common::unacked;
use insta::assert_snapshot;
use unacked::minimal::Finding;
use unacked::mistake::behind;
use unacked::mount::BuiltIn;
use unacked::rescue::NoReturn;
use unacked::scenarios::filter::Filter;
use unacked::scenarios::promises;
use unacked::search::{Search, search};
use unacked::sim::trace::Mark;
use unacked::source;
use unacked::watch::Watch;

/// The simplest finding of a promise under a policy, told in full.
fn finding(policy: &str, home: &str, promise: &str, seeds: u64) -> Finding {
    let (model, file, filter) =
        (source::scenario(home).expect(home), source::policy(policy).expect(policy), Filter::default());
    let mut what = Search::of(0..seeds);
    what.judge.only = promises::named(promise).map(|p| p.name);
    let mount = BuiltIn { model: &model, policy: &file, filter: &filter };
    let findings = search(&mount, &what, Watch::NOBODY).findings;
    findings.into_iter().find(|f| f.story.detail.is_some()).unwrap_or_else(|| panic!("{policy} breaks no {promise}"))
}

fn no_return(policy: &str, home: &str, promise: &str, seeds: u64) -> String {
    let finding = finding(policy, home, promise, seeds);
    match finding.story.detail.expect("told in full").no_return {
        NoReturn::Unknown => "unknown".into(),
        NoReturn::Never => "never".into(),
        NoReturn::From { event, at, text } => format!("event {event}, t={at}: {text}"),
    }
}

#[test]
fn the_point_of_no_return_is_where_the_evidence_was_thrown_away() {
    let cases = [
        ("naive", "checkout", "charged-once", 400),
        ("new-key-on-retry", "checkout", "charged-once", 400),
        ("resend-to-a-carrier-without-dedup", "no-dedup-carrier", "shipped-once", 2_000),
        ("ship-while-unknown", "checkout", "paid-before-shipped", 2_000),
        ("park-everything", "checkout", "handoff-justified", 2_000),
        ("write-after-answer", "checkout", "key-durable", 400),
    ];
    let lines = cases.map(|(policy, home, promise, seeds)| {
        format!("{policy}, {promise}: {}\n", no_return(policy, home, promise, seeds))
    });
    assert_snapshot!(lines.concat());
}

#[test]
fn the_send_that_broke_it_and_the_one_before_are_told_and_renewals_are_not() {
    let sends = |policy, home, promise, seeds, text: &str| {
        let steps = finding(policy, home, promise, seeds).story.steps;
        let told = |text: &str| steps.iter().filter(|s| s.mark == Mark::Send && s.text.starts_with(text)).count();
        (told(text), told("renew"))
    };
    assert_eq!(sends("naive", "checkout", "shipped-once", 400, "fulfill"), (2, 0));
    assert_eq!(sends("new-key-on-retry", "checkout", "charged-once", 400, "charge"), (2, 0));
    let parked = finding("park-everything", "approval-week", "finishes", 2_000).story;
    let told = |text: &str| parked.steps.iter().any(|s| s.text.contains(text));
    assert!(told("handed to the operator") && told("captured") && !told("renew"), "{:#?}", parked.steps);
}

#[test]
fn a_foreign_subject_cannot_be_rescued() {
    use unacked::prelude::*;
    struct Sleeps;
    impl Subject for Sleeps {
        type World = Shop;
        async fn run<'w>(&'w self, cx: Cx<'w, Shop>, _node: NodeId) {
            cx.sleep(Span::secs(1)).await;
        }
    }
    let text = check_subject(&Sleeps, "checkout", 0..1).expect("it runs").to_string();
    assert!(text.contains("no return  not known"), "{text}");
}

#[test]
fn blocks_say_what_does_not_matter() {
    for (name, words) in [
        ("a_pause", "check two-workers --policy fence-ignored --only owner-only --seeds 0..2000"),
        (
            "a_carrier",
            "check no-dedup-carrier --policy resend-to-a-carrier-without-dedup --only shipped-once --seeds 0..2000",
        ),
    ] {
        let said = unacked(words);
        let block = said.out.split("\n\nscenario").next().expect("a block");
        assert!(block.lines().count() <= 31, "{block}");
        assert!(block.lines().all(|line| line.chars().count() <= 100), "{block}");
        assert_snapshot!(name, block);
    }
}

#[test]
fn a_late_answer_is_marked_where_its_caller_gave_up() {
    let said = unacked("replay checkout:10 --policy refund-to-be-safe");
    assert!(said.out.contains("fulfill #2 reply: reply-late(31s)"), "{}", said.out);
    let marked = |line: &&str| line.contains("gives up waiting for fulfill") && line.ends_with("fault 2");
    assert!(said.out.lines().any(|line| marked(&line)), "{}", said.out);
}

#[test]
fn the_mistake_is_that_of_the_policy_or_else_the_usual_one() {
    let promise = promises::named("charged-once").expect("a promise");
    let told = |policy| behind(policy, promise).map(|mistake| (mistake.policy, mistake.own));
    assert_eq!(told("naive"), Some(("naive".into(), true)));
    assert_eq!(told("not-found-is-not-done"), Some(("not-found-is-not-done".into(), true)));
    assert_eq!(told("code of your own"), Some(("new-key-on-retry".into(), false)));
    assert_eq!(behind("naive", promises::named("no-panic").expect("a promise")), None);
}

#[test]
fn the_same_plan_under_the_reference_is_kept() {
    let said = unacked("replay checkout:49 --policy naive --compare reference");
    assert_eq!((said.code, said.err.as_str()), (1, ""));
    assert!(said.out.lines().all(|line| line.chars().count() <= 100), "{}", said.out);
    assert_snapshot!(said.out);
    let json = unacked("replay checkout:49 --policy naive --compare reference --format json").out;
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["policies"][1]["verdict"], "kept");
    assert_eq!(json["policies"][1]["landed"], serde_json::json!([true]));
}

#[test]
fn a_comparison_with_an_unknown_policy_says_what_there_is() {
    let said = unacked("replay checkout:49 --policy naive --compare refrence");
    assert_eq!(said.code, 2);
    assert!(said.err.contains("reference"), "{}", said.err);
}
