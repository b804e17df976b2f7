//! The story of a violation: what a reader needs, as data. `report` puts it on paper.

mod weight;

use crate::free::Freedom;
use crate::line::arrow;
use crate::rescue::NoReturn;
use crate::told::{Role, Told};
use std::collections::BTreeSet;
use unacked_sim::lab::Lab;
use unacked_sim::plan::Plan;
use unacked_sim::time::Time;
use unacked_sim::trace::{Mark, TraceEvent};
use unacked_sim::verdict::{Blame, Promise, Violation};

/// How a violation came about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Story {
    /// The broken promise.
    pub promise: &'static Promise,
    /// What broke, in the user's words.
    pub headline: String,
    /// At which event of the minimal run.
    pub event: u32,
    /// When.
    pub at: Time,
    /// What should have been.
    pub expected: String,
    /// What was found instead.
    pub found: String,
    /// Who is to blame.
    pub blame: Blame,
    /// One line per choice of the minimal plan.
    pub faults: Vec<String>,
    /// Where the plan comes from.
    pub shrinking: Shrinking,
    /// The events that led here.
    pub steps: Vec<Step>,
    /// Steps left out of the middle.
    pub left_out: usize,
    /// Events of the whole run.
    pub events: u32,
    /// What takes more runs to know, if it was asked for.
    pub detail: Option<Detail>,
}

/// How a minimal plan was come by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shrinking {
    /// Choices in the run it was found in.
    pub injected: usize,
    /// Runs that shrinking took.
    pub runs: u32,
    /// Whether the budget sufficed: if so, no choice can be left out.
    pub complete: bool,
}

/// What takes more runs to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Detail {
    /// What does not matter, per fault.
    pub freedom: Vec<Freedom>,
    /// When it was too late.
    pub no_return: NoReturn,
}

impl Story {
    /// Adds what took more runs, and marks the point of no return where it is told.
    pub fn deepen(&mut self, detail: Detail) {
        if let NoReturn::From { event, .. } = &detail.no_return {
            self.steps.iter_mut().filter(|step| step.number == *event).for_each(|step| step.no_return = true);
        }
        self.detail = Some(detail);
    }
}

/// One line of the timeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Number of the event.
    pub number: u32,
    /// When.
    pub at: Time,
    /// Number of the event that led to it; 0 = the beginning.
    pub cause: u32,
    /// What it shows.
    pub mark: Mark,
    /// Who did it.
    pub actor: String,
    /// `-->`, `x--` or nothing.
    pub arrow: &'static str,
    /// The other end of a message.
    pub peer: String,
    /// In words.
    pub text: String,
    /// Which choice of the plan made it so, from 1.
    pub fault: Option<usize>,
    /// The promise was broken here.
    pub broken: bool,
    /// From here on the run could not be saved.
    pub no_return: bool,
}

/// Most lines of faults and timeline together.
const LINES: usize = 12;

/// Fewest lines of a timeline.
const FEWEST: usize = 7;

/// Tells the story of a violation from the trace of its run.
pub fn tell(
    lab: &Lab<'_, impl Told>,
    violation: &Violation,
    events: &[TraceEvent],
    plan: &Plan,
    shrinking: Shrinking,
) -> Story {
    let events = &with_silences(events, violation);
    let decisive = decisive(lab, events, violation.event);
    let chosen = cut(lab, relevant(lab, events, violation), violation, decisive, plan.choices.len());
    Story {
        promise: violation.promise,
        headline: violation.headline.clone(),
        event: violation.event,
        at: violation.at,
        expected: violation.expected.clone(),
        found: violation.found.clone(),
        blame: violation.blame,
        faults: plan.choices.iter().map(ToString::to_string).collect(),
        shrinking,
        left_out: chosen.1,
        steps: chosen.0.into_iter().map(|e| step(lab, e, violation)).collect(),
        events: events.last().map_or(0, |e| e.number),
        detail: None,
    }
}

/// All steps that led to a violation, nothing cut, for pictures.
pub fn past(lab: &Lab<'_, impl Told>, events: &[TraceEvent], violation: &Violation) -> Vec<Step> {
    let events = &with_silences(events, violation);
    relevant(lab, events, violation).into_iter().map(|e| step(lab, e, violation)).collect()
}

/// An answer that comes too late to be seen before the violation shows where its caller gave up.
fn with_silences(events: &[TraceEvent], violation: &Violation) -> Vec<TraceEvent> {
    let mut events = events.to_vec();
    let late = |e: &&TraceEvent| e.number > violation.event && e.mark == Mark::Arrive && e.fault.is_some();
    let struck: Vec<(u32, Option<usize>)> =
        events.iter().filter(late).filter_map(|e| Some((origin(&events, e)?, e.fault))).collect();
    for (send, fault) in struck {
        let gave_up = |e: &&mut TraceEvent| e.mark == Mark::Timeout && e.cause == send;
        events.iter_mut().filter(gave_up).for_each(|e| e.fault = fault);
    }
    events
}

