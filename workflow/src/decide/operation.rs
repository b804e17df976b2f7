//! One operation by itself: what it needs next, whatever the gate before it may say.

use super::{margin, reconcile};
use crate::context::{Context, Step};
use crate::order::{Cause, Status};
use crate::retry;
use crate::tool::Tool;

/// What the operation needs, or `None` once its effect is established.
#[inline(always)]
pub(crate) fn next(ctx: &Context<'_>, tool: Tool) -> Option<Step> {
    match ctx.op(tool).status {
        Status::Completed => None,
        _ => Some(unfinished(ctx, tool)),
    }
}

fn unfinished(ctx: &Context<'_>, tool: Tool) -> Step {
    let op = ctx.op(tool);
    match op.status {
        Status::Rejected if !op.absent => Step::Cancel(cause(tool)),
        Status::Planned if op.attempts > 0 => resume(ctx, tool),
        Status::Planned | Status::Rejected => Step::Begin(tool),
        _ => reconcile::next(ctx, tool),
    }
}

/// Every attempt so far was refused unseen (throttled, connection refused): the operation is not
/// sent, its key and its approval are still its own. Yet a throttled request was on the wire, which may
/// have made a copy: once the key may be forgotten, that is to be found out first.
fn resume(ctx: &Context<'_>, tool: Tool) -> Step {
    if retry::exhausted(ctx, tool) {
        return reconcile::give_up(ctx, tool);
    }
    if !margin::in_window(ctx, tool) {
        return reconcile::next(ctx, tool);
    }
    reconcile::when_due(ctx, tool, Step::Replay(tool))
}

/// Why the order is refused when this operation is: each cause is true in the world.
fn cause(tool: Tool) -> Cause {
    match tool {
        Tool::ReadStock | Tool::Reserve | Tool::Renew => Cause::NoStock,
        Tool::Charge => Cause::Declined,
        Tool::Approve => Cause::NotApproved,
        Tool::Fulfill | Tool::Notify | Tool::Refund | Tool::Release => Cause::CannotShip,
    }
}
