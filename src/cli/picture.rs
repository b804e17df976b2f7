//! What `replay` shows instead of the story: a picture, or the same plan under another policy.

use super::args::{Replay, View};
use super::terminal;
use crate::compare::beside;
use crate::input_error::InputError;
use crate::minimal::Finding;
use crate::mount::{BuiltIn, Mount};
use crate::report;
use crate::story::{Step, past, steps};
use unacked_sim::plan::{CompiledPlan, Plan};

/// A run that has been made.
pub(super) struct Ran<'a> {
    /// What it is called.
    pub(super) place: &'a str,
    /// Its choices.
    pub(super) compiled: &'a CompiledPlan,
    /// The same in words.
    pub(super) plan: &'a Plan,
    /// What happened.
    pub(super) steps: &'a [Step],
    /// What it broke, shrunk.
    pub(super) finding: Option<&'a Finding>,
}

/// Two runs side by side are words or data.
pub(super) fn check(args: &Replay) -> Result<(), InputError> {
    match (&args.compare, args.format) {
        (Some(_), View::Mermaid | View::Perfetto) => Err(InputError(
            "--compare does not go with a picture; write --format human or json, or draw each run".into(),
        )),
        _ => Ok(()),
    }
}

/// The text, if one is asked for.
pub(super) fn instead(args: &Replay, mount: &BuiltIn<'_>, ran: &Ran<'_>) -> Result<Option<String>, InputError> {
    if let Some(policy) = &args.compare {
        return compared(args, mount, ran, policy).map(Some);
    }
    Ok(match args.format {
        View::Human | View::Json => None,
        View::Mermaid => Some(report::mermaid(&title(mount, ran), &told(args, mount, ran, Extent::Past))),
        View::Perfetto => Some(report::perfetto(&title(mount, ran), &told(args, mount, ran, Extent::Whole))),
    })
}

fn compared(args: &Replay, mount: &BuiltIn<'_>, ran: &Ran<'_>, policy: &str) -> Result<String, InputError> {
    let (compiled, plan) = ran.finding.map_or((ran.compiled, ran.plan), |f| (&f.compiled, &f.plan));
    let comparison = beside(mount, policy, compiled, plan)?;
    Ok(match args.format {
        View::Json => report::comparison_json(ran.place, &comparison),
        View::Human | View::Mermaid | View::Perfetto => report::comparison(ran.place, &comparison, terminal::paint()),
    })
}

fn title(mount: &BuiltIn<'_>, ran: &Ran<'_>) -> String {
    let policy = crate::source::shown(&mount.policy.name);
    let headline = ran.finding.map_or(String::new(), |f| format!(": {}", f.story.headline));
    format!("{} under {policy}{headline}", ran.place)
}

/// How much of a run is drawn.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// What led to the violation.
    Past,
    /// Everything.
    Whole,
}

/// The smallest run that fails; the run itself if none does, and with `--trace`.
fn told(args: &Replay, mount: &BuiltIn<'_>, ran: &Ran<'_>, extent: Extent) -> Vec<Step> {
    match ran.finding.filter(|_| !args.trace) {
        Some(finding) => mount.in_lab(|lab| {
            let (outcome, events) = lab.trace_plan(&finding.compiled);
            let violation = outcome.violations.iter().find(|v| v.signature() == finding.signature);
            match violation.filter(|_| extent == Extent::Past) {
                Some(violation) => past(lab, &events, violation),
                None => steps(lab, &events, &violation.map(|v| v.event).into_iter().collect::<Vec<_>>()),
            }
        }),
        None => ran.steps.to_vec(),
    }
}
