//! The built-in orchestrator as a subject: the workflow under a policy, on every node.

use crate::books::Guard;
use crate::shop::Shop;
use crate::worker::Worker;
use std::future::Future;
use unacked_sim::cx::Cx;
use unacked_sim::lab::{Subject, Task};
use unacked_sim::world::NodeId;
use unacked_workflow::belief::{Beliefs, Limits};
use unacked_workflow::policy::Policy;

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

/// The built-in orchestrator under a policy.
#[derive(Clone, Debug)]
pub struct Orchestrator {
    /// What it believes of its providers.
    pub beliefs: Beliefs,
    /// The scenario's horizons.
    pub limits: Limits,
    /// How it decides.
    pub policy: Policy,
    /// How it keeps its records.
    pub structure: Structure,
}

impl Subject for Orchestrator {
    type World = Shop;

    fn run<'w>(&'w self, cx: Cx<'w, Shop>, _node: NodeId) -> impl Future<Output = ()> + 'w {
        Worker::new(cx, self)
    }

    fn task<'w>(&'w self, cx: Cx<'w, Shop>, _node: NodeId) -> Task<'w> {
        Task::forkable(move || Worker::new(cx, self))
    }
}
