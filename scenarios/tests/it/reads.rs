//! Stale reads: a worker that perhaps saw nothing due looks again soon.

use std::fmt::Write;
use unacked_scenarios::catalog;
use unacked_scenarios::filter::Filter;
use unacked_scenarios::model::Model;
use unacked_scenarios::policy::PolicyFile;
use unacked_sim::plan::Plan;

#[test]
fn a_worker_whose_reads_are_stale_looks_again_each_second() {
    let text = catalog::scenario("checkout").expect("embedded");
    let model = Model::read("checkout", text, &|path| Err(format!("no file `{path}`"))).expect("valid");
    let policy = catalog::policy("reference").expect("embedded");
    let policy = PolicyFile::read("reference", policy).expect("valid");
    // More reads than a run has in which nothing strikes: each one that is stale brings the next.
    let stale = (1..=200).fold(String::new(), |mut plan, nth| {
        writeln!(plan, "worker-2 due #{nth} store: stale-read").expect("a string takes it");
        plan
    });
    let (landed, kept) = model.with_orchestrator(&policy, &Filter::default(), |lab| {
        let plan: Plan = stale.parse().expect("a plan");
        let compiled = lab.door(|door| plan.compile(&door.kinds)).expect("known names");
        let outcome = lab.run_plan(&compiled);
        (lab.landed().len(), outcome.violations.is_empty())
    });
    assert_eq!((landed, kept), (200, true));
}
