//! How an orchestrator keeps its records, and the mistakes that can be made there.

use crate::books::Guard;

/// Structural mistakes: not what is decided, but how the records are kept. The model answer makes none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Structure {
    /// When a dispatch is recorded.
    pub persist: Persist,
    /// How the store guards writes and claims.
    pub guard: Guard,
}

/// When a dispatch is recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Persist {
    /// Before the first byte leaves (R3).
    BeforeDispatch,
    /// Only once there is an answer to record.
    AfterAnswer,
}

impl Structure {
    /// No mistake.
    pub const SOUND: Structure = Structure { persist: Persist::BeforeDispatch, guard: Guard::FULL };
}
