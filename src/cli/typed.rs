//! What was typed, looked up and checked.

use super::args::Kinds;
use super::terminal;
use crate::input_error::InputError;
use crate::mount::{BuiltIn, Mount};
use crate::reproduce::Reproduce;
use crate::source;
use crate::statistics::{FailOn, Judge};
use unacked_scenarios::filter::{Filter, nearest};
use unacked_scenarios::model::{Model, kinds};
use unacked_scenarios::policy::PolicyFile;
use unacked_scenarios::promises;

/// The scenarios asked for, or all; read before anything runs.
pub(super) fn scenarios(wanted: &[String]) -> Result<Vec<Model>, InputError> {
    if wanted.is_empty() {
        return source::usual_scenarios().map(source::scenario).collect();
    }
    if let Some(at) = (1..wanted.len()).find(|&at| wanted[..at].contains(&wanted[at])) {
        return Err(InputError(format!("{} is named twice; name it once", wanted[at])));
    }
    wanted.iter().map(|name| source::scenario(name)).collect()
}

/// Kinds added and taken away, checked.
pub(super) fn filter(typed: &Kinds) -> Result<Filter, InputError> {
    let filter = Filter { include: typed.include.clone(), exclude: typed.exclude.clone() };
    filter.check(&kinds())?;
    if let Some(both) = filter.include.iter().find(|kind| filter.exclude.contains(kind)) {
        return Err(InputError(format!("{both} is both included and excluded; leave one of the two away")));
    }
    Ok(filter)
}

/// Which violations count.
pub(super) fn judge(only: Option<&str>, fail_on: FailOn) -> Result<Judge, InputError> {
    let only = match only {
        None => None,
        Some(name) => Some(promises::named(name).ok_or_else(|| unknown_promise(name))?.name),
    };
    Ok(Judge { only, fail_on })
}

/// Refuses what could not fail: no fault is left that could strike.
pub(super) fn check_menus(mount: &BuiltIn<'_>) -> Result<(), InputError> {
    if mount.in_lab(|lab| lab.door(|door| door.menus().any(|menu| !menu.entries.is_empty()))) {
        return Ok(());
    }
    let scenario = source::shown(&mount.model.name);
    Err(InputError(format!("{scenario}: every fault is excluded, so nothing would be tested; leave some in")))
}

fn unknown_promise(name: &str) -> InputError {
    let hint = nearest(name, promises::ALL.iter().map(|p| p.name));
    InputError(format!("there is no promise named `{name}`{hint}; `list promises` shows them all"))
}

/// How findings of this model and policy are brought about again.
pub(super) fn reproduce(model: &Model, policy: &PolicyFile, filter: &Filter) -> Reproduce {
    Reproduce {
        program: Some(terminal::program()),
        scenario: model.name.clone(),
        policy: policy.name.clone(),
        usual: source::usual_policy(model).into(),
        case: None,
        filter: filter.clone(),
    }
}
