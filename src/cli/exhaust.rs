//! `exhaust`: every combination of up to K choices, each exactly once.

use super::args::{Exhaust, Format};
use super::clock::Clock;
use super::progress::under_bar;
use super::typed::{check_menus, filter, judge, reproduce};
use super::{Done, terminal};
use crate::case::Saver;
use crate::exhaust::{Exhausted, exhaust};
use crate::minimal::Finding;
use crate::mount::BuiltIn;
use crate::report::{self, grouped, remark};
use crate::statistics::FailOn;
use crate::watch::Watch;
use crate::{parallel, source};

pub(super) fn run(args: &Exhaust) -> Done {
    let model = source::scenario(&args.scenario)?;
    let policy = source::policy_in(&model, args.policy.as_deref())?;
    let (filter, judge) = (filter(&args.kinds)?, judge(args.only.as_deref(), FailOn::Workflow)?);
    let jobs = args.jobs.unwrap_or_else(parallel::threads);
    let mount = BuiltIn { model: &model, policy: &policy, filter: &filter };
    check_menus(&mount)?;
    let saver = args.save.as_deref().map(Saver::new).transpose()?;
    let clock = Clock::start();
    let save = |finding: &Finding| saver.iter().for_each(|saver| saver.save(finding, &mount));
    let mut done = under_bar(&args.scenario, None, &|| false, |watch| {
        let found: Option<&(dyn Fn(&Finding) + Sync)> = if saver.is_some() { Some(&save) } else { None };
        exhaust(&mount, usize::from(args.faults), jobs, &judge, Watch { found, ..watch })
    });
    speed(&done, jobs, clock.seconds());
    if let Some(saver) = &saver {
        saver.keep(&mut done.findings, &mount);
    }
    let (scenario, name) = (source::shown(&model.name), source::shown(&policy.name));
    let conclusion = done.conclusion(&judge);
    let text = match args.format {
        Format::Human => {
            let again = reproduce(&model, &policy, &filter);
            report::exhausted(&done, scenario, name, &again, terminal::paint())
        }
        Format::Json => report::exhausted_json(&done, scenario, name, conclusion.name()),
    };
    let told = report::out(&text);
    saver.map_or(Ok(()), |saver| saver.finish()).and(told).map(|()| conclusion)
}

fn speed(done: &Exhausted, jobs: usize, seconds: f64) {
    let runs = done.levels.runs();
    let rate = (runs as f64 / seconds / jobs as f64) as u64;
    remark(&format!("{} placements in {seconds:.2} s, {} a second and thread", grouped(runs), grouped(rate)));
}
