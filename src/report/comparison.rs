//! The same plan under two policies, side by side.

use super::block::{WIDTH, field, fitted};
use super::json::pretty;
use super::{Paint, TOOL};
use crate::compare::{Comparison, Side};
use crate::story::Step;
use serde::Serialize;

/// Width of one side's column.
const CELL: usize = (WIDTH - 2) / 2;

/// Most rows.
const ROWS: usize = 60;

/// For people.
pub fn comparison(place: &str, what: &Comparison, paint: Paint) -> String {
    let [one, other] = &what.sides;
    let mut out = format!("{}: {place} under {} and under {}\n\n", paint.strong("compare"), one.policy, other.policy);
    for (i, fault) in what.plan.iter().enumerate() {
        out += &format!("{:>10}  {fault}{}\n", format!("fault {}", i + 1), landing(what, i));
    }
    out += &field("margin", "1, 2, ... the fault that strikes there; ! a promise is broken there");
    let head = |side: &Side| format!("{:>11}   {}", "", side.policy);
    out += &format!("\n{}\n", row(&head(one), &head(other)));
    out += &rows(one, other).concat();
    for side in &what.sides {
        out += &format!("\n{}", ending(side, paint));
    }
    out
}

/// Says so if a fault did not strike on both sides.
fn landing(what: &Comparison, fault: usize) -> String {
    let missing = |side: &&Side| side.landed.get(fault) == Some(&false);
    let names: Vec<&str> = what.sides.iter().filter(missing).map(|s| s.policy.as_str()).collect();
    if names.is_empty() { String::new() } else { format!("   (does not come up under {})", names.join(" and ")) }
}

/// Both timelines; what both sides do stands in one row, each with its own time.
fn rows(one: &Side, other: &Side) -> Vec<String> {
    let several = [one, other].iter().any(|side| side.steps.iter().any(|s| s.actor == "worker-2"));
    let mut out = Vec::new();
    for (left, right) in aligned(&one.steps, &other.steps) {
        let cell = |step: Option<&Step>| step.map_or(String::new(), |s| cell(s, several));
        out.push(row(&cell(left), &cell(right)));
    }
    let more = out.len().saturating_sub(ROWS);
    if more > 0 {
        out.truncate(ROWS);
        out.push(format!("{:>11}  {more} rows more; `--trace` shows every event of one side\n", "…"));
    }
    out
}

/// Pairs what is the same on both sides, keys and times aside: a longest common subsequence.
fn aligned<'s>(one: &'s [Step], other: &'s [Step]) -> Vec<(Option<&'s Step>, Option<&'s Step>)> {
    let common = common(one, other);
    let (mut i, mut j) = (0, 0);
    let mut out = Vec::new();
    while i < one.len() || j < other.len() {
        let both = i < one.len() && j < other.len() && same(&one[i], &other[j]);
        if both && common[i][j] == common[i + 1][j + 1] + 1 {
            out.push((Some(&one[i]), Some(&other[j])));
            (i, j) = (i + 1, j + 1);
        } else if j == other.len() || i < one.len() && common[i + 1][j] >= common[i][j + 1] {
            out.push((Some(&one[i]), None));
            i += 1;
        } else {
            out.push((None, Some(&other[j])));
            j += 1;
        }
    }
    out
}

/// Lengths of the longest common subsequences of all tails.
fn common(one: &[Step], other: &[Step]) -> Vec<Vec<u32>> {
    let mut table = vec![vec![0; other.len() + 1]; one.len() + 1];
    for i in (0..one.len()).rev() {
        for j in (0..other.len()).rev() {
            let skip = table[i + 1][j].max(table[i][j + 1]);
            table[i][j] = if same(&one[i], &other[j]) { table[i + 1][j + 1] + 1 } else { skip };
        }
    }
    table
}

fn same(one: &Step, other: &Step) -> bool {
    one.mark == other.mark && what(one) == what(other)
}

/// What is done, without the key it is done under.
fn what(step: &Step) -> &str {
    step.text.split(", key ").next().unwrap_or(&step.text)
}

fn row(one: &str, other: &str) -> String {
    format!("{:<CELL$}  {}", fitted(one, CELL), fitted(other, CELL)).trim_end().to_string() + "\n"
}

fn cell(step: &Step, several: bool) -> String {
    let mark = match (step.broken, step.fault) {
        (true, _) => "!".to_string(),
        (false, Some(fault)) => fault.to_string(),
        (false, None) => String::new(),
    };
    let worker = step.actor.strip_prefix("worker-").filter(|_| several);
    let who = worker.map_or(String::new(), |number| format!("w{number} "));
    let arrow = if step.arrow.is_empty() { String::new() } else { format!("{} ", step.arrow) };
    fitted(&format!("{:>11} {mark:<1} {who}{arrow}{}", step.at.to_string(), step.text), CELL)
}

fn ending(side: &Side, paint: Paint) -> String {
    let verdict = if side.broken.is_empty() { paint.good("kept") } else { paint.bad("violated") };
    let mut out = format!("{}: {verdict}\n", paint.strong(&side.policy));
    side.broken.iter().for_each(|(promise, headline)| out += &field("broken", &format!("{promise}: {headline}")));
    side.ends.iter().for_each(|end| out += &field("end", end));
    out
}

#[derive(Serialize)]
struct Compared<'a> {
    format: u32,
    tool: &'static str,
    run: &'a str,
    plan: &'a [String],
    policies: Vec<Policy<'a>>,
}

#[derive(Serialize)]
struct Policy<'a> {
    policy: &'a str,
    verdict: &'static str,
    landed: &'a [bool],
    violations: Vec<Broken<'a>>,
    ends: &'a [String],
}

#[derive(Serialize)]
struct Broken<'a> {
    promise: &'static str,
    headline: &'a str,
}

/// For programs.
pub fn comparison_json(place: &str, what: &Comparison) -> String {
    let policies = what.sides.iter().map(policy).collect();
    pretty(&Compared { format: 1, tool: TOOL, run: place, plan: &what.plan, policies })
}

fn policy(side: &Side) -> Policy<'_> {
    Policy {
        policy: &side.policy,
        verdict: if side.broken.is_empty() { "kept" } else { "violated" },
        landed: &side.landed,
        violations: side.broken.iter().map(|(promise, headline)| Broken { promise, headline }).collect(),
        ends: &side.ends,
    }
}
