//! The cases that ship: what once went wrong runs first, and has to be kept.

use crate::case::{Row, replay_all};
use crate::conclusion::Conclusion;
use unacked_scenarios::catalog;
use unacked_scenarios::model::Model;
use unacked_scenarios::policy::PolicyFile;

/// What became of the shipped cases of these scenarios under a policy.
#[derive(Clone, Debug, Default)]
pub struct Regressions {
    /// One row per case.
    pub rows: Vec<Row>,
}

impl Regressions {
    /// Runs those of these scenarios.
    pub fn run(models: &[Model], policy: &PolicyFile) -> Regressions {
        let mut rows = replay_all(catalog::REGRESSIONS.iter().map(|(name, text)| (*name, Ok(*text))), Some(policy));
        let wanted = |row: &Row| row.scenario.is_empty() || models.iter().any(|model| model.name == row.scenario);
        rows.retain(wanted);
        Regressions { rows }
    }

    /// The gravest result.
    pub fn conclusion(&self) -> Conclusion {
        self.rows.iter().map(Row::conclusion).max().unwrap_or_default()
    }
}
