//! A run as a sequence diagram for Mermaid: one participant per actor, faults as notes, the break in red.

use crate::story::Step;
use std::fmt::Write;
use unacked_sim::trace::Mark;

/// The diagram. `title`: what is shown, in one line.
pub fn mermaid(title: &str, steps: &[Step]) -> String {
    let shown: Vec<&Step> = steps.iter().filter(|step| is_shown(step, steps)).collect();
    let cast = cast(&shown);
    let mut out = format!("sequenceDiagram\n    title {}\n", escaped(title));
    for (i, name) in cast.iter().enumerate() {
        let _ = writeln!(out, "    participant p{i} as {}", escaped(name));
    }
    for step in shown {
        out += &lines(step, steps, &cast);
    }
    out
}

/// Bookkeeping is left out, and so is what the arrow before has said: arrivals of requests, and sends
/// that are lost, since the loss has an arrow of its own.
fn is_shown(step: &Step, steps: &[Step]) -> bool {
    let is_record = step.mark == Mark::Write || step.mark == Mark::Fact && step.actor == "store";
    let is_lost = || steps.iter().any(|s| s.mark == Mark::Loss && s.cause == step.number);
    let is_plain = match step.mark {
        Mark::Arrive => step.peer.is_empty(),
        Mark::Send => is_lost(),
        _ => is_record,
    };
    step.broken || step.fault.is_some() || !is_plain
}

/// The actors, in order of their first line.
fn cast<'s>(shown: &[&'s Step]) -> Vec<&'s str> {
    let mut cast: Vec<&str> = Vec::new();
    for name in shown.iter().flat_map(|s| [s.actor.as_str(), s.peer.as_str()]).filter(|name| !name.is_empty()) {
        if !cast.contains(&name) {
            cast.push(name);
        }
    }
    cast
}

fn lines(step: &Step, steps: &[Step], cast: &[&str]) -> String {
    let line = line(step, steps, cast);
    if !step.broken {
        return format!("    {line}\n");
    }
    let last = cast.len().saturating_sub(1);
    format!(
        "    rect rgb(255, 205, 205)\n    {line}\n    Note over p0,p{last}: event {}, broken here\n    end\n",
        step.number
    )
}

fn line(step: &Step, steps: &[Step], cast: &[&str]) -> String {
    let id = |name: &str| cast.iter().position(|c| *c == name).unwrap_or(0);
    let (actor, peer) = (id(&step.actor), id(&step.peer));
    let text = said(step, steps);
    match step.mark {
        _ if step.peer.is_empty() => format!("Note over p{actor}: {text}"),
        // The receiver's line: the arrow comes from the other end.
        Mark::Arrive => format!("p{peer}-->>p{actor}: {text}"),
        Mark::Loss => format!("p{actor}-xp{peer}: {text}"),
        _ => format!("p{actor}->>p{peer}: {text}"),
    }
}

fn said(step: &Step, steps: &[Step]) -> String {
    let lost = steps.iter().find(|s| step.mark == Mark::Loss && s.number == step.cause && s.mark == Mark::Send);
    let what = lost.map_or(String::new(), |send| format!("{}: ", send.text));
    let margin = step.fault.map_or(String::new(), |fault| format!(" (fault {fault})"));
    escaped(&format!("{} {what}{}{margin}", step.at, step.text))
}

/// As Mermaid reads it: entities for what would end a statement, open a comment or a tag.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '#' => out += "#35;",
            ';' => out += "#59;",
            '"' => out += "#quot;",
            '<' => out += "#lt;",
            '>' => out += "#gt;",
            '%' => out += "#37;",
            '\n' => out.push(' '),
            _ => out.push(c),
        }
    }
    out
}
