//! `peer-baseline` is the workload that other simulators were measured with: the same load per run.

use unacked_scenarios::catalog;
use unacked_scenarios::filter::Filter;
use unacked_scenarios::model::Model;
use unacked_scenarios::policy::PolicyFile;
use unacked_sim::trace::{Mark, TraceEvent};

/// Means per run: attempts, timeouts, errors received, crashes.
fn load(seeds: u64) -> [f64; 4] {
    let text = catalog::scenario("peer-baseline").expect("embedded");
    let model = Model::read("peer-baseline", text, &|_| Err("no files here".into())).expect("valid");
    let reference = PolicyFile::read("reference", catalog::policy("reference").expect("embedded")).expect("valid");
    model.with_orchestrator(&reference, &Filter::default(), |lab| {
        let mut sums = [0u32; 4];
        for seed in 0..seeds {
            let (outcome, trace) = lab.trace_seed(seed);
            assert!(outcome.violations.is_empty() && outcome.legal, "seed {seed}");
            trace.iter().for_each(|event| count(event, &mut sums));
        }
        sums.map(|sum| f64::from(sum) / seeds as f64)
    })
}

fn count(event: &TraceEvent, sums: &mut [u32; 4]) {
    let waited = !event.text.ends_with("(nobody waits)");
    match event.mark {
        Mark::Send => sums[0] += 1,
        Mark::Timeout => sums[1] += 1,
        Mark::Arrive if event.text.contains("500") && waited => sums[2] += 1,
        Mark::Node if event.text.starts_with("crash") => sums[3] += 1,
        _ => {}
    }
}

/// Published means of the workload (100,000 seeds of the hand-written peer), within 5 %.
#[test]
fn the_load_is_that_of_the_peers() {
    let found = load(6_000);
    for (what, found, published) in [
        ("attempts", found[0], 7.049),
        ("timeouts", found[1], 0.647),
        ("errors", found[2], 0.123),
        ("crashes", found[3], 0.281),
    ] {
        let off = (found / published - 1.0).abs();
        assert!(off < 0.05, "{what}: {found:.3} a run, published {published}");
    }
}
