//! Keeping the hold alive: it must outlive what depends on it (R9; no-win-8).

use super::{hold, operation, reconcile};
use crate::context::{Context, Step};
use crate::order::Status;
use crate::time::{Micros, NEVER};
use crate::tool::Tool;

/// What must be done for the hold to live on past `margin` from now.
pub(crate) fn ensure(ctx: &Context<'_>, margin: Micros) -> Option<Step> {
    let expiry = hold::expiry(ctx);
    // A lapsed hold cannot be renewed: `decide` takes a new one where that is safe.
    if expiry > ctx.now.saturating_add(margin) || hold::lapsed(ctx) {
        return None;
    }
    let renew = ctx.op(Tool::Renew);
    let useless = renew.status == Status::Completed && expiry <= renew.last_claim.saturating_add(margin);
    // A fresh hold that is already too short will never be long enough.
    Some(if useless { reconcile::give_up(ctx, Tool::Renew) } else { renew_now(ctx) })
}

/// Keeps the hold alive while the order waits for something else.
pub(crate) fn tend(ctx: &Context<'_>, step: Step) -> Step {
    let Step::Wait(until) = step else { return step };
    if until == NEVER || !hold::is_needed(ctx) {
        return step;
    }
    let renew_at = hold::renew_at(ctx);
    if ctx.now < renew_at {
        return Step::Wait(until.min(renew_at));
    }
    renew_now(ctx).sooner(until)
}

/// Each renewal is a generation of its own.
fn renew_now(ctx: &Context<'_>) -> Step {
    operation::next(ctx, Tool::Renew).unwrap_or(Step::Begin(Tool::Renew))
}
