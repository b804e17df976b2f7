//! `check`: run seeds, shrink what fails, say what was covered.

use super::args::{Check, Format, Kinds};
use super::clock::Clock;
use super::progress::under_bar;
use super::{Done, interrupt, policies, terminal};
use crate::hunt::Hunt;
use crate::refusal::Refusal;
use crate::report::{self, grouped, remark};
use crate::reproduce::Reproduce;
use crate::rig::BuiltIn;
use crate::runset::{Label, RunSet, run_set};
use crate::tally::Judge;
use crate::{source, spread};
use std::ops::Range;
use unacked_scenarios::build::{Model, kinds};
use unacked_scenarios::filter::{Filter, nearest};
use unacked_scenarios::policy::PolicyFile;
use unacked_scenarios::promises::list;

/// Seeds of a run set, unless told otherwise.
const USUAL: Range<u64> = 0..20_000;

pub(super) fn run(args: &Check) -> Done {
    if args.policy == "all" {
        return policies::run(args);
    }
    let sets = run_sets(args, &scenarios(&args.scenarios)?, &source::policy(&args.policy)?)?;
    match args.format {
        Format::Human => report::out(&report::human(&sets, terminal::paint())),
        Format::Json => report::out(&report::check_json(&sets)),
    }
    Ok(sets.iter().map(RunSet::verdict).max().unwrap_or_default())
}

/// The scenarios asked for, or all; read before anything runs.
pub(super) fn scenarios(wanted: &[String]) -> Result<Vec<Model>, Refusal> {
    if wanted.is_empty() {
        return source::usual_scenarios().map(source::scenario).collect();
    }
    wanted.iter().map(|name| source::scenario(name)).collect()
}

/// One run set per scenario under one policy.
pub(super) fn run_sets(args: &Check, models: &[Model], policy: &PolicyFile) -> Result<Vec<RunSet>, Refusal> {
    let filter = filter(&args.kinds)?;
    let judge = judge(args.only.as_deref(), args.fail_on.into())?;
    let mut sets = Vec::new();
    for model in models {
        if interrupt::came() {
            break;
        }
        let set = one_set(args, model, policy, &filter, &judge, args.seeds.clone().unwrap_or(USUAL));
        let stop = args.fail_fast && set.quarry.tally.failing > 0;
        sets.push(set);
        if stop {
            break;
        }
    }
    Ok(sets)
}

/// Runs one policy in one scenario, with a progress bar and its speed on stderr.
pub(super) fn one_set(
    args: &Check,
    model: &Model,
    policy: &PolicyFile,
    filter: &Filter,
    judge: &Judge,
    seeds: Range<u64>,
) -> RunSet {
    let jobs = args.jobs.unwrap_or_else(spread::threads);
    let seeds = if args.time.is_some() { 0..u64::MAX } else { seeds };
    let total = args.time.is_none().then_some(seeds.end.saturating_sub(seeds.start));
    let what = Hunt { seeds, jobs, judge: judge.clone(), verify: args.verify.into(), fail_fast: args.fail_fast };
    let rig = BuiltIn { model, policy, filter };
    let clock = Clock::start();
    let over = || args.time.is_some_and(|span| clock.is_past(span));
    let label = label(model, policy, filter);
    let set = under_bar(&label.scenario.clone(), total, &over, |watch| run_set(&rig, &what, label, watch));
    speed(&set, jobs, clock.seconds());
    set
}

fn label(model: &Model, policy: &PolicyFile, filter: &Filter) -> Label {
    Label {
        scenario: source::shown(&model.name).into(),
        policy: source::shown(&policy.name).into(),
        reproduce: reproduce(model, policy, filter),
        demands_reach: policy.name == "reference" && *filter == Filter::default(),
    }
}

/// How findings of this model and policy are brought about again.
pub(super) fn reproduce(model: &Model, policy: &PolicyFile, filter: &Filter) -> Reproduce {
    Reproduce {
        program: Some(terminal::program()),
        scenario: model.name.clone(),
        policy: policy.name.clone(),
        usual: source::usual_policy(model).into(),
        filter: filter.clone(),
    }
}

fn speed(set: &RunSet, jobs: usize, seconds: f64) {
    let (runs, threads) = (set.quarry.tally.runs, jobs as f64);
    let rate = (runs as f64 / seconds / threads) as u64;
    remark(&format!(
        "{}: {} runs in {seconds:.2} s, {} a second and thread, everything included",
        set.scenario,
        grouped(runs),
        grouped(rate)
    ));
}

/// Kinds added and taken away, checked.
pub(super) fn filter(typed: &Kinds) -> Result<Filter, Refusal> {
    let filter = Filter { include: typed.include.clone(), exclude: typed.exclude.clone() };
    filter.check(&kinds())?;
    Ok(filter)
}

/// Which violations count.
pub(super) fn judge(only: Option<&str>, fail_on: crate::tally::FailOn) -> Result<Judge, Refusal> {
    let only = match only {
        None => None,
        Some(name) => Some(list::named(name).ok_or_else(|| unknown_promise(name))?.name),
    };
    Ok(Judge { only, fail_on })
}

fn unknown_promise(name: &str) -> Refusal {
    let hint = nearest(name, list::ALL.iter().map(|p| p.name));
    Refusal(format!("there is no promise named `{name}`{hint}; `list promises` shows them all"))
}
