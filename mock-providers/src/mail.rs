//! The mail service: what it accepts counts as sent.

use crate::business::{Accounts, Business};
use crate::effect::{Effect, State};
use crate::fact::{Fact, What};
use crate::menus::Menus;
use crate::message::{Op, Reply, Request, Says};
use crate::provider_impl::provider;
use crate::provider_state::ProviderState;
use crate::service::{ContractError, Service};
use crate::serving::Serving;
use crate::settlement::Settlement;
use std::sync::Arc;
use unacked_sim::door::Door;
use unacked_sim::time::Time;

/// A mail service under a contract for `notify`.
#[derive(Clone, Debug)]
pub struct Mail {
    serving: Arc<Serving>,
    state: ProviderState,
    business: Postman,
}

provider!(Mail);

impl Mail {
    /// A service that has sent nothing.
    ///
    /// # Errors
    /// If the service has no contract for `notify`.
    pub fn new(service: &Service, menus: &Menus, door: &Door) -> Result<Mail, ContractError> {
        let service = service.require(&[Op::Notify])?;
        Ok(Mail { serving: Serving::shared(service, menus, door), state: ProviderState::default(), business: Postman })
    }
}

/// What a mail service does.
#[derive(Clone, Copy, Debug)]
struct Postman;

impl Postman {
    fn reset(&mut self) {}

    fn rewind(&mut self, _to: &Self) {}
}

impl Business for Postman {
    fn refuses(&self, _accounts: &Accounts, _now: Time, _request: &Request) -> bool {
        false
    }

    fn reply(&self, _accounts: &Accounts, _at: Time, request: &Request, reference: u64, _how: Settlement) -> Reply {
        Reply { says: Says::Done, reference, amount: request.amount, currency: request.currency, value: 0 }
    }

    fn commit(
        &mut self,
        accounts: &mut Accounts,
        at: Time,
        request: &Request,
        reference: u64,
        _how: Settlement,
        facts: &mut Vec<Fact>,
    ) {
        accounts.ledger.push(Effect::of_request(request, reference, at, State::Done), What::Mailed, facts);
    }
}
