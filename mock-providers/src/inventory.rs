//! The stock service: holds that expire by themselves, and are consumed by shipping.
//!
//! Expiry needs no timer: it is evaluated whenever the service is looked at, and at the end.

use crate::business::{Accounts, Business};
use crate::effect::{Effect, State};
use crate::fact::{Fact, What};
use crate::menus::Menus;
use crate::message::{Op, Reply, Request, Says, Taint};
use crate::provider_impl::provider;
use crate::provider_state::ProviderState;
use crate::service::{ContractError, Service};
use crate::serving::Serving;
use crate::settlement::Settlement;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;
use unacked_sim::door::Door;
use unacked_sim::time::{Span, Time};

/// A stock service under a contract for `read-stock`, `reserve`, `renew` and `release`.
#[derive(Clone, Debug)]
pub struct Inventory {
    serving: Arc<Serving>,
    state: ProviderState,
    business: Stockroom,
}

provider!(Inventory);

/// What a stock service starts with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stock {
    /// Units per stock-keeping unit; the index is the number of the unit.
    pub units: Vec<i64>,
    /// How long a hold lasts from its beginning or renewal.
    pub ttl: Span,
}

impl Inventory {
    /// A service with full shelves.
    ///
    /// # Errors
    /// If the service lacks a contract for one of its four operations.
    pub fn new(service: &Service, menus: &Menus, door: &Door, stock: &Stock) -> Result<Inventory, ContractError> {
        let service = service.require(&[Op::ReadStock, Op::Reserve, Op::Renew, Op::Release])?;
        let shelves = stock.units.iter().map(|&initial| Shelf { initial, ..Shelf::default() }).collect();
        let business = Stockroom { shelves, ttl: stock.ttl, expiries: BinaryHeap::new() };
        Ok(Inventory { serving: Serving::shared(service, menus, door), state: ProviderState::default(), business })
    }

    /// Units leave for good: the hold of this intent is consumed. To be called in the event in which
    /// fulfillment is accepted. Returns whether live holds covered all of them; what they did not
    /// cover leaves the first shelf of the intent's holds anyway, or `sku` 0 if it has none: the
    /// books show it as oversold, since goods that are gone are gone.
    pub fn consume(&mut self, taint: Taint, units: i64, now: Time, facts: &mut Vec<Fact>) -> bool {
        self.state.catch_up(&mut self.business, now, facts);
        let accounts = &mut self.state.accounts;
        let left = self.business.take_from_holds(accounts, taint, units, now);
        let sku = accounts.ledger.of_intent(taint).last().map_or(0, |(_, e)| e.sku);
        self.business.ship(sku, left);
        let totals = accounts.ledger.totals_mut(taint);
        (totals.held, totals.consumed) = (totals.held - (units - left), totals.consumed + units);
        left == 0
    }

    /// Whether a live hold of this intent covers so many units, with so much time to spare.
    pub fn covers(&self, taint: Taint, units: i64, now: Time, margin: Span) -> bool {
        let holds = self.ledger().of_intent(taint).map(|(_, e)| e).filter(|e| e.state == State::Held);
        holds.filter(|e| e.value > (now + margin).0).map(|e| e.units).sum::<i64>() >= units
    }

    /// Units neither held nor gone; negative if oversold. As of the last time it was looked at.
    pub fn available(&self, sku: u32) -> i64 {
        self.shelf(sku).available()
    }

    /// Units held.
    pub fn held(&self, sku: u32) -> i64 {
        self.shelf(sku).held
    }

    /// Units shipped.
    pub fn consumed(&self, sku: u32) -> i64 {
        self.shelf(sku).consumed
    }

    /// Units at the beginning.
    pub fn initial(&self, sku: u32) -> i64 {
        self.shelf(sku).initial
    }

    fn shelf(&self, sku: u32) -> Shelf {
        self.business.shelves.get(sku as usize).copied().unwrap_or_default()
    }
}

/// One stock-keeping unit.
#[derive(Clone, Copy, Debug, Default)]
struct Shelf {
    initial: i64,
    held: i64,
    consumed: i64,
    /// Set aside for reservations that commit later.
    aside: i64,
}

