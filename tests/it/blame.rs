//! Who is blamed: the workflow for what it does, the provider for what it breaks or leaves open.

use crate::common::unacked;
use std::collections::BTreeSet;
use unacked::mount::BuiltIn;
use unacked::scenarios::catalog::SCENARIOS;
use unacked::scenarios::filter::Filter;
use unacked::scenarios::model::kinds;
use unacked::search::{Search, search};
use unacked::sim::kind::Class;
use unacked::sim::verdict::Blame;
use unacked::source;
use unacked::watch::Watch;

/// Who is blamed in these runs, all violations together, if one kind may happen too.
fn check(policy: &str, kind: &str, seeds: u64) -> BTreeSet<Blame> {
    let filter = Filter { include: vec![kind.into()], ..Filter::default() };
    let policy = source::policy(policy).expect(policy);
    let blamed = SCENARIOS.iter().filter(|(name, _)| *name != "canary").flat_map(|(name, _)| {
        let model = source::scenario(name).expect(name);
        let mount = BuiltIn { model: &model, policy: &policy, filter: &filter };
        let found = search(&mount, &Search::of(0..seeds), Watch::NOBODY).statistics.found;
        found.into_keys().map(|signature| signature.blame).collect::<Vec<_>>()
    });
    blamed.collect()
}

/// The kinds of a class.
fn of(class: Class) -> Vec<&'static str> {
    kinds().iter().filter(|(_, kind)| kind.class == class).map(|(_, kind)| kind.name).collect()
}

#[test]
fn a_right_workflow_is_blamed_for_nothing_that_a_provider_does() {
    for kind in [of(Class::Undocumented), of(Class::Breach)].concat() {
        assert!(!check("reference", kind, 2_000).contains(&Blame::Workflow), "{kind}");
    }
}

#[test]
fn what_is_left_open_and_what_is_broken_are_told_apart() {
    assert_eq!(check("reference", "race-executed", 12_000), BTreeSet::from([Blame::Undocumented]));
    assert_eq!(check("reference", "key-forgotten", 1_000), BTreeSet::from([Blame::Breach]));
}

#[test]
fn a_wrong_workflow_is_not_excused_by_what_a_provider_does_besides() {
    assert!(check("new-key-on-retry", "key-forgotten", 500).contains(&Blame::Workflow));
}

#[test]
fn what_is_not_the_workflows_fault_fails_only_where_that_is_asked_for() {
    let of = "check checkout --include key-forgotten --seeds 0..3000";
    let usual = unacked(of);
    assert_eq!(usual.code, 0, "{}", usual.out);
    assert!(usual.out.contains("blame  breach"), "{}", usual.out);
    assert!(usual.out.contains("nothing in 3,000 runs was the workflow's fault"), "{}", usual.out);
    assert_eq!(unacked(&format!("{of} --fail-on breach")).code, 1);
    assert_eq!(unacked(&format!("{of} --fail-on undocumented")).code, 0);
}
