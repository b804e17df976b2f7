//! Run sets: one policy in each scenario, and the shipped cases beside them.

use super::args::Check;
use super::clock::Clock;
use super::interrupt;
use super::progress::under_bar;
use super::typed::{check_menus, filter, judge, reproduce};
use crate::case::Saver;
use crate::input_error::InputError;
use crate::minimal::Finding;
use crate::mount::BuiltIn;
use crate::regressions::Regressions;
use crate::report::{grouped, remark};
use crate::runset::{Label, RunSet, run_set};
use crate::search::Search;
use crate::statistics::Judge;
use crate::watch::Watch;
use crate::{parallel, source};
use std::ops::Range;
use unacked_scenarios::filter::Filter;
use unacked_scenarios::model::Model;
use unacked_scenarios::policy::PolicyFile;

/// Seeds of a run set, unless told otherwise.
const USUAL: Range<u64> = 0..20_000;

/// The shipped cases, under `reference` only: a wrong policy is expected to break them.
pub(super) fn regressions(
    args: &Check,
    models: &[Model],
    policy: Option<&PolicyFile>,
) -> Result<Regressions, InputError> {
    let right = policy.is_none_or(|policy| policy.name == "reference");
    if !right || args.only.is_some() {
        return Ok(Regressions::default());
    }
    Ok(Regressions::run(models, &source::policy("reference")?))
}

/// One run set per scenario under one policy.
pub(super) fn run_sets(
    args: &Check,
    models: &[Model],
    policy: Option<&PolicyFile>,
    saver: Option<&Saver>,
) -> Result<Vec<RunSet>, InputError> {
    let filter = filter(&args.kinds)?;
    let judge = judge(args.only.as_deref(), args.fail_on.into())?;
    let mut sets = Vec::new();
    for model in models {
        if interrupt::came() {
            break;
        }
        let policy = policy.cloned().map_or_else(|| source::policy_in(model, None), Ok)?;
        let mount = BuiltIn { model, policy: &policy, filter: &filter };
        check_menus(&mount)?;
        let set = one_set(args, mount, &judge, args.seeds.clone().unwrap_or(USUAL), saver);
        let stop = args.fail_fast && set.result.statistics.failing > 0;
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
    mount: BuiltIn<'_>,
    judge: &Judge,
    seeds: Range<u64>,
    saver: Option<&Saver>,
) -> RunSet {
    let jobs = args.jobs.unwrap_or_else(parallel::threads);
    let seeds = if args.time.is_some() { 0..u64::MAX } else { seeds };
    let total = args.time.is_none().then_some(seeds.end.saturating_sub(seeds.start));
    let what = Search { seeds, jobs, judge: judge.clone(), verify: args.verify.into(), fail_fast: args.fail_fast };
    let clock = Clock::start();
    let over = || args.time.is_some_and(|span| clock.is_past(span));
    let label = label(mount.model, mount.policy, mount.filter);
    let save = |finding: &Finding| saver.iter().for_each(|saver| saver.save(finding, &mount));
    let mut set = under_bar(&label.scenario.clone(), total, &over, |watch| {
        let found: Option<&(dyn Fn(&Finding) + Sync)> = if saver.is_some() { Some(&save) } else { None };
        run_set(&mount, &what, label, Watch { found, ..watch })
    });
    if let Some(saver) = saver {
        saver.keep(&mut set.result.findings, &mount);
    }
    speed(&set, jobs, clock.seconds());
    set
}

fn label(model: &Model, policy: &PolicyFile, filter: &Filter) -> Label {
    Label {
        scenario: source::shown(&model.name).into(),
        policy: source::shown(&policy.name).into(),
        reproduce: reproduce(model, policy, filter),
        unfiltered: *filter == Filter::default(),
        demands_reach: policy.name == "reference" && *filter == Filter::default(),
    }
}

fn speed(set: &RunSet, jobs: usize, seconds: f64) {
    let (runs, threads) = (set.result.statistics.runs, jobs as f64);
    let rate = (runs as f64 / seconds / threads) as u64;
    remark(&format!(
        "{}: {} runs in {seconds:.2} s, {} a second and thread, everything included",
        set.scenario,
        grouped(runs),
        grouped(rate)
    ));
}
