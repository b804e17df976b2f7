//! The workflow's words put into the wire's, and back.

use crate::known::ops::op_of;
use unacked_mock_providers::message::{Ask as Asked, Reply as Answered, Request, Says};
use unacked_sim::cx::{Reception, StoreFault};
use unacked_workflow::order::{Course, Money, Reference};
use unacked_workflow::ports::{Answer, Ask, Attempt, Reply, Response, StoreError};
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
pub(crate) fn request(attempt: &Attempt) -> Request {
    Request {
        op: op_of(attempt.tool),
        ask: match attempt.ask {
            Ask::Act => Asked::Act,
            Ask::Lookup => Asked::Lookup,
        },
        taint: attempt.order.0,
        key: attempt.key.0,
        reference: attempt.reference.0,
        amount: attempt.money.minor,
        currency: attempt.money.currency,
        sku: 0,
        quantity: attempt.quantity,
        destination: attempt.destination,
        content: content(attempt),
    }
}

/// A mail's content is what it tells; everything else is about the order's content.
fn content(attempt: &Attempt) -> u64 {
    match (attempt.tool, attempt.course) {
        (Tool::Notify, Course::Cancelling(cause)) => attempt.content ^ (cause as u64 + 1),
        _ => attempt.content,
    }
}

#[inline]
pub(crate) fn received(got: Reception<Answered>) -> Response {
    match got {
        Reception::Reply(reply) => Response::Answer(answer(&reply)),
        Reception::Garbled => Response::Garbled,
        Reception::Refused => Response::Refused,
        Reception::Silence => Response::Silence,
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
