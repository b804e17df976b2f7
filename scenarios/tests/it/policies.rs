//! The scenarios and policies that ship: complete, caught by whom they name, and legal without faults.

use std::collections::BTreeSet;
use std::path::Path;
use unacked_scenarios::books::Books;
use unacked_scenarios::catalog::{POLICIES, SCENARIOS, policy, scenario};
use unacked_scenarios::demand::demands;
use unacked_scenarios::filter::Filter;
use unacked_scenarios::model::Model;
use unacked_scenarios::policy::PolicyFile;
use unacked_scenarios::promises::ALL;
use unacked_scenarios::shop::Shop;
use unacked_search::told::Told;
use unacked_sim::verdict::Promise;
use unacked_workflow::order::{Cause, End};

/// Seeds within which a wrong policy must be caught.
const SEEDS: u64 = 2_000;

/// Promises that no policy names alone, and why.
const UNNAMED: [(&str, &str); 4] = [
    ("told-true", "no knob of a policy is about what is written into a mail: subjects of tests do that"),
    ("no-panic", "policies are data"),
    ("no-livelock", "what never rests breaks others first"),
    ("no-leak", "policies are data"),
];

fn model(name: &str) -> Model {
    let text = scenario(name).unwrap_or_else(|| panic!("no scenario `{name}`"));
    Model::read(name, text, &|path| Err(format!("no file `{path}`"))).unwrap_or_else(|e| panic!("{e}"))
}

fn policies() -> Vec<PolicyFile> {
    let read = |&(name, text): &(&str, &str)| PolicyFile::read(name, text).unwrap_or_else(|e| panic!("{e}"));
    POLICIES.iter().map(read).collect()
}

fn reference() -> PolicyFile {
    policies().swap_remove(0)
}

/// Whether a promise that the policy names is broken: in some run, or by all of them together.
fn is_caught(file: &PolicyFile, home: &str) -> bool {
    let names = |promise: &Promise| file.caught_by.iter().any(|c| c == promise.name);
    let (model, mut ends) = (model(home), [0; Shop::<Books>::ENDS.len()]);
    let in_a_run = model.with_orchestrator(file, &Filter::default(), |lab| {
        (0..SEEDS).any(|seed| {
            let broken = lab.run_seed(seed).violations.iter().any(|v| names(v.promise));
            lab.world(|shop| shop.count_ends(&mut ends));
            broken
        })
    });
    in_a_run || demands(&model.scenario, SEEDS, &ends).iter().any(|demand| names(demand.promise) && !demand.is_met())
}

/// How the orders end, those that were handed to a person marked.
fn ends(model: &Model, seed: u64) -> Vec<(Option<End>, bool)> {
    model.with_orchestrator(&reference(), &Filter::default(), |lab| {
        let outcome = lab.run_seed(seed);
        assert!(outcome.violations.is_empty(), "{}:{seed}: {:?}", model.name, outcome.violations);
        let handed: Vec<bool> = lab.world(|shop| shop.promises.orders.iter().map(|c| c.handed_off).collect());
        lab.store(|books| books.orders().zip(handed).map(|(o, handed)| (o.end, handed)).collect())
    })
}

#[test]
fn every_wrong_policy_is_caught_at_home_by_a_promise_it_names() {
    for file in policies().iter().filter(|p| !p.is_right()) {
        for home in &file.home {
            assert!(is_caught(file, home), "{} is not caught in {home} within {SEEDS} seeds", file.name);
        }
    }
}

#[test]
fn every_promise_is_named_alone_by_a_policy() {
    let all = policies();
    let unnamed = |promise: &&str| !all.iter().any(|p| p.caught_by == [*promise]);
    let missing: Vec<&str> = ALL.iter().map(|promise| promise.name).filter(unnamed).collect();
    assert_eq!(missing, UNNAMED.map(|(name, _)| name), "promises that no policy names alone");
}

#[test]
fn wrong_policies_say_what_they_break_and_where() {
    for file in policies().iter().filter(|p| !p.is_right()) {
        assert!(!file.breaks.is_empty() && !file.home.is_empty(), "{} names no rule or no home", file.name);
        assert!(file.home.iter().all(|h| scenario(h).is_some()), "{}: unknown home", file.name);
        let rule = |r: &String| r.strip_prefix('R').and_then(|n| n.parse::<u8>().ok()).is_some_and(|n| n <= 26);
        assert!(file.breaks.iter().all(rule), "{}: breaks {:?}", file.name, file.breaks);
        assert!(file.mistake.trim_end().ends_with('.'), "{}: `mistake` says in sentences what people do", file.name);
    }
}

#[test]
fn no_two_policies_do_the_same() {
    let all = policies();
    let deltas: BTreeSet<&str> = all.iter().map(|file| file.delta.as_str()).collect();
    assert_eq!(deltas.len(), all.len(), "two policies have the same `[change]`");
}

#[test]
fn only_the_first_policy_is_right() {
    let right: Vec<String> = policies().into_iter().filter(PolicyFile::is_right).map(|p| p.name).collect();
    assert_eq!(right, ["reference"]);
    let naive = PolicyFile::read("naive", policy("naive").unwrap_or_default());
    let caught_by = naive.map(|n| n.caught_by).unwrap_or_default();
    assert_eq!(caught_by, ["charged-once", "shipped-once", "refund-justified", "key-durable"]);
}

#[test]
fn the_embedded_lists_are_the_folders() {
    for (folder, table) in [("worlds", SCENARIOS), ("policies", POLICIES)] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let entries = std::fs::read_dir(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let names = entries.filter_map(|e| e.ok()?.file_name().into_string().ok());
        let files: BTreeSet<String> = names.filter_map(|n| Some(n.strip_suffix(".toml")?.to_owned())).collect();
        let listed: BTreeSet<String> = table.iter().map(|(n, _)| (*n).to_owned()).collect();
        assert_eq!(files, listed, "{folder}");
        assert_eq!(table.len(), listed.len(), "{folder} lists something twice");
    }
}

#[test]
fn without_faults_every_order_ends_well_and_only_the_approver_is_asked() {
    for (name, _) in SCENARIOS {
        let calm = model(name).calm();
        for seed in 0..300 {
            let mut ends = ends(&calm, seed);
            ends.sort_by_key(|(end, _)| *end != Some(End::Delivered));
            let delivered = (Some(End::Delivered), false);
            let expected = match *name {
                "two-orders" => vec![delivered, (Some(End::Refused(Cause::NoStock)), false)],
                _ => vec![delivered],
            };
            assert_eq!(ends, expected, "{name}:{seed}");
        }
    }
}

#[test]
fn the_reference_keeps_every_promise() {
    for (name, _) in SCENARIOS {
        model(name).with_orchestrator(&reference(), &Filter::default(), |lab| {
            for seed in 0..300 {
                let broken = lab.run_seed(seed).violations;
                assert!(broken.is_empty(), "{name}:{seed}: {broken:?}");
            }
        });
    }
}
