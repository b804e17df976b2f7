//! From what a provider documents to what an orchestrator may believe. Documented cells only:
//! what is not documented counts as absent (R12).

use unacked_mock_providers::contract::{Contract, Identity, OnDone, OnFailed};
use unacked_workflow::belief::{Belief, Dedup, Lookup};
use unacked_workflow::time::Micros;

/// What may be believed of an operation under this contract.
pub fn believe(contract: &Contract) -> Belief {
    let dedup = dedup(contract);
    Belief {
        dedup,
        stores_failures: contract.on_server_error.promised() != Some(OnFailed::Reexecute),
        decline_binds: dedup != Dedup::None && contract.on_done.value != OnDone::Decline && keeps_declines(contract),
        declines_duplicates: contract.dedups() && contract.on_done.value == OnDone::Decline,
        duplicate_proves: proves(contract),
        lookup: lookup(contract),
        absent_after: absent_after(contract),
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

/// A refusal is the answer to the whole key: an attempt that arrives later is refused too.
fn keeps_declines(contract: &Contract) -> bool {
    matches!(contract.on_declined.promised(), Some(OnFailed::Replay | OnFailed::Burn))
}

fn lookup(contract: &Contract) -> Lookup {
    let ways = &contract.lookup;
    let documented = |cell: unacked_mock_providers::contract::Cell<Option<_>>| cell.promised().flatten().is_some();
    if documented(ways.by_ref) || documented(ways.by_key) || documented(ways.search) {
        Lookup::ByReference
    } else if documented(ways.by_id) {
        Lookup::ById
    } else {
        Lookup::None
    }
}

/// A negative lookup is final only past a documented late-commit bound and a documented lag.
fn absent_after(contract: &Contract) -> Option<Micros> {
    let (late, lag) = (contract.late_commit?, contract.lookup_lag?);
    (lookup(contract) == Lookup::ByReference).then_some(late.0.saturating_add(lag.0))
}
