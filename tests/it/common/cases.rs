//! Makes cases through the library.

use unacked::case::Case;
use unacked::hunt::Hunt;
use unacked::minimal::{Finding, from_seed};
use unacked::rig::{BuiltIn, Rig};
use unacked::scenarios::filter::Filter;
use unacked::source;
use unacked::tally::signatures;

/// Up to `most` findings, one per failing seed, under a policy in a scenario.
pub(crate) fn findings(scenario: &str, policy: &str, most: usize) -> Vec<(Finding, Case)> {
    let (model, policy) = (source::scenario(scenario).expect(scenario), source::policy(policy).expect(policy));
    let filter = Filter::default();
    let rig = BuiltIn { model: &model, policy: &policy, filter: &filter };
    rig.in_lab(|lab| {
        let mut found = Vec::new();
        for seed in Hunt::of(0..20_000).seeds {
            let Some(signature) = signatures(&lab.run_seed(seed)).first().copied() else { continue };
            let finding = from_seed(lab, seed, &signature).expect("the orchestrator is deterministic");
            let case = Case::of(&finding, &rig);
            found.push((finding, case));
            if found.len() == most {
                break;
            }
        }
        found
    })
}
