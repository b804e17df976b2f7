//! The report of `exhaust`.

use super::block::field;
use super::json::{Violation, pretty, violation};
use super::{Paint, TOOL, block, counted, grouped, unsteady};
use crate::exhaust::Exhausted;
use crate::reproduce::Reproduce;
use serde::Serialize;
use std::collections::BTreeMap;

/// For people.
pub fn exhausted(done: &Exhausted, scenario: &str, policy: &str, reproduce: &Reproduce, paint: Paint) -> String {
    let mut out = String::new();
    for finding in &done.findings {
        let failing = done.found.get(&finding.signature).copied().unwrap_or(0);
        let rate = format!("in {} of {}", grouped(failing), counted(done.levels.runs(), "placement"));
        out += &block(finding, scenario, policy, &field("seen", &rate), reproduce, paint);
        out.push('\n');
    }
    if let Some(differs) = &done.unsteady {
        out += &unsteady(differs, scenario, paint);
        out.push('\n');
    }
    out + &levels(done, scenario, policy, paint)
}

fn levels(done: &Exhausted, scenario: &str, policy: &str, paint: Paint) -> String {
    let mut out = format!(
        "{scenario}, policy {policy}: every combination of up to {}, each exactly once\n",
        counted(done.faults as u64, "choice")
    );
    for (k, level) in done.levels.0.iter().enumerate() {
        let of = format!("{} of {}", grouped(level.run), grouped(level.predicted));
        out += &field(&format!("{k}"), &format!("{of} placements"));
    }
    let families: Vec<String> = done.families.iter().map(|(name, n)| format!("{n} {name}")).collect();
    out += &field("covered", &format!("kinds {}; canonical parameters; nominal timing", families.join(", ")));
    out += &field(
        "not",
        "other parameters, noisy timing, more choices at once, breaches and undocumented behaviour unless included",
    );
    let verdict = match (done.interrupted, done.found.is_empty()) {
        (true, _) => paint.bad("interrupted"),
        (false, true) => paint.good(&format!("kept: no violation in {}", counted(done.levels.runs(), "placement"))),
        (false, false) => paint.bad(&format!("violated in {}", counted(done.found.len() as u64, "way"))),
    };
    out + &format!("{:>10}  {verdict}\n", "verdict")
}

#[derive(Serialize)]
struct Report<'a> {
    format: u32,
    tool: &'static str,
    verdict: &'static str,
    scenarios: [Scenario<'a>; 1],
}

#[derive(Serialize)]
struct Scenario<'a> {
    name: &'a str,
    policy: &'a str,
    faults: usize,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    interrupted: bool,
    placements: u64,
    by_level: Vec<u64>,
    predicted: Vec<u64>,
    families: BTreeMap<&'static str, usize>,
    violations: Vec<Violation>,
}

/// For programs.
pub fn exhausted_json(done: &Exhausted, scenario: &str, policy: &str, verdict: &'static str) -> String {
    let runs = |signature| done.found.get(signature).copied().unwrap_or(0);
    let scenario = Scenario {
        name: scenario,
        policy,
        faults: done.faults,
        interrupted: done.interrupted,
        placements: done.levels.runs(),
        by_level: done.levels.0.iter().map(|l| l.run).collect(),
        predicted: done.levels.0.iter().map(|l| l.predicted).collect(),
        families: done.families.iter().copied().collect(),
        violations: done.findings.iter().map(|f| violation(f, runs(&f.signature))).collect(),
    };
    pretty(&Report { format: 1, tool: TOOL, verdict, scenarios: [scenario] })
}
