//! The payment service: charges, and refunds up to what was captured.

use crate::business::{Accounts, Business, Job};
use crate::effect::{Effect, State};
use crate::fact::{Fact, What};
use crate::menus::Menus;
use crate::message::{Op, Reply, Request, UNTAINTED};
use crate::provider_impl::provider;
use crate::provider_state::ProviderState;
use crate::service::{ContractError, Service};
use crate::serving::Serving;
use crate::settlement::{Final, Settlement};
use crate::twist::Settles;
use std::sync::Arc;
use unacked_sim::door::Door;
use unacked_sim::site::Occasion;
use unacked_sim::time::Time;

/// A payment service under a contract for `charge` and `refund`.
#[derive(Clone, Debug)]
pub struct Payments {
    serving: Arc<Serving>,
    state: ProviderState,
    business: Cashier,
}

provider!(Payments);

impl Payments {
    /// A service without any money moved.
    ///
    /// # Errors
    /// If the service has no contract for `charge` or `refund`.
    pub fn new(service: &Service, menus: &Menus, door: &Door) -> Result<Payments, ContractError> {
        let service = service.require(&[Op::Charge, Op::Refund])?;
        Ok(Payments {
            serving: Serving::shared(service, menus, door),
            state: ProviderState::default(),
            business: Cashier,
        })
    }
}

/// What a payment service does.
#[derive(Clone, Copy, Debug)]
struct Cashier;

impl Cashier {
    fn reset(&mut self) {}

    fn rewind(&mut self, _to: &Self) {}
}

impl Business for Cashier {
    fn refuses(&self, accounts: &Accounts, _now: Time, request: &Request) -> bool {
        match request.op {
            Op::Refund => !refundable(accounts, request),
            _ => self.is_invalid(accounts, request) || is_declined(accounts, request),
        }
    }

    /// No amount, or a refund of nothing that there is.
    fn is_invalid(&self, accounts: &Accounts, request: &Request) -> bool {
        let of_nothing = || request.op == Op::Refund && accounts.ledger.effect(Op::Charge, request.reference).is_none();
        request.amount <= 0 || of_nothing()
    }

    fn refuse(&mut self, accounts: &mut Accounts, now: Time, request: &Request, facts: &mut Vec<Fact>) -> u64 {
        if request.op != Op::Charge {
            return 0;
        }
        let reference = accounts.ledger.number(Op::Charge);
        let effect = Effect::of_request(request, reference, now, State::Rejected);
        accounts.ledger.push(effect, What::ChargeDeclined, facts);
        reference
    }

    #[inline]
    fn plan(
        &mut self,
        serving: &Serving,
        _now: Time,
        at: Occasion,
        request: &Request,
        settles: Settles,
        door: &mut Door,
    ) -> Settlement {
        match settles {
            Settles::After(delay) => Settlement { delay: Some(delay), end: Final::Yes },
            Settles::Fails(delay) => Settlement { delay: Some(delay), end: Final::No },
            Settles::Usual | Settles::Refused => serving.settlement(at, request.op, door),
        }
    }

    #[inline]
    fn reply(
        &self,
        _accounts: &Accounts,
        _at: Time,
        request: &Request,
        reference: u64,
        settlement: Settlement,
    ) -> Reply {
        Reply { says: settlement.says(), reference, amount: request.amount, currency: request.currency, value: 0 }
    }

    #[inline]
    fn commit(
        &mut self,
        accounts: &mut Accounts,
        at: Time,
        request: &Request,
        reference: u64,
        settlement: Settlement,
        facts: &mut Vec<Fact>,
    ) {
        match request.op {
            Op::Refund => refund(accounts, at, request, reference, settlement, facts),
            _ => charge(accounts, at, request, reference, settlement, facts),
        }
        accounts.finish_later(at, request.op, reference, settlement);
    }

    fn finish(&mut self, accounts: &mut Accounts, at: Time, op: Op, reference: u64, end: Final, facts: &mut Vec<Fact>) {
        let Some(position) = accounts.ledger.position(op, reference) else { return };
        let (state, what) = match (op, end) {
            (Op::Refund, Final::No) => (State::Rejected, What::RefundFailed),
            (Op::Refund, _) => (State::Done, What::Refunded),
            _ => (State::Done, What::Captured),
        };
        accounts.ledger.change(position, at, state, what, facts);
    }
}

/// A decline is about the card and the order, not about one request: whoever asks again for the same
/// intent, under whatever key, is declined again.
fn is_declined(accounts: &Accounts, request: &Request) -> bool {
    request.taint != UNTAINTED && accounts.ledger.totals(request.taint).declines > 0
}

#[inline]
fn charge(
    accounts: &mut Accounts,
    at: Time,
    request: &Request,
    reference: u64,
    settlement: Settlement,
    facts: &mut Vec<Fact>,
) {
    match settlement.delay {
        None => accounts.ledger.push(Effect::of_request(request, reference, at, State::Done), What::Captured, facts),
        Some(_) => accounts.ledger.push_silent(Effect::of_request(request, reference, at, State::Pending)),
    }
}

/// The money goes back to the card it came from, whoever asks: the charge's taint counts.
fn refund(
    accounts: &mut Accounts,
    at: Time,
    request: &Request,
    reference: u64,
    settlement: Settlement,
    facts: &mut Vec<Fact>,
) {
    let taint = accounts.ledger.effect(Op::Charge, request.reference).map_or(request.taint, |c| c.taint);
    let (state, what) = match settlement.delay {
        None => (State::Done, What::Refunded),
        Some(_) => (State::Pending, What::RefundPending),
    };
    let effect = Effect { taint, of: request.reference, ..Effect::of_request(request, reference, at, state) };
    accounts.ledger.push(effect, what, facts);
}

/// Whether the charge exists and has this much left, refunds that are still to come included.
fn refundable(accounts: &Accounts, request: &Request) -> bool {
    let Some(charge) = accounts.ledger.effect(Op::Charge, request.reference) else { return false };
    let fits = charge.state == State::Done && charge.currency == request.currency && request.amount > 0;
    fits && request.amount <= charge.amount - refunds(accounts, charge) - coming(accounts, charge.reference)
}

fn refunds(accounts: &Accounts, charge: &Effect) -> i64 {
    let counts = |e: &Effect| e.op == Op::Refund && e.of == charge.reference && e.state != State::Rejected;
    accounts.ledger.of_intent(charge.taint).filter(|(_, e)| counts(e)).map(|(_, e)| e.amount).sum()
}

fn coming(accounts: &Accounts, charge: u64) -> i64 {
    let amount = |job: &Job| match job {
        Job::Commit { request, .. } if request.op == Op::Refund && request.reference == charge => request.amount,
        _ => 0,
    };
    accounts.agenda.iter().map(|(_, job)| amount(job)).sum()
}
