//! A trade: what one kind of provider does once the pipeline has decided that a request runs.

use crate::agenda::Agenda;
use crate::fact::Fact;
use crate::how::{How, Verdict};
use crate::ledger::Ledger;
use crate::message::{Op, Reply, Request};
use crate::terms::Terms;
use unacked_sim::door::Door;
use unacked_sim::menu::Pick;
use unacked_sim::site::Occasion;
use unacked_sim::time::Time;

/// Something a provider will do by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Job {
    /// Commit the effect of a request that was let in earlier.
    Commit {
        /// The request.
        request: Request,
        /// The reference it was promised.
        reference: u64,
        /// How it becomes final.
        how: How,
    },
    /// Make a pending effect final.
    Finish {
        /// The effect's operation.
        op: Op,
        /// The effect.
        reference: u64,
        /// And how.
        verdict: Verdict,
    },
}

/// What a provider writes to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Books {
    pub(crate) ledger: Ledger,
    pub(crate) agenda: Agenda<Job>,
}

impl Books {
    pub(crate) fn reset(&mut self) {
        self.ledger.reset();
        self.agenda.reset();
    }

    /// As they were in `to`.
    pub(crate) fn rewind(&mut self, to: &Books) {
        let Books { ledger, agenda } = to;
        self.ledger.rewind(ledger);
        self.agenda.rewind(agenda);
    }

    /// Plans the end of something pending.
    pub(crate) fn finish_later(&mut self, at: Time, op: Op, reference: u64, how: How) {
        if let Some(delay) = how.delay {
            self.agenda.push(at + delay, Job::Finish { op, reference, verdict: how.verdict });
        }
    }
}

/// What the pipeline needs to know of a provider.
pub(crate) trait Trade {
    /// Does what time alone does (holds that expire).
    #[inline]
    fn tick(&mut self, _books: &mut Books, _now: Time, _facts: &mut Vec<Fact>) {}

    /// Whether the request would be refused now, for a reason of business.
    fn refuses(&self, books: &Books, now: Time, request: &Request) -> bool;

    /// Records a refusal. Returns the reference of what is on file about it, 0 if nothing is.
    fn refuse(&mut self, _books: &mut Books, _now: Time, _request: &Request, _facts: &mut Vec<Fact>) -> u64 {
        0
    }

    /// How the effect of a request becomes final.
    #[inline]
    fn plan(
        &mut self,
        terms: &Terms,
        _now: Time,
        at: Occasion,
        request: &Request,
        _pick: Pick,
        door: &mut Door,
    ) -> How {
        terms.how(at, request.op, door)
    }

    /// The reference that the effect will have.
    #[inline]
    fn reference(&self, books: &mut Books, request: &Request) -> u64 {
        books.ledger.number(request.op)
    }

    /// The first answer, if the effect commits at `at`.
    fn reply(&self, books: &Books, at: Time, request: &Request, reference: u64, how: How) -> Reply;

    /// Sets goods aside for an effect that will commit later.
    fn set_aside(&mut self, _request: &Request) {}

    /// Takes back what was set aside, right before the effect commits.
    fn take_back(&mut self, _request: &Request) {}

    /// The effect happens.
    fn commit(
        &mut self,
        books: &mut Books,
        at: Time,
        request: &Request,
        reference: u64,
        how: How,
        facts: &mut Vec<Fact>,
    );

    /// Something pending becomes final.
    fn finish(
        &mut self,
        _books: &mut Books,
        _at: Time,
        _op: Op,
        _reference: u64,
        _verdict: Verdict,
        _facts: &mut Vec<Fact>,
    ) {
    }
}
