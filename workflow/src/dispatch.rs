//! One attempt: claimed in the record, sent once, and its answer judged (R1, R3).

use crate::approval;
use crate::belief::Belief;
use crate::keys;
use crate::order::{Cause, Course, Decision, Money, Operation, Order, Reference, Status};
use crate::policy::{OnConflict, Policy};
use crate::ports::{Answer, Ask, Call, Reception, Reply};
use crate::reconcile;
use crate::time::Micros;
use crate::tool::Tool;

/// Opens the next generation of an operation (R3).
pub(crate) fn begin(order: &mut Order, tool: Tool, policy: &Policy) {
    open(order, tool);
    match tool {
        // The renewals of the old hold say nothing about the new one.
        Tool::Reserve => open(order, Tool::Renew),
        Tool::Approve => approval::bind(order, policy),
        _ => {}
    }
}

fn open(order: &mut Order, tool: Tool) {
    let op = order.op_mut(tool);
    let generation = op.generation.saturating_add(1);
    *op = Operation { generation, ..Operation::default() };
}

/// Records that a request is about to leave. Says whether it is alone: no other attempt of its
/// generation can have had an effect, so that its answer speaks for all of them.
pub(crate) fn claim(order: &mut Order, tool: Tool, policy: &Policy, now: Micros) -> bool {
    let op = order.op_mut(tool);
    let alone = op.status == Status::Planned;
    op.status = Status::Dispatched;
    op.attempts = op.attempts.saturating_add(1);
    op.last_claim = now;
    if op.attempts == 1 {
        op.first_claim = now;
        consume(order, tool);
    }
    order.op_mut(tool).key = keys::choose(policy, order, tool);
    alone
}

/// The yes is used up in the commit that first sends what it allows (R14).
fn consume(order: &mut Order, tool: Tool) {
    if tool == Tool::Fulfill {
        order.approval.consumed = true;
    }
}

/// The request as it leaves. All of it is fixed for the life of the generation (key-stable).
pub(crate) fn call(order: &Order, tool: Tool, ask: Ask, policy: &Policy) -> Call {
    let op = order.op(tool);
    Call {
        order: order.id,
        tool,
        ask,
        generation: op.generation,
        key: op.key,
        reference: if ask == Ask::Act { subject(order, tool) } else { op.reference },
        money: if is_money(tool) { order.intent.amount } else { Money::default() },
        quantity: order.intent.quantity,
        content: order.intent.content,
        course: order.course,
        timeout: match ask {
            Ask::Act => policy.retry.timeout[tool as usize],
            Ask::Lookup => policy.retry.lookup_timeout,
        },
    }
}

/// The effect that the call acts upon.
fn subject(order: &Order, tool: Tool) -> Reference {
    match tool {
        Tool::Refund => order.op(Tool::Charge).reference,
        Tool::Renew | Tool::Release => order.op(Tool::Reserve).reference,
        // The approval is bound to the operation that it allows (R14).
        Tool::Approve => Reference(order.approval.operation.0),
        _ => Reference(0),
    }
}

/// Writes into the record what the answer establishes, and no more (R23). Returns how long the
/// provider asks us to wait.
pub(crate) fn record(
    order: &mut Order,
    tool: Tool,
    belief: &Belief,
    policy: &Policy,
    alone: bool,
    reception: &Reception,
) -> Micros {
    order.op_mut(tool).status = Status::Unknown;
    order.op_mut(tool).stored_failure = false;
    match reception {
        Reception::Silence | Reception::Garbled => {}
        Reception::Refused => nothing_done(order, tool, alone),
        Reception::Answer(answer) => match answer.kind {
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
            Reply::Duplicate if belief.duplicate_proves => complete(order, tool, answer),
            Reply::Duplicate => order.op_mut(tool).stored_failure = true,
            Reply::InProgress | Reply::Mismatch => conflict(order, tool, answer.kind, policy),
            Reply::ServerError => order.op_mut(tool).stored_failure = belief.stores_failures,
            // It may be the echo of an earlier attempt's success: ask, do not repeat.
            Reply::Declined | Reply::NotFound => order.op_mut(tool).stored_failure = true,
        },
    }
    0
}

/// This attempt did nothing; that says nothing about an earlier one (R1).
fn nothing_done(order: &mut Order, tool: Tool, alone: bool) {
    if alone {
        order.op_mut(tool).status = Status::Planned;
    }
}

/// Someone is using our key: ourselves, a moment ago (wait), or otherwise than we do (ask).
fn conflict(order: &mut Order, tool: Tool, kind: Reply, policy: &Policy) {
    match policy.conflict {
        OnConflict::Wait => order.op_mut(tool).stored_failure = kind == Reply::Mismatch,
        OnConflict::NewKey => reconcile::vanish(order, tool),
    }
}

/// The effect is established.
pub(crate) fn complete(order: &mut Order, tool: Tool, answer: &Answer) {
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
        Tool::Approve => approval::answer(order, Decision::Granted, answer.value),
        _ => {}
    }
}

/// The provider named a state that is not final.
pub(crate) fn pend(order: &mut Order, tool: Tool, answer: &Answer) {
    let op = order.op_mut(tool);
    op.status = Status::Pending;
    if answer.reference != Reference(0) {
        op.reference = answer.reference;
    }
}

/// The provider refused: the operation ended without effect.
pub(crate) fn reject(order: &mut Order, tool: Tool) {
    order.op_mut(tool).status = Status::Rejected;
    if tool == Tool::Approve {
        approval::answer(order, Decision::Denied, 0);
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
        approval::answer(order, Decision::Granted, 0);
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
pub(crate) fn money_agrees(order: &Order, tool: Tool, answer: &Answer) -> bool {
    !is_money(tool) || answer.money == order.intent.amount
}

fn is_money(tool: Tool) -> bool {
    matches!(tool, Tool::Charge | Tool::Refund)
}
