//! A case with everything it needs to be run: scenario, policy, filter, plan.

use super::Case;
use super::made::hex;
use super::place::placed;
use crate::input_error::InputError;
use crate::mount::BuiltIn;
use crate::source;
use unacked_scenarios::catalog;
use unacked_scenarios::filter::Filter;
use unacked_scenarios::model::{Model, kinds};
use unacked_scenarios::policy::PolicyFile;
use unacked_scenarios::shop::Shop;
use unacked_scenarios::words::FORMER;
use unacked_search::replay::{Replayed, Saved};
use unacked_sim::lab::Lab;
use unacked_sim::trace::TraceEvent;

/// A case, ready to be run.
#[derive(Clone, Debug)]
pub struct Ready {
    /// The scenario.
    pub model: Model,
    /// The policy: the one that the case carries, or the one asked for.
    pub policy: PolicyFile,
    /// Kinds added and taken away.
    pub filter: Filter,
    /// What was saved.
    pub saved: Saved,
    /// What its reader should know.
    pub notices: Vec<String>,
}

impl Case {
    /// Finds everything; `policy` in place of the case's own.
    ///
    /// # Errors
    /// One sentence that names the place and the fix.
    pub fn ready(&self, name: &str, policy: Option<&PolicyFile>) -> Result<Ready, InputError> {
        self.resolve(policy).map_err(|e| InputError(format!("{name}: {e}")))
    }

    /// As [`Case::ready`], for a case read from this text: errors name the line of the value.
    ///
    /// # Errors
    /// As there.
    pub fn ready_from(&self, name: &str, text: &str, policy: Option<&PolicyFile>) -> Result<Ready, InputError> {
        self.resolve(policy).map_err(|e| InputError(format!("{name}: {}", placed(text, &e))))
    }

    fn resolve(&self, wanted: Option<&PolicyFile>) -> Result<Ready, String> {
        let model = self.model()?;
        let carried =
            PolicyFile::of_delta(&self.policy.name, &self.policy.change).map_err(|e| format!("policy.change: {e}"))?;
        let own = wanted.is_none_or(|policy| policy.delta == carried.delta);
        let filter = Filter { include: self.include.clone(), exclude: self.exclude.clone() };
        filter.check(&kinds()).map_err(|e| format!("include, exclude: {e}"))?;
        let saved = Saved {
            plan: self.plan(FORMER)?,
            compiled: self.compile(&kinds(), FORMER)?,
            landed: self.choices.iter().map(|c| c.landed).collect(),
            signature: self.signature()?,
            own,
        };
        let policy = wanted.cloned().unwrap_or(carried);
        Ok(Ready { notices: self.notices(&model), saved, policy, filter, model })
    }

    fn model(&self) -> Result<Model, String> {
        let used = &self.scenario;
        if let Some(text) = &used.text {
            let fetch = |file: &str| {
                used.files.get(file).cloned().ok_or_else(|| format!("scenario.files has no `{file}`; add its text"))
            };
            return Model::read(&used.name, text, &fetch).map_err(|e| format!("scenario.text: {e}"));
        }
        source::scenario_named(&used.name)
            .map_err(|e| format!("scenario.name: {e}; the text of a file belongs into scenario.text"))
    }

    fn notices(&self, model: &Model) -> Vec<String> {
        let mut notices = Vec::new();
        if hex(model.hash) != self.scenario.hash {
            notices.push(format!("scenario {} is no longer the one that this case was saved in", self.scenario.name));
        }
        let today = catalog::policy(&self.policy.name).and_then(|text| PolicyFile::read(&self.policy.name, text).ok());
        if let Some(today) =
            today.filter(|today| hex(today.hash) != self.policy.hash && today.delta != self.policy.change)
        {
            notices.push(format!("policy {} has changed since; the change that the case carries is used", today.name));
        }
        notices
    }
}

impl Ready {
    /// Mounted, to be run.
    pub fn mount(&self) -> BuiltIn<'_> {
        BuiltIn { model: &self.model, policy: &self.policy, filter: &self.filter }
    }

    /// The same without one choice, counted from 1.
    ///
    /// # Errors
    /// There is no such choice.
    pub fn without(&self, number: usize) -> Result<Ready, InputError> {
        let all = self.saved.plan.choices.len();
        let fix = || InputError(format!("--without {number}: the case has faults 1 to {all}; name one of them"));
        Ok(Ready { saved: self.saved.without(number).ok_or_else(fix)?, ..self.clone() })
    }
}

/// Runs a case again; `look` sees the lab, the events, and the numbers of those that broke something.
pub fn replay<T>(ready: &Ready, look: impl FnOnce(&Lab<'_, Shop>, &[TraceEvent], &[u32]) -> T) -> (Replayed, T) {
    unacked_search::replay::replay(&ready.mount(), &ready.saved, look)
}
