//! The approval desk: takes in a question, waits for a person, records the decision.
//!
//! A deadline that passes is recorded as a decision to cancel, at exactly that time.

use crate::effect::{Effect, State};
use crate::fact::{Fact, What};
use crate::front::Front;
use crate::house::house;
use crate::how::{How, Verdict};
use crate::kinds::*;
use crate::menus::{Menus, mask};
use crate::message::{Op, Reply, Request, Taint};
use crate::possible;
use crate::service::{ContractError, Service};
use crate::terms::Terms;
use crate::trade::{Books, Trade};
use std::collections::VecDeque;
use std::sync::Arc;
use unacked_sim::door::Door;
use unacked_sim::law::Law;
use unacked_sim::menu::{MenuId, Pick};
use unacked_sim::site::{Occasion, Stage};
use unacked_sim::time::{Span, Time};

/// How the people behind the desk decide.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Habits {
    /// How long a person takes, in microseconds.
    pub decides: Law,
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
    terms: Arc<Terms>,
    front: Front,
    trade: Clerk,
}

house!(ApprovalDesk);

impl ApprovalDesk {
    /// A desk that nobody has asked anything.
    ///
    /// # Errors
    /// If the service has no contract for `approve`.
    pub fn new(service: &Service, menus: &Menus, door: &Door, habits: Habits) -> Result<ApprovalDesk, ContractError> {
        let service = service.require(&[Op::Approve])?;
        let kinds = possible::human();
        let trade = Clerk {
            habits,
            menu: menus.human,
            mask: mask(door, menus.human, |k| kinds.contains(&k)),
            decisions: VecDeque::new(),
        };
        Ok(ApprovalDesk { terms: Terms::shared(service, menus, door), front: Front::default(), trade })
    }

    /// The next decision that nobody has fetched yet, in order of time. A doubled yes comes twice.
    pub fn take_decision(&mut self) -> Option<DeskDecision> {
        self.trade.decisions.pop_front()
    }
}

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
    fn person(&self, now: Time, at: Occasion, door: &mut Door) -> How {
        let site = at.at(Stage::Human);
        let pick = if self.mask == 0 { Pick::BENIGN } else { door.choose(site, self.menu, self.mask) };
        let usual = |door: &Door| Span(door.sample(site, &self.habits.decides));
        let (delay, verdict) = match pick.kind {
            APPROVAL_LATE => (Span(pick.value), Verdict::Yes),
            APPROVAL_NEVER => (Span::NEVER, Verdict::No),
            APPROVAL_DENIED => (usual(door), Verdict::No),
            APPROVAL_DOUBLED => (usual(door), Verdict::Twice(Span(pick.value))),
            _ => (usual(door), Verdict::Yes),
        };
        let how = self.in_time(delay, verdict);
        if !pick.kind.is_benign() {
            door.strained_until(now + how.delay.unwrap_or(Span::ZERO));
        }
        how
    }

    /// A yes or no that comes after the deadline comes too late: the desk has recorded a no.
    fn in_time(&self, delay: Span, verdict: Verdict) -> How {
        match self.habits.deadline {
            deadline if delay > deadline => How { delay: Some(deadline), verdict: Verdict::No },
            _ => How { delay: Some(delay), verdict },
        }
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

    fn settle(&mut self, books: &mut Books, at: Time, position: usize, granted: bool, facts: &mut Vec<Fact>) {
        let (state, what) = if granted { (State::Done, What::Approved) } else { (State::Rejected, What::NotApproved) };
        if granted {
            books.ledger.at_mut(position).value = (at + self.habits.valid).0;
        }
        books.ledger.change(position, at, state, what, facts);
        self.decide(&books.ledger.effects()[position], granted, at);
    }
}

impl Trade for Clerk {
    fn refuses(&self, _books: &Books, _now: Time, _request: &Request) -> bool {
        false
    }

    fn plan(
        &mut self,
        _terms: &Terms,
        now: Time,
        at: Occasion,
        _request: &Request,
        _pick: Pick,
        door: &mut Door,
    ) -> How {
        if self.habits.immediate { How::AT_ONCE } else { self.person(now, at, door) }
    }

    fn reply(&self, _books: &Books, at: Time, request: &Request, reference: u64, how: How) -> Reply {
        let value = if how.delay.is_none() { (at + self.habits.valid).0 } else { 0 };
        let says = how.says();
        Reply { says, reference, amount: request.amount, currency: request.currency, value }
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
        let effect = Effect::of_request(request, reference, at, State::Pending);
        books.ledger.push(effect, What::ApprovalAsked, facts);
        match how.delay {
            None => self.finish(books, at, Op::Approve, reference, Verdict::Yes, facts),
            Some(_) => books.finish_later(at, Op::Approve, reference, how),
        }
    }

    fn finish(&mut self, books: &mut Books, at: Time, op: Op, reference: u64, verdict: Verdict, facts: &mut Vec<Fact>) {
        let Some(position) = books.ledger.position(op, reference) else { return };
        match verdict {
            Verdict::Yes => self.settle(books, at, position, true, facts),
            Verdict::No => self.settle(books, at, position, false, facts),
            Verdict::Again => self.decide(&books.ledger.effects()[position], true, at),
            Verdict::Twice(gap) => {
                self.settle(books, at, position, true, facts);
                books.finish_later(at, op, reference, How { delay: Some(gap), verdict: Verdict::Again });
            }
        }
    }
}
