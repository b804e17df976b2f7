//! Undoing what is known, in its own recorded operations (R13, R17, R19).

use super::{hold, notify, reconcile, standing};
use crate::case::{Case, Step};
use crate::order::{Cause, End, Status};
use crate::policy::Compensation;
use crate::tool::Tool;

/// The next step of a refusal: settle everything, refund, release, tell, end.
pub(crate) fn next(case: &Case<'_>, cause: Cause) -> Step {
    settle(case).or_else(|| refund(case)).or_else(|| release(case)).unwrap_or_else(|| notify(case, End::Refused(cause)))
}

/// Whether a policy gives up on an unknown outcome and undoes things "to be safe".
pub(crate) fn hasty(case: &Case<'_>, tool: Tool) -> Option<Step> {
    match haste(case)? {
        Tool::Release if tool != Tool::Charge => return None,
        _ => {}
    }
    let op = case.op(tool);
    let tried = op.attempts >= case.policy.retry.inline_attempts || !reconcile::covered(case, tool);
    (op.status.is_open() && tried).then_some(Step::Cancel(match tool {
        Tool::Charge => Cause::Declined,
        _ => Cause::CannotShip,
    }))
}

/// An unknown charge or fulfillment blocks refund and release alike (R17).
fn settle(case: &Case<'_>) -> Option<Step> {
    let haste = haste(case);
    if haste == Some(Tool::Release)
        && let Some(step) = release(case)
    {
        return Some(step);
    }
    [Tool::Reserve, Tool::Charge, Tool::Fulfill]
        .into_iter()
        .filter(|tool| *tool == Tool::Reserve || haste != Some(Tool::Refund))
        .find(|tool| case.op(*tool).status.is_open())
        .map(|tool| reconcile::next(case, tool))
}

/// A refund needs a confirmed charge; an order is not refused before it has succeeded (R13).
fn refund(case: &Case<'_>) -> Option<Step> {
    let charge = case.op(Tool::Charge).status;
    let hasty = haste(case) == Some(Tool::Refund) && charge.is_open();
    if charge != Status::Completed && !hasty {
        return None;
    }
    match standing(case, Tool::Refund) {
        // A refund that the provider refuses is a person's business (R19).
        Some(Step::Cancel(_)) => Some(reconcile::give_up(case, Tool::Refund)),
        step => step,
    }
}

/// A release that is refused finds no hold: expired or released already, which is the aim.
fn release(case: &Case<'_>) -> Option<Step> {
    let held = case.op(Tool::Reserve).status == Status::Completed && !hold::lapsed(case);
    if !held || case.op(Tool::Fulfill).status == Status::Completed {
        return None;
    }
    match standing(case, Tool::Release) {
        Some(Step::Cancel(_)) => None,
        step => step,
    }
}

/// What is undone although it is not established; the reference policy does no such thing.
fn haste(case: &Case<'_>) -> Option<Tool> {
    match case.policy.compensation {
        Compensation::Confirmed => None,
        Compensation::RefundUnknown => Some(Tool::Refund),
        Compensation::ReleaseUnknown => Some(Tool::Release),
    }
}
