//! Enumeration: every reachable combination exactly once, against a brute-force count.

use crate::engine::tiny::{Job, SCOPES, Setup, Tiny, VERBS, charge, entries, job, note};
use proptest::prelude::*;
use std::collections::BTreeSet;
use unacked_sim::cx::{Cx, Peek};
use unacked_sim::explore::{Levels, Walk};
use unacked_sim::lab::Lab;
use unacked_sim::plan::{CompiledChoice, CompiledPlan};
use unacked_sim::site::{SiteName, Stage};
use unacked_sim::time::Span;
use unacked_sim::world::NodeId;

/// All placements of up to `faults` choices, as the walk visits them.
fn walk(lab: &mut Lab<'_, Tiny>, faults: usize) -> (Vec<Vec<CompiledChoice>>, Levels) {
    let mut visited = Vec::new();
    let mut visit = |compiled: &CompiledPlan, _: &unacked_sim::lab::Outcome, _: &Lab<'_, Tiny>| {
        let mut choices = compiled.choices.clone();
        choices.sort_unstable();
        visited.push(choices);
        true
    };
    let mut walk = Walk::new(faults, &mut visit);
    walk.levels.0[0].predicted = 1;
    let done = walk.below(lab, &mut CompiledPlan::default());
    assert_eq!(done, Ok(true), "every plan lands, in its order");
    let levels = walk.levels;
    (visited, levels)
}

/// Level sizes, after the checks that hold for every world.
fn sizes(setup: &Setup, code: impl for<'w> Fn(Cx<'w, Tiny>, NodeId) -> Job<'w>, faults: usize) -> Vec<u64> {
    let (visited, levels) = setup.lab(code, |lab| walk(lab, faults));
    assert!(levels.complete(), "predicted == run: {levels:?}");
    assert_eq!(levels.runs(), visited.len() as u64);
    let distinct: BTreeSet<&Vec<CompiledChoice>> = visited.iter().collect();
    assert_eq!(distinct.len(), visited.len(), "each once");
    levels.0.iter().map(|l| l.run).collect()
}

// ---- counted by hand

fn calls(n: u64) -> impl for<'w> Fn(Cx<'w, Tiny>, NodeId) -> Job<'w> {
    move |cx, _| {
        Box::pin(async move {
            for key in 0..n {
                charge(cx, key).await;
            }
        })
    }
}

#[test]
fn worlds_that_can_be_counted_by_hand() {
    // Four calls, each lost on its way there or back, never both: binomial(4, k) x 2^k.
    let setup = Setup { request: "request-lost".into(), reply: "reply-lost".into(), ..Setup::calm() };
    assert_eq!(sizes(&setup, calls(4), 4), [1, 8, 24, 32, 16]);
    assert_eq!(sizes(&setup, calls(4), 2), [1, 8, 24]);
    assert_eq!(sizes(&setup, calls(4), 0), [1]);
    assert_eq!(sizes(&setup, calls(0), 3), [1, 0, 0, 0]);
    // A value is a placement of its own: three per call, two calls.
    let setup = Setup { reply: "reply-lost reply-late(1s,2s)".into(), ..Setup::calm() };
    assert_eq!(sizes(&setup, calls(2), 3), [1, 6, 9, 0]);
    // A copy's answer can be lost too: {dup}, {lost}, {dup, lost}, {dup, lost of the copy}, {all three}.
    let setup = Setup { request: "request-duplicated".into(), reply: "reply-lost".into(), ..Setup::calm() };
    assert_eq!(sizes(&setup, calls(1), 4), [1, 2, 2, 1, 0]);
    // A crash brings the next site about: exactly one chain.
    let again = job(|cx, _| {
        Box::pin(async move {
            let _ = note(cx, "once more").await;
        })
    });
    let setup = Setup { after_write: "crash".into(), ..Setup::calm() };
    assert_eq!(sizes(&setup, again, 4), [1, 1, 1, 1, 1]);
}

#[test]
fn a_site_that_is_asked_twice_is_placed_once() {
    let setup = Setup { provider: "request-late(1s)".into(), ..Setup::calm() };
    assert_eq!(sizes(&setup, calls(1), 1), [1, 1]);
}

