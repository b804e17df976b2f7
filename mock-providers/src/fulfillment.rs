//! The fulfillment service: requests that the carrier accepts or rejects, and cannot be cancelled
//! once accepted.

use crate::effect::{Effect, State};
use crate::fact::{Fact, What};
use crate::front::Front;
use crate::house::house;
use crate::how::{How, Verdict};
use crate::kinds::{ACCEPT_LATE, CANNOT_SHIP};
use crate::menus::Menus;
use crate::message::{Op, Reply, Request, Says};
use crate::service::{ContractError, Service};
use crate::terms::Terms;
use crate::trade::{Books, Trade};
use std::sync::Arc;
use unacked_sim::door::Door;
use unacked_sim::menu::Pick;
use unacked_sim::site::Occasion;
use unacked_sim::time::{Span, Time};

/// A fulfillment service under a contract for `fulfill`, and `cancel-fulfillment` if it has that.
///
/// Acceptance consumes the hold: on every [`What::ShipmentAccepted`] the wiring calls
/// `Inventory::consume` in the same event.
#[derive(Clone, Debug)]
pub struct Fulfillment {
    terms: Arc<Terms>,
    front: Front,
    trade: Carrier,
}

house!(Fulfillment);

impl Fulfillment {
    /// A service with nothing shipped.
    ///
    /// # Errors
    /// If the service has no contract for `fulfill`.
    pub fn new(service: &Service, menus: &Menus, door: &Door) -> Result<Fulfillment, ContractError> {
        let service = service.require(&[Op::Fulfill])?;
        Ok(Fulfillment { terms: Terms::shared(service, menus, door), front: Front::default(), trade: Carrier })
    }
}

/// What a fulfillment service does.
#[derive(Clone, Copy, Debug)]
struct Carrier;

impl Carrier {
    fn reset(&mut self) {}

    fn rewind(&mut self, _to: &Self) {}
}

impl Trade for Carrier {
    fn refuses(&self, books: &Books, _now: Time, request: &Request) -> bool {
        match request.op {
            Op::CancelFulfillment => !cancellable(books, request),
            _ => request.quantity == 0 || is_refused(books, request),
        }
    }

    /// A rejection stays on file; a refused cancellation does not.
    fn refuse(&mut self, books: &mut Books, now: Time, request: &Request, facts: &mut Vec<Fact>) -> u64 {
        if request.op != Op::Fulfill {
            return 0;
        }
        let reference = books.ledger.number(Op::Fulfill);
        let effect = Effect::of_request(request, reference, now, State::Rejected);
        books.ledger.push(effect, What::ShipmentRejected, facts);
        reference
    }

    fn plan(&mut self, terms: &Terms, _now: Time, at: Occasion, request: &Request, pick: Pick, door: &mut Door) -> How {
        let how = terms.how(at, request.op, door);
        match pick.kind {
            ACCEPT_LATE => How { delay: Some(Span(pick.value)), ..how },
            CANNOT_SHIP => How { verdict: Verdict::No, ..how },
            _ => how,
        }
    }

    fn reference(&self, books: &mut Books, request: &Request) -> u64 {
        match request.op {
            Op::CancelFulfillment => target(books, request).map_or(0, |e| e.reference),
            op => books.ledger.number(op),
        }
    }

    fn reply(&self, books: &Books, _at: Time, request: &Request, reference: u64, how: How) -> Reply {
        match target(books, request) {
            Some(shipment) if request.op == Op::CancelFulfillment => shipment.reply(Says::Done),
            _ => {
                let value = u64::from(request.quantity);
                Reply { says: how.says(), reference, amount: request.amount, currency: request.currency, value }
            }
        }
    }

    fn commit(
        &mut self,
        books: &mut Books,
        at: Time,
        request: &Request,
        reference: u64,
        how: How,
        facts: &mut Vec<Fact>,
    ) {
        match request.op {
            Op::CancelFulfillment => cancel(books, at, reference, facts),
            _ => ship(books, at, request, reference, how, facts),
        }
    }

    fn finish(&mut self, books: &mut Books, at: Time, op: Op, reference: u64, verdict: Verdict, facts: &mut Vec<Fact>) {
        let Some(position) = pending(books, op, reference) else { return };
        let (state, what) = match verdict {
            Verdict::No => (State::Rejected, What::ShipmentRejected),
            _ => (State::Done, What::ShipmentAccepted),
        };
        books.ledger.change(position, at, state, what, facts);
    }
}

/// What could not be shipped cannot be shipped a moment later: that is about the goods and the address,
/// not about one request. A copy that the wire made is refused like the first one.
fn is_refused(books: &Books, request: &Request) -> bool {
    let same = |e: &&Effect| e.op == Op::Fulfill && e.taint == request.taint && e.content == request.content;
    books.ledger.effects().iter().filter(same).any(|e| e.state == State::Rejected)
}

fn ship(books: &mut Books, at: Time, request: &Request, reference: u64, how: How, facts: &mut Vec<Fact>) {
    let (state, what) = match how.delay {
        None => (State::Done, What::ShipmentAccepted),
        Some(_) => (State::Pending, What::ShipmentRequested),
    };
    books.ledger.push(Effect::of_request(request, reference, at, state), what, facts);
    books.finish_later(at, Op::Fulfill, reference, how);
}

fn cancel(books: &mut Books, at: Time, reference: u64, facts: &mut Vec<Fact>) {
    if let Some(position) = pending(books, Op::Fulfill, reference) {
        books.ledger.change(position, at, State::Cancelled, What::ShipmentCancelled, facts);
    }
}

fn pending(books: &Books, op: Op, reference: u64) -> Option<usize> {
    books.ledger.position(op, reference).filter(|&at| books.ledger.effects()[at].state == State::Pending)
}

/// The request that a cancellation means: by the provider's id, or by the client's reference.
fn target<'a>(books: &'a Books, request: &Request) -> Option<&'a Effect> {
    match request.reference {
        0 => books.ledger.under_key(Op::Fulfill, request.key),
        reference => books.ledger.effect(Op::Fulfill, reference),
    }
}

/// Until acceptance; cancelling what is cancelled succeeds.
fn cancellable(books: &Books, request: &Request) -> bool {
    target(books, request).is_some_and(|e| matches!(e.state, State::Pending | State::Cancelled))
}
