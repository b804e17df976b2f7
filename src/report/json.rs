//! Findings as JSON: no wall time, no absolute path, the same for any number of threads.

use super::TOOL;
use crate::minimal::Finding;
use serde::Serialize;
use unacked_sim::plan::Plan;

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

/// As text that ends in a newline.
pub(super) fn pretty(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value).unwrap_or_else(|e| panic!("reports are plain data, yet: {e}")) + "\n"
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

/// A run that lacks one fault of another.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Rest {
    /// Number of the fault that was left out, from 1.
    pub without: usize,
    /// What the whole run breaks.
    pub promise: &'static str,
    /// Whether it takes the fault to break it.
    pub needed: bool,
}

/// The report of a run that lacks one fault of another.
pub fn without_json(run: &str, policy: &str, rest: &Rest, verdict: &'static str) -> String {
    #[derive(Serialize)]
    struct Told<'a> {
        format: u32,
        tool: &'static str,
        verdict: &'static str,
        run: &'a str,
        policy: &'a str,
        #[serde(flatten)]
        rest: &'a Rest,
    }
    pretty(&Told { format: 1, tool: TOOL, verdict, run, policy, rest })
}
