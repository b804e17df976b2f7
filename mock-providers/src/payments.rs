//! The payment service: charges, and refunds up to what was captured.

use crate::effect::{Effect, State};
use crate::fact::{Fact, What};
use crate::front::Front;
use crate::house::house;
use crate::how::{How, Verdict};
use crate::kinds::REFUND_PENDING;
use crate::menus::Menus;
use crate::message::{Op, Reply, Request};
use crate::service::{ContractError, Service};
use crate::terms::Terms;
use crate::trade::{Books, Job, Trade};
use std::sync::Arc;
use unacked_sim::door::Door;
use unacked_sim::menu::Pick;
use unacked_sim::site::Occasion;
use unacked_sim::time::{Span, Time};

/// A payment service under a contract for `charge` and `refund`.
#[derive(Clone, Debug)]
pub struct Payments {
    terms: Arc<Terms>,
    front: Front,
    trade: Cashier,
}

house!(Payments);

impl Payments {
    /// A service without any money moved.
    ///
    /// # Errors
    /// If the service has no contract for `charge` or `refund`.
    pub fn new(service: &Service, menus: &Menus, door: &Door) -> Result<Payments, ContractError> {
        let service = service.require(&[Op::Charge, Op::Refund])?;
        Ok(Payments { terms: Terms::shared(service, menus, door), front: Front::default(), trade: Cashier })
    }
}

/// What a payment service does.
#[derive(Clone, Copy, Debug)]
struct Cashier;

impl Cashier {
    fn reset(&mut self) {}

    fn rewind(&mut self, _to: &Self) {}
}

impl Trade for Cashier {
    fn refuses(&self, books: &Books, _now: Time, request: &Request) -> bool {
        match request.op {
            Op::Refund => !refundable(books, request),
            _ => request.amount <= 0,
        }
    }

    fn refuse(&mut self, books: &mut Books, now: Time, request: &Request, facts: &mut Vec<Fact>) -> u64 {
        if request.op != Op::Charge {
            return 0;
        }
        let reference = books.ledger.number(Op::Charge);
        let effect = Effect::of_request(request, reference, now, State::Rejected);
        books.ledger.push(effect, What::ChargeDeclined, facts);
        reference
    }

    #[inline]
    fn plan(&mut self, terms: &Terms, _now: Time, at: Occasion, request: &Request, pick: Pick, door: &mut Door) -> How {
        match pick.kind {
            REFUND_PENDING => How { delay: Some(Span(pick.value)), verdict: Verdict::Yes },
            _ => terms.how(at, request.op, door),
        }
    }

    #[inline]
    fn reply(&self, _books: &Books, _at: Time, request: &Request, reference: u64, how: How) -> Reply {
        Reply { says: how.says(), reference, amount: request.amount, currency: request.currency, value: 0 }
    }

    #[inline]
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
            Op::Refund => refund(books, at, request, reference, how, facts),
            _ => charge(books, at, request, reference, how, facts),
        }
        books.finish_later(at, request.op, reference, how);
    }

    fn finish(
        &mut self,
        books: &mut Books,
        at: Time,
        op: Op,
        reference: u64,
        _verdict: Verdict,
        facts: &mut Vec<Fact>,
    ) {
        let Some(position) = books.ledger.position(op, reference) else { return };
        let what = if op == Op::Refund { What::Refunded } else { What::Captured };
        books.ledger.change(position, at, State::Done, what, facts);
    }
}

#[inline]
fn charge(books: &mut Books, at: Time, request: &Request, reference: u64, how: How, facts: &mut Vec<Fact>) {
    match how.delay {
        None => books.ledger.push(Effect::of_request(request, reference, at, State::Done), What::Captured, facts),
        Some(_) => books.ledger.push_silent(Effect::of_request(request, reference, at, State::Pending)),
    }
}

/// The money goes back to the card it came from, whoever asks: the charge's taint counts.
fn refund(books: &mut Books, at: Time, request: &Request, reference: u64, how: How, facts: &mut Vec<Fact>) {
    let taint = books.ledger.effect(Op::Charge, request.reference).map_or(request.taint, |c| c.taint);
    let (state, what) = match how.delay {
        None => (State::Done, What::Refunded),
        Some(_) => (State::Pending, What::RefundPending),
    };
    let effect = Effect { taint, of: request.reference, ..Effect::of_request(request, reference, at, state) };
    books.ledger.push(effect, what, facts);
}

/// Whether the charge exists and has this much left, refunds that are still to come included.
fn refundable(books: &Books, request: &Request) -> bool {
    let Some(charge) = books.ledger.effect(Op::Charge, request.reference) else { return false };
    let fits = charge.state == State::Done && charge.currency == request.currency && request.amount > 0;
    fits && request.amount <= charge.amount - refunds(books, charge.reference) - coming(books, charge.reference)
}

fn refunds(books: &Books, charge: u64) -> i64 {
    let all = books.ledger.effects().iter().filter(|e| e.op == Op::Refund && e.of == charge);
    all.map(|e| e.amount).sum()
}

fn coming(books: &Books, charge: u64) -> i64 {
    let amount = |job: &Job| match job {
        Job::Commit { request, .. } if request.op == Op::Refund && request.reference == charge => request.amount,
        _ => 0,
    };
    books.agenda.iter().map(|(_, job)| amount(job)).sum()
}
