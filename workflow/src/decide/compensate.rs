//! Undoing what is known, in its own recorded operations (R13, R17, R19).

use super::gate::standing;
use super::{gate, hold, notify, reconcile};
use crate::context::{Context, Step};
use crate::order::{Cause, End, Status};
use crate::policy::Compensation;
use crate::tool::Tool;

/// The next step of a refusal: settle everything, refund, release, tell, end.
pub(crate) fn next(ctx: &Context<'_>, cause: Cause) -> Step {
    settle(ctx)
        .or_else(|| refund(ctx))
        .or_else(|| release(ctx))
        .unwrap_or_else(|| notify::next(ctx, End::Refused(cause)))
}

/// Whether a policy gives up on an unknown outcome and undoes things "to be safe".
pub(crate) fn hasty(ctx: &Context<'_>, tool: Tool) -> Option<Step> {
    match haste(ctx)? {
        Tool::Release if tool != Tool::Charge => return None,
        _ => {}
    }
    let op = ctx.op(tool);
    let tried = op.attempts >= ctx.policy.retry.inline_attempts || !reconcile::covered(ctx, tool);
    (op.status.is_open() && tried).then_some(Step::Cancel(match tool {
        Tool::Charge => Cause::Declined,
        _ => Cause::CannotShip,
    }))
}

/// An unknown charge or fulfillment blocks refund and release alike (R17).
fn settle(ctx: &Context<'_>) -> Option<Step> {
    let haste = haste(ctx);
    if haste == Some(Tool::Release)
        && let Some(step) = release(ctx)
    {
        return Some(step);
    }
    [Tool::Reserve, Tool::Charge, Tool::Fulfill]
        .into_iter()
        .filter(|tool| *tool == Tool::Reserve || haste != Some(Tool::Refund))
        .find(|tool| ctx.op(*tool).status.is_open())
        .map(|tool| gate::pass(ctx, tool, reconcile::next(ctx, tool)))
}

/// A refund needs a confirmed charge; an order is not refused before it has succeeded (R13).
fn refund(ctx: &Context<'_>) -> Option<Step> {
    let charge = ctx.op(Tool::Charge).status;
    let hasty = haste(ctx) == Some(Tool::Refund) && charge.is_open();
    if charge != Status::Completed && !hasty {
        return None;
    }
    match standing(ctx, Tool::Refund) {
        // A refund that the provider refuses is a person's business (R19).
        Some(Step::Cancel(_)) => Some(reconcile::give_up(ctx, Tool::Refund)),
        step => step,
    }
}

/// A release that is refused finds no hold: expired or released already, which is the aim.
fn release(ctx: &Context<'_>) -> Option<Step> {
    let held = ctx.op(Tool::Reserve).status == Status::Completed && !hold::lapsed(ctx);
    if !held || ctx.op(Tool::Fulfill).status == Status::Completed {
        return None;
    }
    match standing(ctx, Tool::Release) {
        Some(Step::Cancel(_)) => None,
        step => step,
    }
}

/// What is undone although it is not established; the reference policy does no such thing.
fn haste(ctx: &Context<'_>) -> Option<Tool> {
    match ctx.policy.compensation {
        Compensation::Confirmed => None,
        Compensation::RefundUnknown => Some(Tool::Refund),
        Compensation::ReleaseUnknown => Some(Tool::Release),
    }
}
