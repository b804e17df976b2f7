//! The fulfillment service: requests that the carrier accepts or rejects, and cannot be cancelled
//! once accepted.

use crate::business::{Accounts, Business};
use crate::effect::{Effect, State};
use crate::fact::{Fact, What};
use crate::menus::Menus;
use crate::message::{Op, Reply, Request, Says};
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

/// A fulfillment service under a contract for `fulfill`, and `cancel-fulfillment` if it has that.
///
/// Acceptance consumes the hold: on every [`What::ShipmentAccepted`] the wiring calls
/// `Inventory::consume` in the same event.
#[derive(Clone, Debug)]
pub struct Fulfillment {
    serving: Arc<Serving>,
    state: ProviderState,
    business: Carrier,
}

provider!(Fulfillment);

impl Fulfillment {
    /// A service with nothing shipped.
    ///
    /// # Errors
    /// If the service has no contract for `fulfill`.
    pub fn new(service: &Service, menus: &Menus, door: &Door) -> Result<Fulfillment, ContractError> {
        let service = service.require(&[Op::Fulfill])?;
        Ok(Fulfillment {
            serving: Serving::shared(service, menus, door),
            state: ProviderState::default(),
            business: Carrier,
        })
    }
}

/// What a fulfillment service does.
#[derive(Clone, Copy, Debug)]
struct Carrier;

impl Carrier {
    fn reset(&mut self) {}

    fn rewind(&mut self, _to: &Self) {}
}

impl Business for Carrier {
    fn refuses(&self, accounts: &Accounts, _now: Time, request: &Request) -> bool {
        match request.op {
            Op::CancelFulfillment => !cancellable(accounts, request),
            _ => request.quantity == 0 || is_refused(accounts, request),
        }
    }

    /// A rejection stays on file; a refused cancellation does not.
    fn refuse(&mut self, accounts: &mut Accounts, now: Time, request: &Request, facts: &mut Vec<Fact>) -> u64 {
        if request.op != Op::Fulfill {
            return 0;
        }
        let reference = accounts.ledger.number(Op::Fulfill);
        let effect = Effect::of_request(request, reference, now, State::Rejected);
        accounts.ledger.push(effect, What::ShipmentRejected, facts);
        reference
    }

    fn plan(
        &mut self,
        serving: &Serving,
        _now: Time,
        at: Occasion,
        request: &Request,
        settles: Settles,
        door: &mut Door,
    ) -> Settlement {
        let settlement = serving.settlement(at, request.op, door);
        match settles {
            Settles::After(delay) => Settlement { delay: Some(delay), ..settlement },
            Settles::Refused => Settlement { end: Final::No, ..settlement },
            Settles::Usual | Settles::Fails(_) => settlement,
        }
    }

    fn reference(&self, accounts: &mut Accounts, request: &Request) -> u64 {
        match request.op {
            Op::CancelFulfillment => target(accounts, request).map_or(0, |e| e.reference),
            op => accounts.ledger.number(op),
        }
    }

    fn reply(
        &self,
        accounts: &Accounts,
        _at: Time,
        request: &Request,
        reference: u64,
        settlement: Settlement,
    ) -> Reply {
        match target(accounts, request) {
            Some(shipment) if request.op == Op::CancelFulfillment => shipment.reply(Says::Done),
            _ => {
                let value = u64::from(request.quantity);
                Reply { says: settlement.says(), reference, amount: request.amount, currency: request.currency, value }
            }
        }
    }

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
            Op::CancelFulfillment => cancel(accounts, at, reference, facts),
            _ => ship(accounts, at, request, reference, settlement, facts),
        }
    }

    fn finish(&mut self, accounts: &mut Accounts, at: Time, op: Op, reference: u64, end: Final, facts: &mut Vec<Fact>) {
        let Some(position) = pending(accounts, op, reference) else { return };
        let (state, what) = match end {
            Final::No => (State::Rejected, What::ShipmentRejected),
            _ => (State::Done, What::ShipmentAccepted),
        };
        accounts.ledger.change(position, at, state, what, facts);
    }
}

/// What could not be shipped cannot be shipped a moment later: that is about the goods and the address,
/// not about one request. A copy that the wire made is refused like the first one.
fn is_refused(accounts: &Accounts, request: &Request) -> bool {
    let same = |e: &Effect| e.op == Op::Fulfill && e.content == request.content;
    accounts.ledger.of_intent(request.taint).any(|(_, e)| same(e) && e.state == State::Rejected)
}

fn ship(
    accounts: &mut Accounts,
    at: Time,
    request: &Request,
    reference: u64,
    settlement: Settlement,
    facts: &mut Vec<Fact>,
) {
    let (state, what) = match settlement.delay {
        None => (State::Done, What::ShipmentAccepted),
        Some(_) => (State::Pending, What::ShipmentRequested),
    };
    accounts.ledger.push(Effect::of_request(request, reference, at, state), what, facts);
    accounts.finish_later(at, Op::Fulfill, reference, settlement);
}

fn cancel(accounts: &mut Accounts, at: Time, reference: u64, facts: &mut Vec<Fact>) {
    if let Some(position) = pending(accounts, Op::Fulfill, reference) {
        accounts.ledger.change(position, at, State::Cancelled, What::ShipmentCancelled, facts);
    }
}

fn pending(accounts: &Accounts, op: Op, reference: u64) -> Option<usize> {
    accounts.ledger.position(op, reference).filter(|&at| accounts.ledger.effects()[at].state == State::Pending)
}

/// The request that a cancellation means: by the provider's id, or by the client's reference.
fn target<'a>(accounts: &'a Accounts, request: &Request) -> Option<&'a Effect> {
    match request.reference {
        0 => accounts.ledger.under_key(Op::Fulfill, request.key),
        reference => accounts.ledger.effect(Op::Fulfill, reference),
    }
}

/// Until acceptance; cancelling what is cancelled succeeds.
fn cancellable(accounts: &Accounts, request: &Request) -> bool {
    target(accounts, request).is_some_and(|e| matches!(e.state, State::Pending | State::Cancelled))
}
