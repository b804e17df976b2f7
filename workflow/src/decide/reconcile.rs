//! Unknown outcomes: covered replay, then lookup, then a person (R10-R12).

use super::{gate, hold};
use crate::belief::{Dedup, Lookup};
use crate::case::{Case, Step};
use crate::order::{Course, Reference, Status};
use crate::policy::{HandoffRule, OnUnknown};
use crate::retry;
use crate::time::{Micros, NEVER};
use crate::tool::{Class, Tool};

/// What an operation with an open outcome needs now.
pub(crate) fn next(case: &Case<'_>, tool: Tool) -> Step {
    let remedy = remedy(case, tool);
    if let Some(Step::Assume(..)) = remedy {
        return remedy.unwrap_or(Step::Wait(NEVER));
    }
    let horizon = horizon(case, tool);
    if let Some(step) = surrender(case, tool, case.now >= horizon) {
        return step;
    }
    match remedy {
        Some(step) => allowed(case, tool, when_due(case, tool, step)).sooner(horizon),
        // The hold is gone, perhaps into the shipment: nothing to do, but not yet hopeless.
        None if tool == Tool::Fulfill && hold::lapsed(case) => Step::Wait(horizon),
        None => give_up(case, tool),
    }
}

/// The step, once the operation's own wait is over.
pub(crate) fn when_due(case: &Case<'_>, tool: Tool, step: Step) -> Step {
    let retry_at = case.op(tool).retry_at;
    if case.now < retry_at { Step::Wait(retry_at) } else { step }
}

/// What happens when no automatic step is left. A mail is not worth a person's time: that it may
/// not have been sent is made visible instead (PROMISES, case 13).
pub(crate) fn give_up(case: &Case<'_>, tool: Tool) -> Step {
    surrender(case, tool, true).unwrap_or(Step::Wait(NEVER))
}

/// Whether another send of the same key is free of a second effect (R7, R12).
pub(crate) fn covered(case: &Case<'_>, tool: Tool) -> bool {
    let recognised = tool.class() == Class::ReadOnly || matches!(case.belief(tool).dedup, Dedup::Keyed(_));
    let in_time = recognised && gate::in_window(case, tool);
    // A shipment must not be caused on a hold that is gone.
    let held = tool != Tool::Fulfill || !hold::lapsed(case);
    in_time && held && !case.op(tool).stored_failure && !retry::exhausted(case, tool)
}

/// Whether the next thing to try is another send, rather than a question.
pub(crate) fn replays(case: &Case<'_>, tool: Tool) -> bool {
    let resent = case.op(tool).status == Status::Planned;
    resent || matches!(remedy(case, tool), Some(Step::Replay(_)))
}

/// What the policy does about an unknown outcome; a pending one is known, and only waited for.
fn remedy(case: &Case<'_>, tool: Tool) -> Option<Step> {
    if case.op(tool).status == Status::Pending {
        return ask_first(case, tool);
    }
    match case.policy.unknown[tool as usize] {
        OnUnknown::Resolve if settles_both_ways(case, tool) => ask_first(case, tool),
        OnUnknown::Resolve => replay(case, tool).or_else(|| lookup(case, tool)),
        OnUnknown::Resend => (!retry::exhausted(case, tool)).then_some(Step::Replay(tool)),
        OnUnknown::AssumeFailed => Some(Step::Assume(tool, Status::Rejected)),
        OnUnknown::AssumeDone => Some(Step::Assume(tool, Status::Completed)),
    }
}

/// A replay may cause the effect: when the order is being refused, rather ask.
fn settles_both_ways(case: &Case<'_>, tool: Tool) -> bool {
    case.order.course != Course::Forward && case.belief(tool).absent_after.is_some()
}

fn ask_first(case: &Case<'_>, tool: Tool) -> Option<Step> {
    lookup(case, tool).or_else(|| replay(case, tool))
}

fn replay(case: &Case<'_>, tool: Tool) -> Option<Step> {
    covered(case, tool).then_some(Step::Replay(tool))
}

fn lookup(case: &Case<'_>, tool: Tool) -> Option<Step> {
    let possible = match case.belief(tool).lookup {
        Lookup::None => false,
        Lookup::ById => case.op(tool).reference != Reference(0),
        Lookup::ByReference => true,
    };
    (possible && !case.policy.retry.reconcile.is_empty()).then_some(Step::Lookup(tool))
}

/// A replay has to pass the gate like any send.
fn allowed(case: &Case<'_>, tool: Tool, step: Step) -> Step {
    match step {
        Step::Replay(_) => gate::before(case, tool, false).unwrap_or(step),
        step => step,
    }
}

/// Until when the operation may stay open without a person. Money that is on its way by the
/// provider's own word may take its days (PROMISES: legal ends).
fn horizon(case: &Case<'_>, tool: Tool) -> Micros {
    let op = case.op(tool);
    let money = matches!(tool, Tool::Charge | Tool::Refund);
    if money && op.status == Status::Pending && lookup(case, tool).is_some() {
        return NEVER;
    }
    let deadlines = if covered(case, tool) { &case.limits.handoff_covered } else { &case.limits.handoff };
    op.first_claim.unwrap_or(case.now).saturating_add(deadlines[tool as usize])
}

/// The step of giving up, if the policy gives up here.
fn surrender(case: &Case<'_>, tool: Tool, justified: bool) -> Option<Step> {
    let step = if tool == Tool::Notify { Step::Untold } else { Step::HandOff(tool) };
    match case.policy.handoff {
        HandoffRule::Eager => Some(step),
        HandoffRule::Justified => justified.then_some(step),
        HandoffRule::Silent => justified.then_some(Step::Wait(NEVER)),
    }
}
