//! The workflow's words put into the wire's, and back.

use crate::promises::case::op_of;
use unacked_mock_providers::message::{Ask as Asked, Reply as Answered, Request, Says};
use unacked_sim::cx::{Reception as Got, StoreFault};
use unacked_workflow::order::{Course, Money, Reference};
use unacked_workflow::ports::{Answer, Ask, Call, Reception, Reply, StoreError};
use unacked_workflow::tool::Tool;

pub(crate) fn store_error(fault: StoreFault) -> StoreError {
    match fault {
        StoreFault::Conflict => StoreError::Conflict,
        StoreFault::Unavailable => StoreError::Unavailable,
        StoreFault::Unacknowledged => StoreError::Unacknowledged,
    }
}

/// The request on the wire. Its taint is the order's own card, address and lot.
#[inline]
pub(crate) fn request(call: &Call) -> Request {
    Request {
        op: op_of(call.tool),
        ask: match call.ask {
            Ask::Act => Asked::Act,
            Ask::Lookup => Asked::Lookup,
        },
        taint: call.order.0,
        key: call.key.0,
        reference: call.reference.0,
        amount: call.money.minor,
        currency: call.money.currency,
        sku: 0,
        quantity: call.quantity,
        content: content(call),
    }
}

/// A mail's content is what it tells; everything else is about the order's content.
fn content(call: &Call) -> u64 {
    match (call.tool, call.course) {
        (Tool::Notify, Course::Cancelling(cause)) => call.content ^ (cause as u64 + 1),
        _ => call.content,
    }
}

#[inline]
pub(crate) fn received(got: Got<Answered>) -> Reception {
    match got {
        Got::Reply(reply) => Reception::Answer(answer(&reply)),
        Got::Garbled => Reception::Garbled,
        Got::Refused => Reception::Refused,
        Got::Silence => Reception::Silence,
    }
}

fn answer(reply: &Answered) -> Answer {
    let kind = match reply.says {
        Says::Done => Reply::Done,
        Says::Pending => Reply::Pending,
        Says::Declined => Reply::Declined,
        Says::Duplicate => Reply::Duplicate,
        Says::InProgress => Reply::InProgress,
        Says::Mismatch => Reply::Mismatch,
        Says::Throttled => Reply::Throttled,
        Says::ServerError => Reply::ServerError,
        Says::NotFound => Reply::NotFound,
    };
    Answer {
        kind,
        reference: Reference(reply.reference),
        money: Money { minor: reply.amount, currency: reply.currency },
        value: reply.value,
    }
}
