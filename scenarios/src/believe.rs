//! From what a provider documents to what an orchestrator may believe. Documented cells only:
//! what is not documented counts as absent (R12).

use unacked_mock_providers::contract::{Cell, Commit, Contract, Identity, OnDone, OnFailed};
use unacked_sim::time::Span;
use unacked_workflow::belief::{Belief, Dedup, Duplicate, Lookup};
use unacked_workflow::time::{Micros, NEVER};
use unacked_workflow::tool::Tool;

/// What may be believed of a tool under this contract.
pub fn believe(contract: &Contract, tool: Tool) -> Belief {
    let dedup = dedup(contract);
    Belief {
        dedup,
        stores_failures: contract.on_server_error.promised() != Some(OnFailed::Reexecute),
        decline_binds: dedup != Dedup::None && contract.on_done.value != OnDone::Decline && keeps_declines(contract),
        declines_duplicates: contract.dedups() && contract.on_done.value == OnDone::Decline,
        declines_reexecute: contract.on_declined.promised() == Some(OnFailed::Reexecute) && dedup != Dedup::None,
        duplicate: duplicate(contract, tool),
        lookup: lookup(contract),
        absent_after: absent_after(contract),
        found_within: found_within(contract),
    }
}

/// A replay is covered only if identity, window and the answer to a repetition are all documented.
fn dedup(contract: &Contract) -> Dedup {
    let identity = contract.identity.promised().filter(|&i| i != Identity::None);
    match (identity, contract.window.promised(), contract.on_done.promised()) {
        (Some(_), Some(window), Some(_)) if window.min.0 > 0 => Dedup::Keyed(window.min.0),
        _ => Dedup::None,
    }
}

/// "Duplicate" is proof only if a failed attempt cannot be answered so (a burnt key can).
fn proves(contract: &Contract) -> bool {
    let conflicts = matches!(contract.on_done.promised(), Some(OnDone::ConflictRef | OnDone::ConflictBare));
    let burns = [contract.on_declined, contract.on_client_error, contract.on_server_error];
    conflicts && burns.iter().all(|c| c.promised().is_some_and(|v| v != OnFailed::Burn))
}

/// That it exists does not say how it ends, where that comes later; money given back may always take days.
fn duplicate(contract: &Contract, tool: Tool) -> Duplicate {
    match (proves(contract), contract.commit.promised()) {
        (false, _) => Duplicate::Nothing,
        (true, Some(Commit::Sync)) if tool != Tool::Refund => Duplicate::Final,
        (true, _) => Duplicate::Exists,
    }
}

/// A refusal is the answer to the whole key: an attempt that arrives later is refused too.
fn keeps_declines(contract: &Contract) -> bool {
    matches!(contract.on_declined.promised(), Some(OnFailed::Replay | OnFailed::Burn))
}

fn lookup(contract: &Contract) -> Lookup {
    let ways = &contract.lookup;
    if documented(ways.by_ref) || documented(ways.by_key) || documented(ways.search) {
        Lookup::ByReference
    } else if documented(ways.by_id) {
        Lookup::ById
    } else {
        Lookup::None
    }
}

fn documented(way: Cell<Option<Span>>) -> bool {
    way.promised().flatten().is_some()
}

/// A lookup by key reads what is remembered of the key, and a forgotten one is not found. A search is
/// answered in the same way where there is such a memory to ask.
fn found_within(contract: &Contract) -> Micros {
    let ways = &contract.lookup;
    if documented(ways.by_ref) || ways.by_key.value.is_none() {
        return NEVER;
    }
    contract.window.promised().map_or(0, |window| window.min.0)
}

/// A negative lookup is final only past a documented late-commit bound and a documented lag.
fn absent_after(contract: &Contract) -> Option<Micros> {
    let (late, lag) = (contract.late_commit?, contract.lookup_lag?);
    (lookup(contract) == Lookup::ByReference).then_some(late.0.saturating_add(lag.0))
}
