//! `check --policy all`: the oracles' own test. The reference keeps all, every wrong policy is caught.

use super::args::{Check, Format};
use super::sets::{one_set, regressions, run_sets};
use super::typed::{filter, judge, scenarios};
use super::{Done, interrupt, terminal};
use crate::case::Saver;
use crate::conclusion::Conclusion;
use crate::input_error::InputError;
use crate::mount::BuiltIn;
use crate::regressions::Regressions;
use crate::report::{self, Caught};
use crate::runset::RunSet;
use crate::source;
use std::ops::Range;
use unacked_scenarios::catalog;
use unacked_scenarios::policy::PolicyFile;

/// A wrong policy has to be caught within these.
const USUAL: Range<u64> = 0..2_000;

pub(super) fn run(args: &Check, saver: Option<&Saver>) -> Done {
    let wrong = wrong_policies()?;
    let models = scenarios(&args.scenarios)?;
    if !wrong.iter().flat_map(|policy| &policy.home).any(|home| wants(args, home)) {
        return Err(nothing_tried(args));
    }
    let right = source::policy("reference")?;
    let regressions = regressions(args, &models, Some(&right))?;
    let reference = run_sets(args, &models, Some(&right), saver)?;
    let mut rows = Vec::new();
    let mut conclusion = reference.iter().map(RunSet::conclusion).fold(regressions.conclusion(), Conclusion::max);
    for policy in &wrong {
        for home in policy.home.iter().filter(|home| wants(args, home)) {
            if interrupt::came() {
                break;
            }
            let (row, steady) = at_home(args, policy, home, saver)?;
            conclusion =
                conclusion.max(if row.is_caught() { Conclusion::Kept } else { Conclusion::Violated }).max(steady);
            rows.push(row);
        }
    }
    report::out(&told(args, (&reference, &regressions), &rows, conclusion))?;
    Ok(conclusion)
}

fn wrong_policies() -> Result<Vec<PolicyFile>, InputError> {
    let all: Result<Vec<PolicyFile>, InputError> =
        catalog::POLICIES.iter().map(|(name, _)| source::policy(name)).collect();
    Ok(all?.into_iter().filter(|p| !p.is_right()).collect())
}

fn nothing_tried(args: &Check) -> InputError {
    let scenarios = args.scenarios.join(", ");
    InputError(format!(
        "no wrong policy is at home in {scenarios}, so none would be tried; `explain naive` shows where one is"
    ))
}

fn wants(args: &Check, home: &str) -> bool {
    args.scenarios.is_empty() || args.scenarios.iter().any(|s| s == home)
}

/// One wrong policy in one of its homes; nondeterminism is graver than not being caught.
fn at_home(
    args: &Check,
    policy: &PolicyFile,
    home: &str,
    saver: Option<&Saver>,
) -> Result<(Caught, Conclusion), InputError> {
    let (filter, judge) = (filter(&args.kinds)?, judge(args.only.as_deref(), args.fail_on.into())?);
    let seeds = args.seeds.clone().unwrap_or(USUAL);
    let model = source::scenario(home)?;
    let set = one_set(args, BuiltIn { model: &model, policy, filter: &filter }, &judge, seeds, saver);
    let steady = if set.result.unsteady.is_some() { Conclusion::Nondeterministic } else { Conclusion::Kept };
    Ok((caught(policy, home, &set), steady))
}

fn caught(policy: &PolicyFile, home: &str, set: &RunSet) -> Caught {
    let statistics = &set.result.statistics;
    let unmet = |promise: &String| set.unmet().any(|demand| demand.promise.name == promise);
    let broken = |promise: &String| statistics.found.keys().any(|s| s.promise == promise) || unmet(promise);
    let (caught_by, missed_by): (Vec<String>, Vec<String>) = policy.caught_by.iter().cloned().partition(broken);
    let named = || statistics.found.iter().filter(|(s, _)| caught_by.iter().any(|p| p == s.promise));
    let of_demands = set.unmet().filter(|demand| caught_by.iter().any(|p| p == demand.promise.name));
    let short = of_demands.filter_map(|demand| set.seeds_of(demand).first().copied());
    let smallest = set.result.findings.iter().filter(|f| caught_by.iter().any(|p| p == f.signature.promise));
    Caught {
        policy: policy.name.clone(),
        home: home.into(),
        runs: statistics.runs,
        first_seed: named().filter_map(|(_, found)| found.seeds.first().copied()).chain(short).min(),
        failing: statistics.failing,
        smallest: smallest.map(|f| f.plan.choices.len()).min(),
        caught_by,
        missed_by,
    }
}

fn told(
    args: &Check,
    (reference, cases): (&[RunSet], &Regressions),
    rows: &[Caught],
    conclusion: Conclusion,
) -> String {
    let paint = terminal::paint();
    match args.format {
        Format::Human => {
            let kept = report::human(reference, paint) + &report::regressions(cases);
            format!("{kept}\n{}", report::policies(rows, paint))
        }
        Format::Json => report::policies_json(&report::check_json(reference, cases), rows, conclusion.name()),
    }
}
