//! One attempt: opened, claimed in the record, and what leaves (R3).

use crate::keys;
use crate::order::{Approval, Money, Operation, Order, Reference, Status};
use crate::policy::Policy;
use crate::ports::{Ask, Attempt};
use crate::time::Micros;
use crate::tool::Tool;

/// Opens the next generation of an operation (R3).
pub(crate) fn begin(order: &mut Order, tool: Tool, policy: &Policy) {
    open(order, tool);
    match tool {
        // The renewals of the old hold say nothing about the new one.
        Tool::Reserve => open(order, Tool::Renew),
        Tool::Approve => bind(order, policy),
        _ => {}
    }
}

fn open(order: &mut Order, tool: Tool) {
    let op = order.op_mut(tool);
    let generation = op.generation.saturating_add(1);
    *op = Operation { generation, ..Operation::default() };
}

/// Binds the question that is about to be asked to exactly what it is about.
fn bind(order: &mut Order, policy: &Policy) {
    order.approval = Approval {
        content: order.intent.content,
        operation: keys::upcoming(policy, order, Tool::Fulfill),
        ..Approval::default()
    };
}

/// Records that a request is about to leave. Says whether it is alone: no other attempt of its
/// generation can have had an effect, so that its answer speaks for all of them.
pub(crate) fn claim(order: &mut Order, tool: Tool, policy: &Policy, now: Micros) -> bool {
    let op = order.op_mut(tool);
    let (alone, unsent) = (op.status == Status::Planned, op.is_unsent());
    op.status = Status::Dispatched;
    op.attempts = op.attempts.saturating_add(1);
    op.last_claim = now;
    op.first_claim.get_or_insert(now);
    if unsent {
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
pub(crate) fn attempt(order: &Order, tool: Tool, ask: Ask, policy: &Policy) -> Attempt {
    let op = order.op(tool);
    Attempt {
        order: order.id,
        tool,
        ask,
        generation: op.generation,
        key: op.key,
        reference: if ask == Ask::Act { subject(order, tool) } else { op.reference },
        money: if is_money(tool) { order.intent.amount } else { Money::default() },
        destination: order.intent.destination,
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

/// Whether the call says an amount.
pub(crate) fn is_money(tool: Tool) -> bool {
    matches!(tool, Tool::Charge | Tool::Refund)
}
