//! The approval desk: takes in a question, waits for a person, records the decision.
//!
//! A deadline that passes is recorded as a decision to cancel, at exactly that time.

use crate::business::{Accounts, Business};
use crate::effect::{Effect, State};
use crate::fact::{Fact, What};
use crate::kinds::ApproverFate;
use crate::menus::{Menus, mask};
use crate::message::{Op, Reply, Request, Taint};
use crate::provider_impl::provider;
use crate::provider_state::ProviderState;
use crate::service::{ContractError, Service};
use crate::serving::Serving;
use crate::settlement::{Final, Settlement};
use crate::twist::Settles;
use std::collections::VecDeque;
use std::sync::Arc;
use unacked_sim::distribution::Distribution;
use unacked_sim::door::Door;
use unacked_sim::kind::Fate;
use unacked_sim::menu::{MenuId, Pick};
use unacked_sim::site::{Occasion, Stage};
use unacked_sim::time::{Span, Time};

/// How the people behind the desk decide.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Habits {
    /// How long a person takes, in microseconds.
    pub decides: Distribution,
    /// When the desk gives up, counted from the question.
    pub deadline: Span,
    /// How long a yes is good for.
    pub valid: Span,
    /// The answer to the question itself is yes: nobody is asked, nothing waits.
    pub immediate: bool,
}

/// A decision as the desk records it. The wiring writes it into the workflow's durable store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeskDecision {
    /// Whose intent.
    pub taint: Taint,
    /// Key of the question.
    pub key: u64,
    /// Hash of what exactly was asked: the decision is bound to it.
    pub content: u64,
    /// The desk's reference.
    pub reference: u64,
    /// Yes or no.
    pub granted: bool,
    /// Until when a yes is good; zero for a no.
    pub expires: Time,
    /// When it was taken.
    pub at: Time,
}

/// An approval desk under a contract for `approve`.
#[derive(Clone, Debug)]
pub struct ApprovalDesk {
    serving: Arc<Serving>,
    state: ProviderState,
    business: Clerk,
}

provider!(ApprovalDesk);

impl ApprovalDesk {
    /// A desk that nobody has asked anything.
    ///
    /// # Errors
    /// If the service has no contract for `approve`.
    pub fn new(service: &Service, menus: &Menus, door: &Door, habits: Habits) -> Result<ApprovalDesk, ContractError> {
        let service = service.require(&[Op::Approve])?;
        let business = Clerk {
            habits,
            menu: menus.human,
            mask: mask(door, menus.human, ApproverFate::ALL.iter().map(|f| f.kind())),
            decisions: VecDeque::new(),
        };
        Ok(ApprovalDesk { serving: Serving::shared(service, menus, door), state: ProviderState::default(), business })
    }

    /// The next decision that nobody has fetched yet, in order of time. A doubled yes comes twice.
    pub fn take_decision(&mut self) -> Option<DeskDecision> {
        self.business.decisions.pop_front()
    }
}

/// How the content of another version differs.
const OTHER_VERSION: u64 = 1 << 63;

/// What an approval desk does.
#[derive(Clone, Debug)]
struct Clerk {
    habits: Habits,
    menu: MenuId,
    mask: u32,
    decisions: VecDeque<DeskDecision>,
}

impl Clerk {
    fn reset(&mut self) {
        self.decisions.clear();
    }

    fn rewind(&mut self, to: &Clerk) {
        self.decisions.clone_from(&to.decisions);
    }

    /// What the person will do, asked when the question is taken in.
    fn person(&self, now: Time, at: Occasion, door: &mut Door) -> Settlement {
        let site = at.at(Stage::Human);
        let pick = if self.mask == 0 { Pick::BENIGN } else { door.choose(site, self.menu, self.mask) };
        let usual = Span(door.sample(site, &self.habits.decides));
        match ApproverFate::of(pick.kind) {
            None => self.in_time(usual, Final::Yes),
            Some(fate) => self.oddly(now, fate, Span(pick.value), usual, door),
        }
    }

