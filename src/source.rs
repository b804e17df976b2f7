//! Where scenarios, policies and contracts come from: embedded by name, or a file by path.

use crate::input_error::InputError;
use crate::text_file;
use std::path::Path;
use unacked_scenarios::catalog;
use unacked_scenarios::filter::nearest;
use unacked_scenarios::model::Model;
use unacked_scenarios::policy::PolicyFile;

/// The scenario that always fails: outside "all", run by name to test the alarm.
pub const CANARY: &str = "canary";

/// The scenarios that `check` runs when none is named.
pub fn usual_scenarios() -> impl Iterator<Item = &'static str> {
    catalog::SCENARIOS.iter().map(|(name, _)| *name).filter(|name| *name != CANARY)
}

/// Reads a scenario: an embedded one by name, or a `.toml` file by path.
///
/// # Errors
/// One sentence that names the place and the fix.
pub fn scenario(wanted: &str) -> Result<Model, InputError> {
    if is_path(wanted) {
        let text = read(wanted, "scenarios")?;
        let beside = |name: &str| beside(wanted, name);
        return Model::read(wanted, &text, &beside).map_err(InputError);
    }
    scenario_named(wanted)
}

/// Reads an embedded scenario.
///
/// # Errors
/// There is none of this name.
pub fn scenario_named(wanted: &str) -> Result<Model, InputError> {
    match catalog::scenario(wanted) {
        Some(text) => Model::read(wanted, text, &no_files).map_err(InputError),
        None => Err(unknown("scenario", wanted, catalog::SCENARIOS)),
    }
}

/// Reads a policy: an embedded one by name, or a `.toml` file by path.
///
/// # Errors
/// One sentence that names the place and the fix.
pub fn policy(wanted: &str) -> Result<PolicyFile, InputError> {
    if is_path(wanted) {
        return PolicyFile::read(wanted, &read(wanted, "policies")?).map_err(InputError);
    }
    match catalog::policy(wanted) {
        Some(text) => PolicyFile::read(wanted, text).map_err(InputError),
        None => Err(unknown("policy", wanted, catalog::POLICIES)),
    }
}

/// The policy asked for, or the one that the scenario runs under unless told otherwise.
///
/// # Errors
/// As [`policy`].
pub fn policy_in(model: &Model, wanted: Option<&str>) -> Result<PolicyFile, InputError> {
    policy(wanted.unwrap_or_else(|| usual_policy(model)))
}

/// The policy that a scenario runs under unless told otherwise.
pub fn usual_policy(model: &Model) -> &str {
    model.scenario.policy.as_deref().unwrap_or("reference")
}

/// What output calls a scenario or policy: no absolute path, since a report is the same everywhere.
pub fn shown(name: &str) -> &str {
    let path = Path::new(name);
    match path.file_name().and_then(|n| n.to_str()) {
        Some(file) if path.is_absolute() => file,
        _ => name,
    }
}

fn is_path(wanted: &str) -> bool {
    wanted.ends_with(".toml") || wanted.contains(['/', '\\'])
}

fn read(path: &str, what: &str) -> Result<String, InputError> {
    text_file::read(Path::new(path))
        .map_err(|e| InputError(format!("{path}: {e} (`list {what}` shows what is embedded)")))
}

/// A contract file named in a scenario is looked for in the scenario's folder.
fn beside(scenario: &str, name: &str) -> Result<String, String> {
    let path = Path::new(scenario).parent().unwrap_or(Path::new("")).join(name);
    text_file::read(&path)
        .map_err(|e| format!("the contract file {}: {e}; paths are relative to the scenario", path.display()))
}

fn no_files(name: &str) -> Result<String, String> {
    Err(format!("an embedded scenario cannot name the file {name}"))
}

fn unknown(what: &str, wanted: &str, table: &[(&'static str, &'static str)]) -> InputError {
    let hint = nearest(wanted, table.iter().map(|(name, _)| *name));
    let all = if what == "policy" { "policies" } else { "scenarios" };
    InputError(format!(
        "there is no {what} named `{wanted}`{hint}; `list {all}` shows them all, and a path to a .toml file works too"
    ))
}
