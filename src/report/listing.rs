//! What there is: scenarios, policies, promises, faults, contracts, presets, rules.

use super::block::WIDTH;
use super::json::pretty;
use crate::spec::{self, Section};
use serde::Serialize;
use unacked_bench::presets;
use unacked_mock_providers::catalog as contracts;
use unacked_scenarios::books::Books;
use unacked_scenarios::catalog;
use unacked_scenarios::filter::Filter;
use unacked_scenarios::model::{Model, kinds};
use unacked_scenarios::policy::PolicyFile;
use unacked_scenarios::promises::ALL;
use unacked_sim::kind::Kind;

/// One thing that can be named.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// Its name.
    pub name: String,
    /// A word or two about its kind.
    pub what: String,
    /// One sentence.
    pub about: String,
    /// Rules it stands for, tests or breaks.
    pub rules: String,
    /// Scenarios in which it occurs, is met or is caught.
    pub scenarios: Vec<String>,
}

/// All things of one sort: `scenarios`, `policies`, `promises`, `faults`, `contracts`, `presets`, `rules`.
pub fn rows(sort: &str) -> Vec<Row> {
    match sort {
        "scenarios" => catalog::SCENARIOS.iter().filter_map(|(name, text)| scenario(name, text)).collect(),
        "policies" => catalog::POLICIES.iter().filter_map(|(name, text)| policy(name, text)).collect(),
        "promises" => ALL.iter().map(|p| row(p.name, p.when.name(), p.says, p.rules)).collect(),
        "rules" => spec::sections().map(|section| rule(&section)).collect(),
        "presets" => presets::PRESETS.iter().filter_map(|(name, _)| preset(name)).collect(),
        "contracts" => contracts::names().filter_map(contract).collect(),
        _ => faults(),
    }
}

fn row(name: &str, what: &str, about: &str, rules: &str) -> Row {
    Row { name: name.into(), what: what.into(), about: about.into(), rules: rules.into(), scenarios: Vec::new() }
}

fn scenario(name: &str, text: &str) -> Option<Row> {
    let model = model(name, text)?;
    let (orders, workers) = (model.scenario.orders(), model.scenario.workers);
    Some(row(name, &format!("orders {orders}, workers {workers}"), &model.scenario.about, ""))
}

fn model(name: &str, text: &str) -> Option<Model> {
    Model::read(name, text, &|_| Err("embedded".into())).ok()
}

fn policy(name: &str, text: &str) -> Option<Row> {
    let file = PolicyFile::read(name, text).ok()?;
    let what = if file.is_right() { "right".into() } else { file.caught_by.join(", ") };
    Some(Row { scenarios: file.home.clone(), ..row(name, &what, &file.about, &file.breaks.join(" ")) })
}

/// A rule, a legal end or a case nobody can win.
fn rule(section: &Section) -> Row {
    let broken = breaking(section.id).join(", ");
    row(section.id, &if section.sort == "rule" { broken } else { section.sort.into() }, section.title, "")
}

/// The policies that break a rule.
pub(super) fn breaking(rule: &str) -> Vec<&'static str> {
    let breaks = |(name, text): &&(&str, &str)| {
        PolicyFile::read(name, text).is_ok_and(|file| file.breaks.iter().any(|broken| broken == rule))
    };
    catalog::POLICIES.iter().filter(breaks).map(|(name, _)| *name).collect()
}

fn contract(name: &str) -> Option<Row> {
    let service = contracts::preset(name).ok()?;
    let ops: Vec<&str> = service.offered().map(|(op, _)| op.name()).collect();
    Some(row(name, service.confidence.name(), &format!("{}; {}", service.about, ops.join(", ")), ""))
}

fn preset(name: &str) -> Option<Row> {
    let policy = presets::preset(name).ok()?;
    let what = format!("{}, {}", policy.attempts.words(), policy.year);
    Some(row(name, &what, &format!("{}; {}", policy.about, policy.source), ""))
}

fn faults() -> Vec<Row> {
    let worlds: Vec<(&str, Vec<&str>, Vec<String>)> = catalog::SCENARIOS
        .iter()
        .filter_map(|(name, text)| model(name, text).map(|m| (*name, drawn(&m), m.scenario.reach.except.clone())))
        .collect();
    kinds().iter().map(|(_, kind)| fault(kind, &worlds)).collect()
}

fn drawn(model: &Model) -> Vec<&'static str> {
    let (_, _, door, _) = model.world::<Books>(&Filter::default(), true);
    crate::reach::possible(&door).0.into_iter().map(|(_, kind)| kind.name).collect()
}

fn fault(kind: &Kind, worlds: &[(&str, Vec<&str>, Vec<String>)]) -> Row {
    let met = |(_, drawn, except): &&(&str, Vec<&str>, Vec<String>)| {
        drawn.contains(&kind.name) && !except.iter().any(|e| e == kind.name)
    };
    let scenarios: Vec<String> = worlds.iter().filter(met).map(|w| w.0.to_string()).collect();
    let only_wrong = scenarios.is_empty() && worlds.iter().any(|(_, drawn, _)| drawn.contains(&kind.name));
    let what = match (crate::reach::is_opt_in(kind), only_wrong) {
        (true, _) => format!("{}, with --include", kind.class),
        (false, true) => format!("{}, met by wrong clients only", kind.class),
        (false, false) => kind.class.to_string(),
    };
    Row { scenarios, ..row(kind.name, &what, kind.about, kind.rules) }
}

/// For people.
pub fn list(rows: &[Row]) -> String {
    let name = rows.iter().map(|r| r.name.chars().count()).max().unwrap_or(0);
    let mut out = String::new();
    for row in rows {
        let mut line = format!("{:<name$} ", row.name);
        let mut column = name + 1;
        for word in row.about.split_whitespace() {
            if column + 1 + word.chars().count() > WIDTH {
                line += &format!("\n{:<name$} ", "");
                column = name + 1;
            }
            line += &format!(" {word}");
            column += 1 + word.chars().count();
        }
        out += &format!("{line}\n{:<name$}  [{}]{}\n", "", row.what, tail(row));
    }
    out
}

fn tail(row: &Row) -> String {
    let rules = if row.rules.is_empty() { String::new() } else { format!(" {}", row.rules) };
    let scenarios = if row.scenarios.is_empty() { String::new() } else { format!(" in {}", row.scenarios.join(", ")) };
    rules + &scenarios
}

/// For programs: an array of objects.
pub fn list_json(rows: &[Row]) -> String {
    pretty(&rows)
}
