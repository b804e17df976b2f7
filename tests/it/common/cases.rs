//! Makes cases through the library.

use unacked::case::Case;
use unacked::minimal::{Finding, from_seed};
use unacked::mount::{BuiltIn, Mount};
use unacked::scenarios::filter::Filter;
use unacked::search::Search;
use unacked::source;
use unacked::statistics::signatures;

/// Up to `most` findings, one per failing seed, under a policy in a scenario.
pub(crate) fn findings(scenario: &str, policy: &str, most: usize) -> Vec<(Finding, Case)> {
    let (model, policy) = (source::scenario(scenario).expect(scenario), source::policy(policy).expect(policy));
    let filter = Filter::default();
    let mount = BuiltIn { model: &model, policy: &policy, filter: &filter };
    mount.in_lab(|lab| {
        let mut found = Vec::new();
        for seed in Search::of(0..20_000).seeds {
            let Some(signature) = signatures(&lab.run_seed(seed)).first().copied() else { continue };
            let finding =
                from_seed(lab, seed, &signature, unacked::watch::GO_ON).expect("the orchestrator is deterministic");
            let case = Case::of(&finding, &mount);
            found.push((finding, case));
            if found.len() == most {
                break;
            }
        }
        found
    })
}
