//! Verdicts: promises, violations, and who is to blame.

use crate::site::Scope;
use crate::time::Time;
use std::fmt;

/// A promise, as the oracles name it.
#[derive(Debug, PartialEq, Eq)]
pub struct Promise {
    /// `charged-once`.
    pub name: &'static str,
    /// When it is judged.
    pub when: When,
    /// What it says, in one sentence.
    pub says: &'static str,
    /// The rules it stands for, `R3 R7`.
    pub rules: &'static str,
}

/// When a promise is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// After every fact that can change it.
    Always,
    /// Once the faults have stopped and time has passed.
    Eventually,
    /// On the final state.
    AtTheEnd,
}

impl When {
    /// The word used in output.
    pub const fn name(self) -> &'static str {
        match self {
            When::Always => "always",
            When::Eventually => "eventually",
            When::AtTheEnd => "at the end",
        }
    }
}

/// Who is to blame for a violation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Blame {
    /// The subject acted without being entitled to.
    Workflow,
    /// A person.
    Human,
    /// A hidden layer between subject and provider.
    Transport,
    /// Reliance on something undocumented.
    Undocumented,
    /// The provider broke its contract.
    Breach,
}

impl Blame {
    /// The word used in output.
    pub const fn name(self) -> &'static str {
        match self {
            Blame::Workflow => "workflow",
            Blame::Human => "human",
            Blame::Transport => "transport",
            Blame::Undocumented => "undocumented",
            Blame::Breach => "breach",
        }
    }
}

impl fmt::Display for Blame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A broken promise. A run goes on after it and keeps the first one per promise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Which promise.
    pub promise: &'static Promise,
    /// Which part of it, `charged-once/surplus`; empty: a promise without parts.
    pub clause: &'static str,
    /// Which operation it is about: a tool's name, or `order` or `node`.
    pub operation: &'static str,
    /// Whom it concerns.
    pub scope: Scope,
    /// Who is to blame.
    pub blame: Blame,
    /// When.
    pub at: Time,
    /// At which event of the run.
    pub event: u32,
    /// What broke, in the user's words; stands alone.
    pub headline: String,
    /// What should have been.
    pub expected: String,
    /// What was found instead.
    pub found: String,
    /// Earlier events that the finding rests on.
    pub evidence: Vec<u32>,
}

/// What the shrinker must preserve, and what violations are counted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Signature {
    /// Name of the promise.
    pub promise: &'static str,
    /// The operation.
    pub operation: &'static str,
    /// Who is to blame.
    pub blame: Blame,
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.promise, self.operation, self.blame)
    }
}

impl Violation {
    /// Its signature.
    pub fn signature(&self) -> Signature {
        Signature { promise: self.promise.name, operation: self.operation, blame: self.blame }
    }
}

/// The violations of one run.
#[derive(Clone, Debug, Default)]
pub struct Verdicts {
    list: Vec<Violation>,
}

impl Verdicts {
    /// Whether this promise was broken already in this run.
    pub fn has(&self, promise: &Promise) -> bool {
        self.list.iter().any(|v| v.promise.name == promise.name)
    }

    /// Keeps a violation, if it is the first of its promise.
    pub fn add(&mut self, violation: Violation) {
        if !self.has(violation.promise) {
            self.list.push(violation);
        }
    }

    /// All of them, in order of finding.
    pub fn all(&self) -> &[Violation] {
        &self.list
    }

    /// Finds somebody to blame for those that came after the first so many, each by what came before it.
    pub fn blame(&mut self, known: usize, mut who: impl FnMut(&Violation, &[Violation]) -> Blame) {
        for at in known..self.list.len() {
            let (before, rest) = self.list.split_at_mut(at);
            rest[0].blame = who(&rest[0], before);
        }
    }

    /// As they were in `to`.
    pub(crate) fn rewind(&mut self, to: &Verdicts) {
        self.list.clone_from(&to.list);
    }

    pub(crate) fn clear(&mut self) {
        self.list.clear();
    }
}

/// A subject panicked.
pub static NO_PANIC: Promise =
    Promise { name: "no-panic", when: When::Always, says: "the subject does not panic", rules: "" };

/// A run ran out of its event budget.
pub static NO_LIVELOCK: Promise = Promise {
    name: "no-livelock",
    when: When::Always,
    says: "the subject comes to rest within the scenario's event budget",
    rules: "",
};

/// A task outlived its node's main future.
pub static NO_LEAK: Promise = Promise {
    name: "no-leak",
    when: When::AtTheEnd,
    says: "no task of the subject is alive after the drain, other than the nodes' main futures",
    rules: "",
};
