//! The report of `check` as JSON.

use super::TOOL;
use super::cases::{Line, line};
use super::demands::Demanded;
use super::json::{Violation, pretty, violation};
use crate::conclusion::Conclusion;
use crate::minimal::Finding;
use crate::regressions::Regressions;
use crate::runset::RunSet;
use serde::Serialize;
use std::collections::BTreeMap;
use unacked_scenarios::told::{DELIVERED, HANDED_OFF, REFUSED};
use unacked_sim::verdict::Blame;

/// The whole report.
#[derive(Serialize)]
struct Report<'a> {
    format: u32,
    tool: &'static str,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    regressions: Option<Vec<Line<'a>>>,
    scenarios: Vec<Scenario<'a>>,
}

#[derive(Serialize)]
struct Scenario<'a> {
    name: &'a str,
    policy: &'a str,
    seeds: Seeds,
    runs: u64,
    faults: BTreeMap<&'static str, u64>,
    reach: Reach<'a>,
    sometimes: Sometimes,
    not_judged: &'a [&'static str],
    demands: Vec<Demanded<'a>>,
    handoffs: u64,
    bound: f64,
    violations: Vec<Violation>,
    breaches: Vec<Violation>,
    undocumented: Vec<Violation>,
}

#[derive(Serialize)]
struct Seeds {
    from: u64,
    to: u64,
}

#[derive(Serialize)]
struct Reach<'a> {
    possible: usize,
    reached: usize,
    unreached: &'a [&'static str],
    excused: &'a [&'static str],
    placed_only: &'a [&'static str],
}

/// What a run set must have seen now and then to be worth something.
#[derive(Serialize)]
struct Sometimes {
    delivered: u64,
    refused: u64,
    handed_off: u64,
}

/// The report of these run sets.
pub fn check_json(sets: &[RunSet], cases: &Regressions) -> String {
    let verdict = sets.iter().map(RunSet::conclusion).fold(cases.conclusion(), Conclusion::max).name();
    let regressions = (!cases.rows.is_empty()).then(|| cases.rows.iter().map(line).collect());
    let report = Report { format: 1, tool: TOOL, verdict, regressions, scenarios: sets.iter().map(scenario).collect() };
    pretty(&report)
}

fn scenario(set: &RunSet) -> Scenario<'_> {
    let statistics = &set.result.statistics;
    let (reached, possible) = set.reach();
    let violations = |wanted: fn(Blame) -> bool| -> Vec<Violation> {
        let of = |f: &&Finding| wanted(f.signature.blame);
        let runs = |f: &Finding| statistics.found.get(&f.signature).map_or(0, |found| found.runs);
        set.result.findings.iter().filter(of).map(|f| violation(f, runs(f))).collect()
    };
    Scenario {
        name: &set.scenario,
        policy: &set.policy,
        seeds: Seeds { from: set.result.seeds.start, to: set.result.seeds.end },
        runs: statistics.runs,
        faults: set.coverage.drawn.iter().map(|(kind, n)| (kind.name, *n)).collect(),
        reach: Reach {
            possible,
            reached,
            unreached: &set.coverage.unreached,
            excused: &set.coverage.excused,
            placed_only: &set.coverage.placed_only,
        },
        sometimes: Sometimes {
            delivered: statistics.ended(DELIVERED),
            refused: statistics.ended(REFUSED),
            handed_off: statistics.ended(HANDED_OFF),
        },
        not_judged: &set.coverage.not_judged,
        demands: Demanded::of(set),
        handoffs: statistics.ended(HANDED_OFF),
        bound: rounded(set.bound()),
        violations: violations(|blame| blame < Blame::Undocumented),
        breaches: violations(|blame| blame == Blame::Breach),
        undocumented: violations(|blame| blame == Blame::Undocumented),
    }
}

/// Three significant digits: what is known of a bound.
fn rounded(rate: f64) -> f64 {
    format!("{rate:.2e}").parse().unwrap_or(rate)
}
