//! Unknown outcomes: covered replay, then lookup, then a person (R10-R12).

use super::{hold, margin};
use crate::belief::{Dedup, Lookup};
use crate::context::{Context, Step};
use crate::dispatch::is_money;
use crate::order::{Course, Reference, Status};
use crate::policy::{HandoffRule, OnUnknown};
use crate::retry;
use crate::time::{Micros, NEVER};
use crate::tool::{Class, Tool};

/// What an operation with an open outcome needs now.
pub(crate) fn next(ctx: &Context<'_>, tool: Tool) -> Step {
    let remedy = remedy(ctx, tool);
    if let Some(Step::Assume(..)) = remedy {
        return remedy.unwrap_or(Step::Wait(NEVER));
    }
    let horizon = horizon(ctx, tool);
    if let Some(step) = surrender(ctx, tool, ctx.now >= horizon) {
        return step;
    }
    match remedy {
        Some(step) => when_due(ctx, tool, step).sooner(horizon),
        // The hold is gone, perhaps into the shipment: nothing to do, but not yet hopeless.
        None if tool == Tool::Fulfill && hold::lapsed(ctx) => Step::Wait(horizon),
        None => give_up(ctx, tool),
    }
}

/// The step, once the operation's own wait is over.
pub(crate) fn when_due(ctx: &Context<'_>, tool: Tool, step: Step) -> Step {
    let retry_at = ctx.op(tool).retry_at;
    if ctx.now < retry_at { Step::Wait(retry_at) } else { step }
}

/// What happens when no automatic step is left. A mail is not worth a person's time: that it may
/// not have been sent is made visible instead (no-win-13).
pub(crate) fn give_up(ctx: &Context<'_>, tool: Tool) -> Step {
    surrender(ctx, tool, true).unwrap_or(Step::Wait(NEVER))
}

/// Whether another send of the same key is free of a second effect (R7, R12).
pub(crate) fn covered(ctx: &Context<'_>, tool: Tool) -> bool {
    let recognised = tool.class() == Class::ReadOnly || matches!(ctx.belief(tool).dedup, Dedup::Keyed(_));
    let in_time = recognised && margin::in_window(ctx, tool);
    // A shipment must not be caused on a hold that is gone.
    let held = tool != Tool::Fulfill || !hold::lapsed(ctx);
    in_time && held && !ctx.op(tool).stored_failure && !retry::exhausted(ctx, tool)
}

/// Whether the next thing to try is another send, rather than a question.
pub(crate) fn replays(ctx: &Context<'_>, tool: Tool) -> bool {
    let resent = ctx.op(tool).status == Status::Planned;
    resent || matches!(remedy(ctx, tool), Some(Step::Replay(_)))
}

/// What the policy does about an unknown outcome; a pending one is known, and only waited for.
fn remedy(ctx: &Context<'_>, tool: Tool) -> Option<Step> {
    if ctx.op(tool).status == Status::Pending {
        return ask_first(ctx, tool);
    }
    match ctx.policy.unknown[tool as usize] {
        OnUnknown::Resolve if settles_both_ways(ctx, tool) => ask_first(ctx, tool),
        OnUnknown::Resolve => replay(ctx, tool).or_else(|| lookup(ctx, tool)),
        OnUnknown::Resend => (!retry::exhausted(ctx, tool)).then_some(Step::Replay(tool)),
        OnUnknown::AssumeFailed => Some(Step::Assume(tool, Status::Rejected)),
        OnUnknown::AssumeDone => Some(Step::Assume(tool, Status::Completed)),
    }
}

/// A replay may cause the effect: when the order is being refused, rather ask.
fn settles_both_ways(ctx: &Context<'_>, tool: Tool) -> bool {
    ctx.order.course != Course::Forward && ctx.belief(tool).absent_after.is_some()
}

fn ask_first(ctx: &Context<'_>, tool: Tool) -> Option<Step> {
    lookup(ctx, tool).or_else(|| replay(ctx, tool))
}

fn replay(ctx: &Context<'_>, tool: Tool) -> Option<Step> {
    covered(ctx, tool).then_some(Step::Replay(tool))
}

fn lookup(ctx: &Context<'_>, tool: Tool) -> Option<Step> {
    let possible = match ctx.belief(tool).lookup {
        Lookup::None => false,
        Lookup::ById => ctx.op(tool).reference != Reference(0),
        Lookup::ByReference => true,
    };
    (possible && !ctx.policy.retry.reconcile.is_empty()).then_some(Step::Lookup(tool))
}

/// Until when the operation may stay open without a person. Money that is on its way by the
/// provider's own word may take its days, but not for ever.
pub(crate) fn horizon(ctx: &Context<'_>, tool: Tool) -> Micros {
    let op = ctx.op(tool);
    let deadlines = if progresses(ctx, tool) { &ctx.limits.handoff_covered } else { &ctx.limits.handoff };
    let deadline = deadlines[tool as usize];
    let on_its_way = is_money(tool) && op.status == Status::Pending && lookup(ctx, tool).is_some();
    let span = if on_its_way { deadline.max(ctx.limits.pending) } else { deadline };
    op.first_claim.unwrap_or(ctx.now).saturating_add(span)
}

/// Whether something is left that may settle it: a covered replay, or a question that is answered either way.
fn progresses(ctx: &Context<'_>, tool: Tool) -> bool {
    let both_ways = ctx.belief(tool).absent_after.is_some() && ctx.now <= margin::last_lookup(ctx, tool);
    both_ways || covered(ctx, tool)
}

/// The step of giving up, if the policy gives up here.
fn surrender(ctx: &Context<'_>, tool: Tool, justified: bool) -> Option<Step> {
    let step = if tool == Tool::Notify { Step::Untold } else { Step::HandOff(tool) };
    match ctx.policy.handoff {
        HandoffRule::Eager => Some(step),
        HandoffRule::Justified => justified.then_some(step),
        HandoffRule::Silent => justified.then_some(Step::Wait(NEVER)),
    }
}
