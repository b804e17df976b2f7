//! What is established, written into the record, and no more: by an answer, a lookup, a person (R1, R23).

use crate::belief::{Belief, Duplicate};
use crate::context::Rules;
use crate::decide::margin;
use crate::dispatch::is_money;
use crate::order::{Cause, Course, Decision, Operation, Order, Reference, Statement, Status};
use crate::policy::{Absence, OnConflict, Policy};
use crate::ports::{Answer, Reply, Response};
use crate::time::{Micros, NEVER};
use crate::tool::Tool;

/// Writes into the record what the answer establishes, and no more (R23). Returns how long the
/// provider asks us to wait.
pub(crate) fn record(
    order: &mut Order,
    tool: Tool,
    belief: &Belief,
    policy: &Policy,
    alone: bool,
    response: &Response,
) -> Micros {
    order.op_mut(tool).status = Status::Unknown;
    order.op_mut(tool).stored_failure = false;
    match response {
        Response::Silence | Response::Garbled => {}
        Response::Refused => nothing_left(order, tool, alone),
        Response::Answer(answer) => match answer.kind {
            Reply::Throttled => {
                nothing_done(order, tool, alone);
                return answer.value;
            }
            Reply::Done | Reply::Pending if !money_agrees(order, tool, answer) => {
                order.op_mut(tool).stored_failure = true;
            }
            Reply::Done => complete(order, tool, answer),
            Reply::Pending => pend(order, tool, answer),
            Reply::Declined if belief.decline_binds || alone && !belief.declines_duplicates => reject(order, tool),
            Reply::Duplicate => repeated(order, tool, belief.duplicate, answer),
            Reply::InProgress | Reply::Mismatch => conflict(order, tool, answer.kind, policy),
            Reply::ServerError => order.op_mut(tool).stored_failure = belief.stores_failures,
            // Not an answer for an earlier attempt, but a repetition will be executed, or tell of its success.
            Reply::Declined if belief.declines_reexecute => {}
            // It may be the echo of an earlier attempt's success: ask, do not repeat.
            Reply::Declined | Reply::NotFound => order.op_mut(tool).stored_failure = true,
        },
    }
    0
}

/// Takes what a lookup taught into the record; it was asked at `asked`.
pub(crate) fn learn(order: &mut Order, rules: &Rules<'_>, tool: Tool, asked: Micros, response: &Response) {
    order.op_mut(tool).lookups = order.op(tool).lookups.saturating_add(1);
    let Response::Answer(answer) = response else {
        return;
    };
    match answer.kind {
        Reply::Done | Reply::Pending if !money_agrees(order, tool, answer) => {}
        Reply::Done => complete(order, tool, answer),
        Reply::Pending => pend(order, tool, answer),
        Reply::Declined if is_last_word(order, rules, tool, asked) => reject(order, tool),
        Reply::NotFound if is_absent(order, rules, tool, asked) => vanish(order, tool),
        _ => {}
    }
}

/// Takes an operator's statement, which is evidence, into the record (R12, R20).
pub(crate) fn resolve(order: &mut Order, now: Micros) -> Option<Tool> {
    let handoff = order.handoff.take()?;
    match handoff.statement? {
        Statement::Committed(reference) => confirm(order, handoff.tool, reference, now),
        Statement::Absent => vanish(order, handoff.tool),
    }
    Some(handoff.tool)
}

/// This attempt did nothing; that says nothing about an earlier one (R1).
fn nothing_done(order: &mut Order, tool: Tool, alone: bool) {
    if alone {
        order.op_mut(tool).status = Status::Planned;
    }
}

/// Not a byte left: a key that was unused still is, so that its window has not begun.
fn nothing_left(order: &mut Order, tool: Tool, alone: bool) {
    nothing_done(order, tool, alone);
    let op = order.op_mut(tool);
    if alone && op.first_claim == Some(op.last_claim) {
        op.first_claim = None;
    }
}

/// Someone is using our key: ourselves, a moment ago (wait), or otherwise than we do (ask).
fn conflict(order: &mut Order, tool: Tool, kind: Reply, policy: &Policy) {
    match policy.conflict {
        OnConflict::Wait => order.op_mut(tool).stored_failure = kind == Reply::Mismatch,
        OnConflict::NewKey => vanish(order, tool),
    }
}

/// There is an effect under our reference already: ours.
fn repeated(order: &mut Order, tool: Tool, proves: Duplicate, answer: &Answer) {
    match proves {
        Duplicate::Nothing => order.op_mut(tool).stored_failure = true,
        Duplicate::Exists => pend(order, tool, answer),
        Duplicate::Final => complete(order, tool, answer),
    }
}

