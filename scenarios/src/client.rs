//! Requests for subjects that are not ours: one small constructor per operation of the shop.
//!
//! `order` is the number of the order, from 0: it stands for the card, the address and the lot that
//! only this order uses. Add a key with [`Keyed::key`]; without one a request has none.

use crate::fact::Fact;
use crate::known::ops::tool_of;
use crate::records::Records;
use crate::shop::Shop;
use std::future::Future;
use unacked_mock_providers::message::{Ask, Op, Request};
use unacked_sim::cx::{Call, Cx, StoreFault};
use unacked_sim::time::Time;
use unacked_workflow::order::{End, Intent, Statement};

/// Asks how much of the order's line is available.
pub fn read_stock(intent: &Intent, order: u32) -> Request {
    goods(Op::ReadStock, intent, order)
}

/// Holds the order's units.
pub fn reserve(intent: &Intent, order: u32) -> Request {
    goods(Op::Reserve, intent, order)
}

/// Extends the hold of this reference.
pub fn renew(intent: &Intent, order: u32, hold: u64) -> Request {
    Request { reference: hold, ..goods(Op::Renew, intent, order) }
}

/// Gives the hold of this reference back.
pub fn release(intent: &Intent, order: u32, hold: u64) -> Request {
    Request { reference: hold, ..goods(Op::Release, intent, order) }
}

/// Captures the order's amount.
pub fn charge(intent: &Intent, order: u32) -> Request {
    money(Op::Charge, intent, order)
}

/// Gives the captured amount of this charge back.
pub fn refund(intent: &Intent, order: u32, charge: u64) -> Request {
    Request { reference: charge, ..money(Op::Refund, intent, order) }
}

/// Asks a person to approve the fulfillment that will be requested under this key.
pub fn approve(intent: &Intent, order: u32, fulfillment: u64) -> Request {
    Request { reference: fulfillment, ..goods(Op::Approve, intent, order) }
}

/// Requests fulfillment.
pub fn fulfill(intent: &Intent, order: u32) -> Request {
    goods(Op::Fulfill, intent, order)
}

/// Tells the customer that the order is on its way.
pub fn notify(intent: &Intent, order: u32) -> Request {
    bare(Op::Notify, intent, order)
}

/// Tells the customer how the order ended: on its way, or refused and why.
pub fn tell(intent: &Intent, order: u32, end: End) -> Request {
    let told = match end {
        End::Delivered => 0,
        End::Refused(cause) => cause as u64 + 1,
    };
    Request { content: intent.content ^ told, ..notify(intent, order) }
}

/// Asks what is known about a request instead of performing it.
pub fn look_up(request: Request) -> Request {
    Request { ask: Ask::Lookup, ..request }
}

fn bare(op: Op, intent: &Intent, order: u32) -> Request {
    Request {
        op,
        ask: Ask::Act,
        taint: order,
        key: 0,
        reference: 0,
        amount: 0,
        currency: [0; 3],
        sku: 0,
        quantity: 0,
        destination: intent.destination,
        content: intent.content,
    }
}

fn money(op: Op, intent: &Intent, order: u32) -> Request {
    Request { amount: intent.amount.minor, currency: intent.amount.currency, ..bare(op, intent, order) }
}

fn goods(op: Op, intent: &Intent, order: u32) -> Request {
    Request { sku: intent.sku, quantity: intent.quantity, ..bare(op, intent, order) }
}

/// Writes the subject's records of an order, in one transaction: `change` runs when the write reaches the
/// store, once at most, and its result comes back with the acknowledgement.
pub fn record<'w, R: Records, T: Unpin + 'w>(
    cx: Cx<'w, Shop<R>>,
    order: u32,
    mut change: impl FnMut(&mut R, Time) -> T + Unpin + 'w,
) -> impl Future<Output = Result<T, StoreFault>> + 'w {
    let (scope, verb) = cx.world(|shop| (shop.words.order(order), shop.words.note));
    cx.write(scope, verb, move |records: &mut R, now, _: &mut Vec<Fact>| change(records, now))
}

/// Reads the subject's records of an order: it takes its time, it may fail, and what it sees may be behind.
pub fn load<'w, R: Records, T: 'w>(
    cx: Cx<'w, Shop<R>>,
    order: u32,
    look: impl FnOnce(&R) -> T + Unpin + 'w,
) -> impl Future<Output = Result<T, StoreFault>> + 'w {
    let (scope, verb) = cx.world(|shop| (shop.words.order(order), shop.words.load));
    cx.load(scope, verb, move |_: &Shop<R>, records: &R| look(records))
}

/// Hands an operation over to a person, with the key under which it was sent: an entry in the operator
/// queue, which is durable. Doing so again while the entry is open changes nothing.
///
/// It is right where no automatic step is left, or once the declared deadline has passed
/// ([`Shop::limits`]). Until the statement is there, nothing new is to be begun for the order.
pub fn hand_off<'w, R: Records>(
    cx: Cx<'w, Shop<R>>,
    order: u32,
    op: Op,
    key: u64,
) -> impl Future<Output = Result<(), StoreFault>> + 'w {
    let (scope, verb) = cx.world(|shop| (shop.words.order(order), shop.words.handed_off));
    let (node, tool) = (cx.node(), tool_of(op));
    cx.write(scope, verb, move |_: &mut R, _, facts: &mut Vec<Fact>| {
        facts.push(Fact::Queued { node, order, tool, key });
    })
}

/// What a person has stated about an operation that was handed over; `None`: nothing yet.
pub fn statement<'w, R: Records>(
    cx: Cx<'w, Shop<R>>,
    order: u32,
    op: Op,
    key: u64,
) -> impl Future<Output = Result<Option<Statement>, StoreFault>> + 'w {
    let (scope, verb) = cx.world(|shop| (shop.words.order(order), shop.words.statement));
    cx.load(scope, verb, move |shop: &Shop<R>, _: &R| shop.queue.statement(order, tool_of(op), key))
}

/// A call under an idempotency key or a client reference.
pub trait Keyed {
    /// Sends it under this key; 0 is none.
    #[must_use = "nothing is sent before the call is awaited"]
    fn key(self, key: u64) -> Self;
}

impl<R: Records> Keyed for Call<'_, Shop<R>> {
    fn key(mut self, key: u64) -> Self {
        self.request_mut().key = key;
        self
    }
}
