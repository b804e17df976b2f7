//! A retry policy as data: orthogonal parts, each with a default that does nothing.

use crate::guard::{Breaker, Budget, Hedge, Rate};
use crate::waits::{Bounds, Jitter, Law, Waits};
use serde::Deserialize;
use unacked_scenarios::units::Length;

/// A retry policy. A file of it is one TOML table per part; a part that is not named is absent.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Policy {
    /// What it is, on one line.
    pub about: String,
    /// Where the numbers were read: a version, a commit, a document.
    pub source: String,
    /// The year whose defaults these are.
    pub year: u16,
    /// How the numbers were learned.
    pub confidence: Confidence,
    /// What is tried again.
    #[serde(default = "transient")]
    pub retries: Vec<Failure>,
    /// How many attempts at most, the first included.
    pub attempts: Attempts,
    /// How long one attempt may take.
    #[serde(default)]
    pub attempt_timeout: Option<Length>,
    /// After how long no further attempt begins, counted from the first.
    #[serde(default)]
    pub deadline: Option<Length>,
    /// How waits grow from retry to retry.
    pub delay: Law,
    /// What waits are kept within.
    #[serde(default)]
    pub bounds: Bounds,
    /// How they are spread.
    #[serde(default)]
    pub jitter: Jitter,
    /// What limits retries across calls.
    #[serde(default)]
    pub budget: Option<Budget>,
    /// What refuses calls for a while.
    #[serde(default)]
    pub breaker: Option<Breaker>,
    /// What slows a client down as a whole.
    #[serde(default)]
    pub rate: Option<Rate>,
    /// Attempts that overlap.
    #[serde(default)]
    pub hedge: Option<Hedge>,
    /// What a server's own wish for a wait leads to.
    #[serde(default)]
    pub hints: Hints,
    /// What an attempt whose outcome is unknown leads to.
    #[serde(default)]
    pub ambiguity: Ambiguity,
}

/// How the numbers of a policy were learned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Confidence {
    /// Read in the source at the version named.
    Source,
    /// From a vendor's page or example: not a default of the code.
    Documentation,
    /// Quoted by another text.
    Quoted,
}

impl Confidence {
    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            Confidence::Source => "source",
            Confidence::Documentation => "documentation",
            Confidence::Quoted => "quoted",
        }
    }
}

/// Kinds of failure that a classifier tells apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Failure {
    /// No connection, or a broken one.
    Transport,
    /// No answer in time: the outcome is unknown.
    Timeout,
    /// Refused because of load.
    Throttled,
    /// The server failed.
    ServerError,
    /// Another writer was faster.
    Conflict,
}

fn transient() -> Vec<Failure> {
    vec![Failure::Transport, Failure::Timeout, Failure::Throttled, Failure::ServerError]
}

/// How often a call is attempted, the first attempt included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Attempts {
    /// At most so often.
    Most(u32),
    /// As something else says.
    Open(Open),
}

/// What limits attempts that no number limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Open {
    /// Nothing.
    Unlimited,
    /// A number that the caller must give.
    Caller,
    /// The policy's budget.
    Budget,
    /// The policy's deadline.
    Deadline,
}

impl Attempts {
    /// Whether attempt `number`, from 1, may be made.
    pub fn allow(self, number: u32) -> bool {
        match self {
            Attempts::Most(most) => number <= most,
            Attempts::Open(_) => true,
        }
    }

    /// In words.
    pub fn words(self) -> String {
        match self {
            Attempts::Most(1) => "1 attempt".into(),
            Attempts::Most(most) => format!("{most} attempts"),
            Attempts::Open(Open::Unlimited) => "unlimited attempts".into(),
            Attempts::Open(Open::Caller) => "attempts as the caller says".into(),
            Attempts::Open(Open::Budget) => "attempts as the budget allows".into(),
            Attempts::Open(Open::Deadline) => "attempts until the deadline".into(),
        }
    }
}

/// What becomes of a wait that a server asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(tag = "use", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Hints {
    /// It is ignored.
    #[default]
    Ignored,
    /// It replaces the policy's own wait.
    Honoured,
    /// It replaces the policy's own wait, but is raised to it and limited to so much more.
    Within {
        /// How much longer than the policy's own wait.
        extra: Length,
    },
}

/// What an unknown outcome leads to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ambiguity {
    /// The policy does not know keys: its caller has to.
    #[default]
    Caller,
    /// The same request under the same key.
    SameKey,
    /// A lookup first, and a further attempt only if nothing is there.
    ReconcileFirst,
    /// Nothing further: a person decides.
    Stop,
    /// The same request under a new key, which duplicates.
    NewKey,
}

impl Policy {
    /// Reads a policy from TOML.
    ///
    /// # Errors
    /// What is wrong and where, or which parts contradict each other.
    pub fn read(text: &str) -> Result<Policy, String> {
        let policy: Policy = toml::from_str(text).map_err(|error| error.to_string())?;
        policy.contradiction().map_or(Ok(policy), Err)
    }

    /// Its waits.
    pub fn waits(&self) -> Waits {
        Waits { delay: self.delay, bounds: self.bounds, jitter: self.jitter }
    }

    fn contradiction(&self) -> Option<String> {
        if self.attempts == Attempts::Most(0) {
            return Some("attempts = 0 allows no call at all: write 1 for no retry".into());
        }
        if self.attempts == Attempts::Open(Open::Budget) && self.budget.is_none() {
            return Some("attempts = \"budget\" needs a [budget]".into());
        }
        if self.attempts == Attempts::Open(Open::Deadline) && self.deadline.is_none() {
            return Some("attempts = \"deadline\" needs a deadline".into());
        }
        self.waits().contradiction()
    }
}