#[test]
fn a_walk_can_be_ended_and_taken_up_by_prefix() {
    let setup = Setup { request: "request-lost".into(), reply: "reply-lost".into(), ..Setup::calm() };
    setup.lab(calls(3), |lab| {
        let (all, _) = walk(lab, 2);
        lab.enumerate(&CompiledPlan::default());
        let prefixes = lab.door(unacked_sim::explore::extensions);
        let mut by_prefix = vec![Vec::new()];
        let mut sum = Levels::new(2);
        for prefix in prefixes.into_iter().rev().map(|extension| extension.choice) {
            let mut visit = |compiled: &CompiledPlan, _: &_, _: &Lab<'_, Tiny>| {
                let mut choices = compiled.choices.clone();
                choices.sort_unstable();
                by_prefix.push(choices);
                true
            };
            let mut walk = Walk::new(2, &mut visit);
            let mut compiled = CompiledPlan { choices: vec![prefix], ..CompiledPlan::default() };
            assert_eq!(walk.below(lab, &mut compiled), Ok(true));
            assert_eq!(compiled.choices, [prefix], "as it was");
            sum.add(&walk.levels);
        }
        assert_eq!(sum.runs() + 1, all.len() as u64);
        by_prefix.sort_unstable();
        let mut all = all;
        all.sort_unstable();
        assert_eq!(by_prefix, all);

        let mut seen = 0;
        let mut visit = |_: &CompiledPlan, _: &_, _: &Lab<'_, Tiny>| {
            seen += 1;
            seen < 5
        };
        let mut walk = Walk::new(2, &mut visit);
        assert_eq!(walk.below(lab, &mut CompiledPlan::default()), Ok(false));
        assert_eq!((walk.levels.runs(), walk.levels.complete()), (5, false));
    });
}

// ---- brute force

/// One step of a program.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// A charge, tried up to so many times.
    Charge(u8),
    Note,
    Sleep,
    /// Note only if the diary is empty.
    NoteIfEmpty,
    /// A charge beside the main task.
    Beside,
}

fn program(steps: Vec<Step>) -> impl for<'w> Fn(Cx<'w, Tiny>, NodeId) -> Job<'w> {
    move |cx, node| {
        let steps = steps.clone();
        Box::pin(async move {
            for (at, step) in steps.iter().enumerate() {
                carry_out(cx, *step, at as u64 * 8 + u64::from(node.0)).await;
            }
        })
    }
}

async fn carry_out(cx: Cx<'_, Tiny>, step: Step, key: u64) {
    match step {
        Step::Charge(tries) => {
            for _ in 0..tries {
                if charge(cx, key).await.starts_with("charged") {
                    break;
                }
            }
        }
        Step::Note => {
            let _ = note(cx, "note").await;
        }
        Step::Sleep => cx.sleep(Span::secs(2)).await,
        Step::NoteIfEmpty => {
            if cx.peek(|diary, _| diary.0.is_empty()) {
                let _ = note(cx, "first").await;
            }
        }
        Step::Beside => cx.spawn(async move { drop(charge(cx, key).await) }),
    }
}

/// Every (site, option, value) that could be, whether it ever comes up or not. Nothing here looks at
/// what the door offers.
fn universe(setup: &Setup, occurrences: u32) -> Vec<CompiledChoice> {
    /// Marks the first copy of a request.
    const COPY: u32 = 1 << 24;
    let copies = setup.request.contains("request-duplicated");
    let mut choices = Vec::new();
    let stages = |verb: &str| match verb {
        "charge" => vec![
            (Stage::Before, &setup.before_send),
            (Stage::After, &setup.after_send),
            (Stage::Request, &setup.request),
            (Stage::Reply, &setup.reply),
        ],
        "note" => {
            vec![(Stage::Before, &setup.before_write), (Stage::After, &setup.after_write), (Stage::Store, &setup.store)]
        }
        _ => vec![],
    };
    for verb in VERBS {
        for (stage, menu) in stages(verb) {
            for occurrence in (1..=occurrences).flat_map(|o| [o, o | COPY]).filter(|o| copies || o & COPY == 0) {
                let site = SiteName { scope: SCOPES[0].into(), verb: verb.into(), occurrence, stage };
                push(&mut choices, site.hash(), menu);
            }
        }
    }
    for worker in SCOPES.iter().skip(1).take(setup.nodes) {
        let site = SiteName { scope: worker.to_string(), verb: "clock".into(), occurrence: 1, stage: Stage::Clock };
        push(&mut choices, site.hash(), &setup.clock);
    }
    choices
}

