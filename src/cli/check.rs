//! `check`: run seeds, shrink what fails, say what was covered.

use super::args::{Check, Format};
use super::sets::{regressions, run_sets};
use super::typed::scenarios;
use super::{Done, policies, terminal};
use crate::case::Saver;
use crate::conclusion::Conclusion;
use crate::report;
use crate::runset::RunSet;
use crate::source;

pub(super) fn run(args: &Check) -> Done {
    let saver = args.save.as_deref().map(Saver::new).transpose()?;
    let conclusion = if args.policy.as_deref() == Some("all") {
        policies::run(args, saver.as_ref())
    } else {
        run_one(args, saver.as_ref())
    };
    saver.map_or(Ok(()), |saver| saver.finish()).and(conclusion)
}

/// One policy: the asked-for one, or each scenario's own.
fn run_one(args: &Check, saver: Option<&Saver>) -> Done {
    let models = scenarios(&args.scenarios)?;
    let policy = args.policy.as_deref().map(source::policy).transpose()?;
    let regressions = regressions(args, &models, policy.as_ref())?;
    let sets = run_sets(args, &models, policy.as_ref(), saver)?;
    let text = match args.format {
        Format::Human => report::human(&sets, terminal::paint()) + &report::regressions(&regressions),
        Format::Json => report::check_json(&sets, &regressions),
    };
    report::out(&text)?;
    Ok(sets.iter().map(RunSet::conclusion).fold(regressions.conclusion(), Conclusion::max))
}
