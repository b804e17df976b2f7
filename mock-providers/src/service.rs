//! A service: the contracts of its operations, and where they come from.

use crate::contract::Contract;
use crate::message::Op;

/// How sure the catalog is of what it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Confidence {
    /// Read in the provider's own documentation.
    Documented,
    /// Partly from client libraries, forums or other second-hand sources.
    Secondary,
    /// Made up for this project: realistic, but nobody's.
    Assumed,
}

impl Confidence {
    /// The word used in output.
    pub const fn name(self) -> &'static str {
        match self {
            Confidence::Documented => "documented",
            Confidence::Secondary => "secondary",
            Confidence::Assumed => "assumed",
        }
    }
}

/// A provider as the catalog describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Service {
    /// Its name in scenarios.
    pub name: String,
    /// What it is modelled on, with the date of the documentation.
    pub about: String,
    /// Where the facts were read.
    pub source: String,
    /// When, `YYYY-MM-DD`.
    pub checked_on: String,
    /// How sure they are.
    pub confidence: Confidence,
    /// One contract per operation, indexed by [`Op`].
    pub ops: [Option<Contract>; Op::COUNT],
}

impl Service {
    /// The contract of one operation; `None`: the service does not offer it.
    pub fn op(&self, op: Op) -> Option<&Contract> {
        self.ops[op as usize].as_ref()
    }

    /// The operations it offers with their contracts, in table order.
    pub fn offered(&self) -> impl Iterator<Item = (Op, &Contract)> {
        Op::ALL.into_iter().filter_map(|op| self.op(op).map(|c| (op, c)))
    }

    /// The contracts of the operations that a provider of this kind must have.
    ///
    /// # Errors
    /// Names the operation that is missing.
    pub(crate) fn require(&self, needed: &[Op]) -> Result<&Service, ContractError> {
        match needed.iter().find(|&&op| self.op(op).is_none()) {
            None => Ok(self),
            Some(&op) => Err(ContractError::Missing { service: self.name.clone(), op: op.name() }),
        }
    }
}

/// Why a contract cannot be used. The text contains the fix.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ContractError {
    /// The file is not TOML of the right shape; `text` has line and column.
    #[error("{service}: {text}")]
    Toml {
        /// The file or service.
        service: String,
        /// What the parser says.
        text: String,
    },
    /// The contract contradicts itself.
    #[error("{service}: {op}.{key}: {problem}; {fix}")]
    Contradiction {
        /// The file or service.
        service: String,
        /// The operation.
        op: &'static str,
        /// The key in the operation's table.
        key: &'static str,
        /// What is wrong.
        problem: String,
        /// What to do about it.
        fix: String,
    },
    /// The service lacks an operation that its role needs.
    #[error(
        "{service}: there is no contract for `{op}`, which a service in this role must have; add a table [ops.{op}]"
    )]
    Missing {
        /// The service.
        service: String,
        /// The operation.
        op: &'static str,
    },
    /// No such preset.
    #[error("there is no contract named `{name}` in the catalog; it has {known}")]
    Unknown {
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
}
