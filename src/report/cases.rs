//! What became of saved cases: one in full, many in a table.

use super::block::field;
use super::json::{Violation, pretty, violation};
use super::summary::table;
use super::{Paint, TOOL, block, counted, unsteady};
use crate::case::{Fate, Replayed, Row};
use crate::regressions::Regressions;
use crate::reproduce::Reproduce;
use serde::Serialize;

/// What surrounds a replayed case.
#[derive(Clone, Copy, Debug)]
pub struct Around<'a> {
    /// Its file.
    pub file: &'a str,
    /// What output calls the scenario.
    pub scenario: &'a str,
    /// What output calls the policy.
    pub policy: &'a str,
    /// What its reader should know.
    pub notices: &'a [String],
    /// How it is brought about again.
    pub reproduce: &'a Reproduce,
}

/// One case: what it breaks now, which of its choices struck, what became of it.
pub fn case(replayed: &Replayed, around: &Around<'_>, paint: Paint) -> String {
    let mut out = String::new();
    if let Some(differs) = &replayed.unsteady {
        out += &unsteady(differs, around.scenario, paint);
    }
    for finding in &replayed.findings {
        out += &block(finding, around.scenario, around.policy, "", around.reproduce, paint);
        out.push('\n');
    }
    around.notices.iter().for_each(|notice| out += &field("notice", notice));
    let struck = replayed.choices.iter().filter(|(_, struck)| *struck).map(|(words, _)| words.as_str());
    struck.for_each(|words| out += &field("matched", words));
    replayed.missing().for_each(|words| out += &field("missing", words));
    out + &field("case", &format!("{}: {}", around.file, told(replayed, around.policy, paint)))
}

fn told(replayed: &Replayed, policy: &str, paint: Paint) -> String {
    let missing = replayed.missing().count() as u64;
    let name = match replayed.fate {
        Fate::Fixed | Fate::Kept => paint.good(replayed.fate.name()),
        fate => paint.bad(fate.name()),
    };
    let mut text = format!("{name} under policy {policy}");
    if let (Fate::Otherwise, Some(finding)) = (replayed.fate, replayed.findings.first()) {
        text += &format!(": {}", finding.signature);
    }
    if missing > 0 {
        text += &format!("; {} did not strike", counted(missing, "choice"));
    }
    text
}

#[derive(Serialize)]
struct Told<'a> {
    format: u32,
    tool: &'static str,
    verdict: &'static str,
    result: &'static str,
    run: &'a str,
    scenario: &'a str,
    policy: &'a str,
    notices: &'a [String],
    matched: Vec<&'a str>,
    missing: Vec<&'a str>,
    violations: Vec<Violation>,
}

/// One case as JSON.
pub fn case_json(replayed: &Replayed, around: &Around<'_>) -> String {
    let matched = replayed.choices.iter().filter(|(_, struck)| *struck).map(|(words, _)| words.as_str());
    pretty(&Told {
        format: 1,
        tool: TOOL,
        verdict: replayed.fate.conclusion().name(),
        result: replayed.fate.name(),
        run: around.file,
        scenario: around.scenario,
        policy: around.policy,
        notices: around.notices,
        matched: matched.collect(),
        missing: replayed.missing().collect(),
        violations: replayed.findings.iter().map(|f| violation(f, 1)).collect(),
    })
}

/// Many cases as a table.
pub fn cases(rows: &[Row]) -> String {
    let mut lines = vec![["case", "promise", "result"].map(String::from)];
    lines.extend(rows.iter().map(|row| [row.file.clone(), row.promise.clone(), result(row)]));
    let notices =
        rows.iter().flat_map(|row| row.notices.iter().map(|n| field("notice", &format!("{}: {n}", row.file))));
    let notices: String = notices.collect();
    format!("{}{notices}{:>10}  {}\n", table(&lines), "verdict", gravest(rows).name())
}

fn gravest(rows: &[Row]) -> crate::conclusion::Conclusion {
    rows.iter().map(Row::conclusion).max().unwrap_or_default()
}

fn result(row: &Row) -> String {
    let replayed = match &row.result {
        Err(error) => return format!("error: {error}"),
        Ok(replayed) => replayed,
    };
    let mut text = replayed.fate.name().to_string();
    if let (Fate::Otherwise, Some(finding)) = (replayed.fate, replayed.findings.first()) {
        text += &format!(": {}", finding.signature);
    }
    match replayed.missing().count() {
        0 => text,
        missing => text + &format!("; {} did not strike", counted(missing as u64, "choice")),
    }
}

#[derive(Serialize)]
struct Table<'a> {
    format: u32,
    tool: &'static str,
    verdict: &'static str,
    cases: Vec<Line<'a>>,
}

#[derive(Serialize)]
pub(super) struct Line<'a> {
    case: &'a str,
    promise: &'a str,
    verdict: &'static str,
    result: String,
    note: Option<&'a str>,
    notices: &'a [String],
    missing: Vec<&'a str>,
}

/// Many cases as JSON.
pub fn cases_json(rows: &[Row]) -> String {
    let cases = rows.iter().map(line).collect();
    pretty(&Table { format: 1, tool: TOOL, verdict: gravest(rows).name(), cases })
}

pub(super) fn line(row: &Row) -> Line<'_> {
    Line {
        case: &row.file,
        promise: &row.promise,
        verdict: row.conclusion().name(),
        result: result(row),
        note: row.note.as_deref(),
        notices: &row.notices,
        missing: row.result.iter().flat_map(Replayed::missing).collect(),
    }
}

/// The line about the regressions, and whatever is wrong with them.
pub fn regressions(regressions: &Regressions) -> String {
    let rows = &regressions.rows;
    if rows.is_empty() {
        return String::new();
    }
    let good = rows.iter().filter(|row| row.conclusion() == crate::conclusion::Conclusion::Kept).count();
    let mut out = field(
        "cases",
        &format!("{good} of {} kept, each a failure of old (list: replay scenarios/regressions)", rows.len()),
    );
    for row in rows.iter().filter(|row| row.conclusion() != crate::conclusion::Conclusion::Kept) {
        let note = row.note.as_deref().unwrap_or("it has no note");
        out += &field("case", &format!("{}: {}; {note}", row.file, result(row)));
    }
    out
}
