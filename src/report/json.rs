//! The report of `check` as JSON: no wall time, no absolute path, the same for any number of threads.

use super::TOOL;
use crate::minimal::Finding;
use crate::regressions::Regressions;
use crate::runset::RunSet;
use crate::verdict::Verdict;
use serde::Serialize;
use std::collections::BTreeMap;
use unacked_sim::plan::Plan;
use unacked_sim::verdict::Blame;

/// The whole report.
#[derive(Serialize)]
struct Report<'a> {
    format: u32,
    tool: &'static str,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    regressions: Option<Vec<super::cases::Line<'a>>>,
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

/// One distinct finding.
#[derive(Serialize)]
pub(super) struct Violation {
    promise: &'static str,
    rules: Vec<&'static str>,
    blame: &'static str,
    signature: String,
    fingerprint: String,
    seed: Option<u64>,
    runs: u64,
    plan: Vec<String>,
    noise: String,
    pins: Vec<String>,
    case: Option<String>,
}

/// The report of these run sets.
pub fn check_json(sets: &[RunSet], cases: &Regressions) -> String {
    let verdict = sets.iter().map(RunSet::verdict).fold(cases.verdict(), Verdict::max).name();
    let regressions = (!cases.rows.is_empty()).then(|| cases.rows.iter().map(super::cases::line).collect());
    let report = Report { format: 1, tool: TOOL, verdict, regressions, scenarios: sets.iter().map(scenario).collect() };
    pretty(&report)
}

/// As text that ends in a newline.
pub(super) fn pretty(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value).unwrap_or_else(|e| panic!("reports are plain data, yet: {e}")) + "\n"
}

fn scenario(set: &RunSet) -> Scenario<'_> {
    let tally = &set.quarry.tally;
    let (reached, possible) = set.reach();
    let violations = |wanted: fn(Blame) -> bool| -> Vec<Violation> {
        let of = |f: &&Finding| wanted(f.signature.blame);
        let runs = |f: &Finding| tally.found.get(&f.signature).map_or(0, |found| found.runs);
        set.quarry.findings.iter().filter(of).map(|f| violation(f, runs(f))).collect()
    };
    Scenario {
        name: &set.scenario,
        policy: &set.policy,
        seeds: Seeds { from: set.quarry.seeds.start, to: set.quarry.seeds.end },
        runs: tally.runs,
        faults: set.coverage.drawn.iter().map(|(kind, n)| (kind.name, *n)).collect(),
        reach: Reach {
            possible,
            reached,
            unreached: &set.coverage.unreached,
            excused: &set.coverage.excused,
            placed_only: &set.coverage.placed_only,
        },
        sometimes: Sometimes { delivered: tally.delivered, refused: tally.refused, handed_off: tally.handoffs },
        not_judged: &set.coverage.not_judged,
        handoffs: tally.handoffs,
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

/// One finding.
pub(super) fn violation(finding: &Finding, runs: u64) -> Violation {
    let promise = finding.story.promise;
    let (noise, pins) = noise_and_pins(&finding.plan);
    Violation {
        promise: promise.name,
        rules: promise.rules.split_whitespace().collect(),
        blame: finding.signature.blame.name(),
        signature: finding.signature.to_string(),
        fingerprint: format!("{:016x}", finding.fingerprint),
        seed: finding.seed,
        runs,
        plan: finding.story.faults.clone(),
        noise,
        pins,
        case: finding.case.clone(),
    }
}

fn noise_and_pins(plan: &Plan) -> (String, Vec<String>) {
    let bare = Plan { choices: Vec::new(), ..plan.clone() }.to_string();
    let mut lines = bare.lines().map(|l| l.trim_start_matches("noise ").trim_start_matches("pin ").to_string());
    (lines.next().unwrap_or_default(), lines.collect())
}

#[derive(Serialize)]
struct Replayed<'a> {
    format: u32,
    tool: &'static str,
    verdict: &'static str,
    run: &'a str,
    policy: &'a str,
    violations: Vec<Violation>,
}

/// The report of one run again.
pub fn replay_json(run: &str, policy: &str, findings: &[Finding], verdict: &'static str) -> String {
    let violations = findings.iter().map(|f| violation(f, 1)).collect();
    pretty(&Replayed { format: 1, tool: TOOL, verdict, run, policy, violations })
}
