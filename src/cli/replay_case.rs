//! `replay CASE.json` and `replay DIR`: saved cases, run again.

use super::args::{Replay, View};
use super::picture::{Ran, instead};
use super::typed::reproduce;
use super::without::Without;
use super::{Done, interrupt, terminal};
use crate::case::{Ready, Replayed, read, replay, replay_all};
use crate::input_error::InputError;
use crate::minimal::deepen;
use crate::mount::Mount;
use crate::report::{self, Around};
use crate::reproduce::Reproduce;
use crate::source;
use crate::statistics::breaks;
use crate::story::{Step, steps};
use crate::text_file;
use std::path::Path;
use std::{fs, io};
use unacked_scenarios::policy::PolicyFile;

/// Whether this is a case or a folder of cases rather than SCENARIO:SEED.
pub(super) fn is_saved(what: &str) -> bool {
    what.ends_with(".json") || Path::new(what).is_dir()
}

pub(super) fn run(args: &Replay) -> Done {
    refuse_flags(args)?;
    let folders = Path::new(&args.what).is_dir();
    if folders {
        refuse_flags_of_one(args)?;
    }
    let policy = args.policy.as_deref().map(source::policy).transpose()?;
    if folders { folder(args, policy.as_ref()) } else { one(args, policy.as_ref()) }
}

/// What a case says itself cannot be said beside it.
fn refuse_flags(args: &Replay) -> Result<(), InputError> {
    let said = [
        (!args.with.is_empty(), "--with"),
        (!args.kinds.include.is_empty(), "--include"),
        (!args.kinds.exclude.is_empty(), "--exclude"),
    ];
    match said.iter().find(|(said, _)| *said) {
        Some((_, flag)) => {
            Err(InputError(format!("{flag} does not go with a case, which says so itself; change a copy of the file")))
        }
        None => Ok(()),
    }
}

/// Many cases are told in a table.
fn refuse_flags_of_one(args: &Replay) -> Result<(), InputError> {
    let picture = matches!(args.format, View::Mermaid | View::Perfetto);
    let said = [
        (args.without.is_some(), "--without"),
        (args.trace, "--trace"),
        (args.compare.is_some(), "--compare"),
        (picture, "a picture"),
    ];
    match said.iter().find(|(said, _)| *said) {
        Some((_, what)) => Err(InputError(format!("{what} does not go with a folder; name one case in it"))),
        None => Ok(()),
    }
}

fn one(args: &Replay, policy: Option<&PolicyFile>) -> Done {
    let file = &args.what;
    let text = text(file)?;
    let ready = read(file, &text)?.ready_from(file, &text, policy)?;
    if let Some(number) = args.without {
        return without(args, &ready, number);
    }
    let (mut replayed, steps) = replay(&ready, steps);
    ready.mount().in_lab(|lab| replayed.findings.iter_mut().for_each(|finding| deepen(lab, finding, &interrupt::came)));
    let (compiled, plan) = (&ready.saved.compiled, &ready.saved.plan);
    let ran = Ran { place: source::shown(file), compiled, plan, steps: &steps, finding: replayed.findings.first() };
    let again = Again { command: command(args, &ready), ready: &ready };
    let text = instead(args, &ready.mount(), &ran)?.unwrap_or_else(|| told(args, &replayed, &steps, &again));
    report::out(&text)?;
    Ok(replayed.fate.conclusion())
}

/// A case and how it is brought about again.
struct Again<'a> {
    ready: &'a Ready,
    command: Reproduce,
}

fn command(args: &Replay, ready: &Ready) -> Reproduce {
    let mut command = reproduce(&ready.model, &ready.policy, &ready.filter);
    command.case = Some(args.what.clone());
    command.policy = args.policy.clone().unwrap_or_else(|| command.usual.clone());
    command
}

fn told(args: &Replay, replayed: &Replayed, steps: &[Step], again: &Again<'_>) -> String {
    let around = Around {
        file: source::shown(&args.what),
        scenario: source::shown(&again.ready.model.name),
        policy: source::shown(&again.ready.policy.name),
        notices: &again.ready.notices,
        reproduce: &again.command,
    };
    let paint = terminal::paint();
    match (args.format, args.trace) {
        (View::Json, true) => report::trace_json(steps),
        (View::Json, false) => report::case_json(replayed, &around),
        (_, true) => format!("{}\n{}", report::trace(steps, paint), report::case(replayed, &around, paint)),
        (_, false) => report::case(replayed, &around, paint),
    }
}

/// Drops one fault and says whether it was needed.
fn without(args: &Replay, ready: &Ready, number: usize) -> Done {
    let rest = ready.without(number)?;
    let without = rest.mount().in_lab(|lab| {
        let (outcome, events) = lab.trace_plan(&rest.saved.compiled);
        let broken: Vec<u32> = outcome.violations.iter().map(|v| v.event).collect();
        let gone = !breaks(&outcome, &ready.saved.signature);
        Without { number, promise: ready.saved.signature.promise, gone, steps: steps(lab, &events, &broken) }
    });
    report::out(&without.told(args, source::shown(&args.what), source::shown(&ready.policy.name)))?;
    Ok(without.conclusion())
}

fn folder(args: &Replay, policy: Option<&PolicyFile>) -> Done {
    let files = files(&args.what).map_err(|e| InputError(format!("{}: cannot read this folder: {e}", args.what)))?;
    if files.is_empty() {
        return Err(InputError(format!(
            "{}: there are no cases (*.json) in this folder; `check --save DIR` writes some",
            args.what
        )));
    }
    let texts = files.iter().map(|(name, text)| (name.as_str(), text.as_deref()));
    let rows = replay_all(texts.take_while(|_| !interrupt::came()), policy);
    report::out(&if args.format == View::Json { report::cases_json(&rows) } else { report::cases(&rows) })?;
    Ok(rows.iter().map(crate::case::Row::conclusion).max().unwrap_or_default())
}

/// Names and texts of the cases in a folder, sorted; in place of a text, why there is none.
fn files(folder: &str) -> io::Result<Vec<(String, Result<String, String>)>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|e| e == "json") && !path.is_dir() {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            files.push((name, text_file::read(&path)));
        }
    }
    files.sort();
    Ok(files)
}

fn text(file: &str) -> Result<String, InputError> {
    text_file::read(Path::new(file)).map_err(|e| InputError(format!("{file}: {e} (`check --save DIR` writes cases)")))
}
