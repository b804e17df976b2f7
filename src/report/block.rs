//! One block per violation: what broke, where, the smallest plan, how it came about, how to see it again.

use super::{Paint, counted, grouped};
use crate::free::{Freedom, Range, Without};
use crate::minimal::Finding;
use crate::mistake::behind;
use crate::reproduce::Reproduce;
use crate::rescue::NoReturn;
use crate::runset::RunSet;
use crate::story::{Step, Story};
use crate::unsteady::Unsteady;
use unacked_scenarios::promises;
use unacked_sim::verdict::{Blame, Signature};

/// Columns of a report.
pub(super) const WIDTH: usize = 100;

/// Blocks of a run set: per promise the simplest finding in full, the workflow's own first, other ways in a line
/// each.
pub fn blocks(runs: &RunSet, paint: Paint) -> String {
    promises::ALL.iter().map(|promise| of_promise(runs, promise.name, paint)).collect()
}

fn of_promise(runs: &RunSet, promise: &str, paint: Paint) -> String {
    let of = |f: &&Finding| f.signature.promise == promise;
    let Some(first) = runs.result.findings.iter().filter(of).min_by_key(|f| (f.signature.blame, f.simplicity())) else {
        return String::new();
    };
    let mut extra = field("failing", &rate(runs, first));
    extra += &other_ways(runs, first);
    block(first, &runs.scenario, &runs.policy, &extra, &runs.reproduce, paint) + "\n"
}

/// The other signatures of the same promise: in their own words where they are few, counted where not.
fn other_ways(runs: &RunSet, first: &Finding) -> String {
    let of_promise = |f: &&Finding| f.signature.promise == first.signature.promise && f.signature != first.signature;
    let mut others: Vec<&Finding> = Vec::new();
    for finding in runs.result.findings.iter().filter(of_promise) {
        match others.iter_mut().find(|f| f.signature == finding.signature) {
            Some(known) if finding.simplicity() < known.simplicity() => *known = finding,
            Some(_) => {}
            None => others.push(finding),
        }
    }
    let told = |f: &&Finding| field("also", &format!("{}: {}", f.story.headline, rate(runs, f)));
    if others.len() <= 2 { others.iter().map(told).collect() } else { field("also", &counts(runs, &others)) }
}

fn counts(runs: &RunSet, others: &[&Finding]) -> String {
    let failing = |f: &&Finding| runs.result.statistics.found.get(&f.signature).map_or(0, |found| found.runs);
    let count = |f: &&Finding| {
        let Signature { operation, blame, .. } = f.signature;
        let blame = if blame == Blame::Workflow { String::new() } else { format!(" by {blame}") };
        format!("{operation}{blame} in {}", counted(failing(f), "run"))
    };
    others.iter().map(count).collect::<Vec<_>>().join(", ")
}

/// How often, and from which other plans.
fn rate(runs: &RunSet, finding: &Finding) -> String {
    let failing = runs.result.statistics.found.get(&finding.signature).map_or(0, |found| found.runs);
    let mut text = format!("in {} of {}", grouped(failing), counted(runs.result.statistics.runs, "run"));
    let others = runs.result.findings.iter().filter(|f| f.signature == finding.signature && f.seed != finding.seed);
    let seeds: Vec<String> = others.filter_map(|f| f.seed).map(|s| s.to_string()).collect();
    if finding.seed.is_some() && !seeds.is_empty() {
        text +=
            &format!("; by other plans at {} {}", if seeds.len() == 1 { "seed" } else { "seeds" }, seeds.join(", "));
    }
    text
}

