//! The quality of shrinking: the exact minimal plan of every wrong policy, and how many runs it took.

use insta::assert_snapshot;
use std::collections::BTreeMap;
use unacked::minimal::{Finding, from_seed};
use unacked::mount::{BuiltIn, Mount};
use unacked::scenarios::catalog::POLICIES;
use unacked::scenarios::filter::Filter;
use unacked::scenarios::policy::PolicyFile;
use unacked::sim::verdict::Signature;
use unacked::source;
use unacked::statistics::signatures;

/// Seeds looked at in each home.
const SEEDS: u64 = 2_000;

/// The lowest seed of every signature, shrunk.
fn findings(policy: &PolicyFile, home: &str) -> Vec<Finding> {
    let (model, filter) = (source::scenario(home).expect(home), Filter::default());
    BuiltIn { model: &model, policy, filter: &filter }.in_lab(|lab| {
        let mut lowest: BTreeMap<Signature, u64> = BTreeMap::new();
        for seed in 0..SEEDS {
            let outcome = lab.run_seed(seed);
            for signature in signatures(&outcome) {
                lowest.entry(signature).or_insert(seed);
            }
        }
        let shrunk = |(signature, seed): (&Signature, &u64)| {
            from_seed(lab, *seed, signature, unacked::watch::GO_ON).expect("deterministic")
        };
        lowest.iter().map(shrunk).collect()
    })
}

fn told(policy: &str, home: &str, finding: &Finding) -> String {
    let Finding { signature, story, .. } = finding;
    let seed = finding.seed.expect("found by a seed");
    let mut out = format!("{policy} in {home}:{seed} breaks {signature}, {} runs\n", story.shrinking.runs);
    story.faults.iter().for_each(|fault| out += &format!("    {fault}\n"));
    out
}

fn median(mut runs: Vec<u32>) -> u32 {
    runs.sort_unstable();
    runs.get(runs.len() / 2).copied().unwrap_or(0)
}

#[test]
fn every_wrong_policy_has_a_minimal_plan_found_in_few_runs() {
    let (mut out, mut runs) = (String::new(), Vec::new());
    for policy in POLICIES.iter().map(|(name, _)| source::policy(name).expect(name)).filter(|p| !p.is_right()) {
        for home in &policy.home {
            for finding in findings(&policy, home) {
                assert!(finding.story.shrinking.complete, "{} in {home}: {}", policy.name, finding.signature);
                runs.push(finding.story.shrinking.runs);
                if policy.caught_by.iter().any(|name| name == finding.signature.promise) {
                    out += &told(&policy.name, home, &finding);
                }
            }
        }
    }
    let worst = runs.iter().copied().max().unwrap_or(0);
    out += &format!("{} shrinks: median {} runs, worst {worst}\n", runs.len(), median(runs.clone()));
    assert!(median(runs) <= 200 && worst <= 2_000, "{out}");
    assert_snapshot!(out);
}
