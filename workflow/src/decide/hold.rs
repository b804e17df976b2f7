//! The hold on the stock: it must outlive what depends on it (R9; PROMISES, case 8).

use super::{gate, reconcile, standing};
use crate::case::{Case, Step};
use crate::order::Status;
use crate::time::{Micros, NEVER};
use crate::tool::Tool;

/// What must be done for the hold to live on past `margin` from now.
pub(crate) fn ensure(case: &Case<'_>, margin: Micros) -> Option<Step> {
    let expiry = expiry(case);
    // A lapsed hold cannot be renewed: `decide` takes a new one where that is safe.
    if expiry > case.now.saturating_add(margin) || lapsed(case) {
        return None;
    }
    let renew = case.op(Tool::Renew);
    let useless = renew.status == Status::Completed && expiry <= renew.last_claim.saturating_add(margin);
    // A fresh hold that is already too short will never be long enough.
    Some(if useless { reconcile::give_up(case, Tool::Renew) } else { renewal(case) })
}

/// Keeps the hold alive while the order waits for something else.
pub(crate) fn tend(case: &Case<'_>, step: Step) -> Step {
    let Step::Wait(until) = step else { return step };
    if until == NEVER || !is_needed(case) {
        return step;
    }
    let renew_at = renew_at(case);
    if case.now < renew_at {
        return Step::Wait(until.min(renew_at));
    }
    renewal(case).sooner(until)
}

/// The provider said that there is no hold to renew: it expired, or the shipment consumed it.
pub(crate) fn lapsed(case: &Case<'_>) -> bool {
    let renew = case.op(Tool::Renew);
    renew.status == Status::Rejected && !renew.absent
}

fn is_needed(case: &Case<'_>) -> bool {
    case.op(Tool::Reserve).status == Status::Completed
        && case.op(Tool::Fulfill).status != Status::Completed
        && expiry(case) != NEVER
        && !lapsed(case)
}

/// When less than the limit is left, but not before half of a short hold has passed.
fn renew_at(case: &Case<'_>) -> Micros {
    let expiry = expiry(case);
    let since = case.op(Tool::Renew).last_claim.max(case.op(Tool::Reserve).last_claim);
    let half = since.saturating_add(expiry.saturating_sub(since) / 2);
    let needed = case.limits.renew_before.max(gate::travel(case.limits));
    expiry.saturating_sub(needed).max(half)
}

/// Each renewal is a generation of its own.
fn renewal(case: &Case<'_>) -> Step {
    standing(case, Tool::Renew).unwrap_or(Step::Begin(Tool::Renew))
}

fn expiry(case: &Case<'_>) -> Micros {
    match case.op(Tool::Reserve).until {
        0 => NEVER,
        expiry => expiry,
    }
}