/// One block. `extra`: lines between blame and the reproduce command.
pub fn block(
    finding: &Finding,
    scenario: &str,
    policy: &str,
    extra: &str,
    reproduce: &Reproduce,
    paint: Paint,
) -> String {
    let story = &finding.story;
    let code = paint.bad(&format!("violation[{}]", story.promise.name));
    let mut out = format!("{code}: {}\n", paint.strong(&story.headline));
    let place = finding.seed.map_or(scenario.to_string(), |seed| format!("{scenario}:{seed}"));
    out += &format!("   --> {place}, event {}, t={}, {}\n\n", story.event, story.at, subject(policy));
    out += &field("promise", &format!("{}: {}", story.promise.when.name(), story.promise.says));
    out += &field("expected", &story.expected);
    out += &field("found", &story.found);
    out.push('\n');
    out += &faults(finding);
    out.push('\n');
    out += &timeline(story, paint);
    out += &no_return(story);
    out.push('\n');
    let rules = if story.promise.rules.is_empty() { String::new() } else { format!("; rules {}", story.promise.rules) };
    out += &field("blame", &format!("{}{rules}", story.blame));
    out += &mistake(story, policy);
    out += extra;
    if let Some(case) = &finding.case {
        out += &field("saved", case);
    }
    out += &format!("{:>10}  {}\n", "reproduce", reproduce.command(finding));
    out
}

/// What people do who get here; of code that is none of our policies, the usual thing.
fn mistake(story: &Story, policy: &str) -> String {
    match behind(policy, story.promise) {
        Some(mistake) if mistake.own => field("mistake", &mistake.says),
        Some(mistake) => field("often", &format!("{} (explain {})", mistake.says, mistake.policy)),
        None => String::new(),
    }
}

fn subject(policy: &str) -> String {
    if policy.contains(' ') { policy.into() } else { format!("policy {policy}") }
}

fn faults(finding: &Finding) -> String {
    let Story { faults, shrinking, .. } = &finding.story;
    let how = if shrinking.complete { "" } else { ", budget spent: it may not be minimal" };
    if shrinking.runs == 0 {
        return numbered(finding, &format!("{} struck, as saved{}", faults.len(), needed(&finding.story)));
    }
    let text = format!(
        "{} needed ({} injected at first, shrunk in {}{how}){}",
        if faults.is_empty() { "none".into() } else { faults.len().to_string() },
        shrinking.injected,
        counted(u64::from(shrinking.runs), "run"),
        needed(&finding.story)
    );
    numbered(finding, &text)
}

fn numbered(finding: &Finding, text: &str) -> String {
    let faults = &finding.story.faults;
    let mut out = field("faults", text);
    for (i, fault) in faults.iter().enumerate() {
        let freedom = finding.story.detail.as_ref().and_then(|d| d.freedom.get(i));
        out += &self::fault(i + 1, fault, &freedom.map(remarks).unwrap_or_default());
    }
    out
}

/// What removing each fault showed.
fn needed(story: &Story) -> &'static str {
    if story.faults.is_empty() {
        return ": it breaks without any";
    }
    let each = || story.detail.iter().flat_map(|d| &d.freedom);
    match (each().count(), each().all(|f| f.without == Without::Kept)) {
        (0, _) | (_, false) => "",
        (1, true) => "; without it: kept (tried)",
        (_, true) => "; without any one: kept (tried)",
    }
}

/// One fault, and what is known about it on the same line if there is room.
fn fault(number: usize, text: &str, remarks: &[String]) -> String {
    let mut out = format!("{number:>10}  {text}");
    let mut column = out.chars().count();
    for remark in remarks {
        let wide = remark.chars().count() + 4;
        if column + wide > WIDTH {
            out += "\n           ";
            column = 11;
        }
        out += &format!("  ({remark})");
        column += wide;
    }
    out + "\n"
}

fn remarks(freedom: &Freedom) -> Vec<String> {
    let without = match freedom.without {
        Without::Kept => None,
        Without::Otherwise(signature) => Some(format!("without it the promise breaks otherwise: {signature}")),
        Without::Same => Some("it happens without it too".into()),
    };
    freedom.range.map(range).into_iter().chain(without).collect()
}

fn range(Range { low, high }: Range) -> String {
    if low == high { "no other time fails".into() } else { format!("any time from {low} to {high} fails") }
}

