//! `replay`: one seed, or a plan in words, run again and told.

use super::args::{Replay, View};
use super::picture::{self, Ran, instead};
use super::typed::{filter, reproduce};
use super::without::Without;
use super::{Done, interrupt, replay_case, terminal};
use crate::case::limited;
use crate::conclusion::Conclusion;
use crate::input_error::InputError;
use crate::minimal::{Finding, deepen, from_script, from_seed};
use crate::mount::{BuiltIn, Mount};
use crate::report;
use crate::reproduce::Reproduce;
use crate::source;
use crate::statistics::breaks;
use crate::statistics::signatures;
use crate::story::{Step, steps};
use crate::unsteady::Unsteady;
use unacked_scenarios::promises;
use unacked_scenarios::records::Records;
use unacked_scenarios::shop::Shop;
use unacked_scenarios::words;
use unacked_sim::lab::Lab;
use unacked_sim::plan::{Choice, CompiledPlan, FORMAT, Plan};

/// What is run again.
enum Start {
    /// A seed draws.
    Seed(u64),
    /// A plan in words, nominal timing.
    CompiledPlan(CompiledPlan),
}

/// What came of it.
struct Replayed {
    findings: Vec<Finding>,
    /// What was not benign, for the door and in words.
    ran: (CompiledPlan, Plan),
    /// Choices of the plan that did not land.
    missing: usize,
    /// With `--without`: what became of the rest.
    without: Option<Without>,
    steps: Vec<Step>,
    unsteady: Option<Unsteady>,
}

pub(super) fn run(args: &Replay) -> Done {
    picture::check(args)?;
    if replay_case::is_saved(&args.what) {
        return replay_case::run(args);
    }
    let (name, start) = start(args)?;
    let model = source::scenario(name)?;
    let policy = source::policy_in(&model, args.policy.as_deref())?;
    let filter = filter(&args.kinds)?;
    let mount = BuiltIn { model: &model, policy: &policy, filter: &filter };
    let replayed = mount.in_lab(|lab| replay(lab, args, &start))?;
    let place = match start {
        Start::Seed(seed) => format!("{}:{seed}", source::shown(&model.name)),
        Start::CompiledPlan(_) => source::shown(&model.name).to_string(),
    };
    let (compiled, plan) = &replayed.ran;
    let ran = Ran { place: &place, compiled, plan, steps: &replayed.steps, finding: replayed.findings.first() };
    let instead = if replayed.without.is_some() { None } else { instead(args, &mount, &ran)? };
    let text = instead.unwrap_or_else(|| {
        let again = &reproduce(&model, &policy, &filter);
        let (scenario, policy) = (source::shown(&model.name), source::shown(&policy.name));
        told(args, &replayed, &Around { place: &place, scenario, policy, again })
    });
    report::out(&text)?;
    Ok(conclusion(&replayed))
}

fn conclusion(replayed: &Replayed) -> Conclusion {
    match (&replayed.unsteady, &replayed.without, replayed.findings.is_empty(), replayed.missing) {
        (Some(_), ..) => Conclusion::Nondeterministic,
        (None, Some(without), ..) => without.conclusion(),
        (None, None, false, _) => Conclusion::Violated,
        (None, None, true, 1..) => Conclusion::Stale,
        (None, None, true, 0) => Conclusion::Kept,
    }
}

/// Scenario and seed, or scenario and choices.
fn start(args: &Replay) -> Result<(&str, Start), InputError> {
    if !args.with.is_empty() {
        let today = |choice: Choice| Choice { site: words::today(&choice.site, words::FORMER), ..choice };
        let choices: Result<Vec<Choice>, String> = args.with.iter().map(|text| choice(text).map(today)).collect();
        let plan = Plan { format: FORMAT, choices: choices?, ..Plan::default() };
        let compiled = plan.compile(&unacked_scenarios::model::kinds())?;
        return Ok((&args.what, Start::CompiledPlan(compiled)));
    }
    let split = args.what.rsplit_once(':').and_then(|(name, seed)| Some((name, seed.parse().ok()?)));
    match split {
        Some((name, seed)) if !name.is_empty() => Ok((name, Start::Seed(seed))),
        _ => Err(InputError(format!(
            "`{}` is not a run: write SCENARIO:SEED with a whole number, such as checkout:17",
            args.what
        ))),
    }
}

/// A choice in words, with a parameter that a run can have.
fn choice(text: &str) -> Result<Choice, String> {
    let choice = Choice::parse(text)?;
    choice.param.map(limited).transpose().map_err(|e| format!("--with '{text}': {e}"))?;
    Ok(choice)
}

