//! A person's yes: asked for, bound to content and operation, used once (R14, R15, R26).

use super::{margin, operation, reconcile};
use crate::context::{Context, Step};
use crate::keys;
use crate::order::{Cause, Decision, Status};
use crate::policy::ApprovalUse;
use crate::time::{MINUTE, Micros};
use crate::tool::Tool;

/// How long after the deadline the desk is asked what it recorded.
const GRACE: Micros = MINUTE;

/// What is needed for a valid yes, or `None` if there is one.
pub(crate) fn next(ctx: &Context<'_>) -> Option<Step> {
    let margin = match ctx.policy.approval {
        ApprovalUse::Skip => return None,
        ApprovalUse::IgnoreExpiry => None,
        ApprovalUse::Bound => Some(margin::clocks(ctx.limits)),
    };
    match ctx.order.approval.decision {
        Decision::Granted if is_valid(ctx, margin) => granted(ctx),
        // Expired unused, or bound to an operation that is over: ask again.
        Decision::Granted => Some(Step::Begin(Tool::Approve)),
        Decision::Denied => Some(Step::Cancel(Cause::NotApproved)),
        Decision::Open => Some(asked(ctx)),
    }
}

/// The approval's part of waiting for the charge.
pub(crate) fn meanwhile(ctx: &Context<'_>, until: Micros) -> Step {
    match ctx.op(Tool::Approve).status {
        Status::Completed => Step::Wait(until),
        _ => next(ctx).map_or(Step::Wait(until), |step| step.sooner(until)),
    }
}

/// A yes is good for this content and this operation, unexpired, and unused but for attempts that never left.
fn is_valid(ctx: &Context<'_>, margin: Option<Micros>) -> bool {
    let order = ctx.order;
    let yes = &order.approval;
    let fresh = margin.is_none_or(|margin| ctx.now.saturating_add(margin) < yes.expires);
    fresh
        && !(yes.consumed && is_used(ctx))
        && yes.content == order.intent.content
        && yes.operation == keys::upcoming(ctx.policy, order, Tool::Fulfill)
}

/// Whether a yes that was taken is gone: it is not, where not one of the attempts it was taken for ever left.
fn is_used(ctx: &Context<'_>) -> bool {
    let op = ctx.op(Tool::Fulfill);
    op.attempts == 0 || !op.is_unsent() || op.status != Status::Planned
}

fn granted(ctx: &Context<'_>) -> Option<Step> {
    (ctx.op(Tool::Approve).status != Status::Completed).then_some(Step::Granted)
}

fn asked(ctx: &Context<'_>) -> Step {
    match ctx.op(Tool::Approve).status {
        Status::Pending => undecided(ctx),
        Status::Completed => Step::Begin(Tool::Approve),
        _ => operation::next(ctx, Tool::Approve).unwrap_or(Step::Begin(Tool::Approve)),
    }
}

/// The deadline may make us ask; only the desk decides (R26).
fn undecided(ctx: &Context<'_>) -> Step {
    let asked = ctx.op(Tool::Approve).first_claim.unwrap_or(ctx.now);
    let deadline = asked.saturating_add(ctx.limits.approval_deadline).saturating_add(GRACE);
    if ctx.now < deadline {
        return Step::Wait(deadline);
    }
    reconcile::when_due(ctx, Tool::Approve, Step::Lookup(Tool::Approve))
}
