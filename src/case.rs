//! A case: a failing run as a small file that can be read, replayed for years and handed on.
//!
//! The choices are the case, the seed was only their nickname. What they are replayed against
//! (scenario, policy) is named, hashed and, as far as it can get lost, carried along.

mod folder;
mod made;
mod place;
mod read;
mod ready;
mod save;

pub use folder::{Row, replay_all};
#[cfg(feature = "cli")]
pub(crate) use read::limited;
pub use read::read;
pub use ready::{Ready, replay};
pub use save::{Saver, file_name};
pub use unacked_search::replay::{Fate, Replayed};

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Version of the form, written into every case.
pub const FORMAT: u32 = 1;

/// A case as its file says it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// Version of the form.
    pub format: u32,
    /// A line on what it once broke.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Where it happened.
    pub scenario: ScenarioUsed,
    /// Under which policy.
    pub policy: PolicyUsed,
    /// Kinds added.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub include: Vec<String>,
    /// Kinds taken away.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exclude: Vec<String>,
    /// What it broke.
    pub broke: Broke,
    /// Where samples come from: `off`, or a key.
    #[serde(default = "off")]
    pub noise: String,
    /// Samples fixed to a value.
    #[serde(default)]
    pub pins: Vec<PinUsed>,
    /// What was not benign.
    pub choices: Vec<ChoiceUsed>,
    /// Which program wrote it.
    #[serde(default)]
    pub tool: String,
    /// Digest of the run, for information.
    #[serde(default)]
    pub digest: String,
}

/// Where a case happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScenarioUsed {
    /// Name of an embedded scenario, or of the file that is carried along.
    pub name: String,
    /// Hash of its text.
    pub hash: String,
    /// Its text, if it is no embedded one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Texts of the contract files it names.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, String>,
}

/// Under which policy a case happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PolicyUsed {
    /// Its name.
    pub name: String,
    /// Hash of its text.
    pub hash: String,
    /// What it does otherwise than `reference`, as TOML: this is what is replayed.
    pub change: String,
}

/// What a case broke.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Broke {
    /// The promise.
    pub promise: String,
    /// In which operation.
    pub operation: String,
    /// Who is to blame.
    pub blame: String,
    /// The three together.
    pub signature: String,
    /// Hash of signature and plan.
    #[serde(default)]
    pub fingerprint: String,
    /// In the user's words.
    #[serde(default)]
    pub headline: String,
}

/// One choice that is not benign.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChoiceUsed {
    /// Where.
    pub site: String,
    /// Which option.
    pub option: String,
    /// Its parameter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub param: Option<String>,
    /// Whether it struck when the case was saved: if it no longer does, the case is stale.
    #[serde(default = "yes")]
    pub landed: bool,
}

/// One sample fixed to a value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PinUsed {
    /// Where.
    pub site: String,
    /// The value, in microseconds.
    pub value: u64,
}

fn off() -> String {
    "off".into()
}

fn yes() -> bool {
    true
}

impl Case {
    /// As its file says it.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_else(|e| panic!("a case is plain data, yet: {e}")) + "\n"
    }
}
