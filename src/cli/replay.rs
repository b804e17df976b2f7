//! `replay`: one seed, or a plan in words, run again and told.

use super::args::{Replay, View};
use super::picture::{Ran, instead};
use super::typed::{filter, reproduce};
use super::{Done, replay_case, terminal};
use crate::minimal::{Finding, deepen, from_script, from_seed};
use crate::refusal::Refusal;
use crate::report;
use crate::rig::{BuiltIn, Rig};
use crate::source;
use crate::story::{Step, steps};
use crate::tally::breaks;
use crate::tally::signatures;
use crate::unsteady::Unsteady;
use crate::verdict::Verdict;
use unacked_scenarios::promises::list;
use unacked_scenarios::records::Records;
use unacked_scenarios::shop::Shop;
use unacked_scenarios::words;
use unacked_sim::lab::Lab;
use unacked_sim::plan::{Choice, FORMAT, Plan, Script};

/// What is run again.
enum Start {
    /// A seed draws.
    Seed(u64),
    /// A plan in words, nominal timing.
    Script(Script),
}

/// What came of it.
struct Replayed {
    findings: Vec<Finding>,
    /// What was not benign, for the door and in words.
    ran: (Script, Plan),
    /// Choices of the plan that did not land.
    missing: usize,
    /// With `--without`: whether the violation is gone.
    gone: Option<bool>,
    steps: Vec<Step>,
    unsteady: Option<Unsteady>,
}

pub(super) fn run(args: &Replay) -> Done {
    if replay_case::is_saved(&args.what) {
        return replay_case::run(args);
    }
    let (name, start) = start(args)?;
    let model = source::scenario(name)?;
    let policy = source::policy_in(&model, args.policy.as_deref())?;
    let filter = filter(&args.kinds)?;
    let rig = BuiltIn { model: &model, policy: &policy, filter: &filter };
    let replayed = rig.in_lab(|lab| replay(lab, args, &start))?;
    let place = match start {
        Start::Seed(seed) => format!("{}:{seed}", source::shown(&model.name)),
        Start::Script(_) => source::shown(&model.name).to_string(),
    };
    let (script, plan) = &replayed.ran;
    let ran = Ran { place: &place, script, plan, steps: &replayed.steps, finding: replayed.findings.first() };
    if let Some(text) = instead(args, &rig, &ran)? {
        report::out(&text);
        return Ok(verdict(&replayed));
    }
    print(
        args,
        &replayed,
        &place,
        source::shown(&model.name),
        source::shown(&policy.name),
        &reproduce(&model, &policy, &filter),
    );
    Ok(verdict(&replayed))
}

fn verdict(replayed: &Replayed) -> Verdict {
    match (&replayed.unsteady, replayed.findings.is_empty(), replayed.gone, replayed.missing) {
        (Some(_), ..) => Verdict::Nondeterministic,
        (None, false, None | Some(false), _) => Verdict::Violated,
        (None, true, _, 1..) => Verdict::Stale,
        _ => Verdict::Kept,
    }
}

/// Scenario and seed, or scenario and choices.
fn start(args: &Replay) -> Result<(&str, Start), Refusal> {
    if !args.with.is_empty() {
        let today = |choice: Choice| Choice { site: words::today(&choice.site, words::FORMER), ..choice };
        let choices: Result<Vec<Choice>, String> =
            args.with.iter().map(|text| Choice::parse(text).map(today)).collect();
        let plan = Plan { format: FORMAT, choices: choices?, ..Plan::default() };
        let script = plan.script(&unacked_scenarios::model::kinds())?;
        return Ok((&args.what, Start::Script(script)));
    }
    let split = args.what.rsplit_once(':').and_then(|(name, seed)| Some((name, seed.parse().ok()?)));
    match split {
        Some((name, seed)) if !name.is_empty() => Ok((name, Start::Seed(seed))),
        _ => Err(Refusal(format!(
            "`{}` is not a run: write SCENARIO:SEED with a whole number, such as checkout:17",
            args.what
        ))),
    }
}