/// The effect is established.
fn complete(order: &mut Order, tool: Tool, answer: &Answer) {
    let op = order.op_mut(tool);
    op.status = Status::Completed;
    if answer.reference != Reference(0) {
        op.reference = answer.reference;
    }
    match tool {
        Tool::ReadStock => enough(order, answer.value),
        Tool::Reserve => op.until = answer.value,
        // An answer from memory may be older than what is known (R22).
        Tool::Renew => extend(order.op_mut(Tool::Reserve), answer.value),
        Tool::Approve => decided(order, Decision::Granted, answer.value),
        _ => {}
    }
}

/// The provider named a state that is not final.
fn pend(order: &mut Order, tool: Tool, answer: &Answer) {
    let op = order.op_mut(tool);
    op.status = Status::Pending;
    if answer.reference != Reference(0) {
        op.reference = answer.reference;
    }
}

/// The provider refused: the operation ended without effect.
fn reject(order: &mut Order, tool: Tool) {
    order.op_mut(tool).status = Status::Rejected;
    if tool == Tool::Approve {
        decided(order, Decision::Denied, 0);
    }
}

/// Takes a granted approval, which a desk wrote, into the record.
pub(crate) fn grant(order: &mut Order) {
    order.op_mut(Tool::Approve).status = Status::Completed;
}

/// Writes what a wrong policy takes for granted.
pub(crate) fn assume(order: &mut Order, tool: Tool, status: Status) {
    order.op_mut(tool).status = status;
    if tool == Tool::Approve && status == Status::Completed {
        decided(order, Decision::Granted, 0);
    }
}

/// The course turns; a person's no also answers the question that was asked.
pub(crate) fn cancel(order: &mut Order, cause: Cause) {
    order.course = Course::Cancelling(cause);
    if cause == Cause::NotApproved {
        order.op_mut(Tool::Approve).status = Status::Rejected;
    }
}

fn enough(order: &mut Order, available: u64) {
    if available < u64::from(order.intent.quantity) {
        reject(order, Tool::ReadStock);
    }
}

fn extend(hold: &mut Operation, expiry: Micros) {
    hold.until = if expiry == 0 { 0 } else { hold.until.max(expiry) };
}

/// Amount and currency are checked on every answer about money (R24).
fn money_agrees(order: &Order, tool: Tool, answer: &Answer) -> bool {
    !is_money(tool) || answer.money == order.intent.amount
}

fn confirm(order: &mut Order, tool: Tool, reference: Reference, now: Micros) {
    let undecided = order.approval.decision == Decision::Open;
    let op = order.op_mut(tool);
    op.status = Status::Completed;
    op.reference = reference;
    match tool {
        // The statement does not say how long the hold lives: renew it before relying on it.
        Tool::Reserve | Tool::Renew => order.op_mut(Tool::Reserve).until = now.max(1),
        // That the question arrived is not an answer to it.
        Tool::Approve if undecided => op.status = Status::Pending,
        _ => {}
    }
}

/// Established as ended without effect: a new generation may be opened (R3).
fn vanish(order: &mut Order, tool: Tool) {
    let op = order.op_mut(tool);
    op.status = Status::Rejected;
    op.absent = true;
}

/// An empty lookup is no proof before everything documented has passed (R10).
fn is_absent(order: &Order, rules: &Rules<'_>, tool: Tool, asked: Micros) -> bool {
    let op = order.op(tool);
    let settled = match (rules.policy.absence, rules.beliefs.of(tool).absent_after) {
        (Absence::AtOnce, _) => true,
        (Absence::AfterBounds, None) => false,
        (Absence::AfterBounds, Some(bound)) => {
            asked > last_arrival(op, rules).saturating_add(bound) && is_remembered(op, rules, tool, asked)
        }
    };
    settled && op.status != Status::Pending
}

/// A lookup that is answered from the memory of the key has to arrive before the key may be forgotten (R7).
fn is_remembered(op: &Operation, rules: &Rules<'_>, tool: Tool, asked: Micros) -> bool {
    let within = rules.beliefs.of(tool).found_within;
    let safe = within.saturating_sub(margin::travel(rules.limits));
    within == NEVER || op.first_claim.is_none_or(|first| asked <= first.saturating_add(safe))
}

/// Where a refusal is not remembered, an attempt that is still on its way may yet be executed.
fn is_last_word(order: &Order, rules: &Rules<'_>, tool: Tool, asked: Micros) -> bool {
    let belief = rules.beliefs.of(tool);
    !belief.declines_reexecute || asked > last_arrival(order.op(tool), rules)
}

fn last_arrival(op: &Operation, rules: &Rules<'_>) -> Micros {
    op.last_claim.saturating_add(margin::travel(rules.limits))
}

/// Takes the desk's own answer into the record.
fn decided(order: &mut Order, decision: Decision, expires: Micros) {
    order.approval.decision = decision;
    order.approval.expires = if expires == 0 { NEVER } else { expires };
}