    #[cold]
    fn oddly(&self, now: Time, fate: ApproverFate, value: Span, usual: Span, door: &mut Door) -> Settlement {
        let settlement = match fate {
            ApproverFate::Late => self.in_time(value, Final::Yes),
            ApproverFate::Never => self.in_time(Span::NEVER, Final::No),
            ApproverFate::Denied => self.in_time(usual, Final::No),
            ApproverFate::Doubled => self.in_time(usual, Final::Twice(value)),
            ApproverFate::OtherContent => self.in_time(usual, Final::Other),
        };
        door.strained_until(now + settlement.delay.unwrap_or(Span::ZERO));
        if settlement != self.in_time(usual, Final::Yes) {
            door.felt(fate);
        }
        settlement
    }

    /// A yes or no that comes after the deadline comes too late: the desk has recorded a no.
    fn in_time(&self, delay: Span, end: Final) -> Settlement {
        match self.habits.deadline {
            deadline if delay > deadline => Settlement { delay: Some(deadline), end: Final::No },
            _ => Settlement { delay: Some(delay), end },
        }
    }

    /// The yes is recorded as what it is: one to another version.
    fn decide_otherwise(&mut self, accounts: &mut Accounts, at: Time, position: usize, facts: &mut Vec<Fact>) {
        accounts.ledger.at_mut(position).content ^= OTHER_VERSION;
        self.settle(accounts, at, position, true, facts);
    }

    fn decide(&mut self, effect: &Effect, granted: bool, at: Time) {
        self.decisions.push_back(DeskDecision {
            taint: effect.taint,
            key: effect.key,
            content: effect.content,
            reference: effect.reference,
            granted,
            expires: Time(effect.value),
            at,
        });
    }

    fn settle(&mut self, accounts: &mut Accounts, at: Time, position: usize, granted: bool, facts: &mut Vec<Fact>) {
        let (state, what) = if granted { (State::Done, What::Approved) } else { (State::Rejected, What::NotApproved) };
        if granted {
            accounts.ledger.at_mut(position).value = (at + self.habits.valid).0;
        }
        accounts.ledger.change(position, at, state, what, facts);
        self.decide(&accounts.ledger.effects()[position], granted, at);
    }
}

impl Business for Clerk {
    fn refuses(&self, _accounts: &Accounts, _now: Time, _request: &Request) -> bool {
        false
    }

    fn plan(
        &mut self,
        _serving: &Serving,
        now: Time,
        at: Occasion,
        _request: &Request,
        _settles: Settles,
        door: &mut Door,
    ) -> Settlement {
        if self.habits.immediate { Settlement::AT_ONCE } else { self.person(now, at, door) }
    }

    fn reply(
        &self,
        _accounts: &Accounts,
        at: Time,
        request: &Request,
        reference: u64,
        settlement: Settlement,
    ) -> Reply {
        let value = if settlement.delay.is_none() { (at + self.habits.valid).0 } else { 0 };
        let says = settlement.says();
        Reply { says, reference, amount: request.amount, currency: request.currency, value }
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
        let effect = Effect::of_request(request, reference, at, State::Pending);
        accounts.ledger.push(effect, What::ApprovalAsked, facts);
        match settlement.delay {
            None => self.finish(accounts, at, Op::Approve, reference, Final::Yes, facts),
            Some(_) => accounts.finish_later(at, Op::Approve, reference, settlement),
        }
    }

    fn finish(&mut self, accounts: &mut Accounts, at: Time, op: Op, reference: u64, end: Final, facts: &mut Vec<Fact>) {
        let Some(position) = accounts.ledger.position(op, reference) else { return };
        match end {
            Final::Yes => self.settle(accounts, at, position, true, facts),
            Final::Other => self.decide_otherwise(accounts, at, position, facts),
            Final::No => self.settle(accounts, at, position, false, facts),
            Final::Again => self.decide(&accounts.ledger.effects()[position], true, at),
            Final::Twice(gap) => {
                self.settle(accounts, at, position, true, facts);
                accounts.finish_later(at, op, reference, Settlement { delay: Some(gap), end: Final::Again });
            }
        }
    }
}
