//! The hold on the stock, as far as the record knows it.

use super::margin;
use crate::context::Context;
use crate::order::Status;
use crate::time::{Micros, NEVER};
use crate::tool::Tool;

/// The provider said that there is no hold to renew: it expired, or the shipment consumed it.
pub(crate) fn lapsed(ctx: &Context<'_>) -> bool {
    let renew = ctx.op(Tool::Renew);
    renew.status == Status::Rejected && !renew.absent
}

/// Whether it has to be kept alive.
pub(crate) fn is_needed(ctx: &Context<'_>) -> bool {
    ctx.op(Tool::Reserve).status == Status::Completed
        && ctx.op(Tool::Fulfill).status != Status::Completed
        && expiry(ctx) != NEVER
        && !lapsed(ctx)
}

/// When less than the limit is left, but not before half of a short hold has passed.
pub(crate) fn renew_at(ctx: &Context<'_>) -> Micros {
    let expiry = expiry(ctx);
    let since = ctx.op(Tool::Renew).last_claim.max(ctx.op(Tool::Reserve).last_claim);
    let half = since.saturating_add(expiry.saturating_sub(since) / 2);
    let needed = ctx.limits.renew_before.max(margin::travel(ctx.limits));
    expiry.saturating_sub(needed).max(half)
}

/// When it ends, unless it is renewed.
pub(crate) fn expiry(ctx: &Context<'_>) -> Micros {
    match ctx.op(Tool::Reserve).until {
        0 => NEVER,
        expiry => expiry,
    }
}
