//! The truth about one operation, as a person finds it out who may look at everything.

use crate::business::Job;
use crate::dedup::KeyState;
use crate::effect::{Effect, State, effect_op, makes};
use crate::message::{Op, Request, Taint};
use crate::provider_state::ProviderState;
use unacked_sim::time::Time;

/// An operation that somebody asks about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    /// Whose intent.
    pub taint: Taint,
    /// What was asked for.
    pub op: Op,
    /// Under which key; 0: whatever the intent has.
    pub key: u64,
}

/// What is true of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    /// The effect exists, under this reference.
    Committed(u64),
    /// It does not exist, and nothing that has reached the provider can make it.
    Absent,
    /// It may still go either way; ask again then.
    Unsettled(Time),
}

impl Question {
    fn fits(&self, key: u64, taint: Taint) -> bool {
        if self.key == 0 { taint == self.taint } else { key == self.key }
    }

    fn fits_request(&self, request: &Request) -> bool {
        self.fits(request.key, request.taint)
    }
}

impl ProviderState {
    /// What is true of an operation here.
    pub(crate) fn truth(&self, question: &Question) -> Truth {
        match self.underway(question.op, |r| question.fits_request(r)) {
            Some(due) => Truth::Unsettled(due),
            None if makes(question.op) => self.made(question),
            None => self.changed(question),
        }
    }

    fn made(&self, question: &Question) -> Truth {
        let ledger = &self.accounts.ledger;
        let stands = |e: &&Effect| !matches!(e.state, State::Rejected | State::Cancelled);
        let standing = if question.key == 0 {
            ledger.of_intent(question.taint).map(|(_, e)| e).filter(|e| e.op == question.op).find(stands)
        } else {
            ledger.all_under_key(question.op, question.key).find(stands)
        };
        match standing {
            None => Truth::Absent,
            Some(e) if e.state == State::Pending => Truth::Unsettled(self.end_of(e)),
            Some(e) => Truth::Committed(e.reference),
        }
    }

    /// When a pending effect becomes final.
    fn end_of(&self, effect: &Effect) -> Time {
        let ends = |job: &Job| matches!(job, Job::Finish { op, reference, .. } if *op == effect.op && *reference == effect.reference);
        self.accounts.agenda.iter().find(|(_, job)| ends(job)).map_or(Time::NEVER, |j| j.0)
    }

    /// Operations without an effect of their own: the record says whether they happened.
    fn changed(&self, question: &Question) -> Truth {
        let slot = if question.key == 0 { None } else { self.dedup.find(question.op, question.key) };
        match slot.map(|s| self.dedup.entry(s)) {
            Some(entry) if entry.state == KeyState::Done => Truth::Committed(entry.reference),
            _ => self.undone(question),
        }
    }

    /// A hold that was released or a request that was cancelled, by whatever key.
    fn undone(&self, question: &Question) -> Truth {
        let ended = if question.op == Op::Release { State::Released } else { State::Cancelled };
        let target = effect_op(question.op);
        let mut effects = self.accounts.ledger.of_intent(question.taint);
        let found = effects.find(|(_, e)| e.op == target && e.state == ended);
        found.map_or(Truth::Absent, |(_, e)| Truth::Committed(e.reference))
    }
}
