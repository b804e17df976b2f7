//! The mail service: what it accepts counts as sent.

use crate::effect::{Effect, State};
use crate::fact::{Fact, What};
use crate::front::Front;
use crate::house::house;
use crate::how::How;
use crate::menus::Menus;
use crate::message::{Op, Reply, Request, Says};
use crate::service::{ContractError, Service};
use crate::terms::Terms;
use crate::trade::{Books, Trade};
use std::sync::Arc;
use unacked_sim::door::Door;
use unacked_sim::time::Time;

/// A mail service under a contract for `notify`.
#[derive(Clone, Debug)]
pub struct Mail {
    terms: Arc<Terms>,
    front: Front,
    trade: Postman,
}

house!(Mail);

impl Mail {
    /// A service that has sent nothing.
    ///
    /// # Errors
    /// If the service has no contract for `notify`.
    pub fn new(service: &Service, menus: &Menus, door: &Door) -> Result<Mail, ContractError> {
        let service = service.require(&[Op::Notify])?;
        Ok(Mail { terms: Terms::shared(service, menus, door), front: Front::default(), trade: Postman })
    }
}

/// What a mail service does.
#[derive(Clone, Copy, Debug)]
struct Postman;

impl Postman {
    fn reset(&mut self) {}

    fn rewind(&mut self, _to: &Self) {}
}

impl Trade for Postman {
    fn refuses(&self, _books: &Books, _now: Time, _request: &Request) -> bool {
        false
    }

    fn reply(&self, _books: &Books, _at: Time, request: &Request, reference: u64, _how: How) -> Reply {
        Reply { says: Says::Done, reference, amount: request.amount, currency: request.currency, value: 0 }
    }

    fn commit(
        &mut self,
        books: &mut Books,
        at: Time,
        request: &Request,
        reference: u64,
        _how: How,
        facts: &mut Vec<Fact>,
    ) {
        books.ledger.push(Effect::of_request(request, reference, at, State::Done), What::Mailed, facts);
    }
}
