//! What to do next: a pure function of the durable record, so that recovery after a crash is the
//! same code as normal progress (R16).

mod approval;
mod compensate;
pub(crate) mod gate;
mod hold;
pub(crate) mod reconcile;

use crate::belief::{Beliefs, Limits};
use crate::case::{Case, Step};
use crate::order::{Cause, Course, End, Handoff, Order, Status};
use crate::policy::{MailRule, Policy, Refusal};
use crate::retry;
use crate::time::{Micros, NEVER};
use crate::tool::Tool;

/// The next step of an order.
pub fn next(order: &Order, beliefs: &Beliefs, limits: &Limits, policy: &Policy, now: Micros) -> Step {
    of(&Case { order, beliefs, limits, policy, now })
}

pub(crate) fn of(case: &Case<'_>) -> Step {
    if case.order.end.is_some() {
        return Step::Wait(NEVER);
    }
    if let Some(handoff) = &case.order.handoff {
        return handed_off(handoff);
    }
    match case.order.course {
        Course::Forward => hold::tend(case, forward(case)),
        Course::Cancelling(cause) => compensate::next(case, cause),
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
fn forward(case: &Case<'_>) -> Step {
    standing(case, Tool::ReadStock)
        .or_else(|| refusal(case))
        .or_else(|| reserve(case))
        .or_else(|| charge(case))
        .or_else(|| fulfill(case))
        .unwrap_or_else(|| notify(case, End::Delivered))
}

fn refusal(case: &Case<'_>) -> Option<Step> {
    match case.policy.refuse {
        Refusal::TrueCause => None,
        Refusal::Everything => Some(Step::Cancel(Cause::NoStock)),
    }
}

/// A lapsed hold is taken again, unless it may have been consumed by a shipment.
fn reserve(case: &Case<'_>) -> Option<Step> {
    let fulfill = case.op(Tool::Fulfill);
    let unshipped = fulfill.status == Status::Planned || fulfill.absent;
    let held = case.op(Tool::Reserve).status == Status::Completed;
    if held && unshipped && hold::lapsed(case) {
        return Some(Step::Begin(Tool::Reserve));
    }
    standing(case, Tool::Reserve)
}

/// The approval may be asked for while the charge is unresolved (PROMISES, case 9).
fn charge(case: &Case<'_>) -> Option<Step> {
    let step = compensate::hasty(case, Tool::Charge).or_else(|| standing(case, Tool::Charge))?;
    match step {
        Step::Wait(until) if case.limits.approve_with_charge => Some(approval::meanwhile(case, until)),
        step => Some(step),
    }
}

/// The approval is part of the gate of the first dispatch (R14).
fn fulfill(case: &Case<'_>) -> Option<Step> {
    compensate::hasty(case, Tool::Fulfill).or_else(|| standing(case, Tool::Fulfill))
}

/// A failed mail never changes what happened to the order (R18).
pub(crate) fn notify(case: &Case<'_>, end: End) -> Step {
    if case.order.notification_unknown {
        return Step::End(end);
    }
    let open = case.op(Tool::Notify).status.is_open();
    match case.policy.mail {
        MailRule::Never => return Step::End(end),
        MailRule::UntilAnswered if open => {
            return reconcile::when_due(case, Tool::Notify, Step::Replay(Tool::Notify));
        }
        MailRule::Once | MailRule::UntilAnswered => {}
    }
    match standing(case, Tool::Notify) {
        None => Step::End(end),
        Some(Step::Cancel(_)) => Step::Untold,
        Some(step) => step,
    }
}

/// Where one operation stands: what it needs, or `None` once its effect is established.
#[inline(always)]
pub(crate) fn standing(case: &Case<'_>, tool: Tool) -> Option<Step> {
    match case.op(tool).status {
        Status::Completed => None,
        _ => Some(unfinished(case, tool)),
    }
}

fn unfinished(case: &Case<'_>, tool: Tool) -> Step {
    let op = case.op(tool);
    match op.status {
        Status::Rejected if !op.absent => Step::Cancel(cause(tool)),
        Status::Planned if op.attempts > 0 => resume(case, tool),
        Status::Planned | Status::Rejected => begin(case, tool),
        _ => reconcile::next(case, tool),
    }
}

fn begin(case: &Case<'_>, tool: Tool) -> Step {
    gate::before(case, tool, true).unwrap_or(Step::Begin(tool))
}

/// Every attempt so far was refused unseen (throttled, connection refused): the operation is not
/// sent, its key and its approval are still its own. Yet a throttled request was on the wire, which may
/// have made a copy: once the key may be forgotten, that is to be found out first.
fn resume(case: &Case<'_>, tool: Tool) -> Step {
    if retry::exhausted(case, tool) {
        return reconcile::give_up(case, tool);
    }
    if !gate::in_window(case, tool) {
        return reconcile::next(case, tool);
    }
    let replay = reconcile::when_due(case, tool, Step::Replay(tool));
    if replay == Step::Replay(tool) {
        return gate::before(case, tool, false).unwrap_or(replay);
    }
    replay
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
