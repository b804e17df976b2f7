//! The built-in orchestrator as a subject: the workflow under a policy, on every node.

use crate::shop::Shop;
use crate::structure::Structure;
use crate::worker::Worker;
use std::future::Future;
use unacked_sim::cx::Cx;
use unacked_sim::lab::{Subject, Task};
use unacked_sim::world::NodeId;
use unacked_workflow::belief::{Beliefs, Limits};
use unacked_workflow::policy::Policy;

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

impl Orchestrator {
    fn worker<'w>(&'w self, cx: Cx<'w, Shop>) -> Worker<'w> {
        Worker::new(cx, self.structure, &self.beliefs, &self.limits, &self.policy)
    }
}

impl Subject for Orchestrator {
    type World = Shop;

    fn run<'w>(&'w self, cx: Cx<'w, Shop>, _node: NodeId) -> impl Future<Output = ()> + 'w {
        self.worker(cx)
    }

    fn task<'w>(&'w self, cx: Cx<'w, Shop>, _node: NodeId) -> Task<'w> {
        Task::forkable(move || self.worker(cx))
    }
}
