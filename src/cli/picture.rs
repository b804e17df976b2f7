//! What `replay` shows instead of the story: a picture, or the same plan under another policy.

use super::args::{Replay, View};
use super::terminal;
use crate::compare::beside;
use crate::minimal::Finding;
use crate::refusal::Refusal;
use crate::report;
use crate::rig::{BuiltIn, Rig};
use crate::story::{Step, past, steps};
use unacked_sim::plan::{Plan, Script};

/// A run that has been made.
pub(super) struct Ran<'a> {
    /// What it is called.
    pub(super) place: &'a str,
    /// Its choices.
    pub(super) script: &'a Script,
    /// The same in words.
    pub(super) plan: &'a Plan,
    /// What happened.
    pub(super) steps: &'a [Step],
    /// What it broke, shrunk.
    pub(super) finding: Option<&'a Finding>,
}

/// Two runs side by side are words or data.
pub(super) fn check(args: &Replay) -> Result<(), Refusal> {
    match (&args.compare, args.format) {
        (Some(_), View::Mermaid | View::Perfetto) => {
            Err(Refusal("--compare does not go with a picture; write --format human or json, or draw each run".into()))
        }
        _ => Ok(()),
    }
}

/// The text, if one is asked for.
pub(super) fn instead(args: &Replay, rig: &BuiltIn<'_>, ran: &Ran<'_>) -> Result<Option<String>, Refusal> {
    if let Some(policy) = &args.compare {
        return compared(args, rig, ran, policy).map(Some);
    }
    Ok(match args.format {
        View::Human | View::Json => None,
        View::Mermaid => Some(report::mermaid(&title(rig, ran), &told(args, rig, ran, Extent::Past))),
        View::Perfetto => Some(report::perfetto(&title(rig, ran), &told(args, rig, ran, Extent::Whole))),
    })
}

fn compared(args: &Replay, rig: &BuiltIn<'_>, ran: &Ran<'_>, policy: &str) -> Result<String, Refusal> {
    let (script, plan) = ran.finding.map_or((ran.script, ran.plan), |f| (&f.script, &f.plan));
    let comparison = beside(rig, policy, script, plan)?;
    Ok(match args.format {
        View::Json => report::comparison_json(ran.place, &comparison),
        View::Human | View::Mermaid | View::Perfetto => report::comparison(ran.place, &comparison, terminal::paint()),
    })
}

fn title(rig: &BuiltIn<'_>, ran: &Ran<'_>) -> String {
    let policy = crate::source::shown(&rig.policy.name);
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
fn told(args: &Replay, rig: &BuiltIn<'_>, ran: &Ran<'_>, extent: Extent) -> Vec<Step> {
    match ran.finding.filter(|_| !args.trace) {
        Some(finding) => rig.in_lab(|lab| {
            let (outcome, events) = lab.trace_script(&finding.script);
            let violation = outcome.violations.iter().find(|v| v.signature() == finding.signature);
            match violation.filter(|_| extent == Extent::Past) {
                Some(violation) => past(lab, &events, violation),
                None => steps(lab, &events, &violation.map(|v| v.event).into_iter().collect::<Vec<_>>()),
            }
        }),
        None => ran.steps.to_vec(),
    }
}
