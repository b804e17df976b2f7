//! What to do next: a pure function of the durable record, so that recovery after a crash is the
//! same code as normal progress (R16).

mod approval;
mod compensate;
mod gate;
mod hold;
pub(crate) mod margin;
mod notify;
mod operation;
pub(crate) mod reconcile;
mod renewal;

use self::gate::standing;
use crate::belief::{Beliefs, Limits};
use crate::context::{Context, Step};
use crate::order::{Cause, Course, End, Handoff, Order, Status};
use crate::policy::{Acceptance, Policy};
use crate::time::{Micros, NEVER};
use crate::tool::Tool;

/// The next step of an order.
pub fn next(order: &Order, beliefs: &Beliefs, limits: &Limits, policy: &Policy, now: Micros) -> Step {
    of(&Context { order, beliefs, limits, policy, now })
}

pub(crate) fn of(ctx: &Context<'_>) -> Step {
    if ctx.order.end.is_some() {
        return Step::Wait(NEVER);
    }
    if let Some(handoff) = &ctx.order.handoff {
        return handed_off(handoff);
    }
    match ctx.order.course {
        Course::Forward => renewal::tend(ctx, forward(ctx)),
        Course::Cancelling(cause) => compensate::next(ctx, cause),
    }
}

/// While a person looks at one operation, nothing new is sent for the order (R20).
fn handed_off(handoff: &Handoff) -> Step {
    match handoff.statement {
        Some(_) => Step::Resolve,
        None => Step::Wait(NEVER),
    }
}

/// The main line: each step waits for the one before it to be established (R11).
fn forward(ctx: &Context<'_>) -> Step {
    read(ctx)
        .or_else(|| refusal(ctx))
        .or_else(|| reserve(ctx))
        .or_else(|| charge(ctx))
        .or_else(|| fulfill(ctx))
        .unwrap_or_else(|| notify::next(ctx, End::Delivered))
}

/// What is on the shelves is worth a few questions, but no waiting and nobody's time: reserving will tell.
fn read(ctx: &Context<'_>) -> Option<Step> {
    let op = ctx.op(Tool::ReadStock);
    if !op.is_settled() && op.attempts >= ctx.policy.retry.inline_attempts {
        return None;
    }
    standing(ctx, Tool::ReadStock)
}

fn refusal(ctx: &Context<'_>) -> Option<Step> {
    match ctx.policy.refuse {
        Acceptance::TrueCause => None,
        Acceptance::Everything => Some(Step::Cancel(Cause::NoStock)),
    }
}

/// A lapsed hold is taken again, unless it may have been consumed by a shipment.
fn reserve(ctx: &Context<'_>) -> Option<Step> {
    let fulfill = ctx.op(Tool::Fulfill);
    let unshipped = fulfill.status == Status::Planned || fulfill.absent;
    let held = ctx.op(Tool::Reserve).status == Status::Completed;
    if held && unshipped && hold::lapsed(ctx) {
        return Some(Step::Begin(Tool::Reserve));
    }
    standing(ctx, Tool::Reserve)
}

/// The approval may be asked for while the charge is unresolved (no-win-9).
fn charge(ctx: &Context<'_>) -> Option<Step> {
    let step = compensate::hasty(ctx, Tool::Charge).or_else(|| standing(ctx, Tool::Charge))?;
    match step {
        Step::Wait(until) if ctx.limits.approve_with_charge => Some(approval::meanwhile(ctx, until)),
        step => Some(step),
    }
}

/// The approval is part of the gate of the first dispatch (R14).
fn fulfill(ctx: &Context<'_>) -> Option<Step> {
    compensate::hasty(ctx, Tool::Fulfill).or_else(|| standing(ctx, Tool::Fulfill))
}