fn replay(lab: &mut Lab<'_, Shop<impl Records>>, args: &Replay, start: &Start) -> Result<Replayed, Refusal> {
    let (outcome, events) = match start {
        Start::Seed(seed) => lab.trace_seed(*seed),
        Start::Script(script) => lab.trace_script(script),
    };
    let broken: Vec<u32> = outcome.violations.iter().map(|v| v.event).collect();
    let missing = lab.missing().len();
    let ran = (
        Script::of(&lab.landed(), lab.noise()),
        lab.door(|d| Plan::describe(d.landed(), d.noise(), &d.names, &d.kinds)),
    );
    let mut replayed =
        Replayed { findings: vec![], ran, missing, gone: None, steps: steps(lab, &events, &broken), unsteady: None };
    for signature in signatures(&outcome) {
        let found = match start {
            Start::Seed(seed) => from_seed(lab, *seed, &signature),
            Start::Script(script) => from_script(lab, script, &signature),
        };
        match found {
            Ok(mut finding) => {
                deepen(lab, &mut finding);
                replayed.findings.push(finding);
            }
            Err(differs) => replayed.unsteady = Some(*differs),
        }
    }
    // The order of the reports: what is worst for the customer first.
    replayed.findings.sort_by_key(|f| list::ALL.iter().position(|p| p.name == f.signature.promise));
    if let Some(number) = args.without {
        without(lab, number, &mut replayed)?;
    }
    Ok(replayed)
}

/// Drops one fault of the first finding's plan and runs the rest.
fn without(lab: &mut Lab<'_, Shop<impl Records>>, number: usize, replayed: &mut Replayed) -> Result<(), Refusal> {
    let Some(finding) = replayed.findings.first() else { return Ok(()) };
    let faults = finding.script.cues.len();
    if !(1..=faults).contains(&number) {
        return Err(Refusal(format!("--without {number}: the shrunk plan has faults 1 to {faults}; name one of them")));
    }
    // The script's order is the shrinker's; the plan's lines are in order of landing.
    let line = finding.plan.choices.get(number - 1).map(|choice| choice.site.hash());
    let rest = Script {
        cues: finding.script.cues.iter().copied().filter(|c| Some(c.site) != line).collect(),
        ..finding.script.clone()
    };
    let (outcome, events) = lab.trace_script(&rest);
    let broken: Vec<u32> = outcome.violations.iter().map(|v| v.event).collect();
    replayed.gone = Some(!breaks(&outcome, &finding.signature));
    replayed.steps = steps(lab, &events, &broken);
    Ok(())
}

fn print(
    args: &Replay,
    replayed: &Replayed,
    place: &str,
    scenario: &str,
    policy: &str,
    again: &crate::reproduce::Reproduce,
) {
    let paint = terminal::paint();
    if args.format == View::Json {
        return report::out(&if args.trace {
            report::trace_json(&replayed.steps)
        } else {
            report::replay_json(place, policy, &replayed.findings, verdict(replayed).name())
        });
    }
    if args.trace {
        report::out(&format!("{}\n", report::trace(&replayed.steps, paint)));
    }
    if let Some(differs) = &replayed.unsteady {
        report::out(&report::unsteady(differs, place, paint));
    }
    if let Some(gone) = replayed.gone {
        return report::out(&format!("{place}: {}\n", told(gone, args.without, &replayed.findings)));
    }
    let blocks: Vec<String> =
        replayed.findings.iter().map(|f| report::block(f, scenario, policy, "", again, paint)).collect();
    report::out(&blocks.join("\n"));
    if replayed.missing > 0 {
        report::out(&format!("{place}: {} did not land\n", report::counted(replayed.missing as u64, "choice")));
    }
    if replayed.findings.is_empty() {
        report::out(&format!("{place}: {} under policy {policy}\n", verdict(replayed).name()));
    }
}

fn told(gone: bool, number: Option<usize>, findings: &[Finding]) -> String {
    let (number, promise) = (number.unwrap_or(0), findings.first().map_or("", |f| f.story.promise.name));
    if gone {
        format!("without fault {number} `{promise}` is kept: the fault is needed")
    } else {
        format!("without fault {number} `{promise}` is broken all the same")
    }
}