impl Shelf {
    fn available(&self) -> i64 {
        self.initial - self.held - self.consumed
    }

    fn free(&self) -> i64 {
        (self.available() - self.aside).max(0)
    }
}

/// What a stock service does.
#[derive(Clone, Debug)]
struct Stockroom {
    shelves: Vec<Shelf>,
    ttl: Span,
    /// When which hold expires, unless it has changed since.
    expiries: BinaryHeap<Reverse<(Time, usize)>>,
}

impl Stockroom {
    fn reset(&mut self) {
        self.shelves.iter_mut().for_each(|s| *s = Shelf { initial: s.initial, ..Shelf::default() });
        self.expiries.clear();
    }

    fn rewind(&mut self, to: &Stockroom) {
        self.shelves.clone_from(&to.shelves);
        self.expiries.clone_from(&to.expiries);
    }

    fn free(&self, sku: u32) -> i64 {
        self.shelves.get(sku as usize).map_or(0, Shelf::free)
    }

    fn shelf(&mut self, sku: u32) -> Option<&mut Shelf> {
        self.shelves.get_mut(sku as usize)
    }

    fn unhold(&mut self, sku: u32, units: i64) {
        if let Some(shelf) = self.shelf(sku) {
            shelf.held -= units;
        }
    }

    fn ship(&mut self, sku: u32, units: i64) {
        if let Some(shelf) = self.shelf(sku) {
            shelf.consumed += units;
        }
    }

    /// A hold expires then, if nothing happens to it before.
    fn expires(&mut self, hold: usize, expiry: u64) {
        self.expiries.push(Reverse((Time(expiry), hold)));
    }

    #[inline]
    fn next_expiry(&self) -> Time {
        self.expiries.peek().map_or(Time::NEVER, |next| next.0.0)
    }

    #[cold]
    fn expire(&mut self, accounts: &mut Accounts, now: Time, facts: &mut Vec<Fact>) {
        while self.next_expiry() <= now
            && let Some(Reverse((expiry, at))) = self.expiries.pop()
        {
            let hold = accounts.ledger.effects()[at];
            if hold.state == State::Held && hold.value == expiry.0 {
                accounts.ledger.change(at, expiry, State::Expired, What::HoldExpired, facts);
                self.unhold(hold.sku, hold.units);
            }
        }
    }

    /// Takes units from the live holds of an intent, oldest first. Returns what is still missing.
    fn take_from_holds(&mut self, accounts: &mut Accounts, taint: Taint, units: i64, now: Time) -> i64 {
        let mut left = units;
        while left > 0
            && let Some((at, hold)) = oldest_hold(accounts, taint)
        {
            let taken = hold.units.min(left);
            take(accounts.ledger.at_mut(at), taken, now);
            self.unhold(hold.sku, taken);
            self.ship(hold.sku, taken);
            left -= taken;
        }
        left
    }

    fn hold(&mut self, accounts: &mut Accounts, at: Time, request: &Request, reference: u64, facts: &mut Vec<Fact>) {
        let value = (at + self.ttl).0;
        let effect = Effect { value, ..Effect::of_request(request, reference, at, State::Held) };
        if let Some(shelf) = self.shelf(request.sku) {
            shelf.held += effect.units;
        }
        self.expires(accounts.ledger.effects().len(), value);
        accounts.ledger.push(effect, What::Held, facts);
    }

    fn renew(&mut self, accounts: &mut Accounts, now: Time, position: usize, facts: &mut Vec<Fact>) {
        let hold = accounts.ledger.at_mut(position);
        hold.value = hold.value.max((now + self.ttl).0);
        self.expires(position, hold.value);
        accounts.ledger.change(position, now, State::Held, What::Renewed, facts);
    }

