//! What a provider serves by: contracts, distributions and menus. Nothing in it changes during a run.

use crate::contract::{Commit, Contract, Delay};
use crate::menus::{Masks, Menus};
use crate::message::Op;
use crate::service::Service;
use crate::settlement::{Final, Settlement};
use std::sync::Arc;
use unacked_sim::distribution::Distribution;
use unacked_sim::door::Door;
use unacked_sim::site::{Occasion, Stage};
use unacked_sim::time::Span;

/// Contracts, distributions and menus of one provider.
#[derive(Clone, Debug)]
pub(crate) struct Serving {
    contracts: [Option<Contract>; Op::COUNT],
    distributions: [Option<Distribution>; Op::COUNT],
    work: [Option<Distribution>; Op::COUNT],
    pub(crate) masks: Masks,
}

impl Serving {
    /// One copy for a provider and all its copies.
    pub(crate) fn shared(service: &Service, menus: &Menus, door: &Door) -> Arc<Serving> {
        Arc::new(Serving {
            contracts: service.ops,
            distributions: service.ops.map(|c| c.and_then(|c| distribution(&c))),
            work: service.ops.map(|c| c.and_then(|c| c.service).map(Delay::distribution)),
            masks: Masks::new(service, menus, door),
        })
    }

    /// The contract of an operation, if it is offered.
    #[inline]
    pub(crate) fn contract(&self, op: Op) -> Option<&Contract> {
        self.contracts[op as usize].as_ref()
    }

    /// How an operation's effect becomes final: at once, or after a sample of its distribution.
    #[inline]
    pub(crate) fn settlement(&self, at: Occasion, op: Op, door: &Door) -> Settlement {
        let delay = self.distributions[op as usize]
            .as_ref()
            .map(|distribution| Span(door.sample(at.at(Stage::Provider), distribution)));
        Settlement { delay, end: Final::Yes }
    }

    /// How far behind a search's index is as a rule: up to a minute. Published by Stripe for its search.
    pub(crate) fn lag(&self, at: Occasion, door: &Door) -> Span {
        const USUAL: Distribution = Distribution::Uniform { lo: 0, hi: Span::mins(1).0 };
        Span(door.sample(at.at(Stage::Clock), &USUAL))
    }

    /// How long it works on a request.
    #[inline]
    pub(crate) fn works(&self, at: Occasion, op: Op, door: &Door) -> Span {
        let sampled = |work| Span(door.sample(at.at(Stage::Clock), work));
        self.work[op as usize].as_ref().map_or(Span::ZERO, sampled)
    }

    /// Whether an operation's outcome comes later than its answer.
    pub(crate) fn is_later(&self, op: Op) -> bool {
        self.distributions[op as usize].is_some()
    }
}

fn distribution(contract: &Contract) -> Option<Distribution> {
    match contract.commit.value {
        Commit::Sync => None,
        Commit::Async(delay) => Some(delay.distribution()),
    }
}
