//! A person's yes: asked for, bound to content and operation, used once (R14, R15, R26).

use super::{gate, reconcile, standing};
use crate::case::{Case, Step};
use crate::keys;
use crate::order::{Cause, Decision, Status};
use crate::policy::ApprovalUse;
use crate::time::{MINUTE, Micros};
use crate::tool::Tool;

/// How long after the deadline the desk is asked what it recorded.
const GRACE: Micros = MINUTE;

/// What is needed for a valid yes, or `None` if there is one.
pub(crate) fn next(case: &Case<'_>) -> Option<Step> {
    let margin = match case.policy.approval {
        ApprovalUse::Skip => return None,
        ApprovalUse::IgnoreExpiry => None,
        ApprovalUse::Bound => Some(gate::clocks(case.limits)),
    };
    match case.order.approval.decision {
        Decision::Granted if is_valid(case, margin) => granted(case),
        // Expired unused, or bound to an operation that is over: ask again.
        Decision::Granted => Some(Step::Begin(Tool::Approve)),
        Decision::Denied => Some(Step::Cancel(Cause::NotApproved)),
        Decision::Open => Some(asked(case)),
    }
}

/// The approval's part of waiting for the charge.
pub(crate) fn meanwhile(case: &Case<'_>, until: Micros) -> Step {
    match case.op(Tool::Approve).status {
        Status::Completed => Step::Wait(until),
        _ => next(case).map_or(Step::Wait(until), |step| step.sooner(until)),
    }
}

/// A yes is good for this content and this operation, unexpired and unused.
fn is_valid(case: &Case<'_>, margin: Option<Micros>) -> bool {
    let order = case.order;
    let yes = &order.approval;
    let fresh = margin.is_none_or(|margin| case.now.saturating_add(margin) < yes.expires);
    fresh
        && !yes.consumed
        && yes.content == order.intent.content
        && yes.operation == keys::upcoming(case.policy, order, Tool::Fulfill)
}

fn granted(case: &Case<'_>) -> Option<Step> {
    (case.op(Tool::Approve).status != Status::Completed).then_some(Step::Granted)
}

fn asked(case: &Case<'_>) -> Step {
    match case.op(Tool::Approve).status {
        Status::Pending => undecided(case),
        Status::Completed => Step::Begin(Tool::Approve),
        _ => standing(case, Tool::Approve).unwrap_or(Step::Begin(Tool::Approve)),
    }
}

/// The deadline may make us ask; only the desk decides (R26).
fn undecided(case: &Case<'_>) -> Step {
    let asked = case.op(Tool::Approve).first_claim.unwrap_or(case.now);
    let deadline = asked.saturating_add(case.limits.approval_deadline).saturating_add(GRACE);
    if case.now < deadline {
        return Step::Wait(deadline);
    }
    reconcile::when_due(case, Tool::Approve, Step::Lookup(Tool::Approve))
}
