//! `check`: run seeds, shrink what fails, say what was covered.

use super::args::{Check, Format, Kinds};
use super::clock::Clock;
use super::progress::under_bar;
use super::{Done, interrupt, policies, terminal};
use crate::case::Saver;
use crate::hunt::Hunt;
use crate::minimal::Finding;
use crate::refusal::Refusal;
use crate::regressions::Regressions;
use crate::report::{self, grouped, remark};
use crate::reproduce::Reproduce;
use crate::rig::BuiltIn;
use crate::runset::{Label, RunSet, run_set};
use crate::tally::Judge;
use crate::verdict::Verdict;
use crate::watch::Watch;
use crate::{source, spread};
use std::ops::Range;
use unacked_scenarios::filter::{Filter, nearest};
use unacked_scenarios::model::{Model, kinds};
use unacked_scenarios::policy::PolicyFile;
use unacked_scenarios::promises::list;

/// Seeds of a run set, unless told otherwise.
const USUAL: Range<u64> = 0..20_000;

pub(super) fn run(args: &Check) -> Done {
    let saver = args.save.as_deref().map(Saver::new).transpose()?;
    let verdict = if args.policy.as_deref() == Some("all") {
        policies::run(args, saver.as_ref())
    } else {
        run_one(args, saver.as_ref())
    };
    saver.map_or(Ok(()), |saver| saver.finish()).and(verdict)
}

/// One policy: the asked-for one, or each scenario's own.
fn run_one(args: &Check, saver: Option<&Saver>) -> Done {
    let models = scenarios(&args.scenarios)?;
    let policy = args.policy.as_deref().map(source::policy).transpose()?;
    let regressions = regressions(args, &models, policy.as_ref())?;
    let sets = run_sets(args, &models, policy.as_ref(), saver)?;
    match args.format {
        Format::Human => {
            report::out(&report::human(&sets, terminal::paint()));
            report::out(&report::regressions(&regressions));
        }
        Format::Json => report::out(&report::check_json(&sets, &regressions)),
    }
    Ok(sets.iter().map(RunSet::verdict).fold(regressions.verdict(), Verdict::max))
}

/// The shipped cases, under `reference` only: a wrong policy is expected to break them.
pub(super) fn regressions(args: &Check, models: &[Model], policy: Option<&PolicyFile>) -> Result<Regressions, Refusal> {
    let right = policy.is_none_or(|policy| policy.name == "reference");
    if !right || args.only.is_some() {
        return Ok(Regressions::default());
    }
    Ok(Regressions::run(models, &source::policy("reference")?))
}

/// The scenarios asked for, or all; read before anything runs.
pub(super) fn scenarios(wanted: &[String]) -> Result<Vec<Model>, Refusal> {
    if wanted.is_empty() {
        return source::usual_scenarios().map(source::scenario).collect();
    }
    wanted.iter().map(|name| source::scenario(name)).collect()
}

/// One run set per scenario under one policy.
pub(super) fn run_sets(
    args: &Check,
    models: &[Model],
    policy: Option<&PolicyFile>,
    saver: Option<&Saver>,
) -> Result<Vec<RunSet>, Refusal> {
    let filter = filter(&args.kinds)?;
    let judge = judge(args.only.as_deref(), args.fail_on.into())?;
    let mut sets = Vec::new();
    for model in models {
        if interrupt::came() {
            break;
        }
        let policy = policy.cloned().map_or_else(|| source::policy_in(model, None), Ok)?;
        let rig = BuiltIn { model, policy: &policy, filter: &filter };
        let set = one_set(args, rig, &judge, args.seeds.clone().unwrap_or(USUAL), saver);
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
    rig: BuiltIn<'_>,
    judge: &Judge,
    seeds: Range<u64>,
    saver: Option<&Saver>,
) -> RunSet {
    let jobs = args.jobs.unwrap_or_else(spread::threads);
    let seeds = if args.time.is_some() { 0..u64::MAX } else { seeds };
    let total = args.time.is_none().then_some(seeds.end.saturating_sub(seeds.start));
    let what = Hunt { seeds, jobs, judge: judge.clone(), verify: args.verify.into(), fail_fast: args.fail_fast };
    let clock = Clock::start();
    let over = || args.time.is_some_and(|span| clock.is_past(span));
    let label = label(rig.model, rig.policy, rig.filter);
    let save = |finding: &Finding| saver.iter().for_each(|saver| saver.save(finding, &rig));
    let mut set = under_bar(&label.scenario.clone(), total, &over, |watch| {
        let found: Option<&(dyn Fn(&Finding) + Sync)> = if saver.is_some() { Some(&save) } else { None };
        run_set(&rig, &what, label, Watch { found, ..watch })
    });
    if let Some(saver) = saver {
        saver.keep(&mut set.quarry.findings, &rig);
    }
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
        case: None,
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