/// The send that an answer answers.
fn origin(events: &[TraceEvent], answer: &TraceEvent) -> Option<u32> {
    let mut at = answer;
    loop {
        at = find(events, at.cause)?;
        if at.mark == Mark::Send && at.actor == answer.actor {
            return Some(at.number);
        }
    }
}

fn find(events: &[TraceEvent], number: u32) -> Option<&TraceEvent> {
    events.binary_search_by_key(&number, |e| e.number).ok().map(|i| &events[i])
}

/// All steps of a run, nothing left out.
pub fn steps(lab: &Lab<'_, impl Told>, events: &[TraceEvent], broken: &[u32]) -> Vec<Step> {
    let step = |event: &TraceEvent| Step { broken: broken.contains(&event.number), ..plain(lab, event) };
    events.iter().map(step).collect()
}

/// The causal past of the violation and of its evidence, and where faults struck.
fn relevant<'e>(lab: &Lab<'_, impl Told>, events: &'e [TraceEvent], violation: &Violation) -> Vec<&'e TraceEvent> {
    let mut wanted = BTreeSet::new();
    let struck = events.iter().filter(|e| e.fault.is_some() && e.number <= violation.event).map(|e| e.number);
    let ends: Vec<u32> = violation.evidence.iter().copied().chain([violation.event]).chain(struck).collect();
    for end in ends {
        let mut at = end;
        while let Some(event) = find(events, at).filter(|e| wanted.insert(e.number)) {
            at = event.cause;
        }
    }
    let shown = |e: &&TraceEvent| e.number == violation.event || e.fault.is_some() || tells(lab, e, violation);
    wanted.into_iter().filter_map(|number| find(events, number)).filter(shown).collect()
}

/// Whether an event is worth a line: messages and effects about the same order, what nodes suffer, and
/// what the records say in the end.
fn tells(lab: &Lab<'_, impl Told>, event: &TraceEvent, violation: &Violation) -> bool {
    let about = event.scope.is_none_or(|s| s == violation.scope);
    // The send has said it: an arrival is news only if something is wrong with it.
    let of_request = event.mark == Mark::Arrive && event.peer.is_none();
    about && role(lab, event) != Role::Note && !of_request
}

fn role(lab: &Lab<'_, impl Told>, event: &TraceEvent) -> Role {
    lab.world(|world| world.role(event))
}

/// The send that the violation follows from; a renewal breaks nothing.
fn decisive(lab: &Lab<'_, impl Told>, events: &[TraceEvent], violation: u32) -> Option<u32> {
    let mut at = find(events, violation)?;
    while at.mark != Mark::Send {
        at = find(events, at.cause)?;
    }
    (role(lab, at) != Role::Upkeep).then_some(at.number)
}

/// Keeps what fits: everything marked, then what weighs most, of equal weight what comes last.
fn cut<'e, W: Told>(
    lab: &Lab<'_, W>,
    events: Vec<&'e TraceEvent>,
    violation: &Violation,
    decisive: Option<u32>,
    faults: usize,
) -> (Vec<&'e TraceEvent>, usize) {
    let total = events.len();
    let led = |number: u32| number == violation.event || decisive == Some(number);
    let marked = |e: &TraceEvent| e.fault.is_some() || led(e.number) || violation.evidence.contains(&e.number);
    let lines = LINES.saturating_sub(faults).max(FEWEST);
    let mut keep: Vec<bool> = events.iter().map(|e| marked(e)).collect();
    let room = lines.saturating_sub(keep.iter().filter(|k| **k).count());
    let weights = weight::weights(&events, |event| role(lab, event), W::gist);
    let mut rest: Vec<usize> = (0..total).rev().filter(|&i| !keep[i]).collect();
    rest.sort_by_key(|&i| weights[i]);
    rest.into_iter().take(room).for_each(|i| keep[i] = true);
    let kept: Vec<&TraceEvent> = events.into_iter().zip(keep).filter(|(_, k)| *k).map(|(e, _)| e).collect();
    let left_out = total - kept.len();
    (kept, left_out)
}

fn step(lab: &Lab<'_, impl Told>, event: &TraceEvent, violation: &Violation) -> Step {
    Step { broken: event.number == violation.event, ..plain(lab, event) }
}

fn plain(lab: &Lab<'_, impl Told>, event: &TraceEvent) -> Step {
    let name = |actor| lab.world(|w| w.actor(actor));
    Step {
        number: event.number,
        at: event.at,
        cause: event.cause,
        mark: event.mark,
        actor: name(event.actor),
        arrow: event.peer.map_or("", |_| arrow(event.mark)),
        peer: event.peer.map(name).unwrap_or_default(),
        text: event.text.clone(),
        fault: event.fault.map(|f| f + 1),
        broken: false,
        no_return: false,
    }
}