fn replay(lab: &mut Lab<'_, Shop<impl Records>>, args: &Replay, start: &Start) -> Result<Replayed, InputError> {
    let (outcome, events) = match start {
        Start::Seed(seed) => lab.trace_seed(*seed),
        Start::CompiledPlan(compiled) => lab.trace_plan(compiled),
    };
    let broken: Vec<u32> = outcome.violations.iter().map(|v| v.event).collect();
    let missing = lab.missing().len();
    let ran = (
        CompiledPlan::of(&lab.landed(), lab.noise()),
        lab.door(|d| Plan::describe(d.landed(), d.noise(), &d.names, &d.kinds)),
    );
    let mut replayed =
        Replayed { findings: vec![], ran, missing, without: None, steps: steps(lab, &events, &broken), unsteady: None };
    for signature in signatures(&outcome) {
        let found = match start {
            Start::Seed(seed) => from_seed(lab, *seed, &signature, &interrupt::came),
            Start::CompiledPlan(compiled) => from_script(lab, compiled, &signature, &interrupt::came),
        };
        match found {
            Ok(mut finding) => {
                deepen(lab, &mut finding, &interrupt::came);
                replayed.findings.push(finding);
            }
            Err(differs) => replayed.unsteady = Some(*differs),
        }
    }
    // The order of the reports: what is worst for the customer first.
    replayed.findings.sort_by_key(|f| promises::ALL.iter().position(|p| p.name == f.signature.promise));
    if let Some(number) = args.without {
        replayed.without = Some(without(lab, number, replayed.findings.first())?);
    }
    Ok(replayed)
}

/// Drops one fault of the first finding's plan and runs the rest.
fn without(
    lab: &mut Lab<'_, Shop<impl Records>>,
    number: usize,
    finding: Option<&Finding>,
) -> Result<Without, InputError> {
    let Some(finding) = finding else {
        return Err(InputError(format!(
            "--without {number}: this run breaks nothing, so there is no fault to leave out"
        )));
    };
    let faults = finding.compiled.choices.len();
    if !(1..=faults).contains(&number) {
        return Err(InputError(format!(
            "--without {number}: the shrunk plan has faults 1 to {faults}; name one of them"
        )));
    }
    // The compiled's order is the shrinker's; the plan's lines are in order of landing.
    let line = finding.plan.choices.get(number - 1).map(|choice| choice.site.hash());
    let rest = CompiledPlan {
        choices: finding.compiled.choices.iter().copied().filter(|c| Some(c.site) != line).collect(),
        ..finding.compiled.clone()
    };
    let (outcome, events) = lab.trace_plan(&rest);
    let broken: Vec<u32> = outcome.violations.iter().map(|v| v.event).collect();
    Ok(Without {
        number,
        promise: finding.signature.promise,
        gone: !breaks(&outcome, &finding.signature),
        steps: steps(lab, &events, &broken),
    })
}

/// A run's place, and what it is run against, in words.
#[derive(Clone, Copy)]
struct Around<'a> {
    place: &'a str,
    scenario: &'a str,
    policy: &'a str,
    again: &'a Reproduce,
}

fn told(args: &Replay, replayed: &Replayed, around: &Around<'_>) -> String {
    let Around { place, policy, .. } = *around;
    match (args.format, args.trace, &replayed.without) {
        (.., Some(without)) => without.told(args, place, policy),
        (View::Json, true, None) => report::trace_json(&replayed.steps),
        (View::Json, false, None) => {
            report::replay_json(place, policy, &replayed.findings, conclusion(replayed).name())
        }
        (_, true, None) => {
            let trace = report::trace(&replayed.steps, terminal::paint());
            format!("{trace}\n{}", in_full(replayed, around))
        }
        (_, false, None) => in_full(replayed, around),
    }
}

/// What was found, block by block, and what did not land.
fn in_full(replayed: &Replayed, around: &Around<'_>) -> String {
    let (paint, Around { place, scenario, policy, again }) = (terminal::paint(), *around);
    let mut out = replayed.unsteady.as_ref().map_or(String::new(), |differs| report::unsteady(differs, place, paint));
    let blocks: Vec<String> =
        replayed.findings.iter().map(|f| report::block(f, scenario, policy, "", again, paint)).collect();
    out += &blocks.join("\n");
    if replayed.missing > 0 {
        out += &format!("{place}: {} did not land\n", report::counted(replayed.missing as u64, "choice"));
    }
    if replayed.findings.is_empty() {
        out += &format!("{place}: {} under policy {policy}\n", conclusion(replayed).name());
    }
    out
}
