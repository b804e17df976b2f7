//! The effect ledger: what is true at a provider, by intent, whatever its answers say.
//!
//! Attribution is by taint, never by key. Every change emits a [`Fact`] and moves the totals in the
//! same call, so that the two cannot disagree.

use crate::chains::Chains;
use crate::effect::{Effect, State};
use crate::fact::{Fact, What};
use crate::message::{Op, Taint, UNTAINTED};
use crate::totals::Totals;
use unacked_sim::time::Time;

pub use crate::effect::reference_name;

/// Everything that exists at one provider.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    effects: Vec<Effect>,
    by_key: Chains,
    /// Per intent: its latest effect. Of each effect: the one before of the same intent.
    latest: Vec<u32>,
    before: Vec<u32>,
    /// Of each reference of an operation, from 1: its effect.
    places: [Vec<u32>; Op::COUNT],
    totals: Vec<Totals>,
    untainted: Totals,
    numbers: [u64; Op::COUNT],
}

/// No effect.
const NONE: u32 = u32::MAX;

const NOTHING: Totals = Totals {
    captured: 0,
    refund_pending: 0,
    refunded: 0,
    held: 0,
    consumed: 0,
    released: 0,
    expired: 0,
    requested: 0,
    accepted: 0,
    cancelled: 0,
    rejected: 0,
    declines: 0,
    mails: 0,
};

impl Ledger {
    /// What is true of one intent here.
    pub fn totals(&self, taint: Taint) -> &Totals {
        match taint {
            UNTAINTED => &self.untainted,
            _ => self.totals.get(taint as usize).unwrap_or(&NOTHING),
        }
    }

    /// What is true of nobody's intent: should be nothing.
    pub fn untainted(&self) -> &Totals {
        &self.untainted
    }

    /// All effects, in order of coming into being.
    pub fn effects(&self) -> &[Effect] {
        &self.effects
    }

    /// The effect of this reference.
    pub fn effect(&self, op: Op, reference: u64) -> Option<&Effect> {
        self.position(op, reference).map(|at| &self.effects[at])
    }

    /// Forgets everything; the memory is kept.
    pub(crate) fn reset(&mut self) {
        self.effects.clear();
        self.by_key.reset();
        self.latest.clear();
        self.before.clear();
        self.places.iter_mut().for_each(Vec::clear);
        self.totals.clear();
        self.untainted = NOTHING;
        self.numbers = [0; Op::COUNT];
    }

    /// As it was in `to`.
    pub(crate) fn rewind(&mut self, to: &Ledger) {
        let Ledger { effects, by_key, latest, before, places, totals, untainted, numbers } = to;
        self.effects.clone_from(effects);
        self.by_key.rewind(by_key);
        self.latest.clone_from(latest);
        self.before.clone_from(before);
        self.places.iter_mut().zip(places).for_each(|(mine, theirs)| mine.clone_from(theirs));
        self.totals.clone_from(totals);
        (self.untainted, self.numbers) = (*untainted, *numbers);
    }

    /// The next free reference of an operation.
    #[inline]
    pub(crate) fn number(&mut self, op: Op) -> u64 {
        let number = &mut self.numbers[op as usize];
        *number += 1;
        *number
    }

    pub(crate) fn position(&self, op: Op, reference: u64) -> Option<usize> {
        let nth = usize::try_from(reference.checked_sub(1)?).ok()?;
        self.places[op as usize].get(nth).filter(|&&at| at != NONE).map(|&at| at as usize)
    }

    /// The effects of an intent, the latest first.
    pub(crate) fn of_intent(&self, taint: Taint) -> impl Iterator<Item = (usize, &Effect)> {
        let known = |at: u32| (at != NONE).then_some(at as usize);
        let latest = self.latest.get(head(taint)).copied().and_then(known);
        std::iter::successors(latest, move |&at| known(self.before[at])).map(|at| (at, &self.effects[at]))
    }

    /// The effects of an operation under a key, the latest first.
    pub(crate) fn all_under_key(&self, op: Op, key: u64) -> impl Iterator<Item = &Effect> {
        self.by_key.of(key).map(|at| &self.effects[at]).filter(move |e| e.op == op)
    }

    /// The effect under a key: the latest that was not refused, else the latest.
    pub(crate) fn under_key(&self, op: Op, key: u64) -> Option<&Effect> {
        let mut all = self.all_under_key(op, key);
        let latest = all.next()?;
        if latest.state != State::Rejected {
            Some(latest)
        } else {
            all.find(|e| e.state != State::Rejected).or(Some(latest))
        }
    }

    /// An effect comes into being.
    #[inline]
    pub(crate) fn push(&mut self, effect: Effect, what: What, facts: &mut Vec<Fact>) {
        self.emit(effect.fact(what), None, facts);
        self.push_silent(effect);
    }

    /// An effect comes into being of which no promise needs to know yet.
    #[inline]
    pub(crate) fn push_silent(&mut self, effect: Effect) {
        self.by_key.push(effect.key);
        let at = self.effects.len() as u32;
        let before = std::mem::replace(slot(&mut self.latest, head(effect.taint)), at);
        self.before.push(before);
        *slot(&mut self.places[effect.op as usize], effect.reference as usize - 1) = at;
        self.effects.push(effect);
    }

    /// An effect changes its state.
    pub(crate) fn change(&mut self, at: usize, now: Time, state: State, what: What, facts: &mut Vec<Fact>) {
        let effect = &mut self.effects[at];
        let was = effect.state;
        (effect.state, effect.changed_at) = (state, now);
        let fact = effect.fact(what);
        self.emit(fact, Some(was), facts);
    }

    /// The effect at a position, to change what is not its state.
    pub(crate) fn at_mut(&mut self, at: usize) -> &mut Effect {
        &mut self.effects[at]
    }

    pub(crate) fn totals_mut(&mut self, taint: Taint) -> &mut Totals {
        if taint == UNTAINTED {
            return &mut self.untainted;
        }
        let at = taint as usize;
        if at >= self.totals.len() {
            self.totals.resize(at + 1, NOTHING);
        }
        &mut self.totals[at]
    }

    /// Records a fact that concerns no effect, or several.
    #[inline]
    pub(crate) fn emit(&mut self, fact: Fact, was: Option<State>, facts: &mut Vec<Fact>) {
        self.totals_mut(fact.taint).apply(&fact, was);
        facts.push(fact);
    }
}

/// Where the chain of an intent's effects begins: first the one of nobody's.
fn head(taint: Taint) -> usize {
    taint.wrapping_add(1) as usize
}

/// A place in a list that grows as far as it is used.
fn slot(list: &mut Vec<u32>, at: usize) -> &mut u32 {
    if at >= list.len() {
        list.resize(at + 1, NONE);
    }
    &mut list[at]
}
