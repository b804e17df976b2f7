//! What a right workflow is tried against: an effect that lands after another worker looked for it in vain.

use unacked_mock_providers::message::Op;
use unacked_scenarios::catalog::{SCENARIOS, policy, scenario};
use unacked_scenarios::filter::Filter;
use unacked_scenarios::model::Model;
use unacked_scenarios::policy::PolicyFile;

/// Seeds per scenario.
const SEEDS: u64 = 10_000;

/// What people ask about when an answer is missing.
const OPS: [Op; 3] = [Op::Charge, Op::Fulfill, Op::Refund];

/// By operation, how often one worker sends, another looks and finds nothing, and then the first one's effect lands.
fn surfaced() -> [usize; 3] {
    let reference = PolicyFile::read("reference", policy("reference").expect("embedded")).expect("it is sound");
    let mut counts = [0; 3];
    for (name, _) in SCENARIOS.iter().filter(|(name, _)| *name != "canary") {
        let text = scenario(name).expect("embedded");
        let model = Model::read(name, text, &|_| Err("no files".into())).expect("it is sound");
        model.with_orchestrator(&reference, &Filter::default(), |lab| {
            for seed in 0..SEEDS {
                lab.run_seed(seed);
                let of = |op| lab.world(|shop| shop.promises.orders.iter().filter(|o| o.op(op).surfaced).count());
                counts.iter_mut().zip(OPS).for_each(|(count, op)| *count += of(op));
            }
        });
    }
    counts
}

#[test]
fn an_effect_that_another_worker_did_not_find_lands_afterwards() {
    let counts = surfaced();
    println!("charge, fulfill, refund in {SEEDS} seeds of each scenario: {counts:?}");
    // A thousand of each in ten times as many seeds.
    assert!(counts.iter().all(|&count| count >= 100), "charge, fulfill, refund: {counts:?}");
}