fn push(choices: &mut Vec<CompiledChoice>, site: u64, menu: &str) {
    for entry in entries(menu) {
        let values = if entry.values.is_empty() { vec![0] } else { entry.values.clone() };
        choices.extend(values.into_iter().map(|value| CompiledChoice { site, kind: entry.kind, value }));
    }
}

/// All subsets of at most `faults` choices all of which land. A superset of one that does not land may
/// land (a crash brings new sites about), so nothing is cut off early.
fn brute_force(lab: &mut Lab<'_, Tiny>, all: &[CompiledChoice], faults: usize) -> BTreeSet<Vec<CompiledChoice>> {
    fn go(
        lab: &mut Lab<'_, Tiny>,
        rest: &[CompiledChoice],
        left: usize,
        compiled: &mut CompiledPlan,
        keep: &mut BTreeSet<Vec<CompiledChoice>>,
    ) {
        lab.run_plan(compiled);
        if lab.missing().is_empty() {
            let mut choices = compiled.choices.clone();
            choices.sort_unstable();
            keep.insert(choices);
        }
        if left == 0 {
            return;
        }
        for (at, choice) in rest.iter().enumerate() {
            if compiled.choices.iter().all(|c| c.site != choice.site) {
                compiled.choices.push(*choice);
                go(lab, &rest[at + 1..], left - 1, compiled, keep);
                compiled.choices.pop();
            }
        }
    }
    let mut keep = BTreeSet::new();
    go(lab, all, faults, &mut CompiledPlan::default(), &mut keep);
    keep
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        (1u8..=2).prop_map(Step::Charge),
        Just(Step::Note),
        Just(Step::Sleep),
        Just(Step::NoteIfEmpty),
        Just(Step::Beside),
    ];
    prop::collection::vec(step, 1..=3)
}

/// A random selection of at most two of the words.
fn some_of(words: &'static [&'static str]) -> impl Strategy<Value = String> {
    prop::sample::subsequence(words, 0..=words.len().min(2)).prop_map(|chosen| chosen.join(" "))
}

fn setups() -> impl Strategy<Value = Setup> {
    let strike = || some_of(&["crash(1s)", "crash", "pause(3s)", "hold"]);
    let strike = || strike().prop_map(|text| if text.matches("crash").count() > 1 { "crash(1s)".into() } else { text });
    let wire = (
        some_of(&["request-refused", "request-lost", "request-late(1s)", "request-duplicated"]),
        some_of(&["reply-lost", "reply-late(3s,9s)", "reply-duplicated", "reply-undecodable"]),
    );
    let strikes = (strike(), strike(), strike(), strike());
    let store = some_of(&["write-unacknowledged", "write-lost", "write-conflict", "store-unavailable(1s)"]);
    let clock = some_of(&["clock-ahead(1m)"]);
    (1usize..=2, wire, strikes, store, clock).prop_map(|(nodes, wire, strikes, store, clock)| Setup {
        nodes,
        request: wire.0,
        reply: wire.1,
        before_write: strikes.0,
        after_write: strikes.1,
        before_send: strikes.2,
        after_send: strikes.3,
        store,
        clock,
        ..Setup::calm()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_reachable_combination_comes_exactly_once(setup in setups(), steps in steps()) {
        // As many occurrences as there can be: each crash can run the program once more.
        for (faults, most) in [(0, 1_000), (1, 1_000), (2, 300), (3, 90)] {
            let strikes = [&setup.before_write, &setup.after_write, &setup.before_send, &setup.after_send];
            let crashes = if strikes.iter().any(|s| s.contains("crash")) { faults } else { 0 };
            let lives = setup.nodes + crashes;
            let calls: usize = steps.iter().map(|s| if let Step::Charge(n) = s { usize::from(*n) } else { 1 }).sum();
            let all = universe(&setup, (calls * lives) as u32);
            if all.len() > most {
                continue;
            }
            let (visited, levels) = setup.lab(program(steps.clone()), |lab| walk(lab, faults));
            let expected = setup.lab(program(steps.clone()), |lab| brute_force(lab, &all, faults));
            prop_assert!(levels.complete(), "{levels:?}");
            let distinct: BTreeSet<Vec<CompiledChoice>> = visited.iter().cloned().collect();
            prop_assert_eq!(distinct.len(), visited.len(), "each once");
            prop_assert_eq!(distinct, expected, "{} choices of {}", faults, all.len());
        }
    }
}