    /// Releasing what is released succeeds and changes nothing.
    fn release(&mut self, accounts: &mut Accounts, now: Time, position: usize, facts: &mut Vec<Fact>) {
        let hold = *accounts.ledger.at_mut(position);
        if hold.state == State::Held {
            accounts.ledger.at_mut(position).value = now.0;
            accounts.ledger.change(position, now, State::Released, What::Released, facts);
            self.unhold(hold.sku, hold.units);
        }
    }
}

/// The oldest live hold of an intent.
fn oldest_hold(accounts: &Accounts, taint: Taint) -> Option<(usize, Effect)> {
    let held = accounts.ledger.of_intent(taint).filter(|(_, e)| e.state == State::Held);
    held.last().map(|(at, hold)| (at, *hold))
}

/// A hold that is used up is consumed; what is left of one stays held.
fn take(hold: &mut Effect, taken: i64, now: Time) {
    if hold.units == taken {
        (hold.state, hold.changed_at) = (State::Consumed, now);
    } else {
        hold.units -= taken;
    }
}

impl Business for Stockroom {
    #[inline]
    fn tick(&mut self, accounts: &mut Accounts, now: Time, facts: &mut Vec<Fact>) {
        if now >= self.next_expiry() {
            self.expire(accounts, now, facts);
        }
    }

    #[inline]
    fn refuses(&self, accounts: &Accounts, _now: Time, request: &Request) -> bool {
        match request.op {
            Op::Reserve => request.quantity == 0 || i64::from(request.quantity) > self.free(request.sku),
            Op::Renew => target(accounts, request).is_none_or(|e| e.state != State::Held),
            Op::Release => target(accounts, request).is_none_or(|e| !matches!(e.state, State::Held | State::Released)),
            _ => false,
        }
    }

    fn refuse(&mut self, accounts: &mut Accounts, now: Time, request: &Request, facts: &mut Vec<Fact>) -> u64 {
        if request.op == Op::Reserve {
            let fact = Effect::of_request(request, 0, now, State::Rejected).fact(What::StockRefused);
            accounts.ledger.emit(fact, None, facts);
        }
        0
    }

    #[inline]
    fn reference(&self, accounts: &mut Accounts, request: &Request) -> u64 {
        match request.op {
            Op::ReadStock => 0,
            Op::Reserve => accounts.ledger.number(Op::Reserve),
            _ => target(accounts, request).map_or(0, |e| e.reference),
        }
    }

    #[inline]
    fn reply(&self, accounts: &Accounts, at: Time, request: &Request, reference: u64, _how: Settlement) -> Reply {
        let value = match request.op {
            Op::ReadStock => self.free(request.sku).unsigned_abs(),
            Op::Release => at.0,
            Op::Renew => target(accounts, request).map_or(0, |e| e.value).max((at + self.ttl).0),
            _ => (at + self.ttl).0,
        };
        Reply { says: Says::Done, reference, amount: request.amount, currency: request.currency, value }
    }

    fn set_aside(&mut self, request: &Request) {
        if let Some(shelf) = self.shelf(request.sku) {
            shelf.aside += i64::from(request.quantity);
        }
    }

    fn take_back(&mut self, request: &Request) {
        if let Some(shelf) = self.shelf(request.sku) {
            shelf.aside -= i64::from(request.quantity);
        }
    }

    #[inline]
    fn commit(
        &mut self,
        accounts: &mut Accounts,
        at: Time,
        request: &Request,
        reference: u64,
        _how: Settlement,
        facts: &mut Vec<Fact>,
    ) {
        if request.op == Op::Reserve {
            return self.hold(accounts, at, request, reference, facts);
        }
        match (request.op, accounts.ledger.position(Op::Reserve, reference)) {
            (Op::Renew, Some(position)) => self.renew(accounts, at, position, facts),
            (Op::Release, Some(position)) => self.release(accounts, at, position, facts),
            _ => {}
        }
    }
}

/// The hold that a renewal or release means: by the provider's id, or by the client's reference.
fn target<'a>(accounts: &'a Accounts, request: &Request) -> Option<&'a Effect> {
    match request.reference {
        0 => accounts.ledger.under_key(Op::Reserve, request.key),
        reference => accounts.ledger.effect(Op::Reserve, reference),
    }
}
