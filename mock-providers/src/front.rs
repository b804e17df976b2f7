//! A provider's front: dedup table, books and outage. What every provider has, whatever its trade.

use crate::contract::{Contract, OnFailed};
use crate::dedup::{Dedup, Entry, Memory, Record};
use crate::fact::Fact;
use crate::message::{Op, Reply, Request};
use crate::terms::Terms;
use crate::trade::{Books, Job, Trade};
use unacked_sim::door::Door;
use unacked_sim::site::{Occasion, Stage};
use unacked_sim::time::Time;

/// What changes during a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Front {
    pub(crate) dedup: Dedup,
    pub(crate) books: Books,
    pub(crate) down_until: Time,
}

/// What is known of a request's key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// Nothing: it is new, forgotten, or not recorded.
    Nothing,
    /// It is being executed.
    Running(usize),
    /// It was executed, or failed and is remembered.
    Recorded(usize),
    /// It was used with other parameters.
    Drift(usize),
}

/// How the recorded end of a request is written down.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Note {
    pub(crate) record: Record,
    pub(crate) reference: u64,
    pub(crate) reply: Reply,
}

impl Front {
    /// Back to the beginning. One copy for all providers: it is called once a run each.
    #[inline(never)]
    pub(crate) fn reset(&mut self) {
        self.dedup.reset();
        self.books.reset();
        self.down_until = Time::ZERO;
    }

    /// As it was in `to`.
    #[inline(never)]
    pub(crate) fn rewind(&mut self, to: &Front) {
        let Front { dedup, books, down_until } = to;
        self.dedup.rewind(dedup);
        self.books.rewind(books);
        self.down_until = *down_until;
    }

    /// Does everything that is due, each thing at its own time.
    #[inline]
    pub(crate) fn catch_up(&mut self, trade: &mut dyn Trade, now: Time, facts: &mut Vec<Fact>) {
        while let Some((due, job)) = self.books.agenda.pop_due(now) {
            trade.tick(&mut self.books, due, facts);
            self.carry_out(trade, due, job, facts);
        }
        trade.tick(&mut self.books, now, facts);
    }

    #[cold]
    fn carry_out(&mut self, trade: &mut dyn Trade, due: Time, job: Job, facts: &mut Vec<Fact>) {
        match job {
            Job::Commit { request, reference, how } => {
                trade.take_back(&request);
                trade.commit(&mut self.books, due, &request, reference, how, facts);
                self.complete(&request, due);
            }
            Job::Finish { op, reference, verdict } => trade.finish(&mut self.books, due, op, reference, verdict, facts),
        }
    }

    fn complete(&mut self, request: &Request, due: Time) {
        let Some(slot) = self.dedup.find(request.op, request.key) else { return };
        let entry = self.dedup.entry_mut(slot);
        if matches!(entry.record, Record::InFlight(_)) {
            (entry.record, entry.completed_at) = (Record::Done, due);
        }
    }

    /// What is known of a request's key. May ask the door whether the key was forgotten.
    #[inline]
    pub(crate) fn identify(
        &mut self,
        terms: &Terms,
        contract: &Contract,
        now: Time,
        at: Occasion,
        request: &Request,
        door: &mut Door,
    ) -> Found {
        if request.key == 0 || !contract.dedups() {
            return Found::Nothing;
        }
        match self.remembered(terms, contract, now, at, request, door) {
            None => Found::Nothing,
            Some(slot) => self.classify(contract, slot, request),
        }
    }

    /// The slot of a key that is not forgotten.
    pub(crate) fn remembered(
        &mut self,
        terms: &Terms,
        contract: &Contract,
        now: Time,
        at: Occasion,
        request: &Request,
        door: &mut Door,
    ) -> Option<usize> {
        let slot = self.dedup.find(request.op, request.key)?;
        let entry = self.dedup.entry_mut(slot);
        entry.unlock(now, contract.on_server_error.value);
        let unrecorded = entry.record == Record::Failed(OnFailed::Reexecute);
        if unrecorded || forgotten(entry, terms, contract, now, at, door) {
            self.dedup.remove(slot);
            return None;
        }
        Some(slot)
    }

    fn classify(&self, contract: &Contract, slot: usize, request: &Request) -> Found {
        let entry = self.dedup.entry(slot);
        match entry.record {
            _ if crate::dedup::drifts(contract, entry, request) => Found::Drift(slot),
            Record::InFlight(_) => Found::Running(slot),
            _ => Found::Recorded(slot),
        }
    }

    /// Writes down how a request ended, if the contract remembers such ends.
    #[inline]
    pub(crate) fn note(&mut self, contract: &Contract, now: Time, slot: Option<usize>, request: &Request, note: Note) {
        let unrecorded = note.record == Record::Failed(OnFailed::Reexecute);
        if request.key == 0 || !contract.dedups() || unrecorded {
            return;
        }
        let completed_at = if let Record::InFlight(until) = note.record { until } else { now };
        let entry = Entry {
            op: request.op,
            record: note.record,
            memory: Memory::Unasked,
            fingerprint: crate::dedup::print_of(contract, request),
            first_seen: now,
            completed_at,
            reference: note.reference,
            reply: note.reply,
        };
        self.dedup.put(slot, request.key, entry);
    }

    /// When something that was asked for under this key (or by this intent, if 0) is still to come.
    pub(crate) fn underway(&self, op: Op, matches: impl Fn(&Request) -> bool) -> Option<Time> {
        let jobs = self.books.agenda.iter();
        jobs.filter(|(_, job)| matches!(job, Job::Commit { request, .. } if request.op == op && matches(request)))
            .map(|(due, _)| due)
            .max()
    }
}

/// Whether a key was forgotten. Inside the interval the door decides, once.
#[inline]
fn forgotten(entry: &mut Entry, terms: &Terms, contract: &Contract, now: Time, at: Occasion, door: &mut Door) -> bool {
    let window = &contract.window.value;
    let age = entry.age(now, window);
    if age < window.min || matches!(entry.record, Record::InFlight(_)) {
        return false;
    }
    age >= window.max || entry.memory == Memory::Unasked && ask_forgotten(entry, terms, at, door)
}

#[cold]
fn ask_forgotten(entry: &mut Entry, terms: &Terms, at: Occasion, door: &mut Door) -> bool {
    let (menu, mask) = terms.masks.pruning();
    entry.memory = Memory::Kept;
    mask != 0 && !door.choose(at.at(Stage::Store), menu, mask).kind.is_benign()
}
