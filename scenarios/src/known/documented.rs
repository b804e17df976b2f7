//! What a client may rely on, read from the contracts by the oracles' own code: the workflow's beliefs
//! are derived elsewhere, so that a mistake there does not blind its judge. Undocumented counts as absent.

use crate::clause::Needs;
use crate::known::ops::op_of;
use crate::status::Horizon;
use unacked_mock_providers::contract::{Commit, Contract, Identity, OnDone, OnFailed};
use unacked_sim::time::Span;
use unacked_workflow::belief::Limits;
use unacked_workflow::tool::Tool;

/// What the oracles judge by: documented terms, the scenario's horizons, and what can be observed.
#[derive(Clone, Debug)]
pub struct Documented {
    /// Per tool.
    pub tools: [Reliable; Tool::COUNT],
    /// The scenario's horizons.
    pub limits: Limits,
    /// Layers between worker and wire that re-send by themselves, plus one.
    pub layers: u16,
    /// What can be observed of the subject.
    pub sees: Needs,
    /// Every order must have reached a legal end this long after calm began.
    pub finish_bound: Span,
}

/// What one contract documents, as far as it matters to a caller that has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reliable {
    /// How long a key protects from its first use; `None`: a repetition is another request.
    pub window: Option<Span>,
    /// A failure may be stored and only be repeated by a replay.
    pub stores_failures: bool,
    /// A refusal answers for every attempt under the key.
    pub decline_binds: bool,
    /// A repetition of a success may be refused like anything else.
    pub declines_duplicates: bool,
    /// "Duplicate" is answered only where the effect exists.
    pub duplicate: Duplicate,
    /// What a lookup can tell.
    pub lookup: Tells,
    /// "Not found" is final this long after the last possible arrival; `None`: never.
    pub absent_after: Option<Span>,
    /// "Not found" says nothing once a key is this old: the lookup reads the store of keys.
    pub forgets_after: Option<Span>,
}

/// What "duplicate" proves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Duplicate {
    /// Nothing.
    Nothing,
    /// That the request exists; its outcome is not known yet.
    Exists,
    /// That the effect does.
    Done,
}

/// What can be found out afterwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tells {
    /// Nothing.
    Nothing,
    /// What has an id of the provider's.
    ById,
    /// What has a key or reference of ours.
    ByReference,
}

impl Documented {
    /// What a contract documents for one tool.
    pub fn of(&self, tool: Tool) -> &Reliable {
        &self.tools[tool as usize]
    }

    /// Longest pause between a claim and its send, plus the longest travel, plus skew.
    pub fn arrival(&self) -> Span {
        Span(self.limits.p_max) + Span(self.limits.d_max) + Span(self.limits.skew)
    }

    /// What a contract documents about the end of uncertainty.
    pub fn horizon(&self, tool: Tool) -> Horizon {
        let reliable = self.of(tool);
        Horizon {
            absent_after: reliable.absent_after,
            forgets_after: reliable.forgets_after,
            arrival: self.arrival(),
            travel: Span(self.limits.d_max.saturating_add(self.limits.skew)),
        }
    }
}

/// What the contracts document, tool by tool.
pub fn reliable(contracts: &[Contract]) -> [Reliable; Tool::COUNT] {
    Tool::ALL.map(|tool| match tool {
        Tool::ReadStock => Reliable::READ,
        _ => Reliable::of(&contracts[op_of(tool) as usize]),
    })
}

impl Reliable {
    /// A read changes nothing: it may be repeated under any contract, and its answer is the answer.
    const READ: Reliable = Reliable {
        window: Some(Span::NEVER),
        stores_failures: false,
        decline_binds: true,
        declines_duplicates: false,
        duplicate: Duplicate::Done,
        lookup: Tells::Nothing,
        absent_after: None,
        forgets_after: None,
    };

    /// What this contract documents.
    pub fn of(contract: &Contract) -> Reliable {
        let window = window(contract);
        let refuses_repetitions = contract.on_done.value == OnDone::Decline;
        let keeps_refusals = matches!(contract.on_declined.promised(), Some(OnFailed::Replay | OnFailed::Burn));
        let lookup = tells(contract);
        let bounds = contract.late_commit.zip(contract.lookup_lag);
        let by_reference = lookup == Tells::ByReference;
        let forgets = reads_keys(contract);
        Reliable {
            window,
            stores_failures: contract.on_server_error.promised() != Some(OnFailed::Reexecute),
            decline_binds: window.is_some() && keeps_refusals && !refuses_repetitions,
            declines_duplicates: contract.dedups() && refuses_repetitions,
            duplicate: duplicate(contract),
            lookup,
            absent_after: bounds
                .filter(|_| by_reference && (!forgets || window.is_some()))
                .map(|(late, lag)| Span(late.0.saturating_add(lag.0))),
            forgets_after: window.filter(|_| forgets),
        }
    }
}

/// A repetition is the same request only if identity, window and the answer to it are all documented.
fn window(contract: &Contract) -> Option<Span> {
    contract.identity.promised().filter(|&identity| identity != Identity::None)?;
    contract.on_done.promised()?;
    contract.window.promised().map(|window| window.min).filter(|&min| min > Span::ZERO)
}

/// A burnt key is a duplicate of nothing; a request that is decided later exists before it is done.
fn duplicate(contract: &Contract) -> Duplicate {
    let failures = [contract.on_declined, contract.on_client_error, contract.on_server_error];
    let burns = failures.iter().any(|cell| cell.promised().is_none_or(|answer| answer == OnFailed::Burn));
    match contract.on_done.promised() {
        Some(OnDone::ConflictRef | OnDone::ConflictBare) if !burns => match contract.commit.value {
            Commit::Sync => Duplicate::Done,
            Commit::Async(_) => Duplicate::Exists,
        },
        _ => Duplicate::Nothing,
    }
}

fn tells(contract: &Contract) -> Tells {
    let ways = &contract.lookup;
    let known = |cell: unacked_mock_providers::contract::Cell<Option<Span>>| cell.promised().flatten().is_some();
    match () {
        () if known(ways.by_ref) || known(ways.by_key) || known(ways.search) => Tells::ByReference,
        () if known(ways.by_id) => Tells::ById,
        () => Tells::Nothing,
    }
}

/// Whether a lookup under our key reads the store of keys, which forgets.
fn reads_keys(contract: &Contract) -> bool {
    let ways = &contract.lookup;
    ways.by_ref.promised().flatten().is_none() && ways.by_key.promised().flatten().is_some()
}