fn no_return(story: &Story) -> String {
    match story.detail.as_ref().map(|d| &d.no_return) {
        None => String::new(),
        Some(NoReturn::Unknown) => field("no return", "not known: nobody can take over from records of your own"),
        Some(NoReturn::Never) => field("no return", "none: a correct worker could still reach a legal end"),
        Some(NoReturn::From { event, at, text }) => {
            let rest = "from here even a correct worker cannot reach a legal end";
            field("no return", &format!("event {event}, t={at}: {rest} ({text})"))
        }
    }
}

fn timeline(story: &Story, paint: Paint) -> String {
    let shown = story.steps.len();
    if shown == 0 {
        return field("timeline", "nothing led here");
    }
    let cut = if story.left_out > 0 { format!(", {} more left out", story.left_out) } else { String::new() };
    let mut out = field("timeline", &format!("{shown} of {} events, those that led here{cut}", story.events));
    story.steps.iter().for_each(|step| out += &self::step(step, paint));
    out
}

/// One line of a timeline: number, time, from, to, what; which fault in the margin.
pub(super) fn step(step: &Step, paint: Paint) -> String {
    let head = format!(
        "{:>5} {:>12}  {:<9} {:<3} {:<9} ",
        step.number,
        step.at.to_string(),
        step.actor,
        step.arrow,
        step.peer
    );
    let mark = match (step.broken, step.fault) {
        (true, _) => "<-- broken here".to_string(),
        (false, Some(fault)) => format!("fault {fault}"),
        (false, None) if step.no_return => "<-- no return".to_string(),
        (false, None) => String::new(),
    };
    let room = WIDTH - head.chars().count() - if mark.is_empty() { 0 } else { mark.len() + 1 };
    let text = fitted(&step.text, room);
    if mark.is_empty() {
        return format!("{head}{text}").trim_end().to_string() + "\n";
    }
    let gap = WIDTH.saturating_sub(16).saturating_sub(head.chars().count()).max(text.chars().count() + 1);
    let gap = gap.min(room + 1);
    let mark = if step.broken { paint.bad(&mark) } else { paint.fault(&mark) };
    format!("{head}{text:<gap$}{mark}\n")
}

pub(super) fn fitted(text: &str, room: usize) -> String {
    if text.chars().count() <= room {
        return text.into();
    }
    let mut short: String = text.chars().take(room.saturating_sub(1)).collect();
    short.push('…');
    short
}

/// A labelled text, wrapped with a hanging indent.
pub(super) fn field(label: &str, text: &str) -> String {
    let mut out = format!("{label:>10} ");
    let mut column = 11;
    for word in text.split(' ') {
        if column + 1 + word.chars().count() > WIDTH && column > 12 {
            out += "\n           ";
            column = 11;
        }
        out += &format!(" {word}");
        column += 1 + word.chars().count();
    }
    out.push('\n');
    out
}

/// A run that came out differently the second time.
pub fn unsteady(unsteady: &Unsteady, scenario: &str, paint: Paint) -> String {
    let place = unsteady.seed.map_or("a plan".into(), |seed| format!("{scenario}:{seed}"));
    let mut out = format!("{}: {place} ran differently the second time\n", paint.bad("not deterministic"));
    match &unsteady.first {
        Some(first) => {
            out += &format!("   --> {scenario}, event {}, t={}\n\n", first.event, first.at);
            out += &field("first", &first.one);
            out += &field("then", &first.other);
        }
        None => out += "   two traced runs agree, so state from earlier runs leaks into later ones\n\n",
    }
    if unsteady.broken != unsteady.broken_again {
        out += &field("broken", &none_or(&unsteady.broken));
        out += &field("again", &none_or(&unsteady.broken_again));
    }
    out += &field("suspects", "hash maps, the wall clock, threads, statics, randomness of the operating system");
    out
}

fn none_or(list: &[String]) -> String {
    if list.is_empty() { "nothing".into() } else { list.join(", ") }
}
