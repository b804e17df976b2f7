//! The table of `check --policy all`: who is caught where, by what, how soon.

use super::json::pretty;
use super::summary::table;
use super::{Paint, TOOL, grouped};
use serde::Serialize;

/// One wrong policy in one of its home scenarios.
#[derive(Clone, Debug, Serialize)]
pub struct Caught {
    /// The policy.
    pub policy: String,
    /// Where it was run.
    pub home: String,
    /// Runs made.
    pub runs: u64,
    /// Promises it names that caught it.
    pub caught_by: Vec<String>,
    /// Promises it names that did not.
    pub missed_by: Vec<String>,
    /// The lowest failing seed.
    pub first_seed: Option<u64>,
    /// Failing runs.
    pub failing: u64,
    /// Choices in the smallest plan that breaks a promise it names.
    pub smallest: Option<usize>,
}

impl Caught {
    /// Whether a promise that it names caught it.
    pub fn is_caught(&self) -> bool {
        !self.caught_by.is_empty()
    }
}

/// For people.
pub fn policies(rows: &[Caught], paint: Paint) -> String {
    let mut lines = vec![["policy", "home", "runs", "failing", "first seed", "faults", "caught by"].map(String::from)];
    let dash = |n: Option<u64>| n.map_or("-".into(), grouped);
    lines.extend(rows.iter().map(|row| {
        let by = if row.is_caught() {
            row.caught_by.join(", ")
        } else {
            format!("NOT CAUGHT ({})", row.missed_by.join(", "))
        };
        let smallest = dash(row.smallest.map(|n| n as u64));
        [
            row.policy.clone(),
            row.home.clone(),
            grouped(row.runs),
            grouped(row.failing),
            dash(row.first_seed),
            smallest,
            by,
        ]
    }));
    let caught = rows.iter().filter(|r| r.is_caught()).count();
    let text = format!("{caught} of {} caught", rows.len());
    let verdict = if caught == rows.len() { paint.good(&text) } else { paint.bad(&text) };
    format!("{}\n{:>10}  {verdict}\n", table(&lines), "wrong")
}

#[derive(Serialize)]
struct Report<'a> {
    format: u32,
    tool: &'static str,
    verdict: &'static str,
    reference: serde_json::Value,
    policies: &'a [Caught],
}

/// For programs. `reference`: the report of the reference runs.
pub fn policies_json(reference: &str, rows: &[Caught], verdict: &'static str) -> String {
    let reference: serde_json::Value = serde_json::from_str(reference).unwrap_or_default();
    let reference = reference.get("scenarios").cloned().unwrap_or_default();
    pretty(&Report { format: 1, tool: TOOL, verdict, reference, policies: rows })
}
