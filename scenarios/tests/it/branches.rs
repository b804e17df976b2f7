//! Placements that branch off from checkpoints are the runs from the beginning, in every scenario.

use unacked_scenarios::catalog::{SCENARIOS, policy, scenario};
use unacked_scenarios::filter::Filter;
use unacked_scenarios::model::Model;
use unacked_scenarios::policy::PolicyFile;
use unacked_scenarios::shop::Shop;
use unacked_sim::explore::Walk;
use unacked_sim::lab::{Lab, Outcome};
use unacked_sim::plan::{CompiledChoice, CompiledPlan};

fn in_lab<R>(scene: &str, orders: &str, work: impl FnOnce(&mut Lab<'_, Shop>) -> R) -> R {
    let text = scenario(scene).expect("embedded");
    let model = Model::read(scene, text, &|path| Err(format!("no file `{path}`"))).expect("valid");
    let policy = PolicyFile::read(orders, policy(orders).expect("embedded")).expect("valid");
    model.with_orchestrator(&policy, &Filter::default(), work)
}

/// All that can be told apart in a run.
fn seen(outcome: &Outcome, lab: &Lab<'_, Shop>) -> String {
    let Outcome { digest, violations, events, ended, calm, legal } = outcome;
    let broken: Vec<String> = violations.iter().map(|v| format!("{} {}", v.signature(), v.found)).collect();
    let records = lab.store(|books| books.orders().map(|order| format!("{order:?}")).collect::<String>());
    format!("{digest:x} {events} {ended} {calm} {legal} {broken:?} {records}")
}

/// Compares all placements of up to `faults` choices that extend these; how many there were.
fn check(scene: &str, orders: &str, first: &[CompiledChoice], faults: usize) -> usize {
    let mut branched: Vec<(Vec<CompiledChoice>, String)> = Vec::new();
    in_lab(scene, orders, |lab| {
        let mut visit = |compiled: &CompiledPlan, outcome: &Outcome, lab: &Lab<'_, Shop>| {
            branched.push((compiled.choices.clone(), seen(outcome, lab)));
            true
        };
        let mut compiled = CompiledPlan { choices: first.to_vec(), ..CompiledPlan::default() };
        assert_eq!(Walk::new(faults, &mut visit).below(lab, &mut compiled), Ok(true));
    });
    in_lab(scene, orders, |lab| {
        for (choices, expected) in &branched {
            let outcome = lab.run_plan(&CompiledPlan { choices: choices.clone(), ..CompiledPlan::default() });
            assert_eq!(seen(&outcome, lab), *expected, "{scene} under {orders}: {choices:?}");
        }
    });
    branched.len()
}

#[test]
fn branches_are_the_runs_from_the_beginning() {
    for (scene, _) in SCENARIOS {
        assert!(check(scene, "reference", &[], 1) > 40, "{scene}");
    }
    assert!(check("peer-baseline", "reference", &[], 2) > 3_000);
}

#[test]
fn wrong_policies_fail_alike() {
    for (scene, orders) in [("checkout", "naive"), ("two-workers", "lock-is-ownership"), ("approval-week", "naive")] {
        assert!(check(scene, orders, &[], 1) > 100, "{scene} under {orders}");
    }
}

#[test]
fn an_operator_at_work_is_copied_too() {
    let handed_off = |lab: &mut Lab<'_, Shop>| {
        let mut found = None;
        let mut visit = |compiled: &CompiledPlan, _: &Outcome, lab: &Lab<'_, Shop>| {
            let handed_off = lab.world(|shop| shop.promises.orders.iter().any(|case| case.handed_off));
            found = handed_off.then(|| compiled.choices.clone());
            found.is_none()
        };
        assert_eq!(Walk::new(2, &mut visit).below(lab, &mut CompiledPlan::default()), Ok(false));
        found.expect("the walk ended for it")
    };
    let first = in_lab("two-orders", "reference", handed_off);
    assert!(check("two-orders", "reference", &first, first.len() + 1) > 100);
}
