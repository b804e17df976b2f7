//! A business: what one kind of provider does once the pipeline has decided that a request runs.

use crate::agenda::Agenda;
use crate::fact::Fact;
use crate::ledger::Ledger;
use crate::message::{Op, Reply, Request};
use crate::serving::Serving;
use crate::settlement::{Final, Settlement};
use crate::twist::Settles;
use unacked_sim::door::Door;
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
        settlement: Settlement,
    },
    /// Make a pending effect final.
    Finish {
        /// The effect's operation.
        op: Op,
        /// The effect.
        reference: u64,
        /// And how.
        end: Final,
    },
}

/// What a provider writes to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Accounts {
    pub(crate) ledger: Ledger,
    pub(crate) agenda: Agenda<Job>,
}

impl Accounts {
    pub(crate) fn reset(&mut self) {
        self.ledger.reset();
        self.agenda.reset();
    }

    /// As they were in `to`.
    pub(crate) fn rewind(&mut self, to: &Accounts) {
        let Accounts { ledger, agenda } = to;
        self.ledger.rewind(ledger);
        self.agenda.rewind(agenda);
    }

    /// Plans the end of something pending.
    pub(crate) fn finish_later(&mut self, at: Time, op: Op, reference: u64, settlement: Settlement) {
        if let Some(delay) = settlement.delay {
            self.agenda.push(at + delay, Job::Finish { op, reference, end: settlement.end });
        }
    }
}

/// What the pipeline needs to know of a provider.
pub(crate) trait Business {
    /// Does what time alone does (holds that expire).
    #[inline]
    fn tick(&mut self, _accounts: &mut Accounts, _now: Time, _facts: &mut Vec<Fact>) {}

    /// Whether the request would be refused now, for a reason of business.
    fn refuses(&self, accounts: &Accounts, now: Time, request: &Request) -> bool;

    /// Whether what would be refused did not even validate: the client's error, not a matter of business.
    fn is_invalid(&self, _accounts: &Accounts, request: &Request) -> bool {
        let of_goods = matches!(request.op, Op::Reserve | Op::Fulfill);
        of_goods && request.quantity == 0
    }

    /// Records a refusal. Returns the reference of what is on file about it, 0 if nothing is.
    fn refuse(&mut self, _accounts: &mut Accounts, _now: Time, _request: &Request, _facts: &mut Vec<Fact>) -> u64 {
        0
    }

    /// How the effect of a request becomes final.
    #[inline]
    fn plan(
        &mut self,
        serving: &Serving,
        _now: Time,
        at: Occasion,
        request: &Request,
        _settles: Settles,
        door: &mut Door,
    ) -> Settlement {
        serving.settlement(at, request.op, door)
    }

    /// The reference that the effect will have.
    #[inline]
    fn reference(&self, accounts: &mut Accounts, request: &Request) -> u64 {
        accounts.ledger.number(request.op)
    }

    /// The first answer, if the effect commits at `at`.
    fn reply(&self, accounts: &Accounts, at: Time, request: &Request, reference: u64, settlement: Settlement) -> Reply;

    /// Sets goods aside for an effect that will commit later.
    fn set_aside(&mut self, _request: &Request) {}

    /// Takes back what was set aside, right before the effect commits.
    fn take_back(&mut self, _request: &Request) {}

    /// The effect happens.
    fn commit(
        &mut self,
        accounts: &mut Accounts,
        at: Time,
        request: &Request,
        reference: u64,
        settlement: Settlement,
        facts: &mut Vec<Fact>,
    );

    /// Something pending becomes final.
    fn finish(
        &mut self,
        _accounts: &mut Accounts,
        _at: Time,
        _op: Op,
        _reference: u64,
        _end: Final,
        _facts: &mut Vec<Fact>,
    ) {
    }
}
