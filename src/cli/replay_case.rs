//! `replay CASE.json` and `replay DIR`: saved cases, run again.

use super::args::{Replay, View};
use super::picture::{Ran, instead};
use super::typed::reproduce;
use super::{Done, terminal};
use crate::case::{Ready, Replayed, read, replay, replay_all};
use crate::minimal::deepen;
use crate::refusal::Refusal;
use crate::report::{self, Around};
use crate::reproduce::Reproduce;
use crate::rig::Rig;
use crate::source;
use crate::story::{Step, steps};
use crate::tally::breaks;
use crate::verdict::Verdict;
use std::path::Path;
use std::{fs, io};
use unacked_scenarios::policy::PolicyFile;

/// Whether this is a case or a folder of cases rather than SCENARIO:SEED.
pub(super) fn is_saved(what: &str) -> bool {
    what.ends_with(".json") || Path::new(what).is_dir()
}

pub(super) fn run(args: &Replay) -> Done {
    refuse_flags(args)?;
    let policy = args.policy.as_deref().map(source::policy).transpose()?;
    if Path::new(&args.what).is_dir() { folder(args, policy.as_ref()) } else { one(args, policy.as_ref()) }
}

/// What a case says itself cannot be said beside it.
fn refuse_flags(args: &Replay) -> Result<(), Refusal> {
    let said = [
        (!args.with.is_empty(), "--with"),
        (!args.kinds.include.is_empty(), "--include"),
        (!args.kinds.exclude.is_empty(), "--exclude"),
    ];
    match said.iter().find(|(said, _)| *said) {
        Some((_, flag)) => {
            Err(Refusal(format!("{flag} does not go with a case, which says so itself; change a copy of the file")))
        }
        None => Ok(()),
    }
}

fn one(args: &Replay, policy: Option<&PolicyFile>) -> Done {
    let file = &args.what;
    let case = read(file, &text(file)?)?;
    let ready = case.ready(file, policy)?;
    if let Some(number) = args.without {
        return without(args, &ready, number);
    }
    let (mut replayed, steps) = replay(&ready, steps);
    ready.rig().in_lab(|lab| replayed.findings.iter_mut().for_each(|finding| deepen(lab, finding)));
    let (script, plan) = (&ready.script, &ready.plan);
    let ran = Ran { place: source::shown(file), script, plan, steps: &steps, finding: replayed.findings.first() };
    match instead(args, &ready.rig(), &ran)? {
        Some(text) => report::out(&text),
        None => print(args, &replayed, &steps, &Again { command: command(args, &ready), ready: &ready }),
    }
    Ok(replayed.fate.verdict())
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

fn print(args: &Replay, replayed: &Replayed, steps: &[Step], again: &Again<'_>) {
    let around = Around {
        file: source::shown(&args.what),
        scenario: source::shown(&again.ready.model.name),
        policy: source::shown(&again.ready.policy.name),
        notices: &again.ready.notices,
        reproduce: &again.command,
    };
    let paint = terminal::paint();
    match (args.format, args.trace) {
        (View::Json, true) => report::out(&report::trace_json(steps)),
        (View::Json, false) => report::out(&report::case_json(replayed, &around)),
        (_, true) => {
            report::out(&format!("{}\n{}", report::trace(steps, paint), report::case(replayed, &around, paint)))
        }
        (_, false) => report::out(&report::case(replayed, &around, paint)),
    }
}

/// Drops one fault and says whether it was needed.
fn without(args: &Replay, ready: &Ready, number: usize) -> Done {
    let rest = ready.without(number)?;
    let gone = rest.rig().in_lab(|lab| !breaks(&lab.run_script(&rest.script), &ready.signature));
    let (promise, file) = (ready.signature.promise, source::shown(&args.what));
    let text = if gone { "is kept: the fault is needed" } else { "is broken all the same" };
    report::out(&format!("{file}: without fault {number} `{promise}` {text}\n"));
    Ok(if gone { Verdict::Kept } else { Verdict::Violated })
}

fn folder(args: &Replay, policy: Option<&PolicyFile>) -> Done {
    let files = files(&args.what).map_err(|e| Refusal(format!("{}: cannot read this folder: {e}", args.what)))?;
    if files.is_empty() {
        return Err(Refusal(format!(
            "{}: there are no cases (*.json) in this folder; `check --save DIR` writes some",
            args.what
        )));
    }
    let rows = replay_all(files.iter().map(|(name, text)| (name.as_str(), text.as_str())), policy);
    report::out(&if args.format == View::Json { report::cases_json(&rows) } else { report::cases(&rows) });
    Ok(rows.iter().map(crate::case::Row::verdict).max().unwrap_or_default())
}

/// Names and texts of the cases in a folder, sorted.
fn files(folder: &str) -> io::Result<Vec<(String, String)>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|e| e == "json") {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            files.push((name, String::from_utf8_lossy(&fs::read(&path)?).into_owned()));
        }
    }
    files.sort();
    Ok(files)
}

fn text(file: &str) -> Result<String, Refusal> {
    let bytes = fs::read(file)
        .map_err(|e| Refusal(format!("{file}: cannot read this case: {e}; `check --save DIR` writes cases")))?;
    String::from_utf8(bytes)
        .map_err(|_| Refusal(format!("{file}: this is no case: it is not UTF-8 text; save it again")))
}
