//! Which kinds make sense where, so that menus can be built from contracts.

use crate::contract::{Atomicity, Commit, Contract, Fingerprint, LateEffect};
use crate::kinds::*;
use crate::message::{Ask, Op};
use unacked_sim::kind::KindId;
use unacked_sim::time::Span;

/// What may happen at the provider (stage `provider`) when an operation is asked for or looked up.
/// Kinds of class `undocumented` are among them; whether a scenario includes them is its business.
pub fn possible(contract: &Contract, op: Op, ask: Ask) -> Vec<KindId> {
    let all: &[(KindId, bool)] = match ask {
        Ask::Act => &acts(contract, op),
        Ask::Lookup => &lookups(contract),
    };
    all.iter().filter(|k| k.1).map(|k| k.0).collect()
}

/// What may happen to a key inside its window's interval (stage `store`).
pub fn pruning(contract: &Contract) -> Vec<KindId> {
    if contract.may_prune() { vec![KEY_PRUNED] } else { Vec::new() }
}

/// What a person asked for approval may do (stage `human`).
pub fn human() -> Vec<KindId> {
    vec![APPROVAL_LATE, APPROVAL_DENIED, APPROVAL_NEVER, APPROVAL_DOUBLED]
}

/// What an operator may do (stage `human`).
pub fn operator() -> Vec<KindId> {
    vec![OPERATOR_SLOW]
}

/// Operations that may still be running when their caller has given up.
const SLOW: [Op; 5] = [Op::Reserve, Op::Charge, Op::Refund, Op::Fulfill, Op::Notify];

fn acts(contract: &Contract, op: Op) -> [(KindId, bool); 14] {
    let mutates = op != Op::ReadStock;
    let later = contract.commit.value != Commit::Sync;
    let slow = SLOW.contains(&op) && contract.late_commit != Some(Span::ZERO);
    let may = slow && contract.late_effect.value == LateEffect::May;
    let dedups = contract.dedups();
    let torn = contract.atomicity.value;
    [
        (ERROR_BEFORE_EFFECT, true),
        (ERROR_AFTER_EFFECT, mutates),
        (ERROR_THEN_EFFECT, may),
        (THROTTLED, true),
        (DECLINED, op == Op::Charge),
        (COMMIT_LATE, slow),
        (OUTAGE, true),
        (REFUND_PENDING, op == Op::Refund && !later),
        (CANNOT_SHIP, op == Op::Fulfill),
        (ACCEPT_LATE, op == Op::Fulfill && later),
        (RECORD_LOST, dedups && torn == Atomicity::EffectThenRecord),
        (EFFECT_LOST, dedups && torn == Atomicity::RecordThenEffect),
        (RACE_EXECUTED, dedups && slow && !contract.in_flight.documented),
        (DRIFT_EXECUTED, dedups && contract.fingerprint.value == Fingerprint::All && !contract.on_mismatch.documented),
    ]
}

fn lookups(contract: &Contract) -> [(KindId, bool); 4] {
    let stalest = contract.lookup.stalest();
    let any = stalest.is_some();
    [
        (ERROR_BEFORE_EFFECT, any),
        (THROTTLED, any),
        (OUTAGE, any),
        (LOOKUP_BEHIND, stalest.is_some_and(|s| s > Span::ZERO)),
    ]
}
