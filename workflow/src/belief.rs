//! What the orchestrator believes about a tool's provider, and the horizons the scenario sets.
//!
//! Derived from documented contract cells only; what is not documented counts as absent (R12).

use crate::time::Micros;
use crate::tool::Tool;

/// What is believed of one tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Belief {
    /// How repeated requests are recognised.
    pub dedup: Dedup,
    /// A failure answer (5xx) is stored and repeated for the life of the key.
    pub stores_failures: bool,
    /// A same-key request may be answered `Declined` only if no attempt under the key had effect.
    pub decline_binds: bool,
    /// A repetition of a success may be answered `Declined` too, so that not even the answer to the
    /// only attempt is proof: the wire may have delivered it twice.
    pub declines_duplicates: bool,
    /// A refusal is documented as not remembered: the same key, sent again, is executed again.
    pub declines_reexecute: bool,
    /// What a `Duplicate` answer to one's own reference is documented to prove.
    pub duplicate: Duplicate,
    /// How to ask what happened.
    pub lookup: Lookup,
    /// A negative lookup is final this long after the last possible arrival (late-commit bound +
    /// lookup lag, both documented); `None`: never.
    pub absent_after: Option<Micros>,
    /// A lookup is answered from what is remembered of the key, which may be forgotten this long after its
    /// first use: a later "not found" proves nothing (`NEVER`: the lookup sees the effect itself).
    pub found_within: Micros,
}

/// What a `Duplicate` answer to one's own reference proves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Duplicate {
    /// Nothing: a failed attempt may be answered so, too.
    Nothing,
    /// That the effect exists, but not how it ends: look it up.
    Exists,
    /// That the effect exists, in its final state.
    Final,
}

/// Duplicate suppression at the provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dedup {
    /// None documented: at most one send per generation.
    None,
    /// By idempotency key or natural reference, for at least this long from first use
    /// (`NEVER`: for the life of the account).
    Keyed(Micros),
}

/// How an outcome can be looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lookup {
    /// Not at all.
    None,
    /// Only by the provider's own id, which a lost answer does not give.
    ById,
    /// By our key or reference.
    ByReference,
}

/// Horizons and limits. They come from the scenario, never from the policy under test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Longest pause between a durable claim and its send.
    pub p_max: Micros,
    /// Longest time a request travels.
    pub d_max: Micros,
    /// Largest difference between two clocks.
    pub skew: Micros,
    /// OrderMachine-off deadline per tool where no covered replay is left.
    pub handoff: [Micros; Tool::COUNT],
    /// OrderMachine-off deadline per tool while a covered replay is left (charge: 20 h of a 24 h window).
    pub handoff_covered: [Micros; Tool::COUNT],
    /// Until when money may be on its way by the provider's own word, before a person asks where it is.
    pub pending: Micros,
    /// Attempts per generation.
    pub attempts: [u16; Tool::COUNT],
    /// How long a person has to decide.
    pub approval_deadline: Micros,
    /// Ask for the approval before the charge is settled (no-win-9).
    pub approve_with_charge: bool,
    /// A hold is renewed when less than this is left of it.
    pub renew_before: Micros,
}

/// All beliefs, indexed by [`Tool`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beliefs {
    /// One per tool.
    pub tools: [Belief; Tool::COUNT],
}

impl Beliefs {
    /// The belief about one tool.
    pub fn of(&self, tool: Tool) -> &Belief {
        &self.tools[tool as usize]
    }
}
