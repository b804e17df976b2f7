//! A provider's state: dedup table, accounts and outage. What every provider has, whatever its business.

use crate::business::{Accounts, Business, Job};
use crate::contract::{Contract, OnFailed};
use crate::dedup::{Dedup, Entry, KeyState, Memory};
use crate::fact::Fact;
use crate::kinds::MemoryFate;
use crate::message::{Op, Reply, Request};
use crate::serving::Serving;
use unacked_sim::door::Door;
use unacked_sim::kind::Fate;
use unacked_sim::menu::Pick;
use unacked_sim::site::{Occasion, Stage};
use unacked_sim::time::Time;

/// What changes during a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct ProviderState {
    pub(crate) dedup: Dedup,
    pub(crate) accounts: Accounts,
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
    pub(crate) state: KeyState,
    pub(crate) reference: u64,
    pub(crate) reply: Reply,
}

impl ProviderState {
    /// Back to the beginning. One copy for all providers: it is called once a run each.
    #[inline(never)]
    pub(crate) fn reset(&mut self) {
        self.dedup.reset();
        self.accounts.reset();
        self.down_until = Time::ZERO;
    }

    /// As it was in `to`.
    #[inline(never)]
    pub(crate) fn rewind(&mut self, to: &ProviderState) {
        let ProviderState { dedup, accounts, down_until } = to;
        self.dedup.rewind(dedup);
        self.accounts.rewind(accounts);
        self.down_until = *down_until;
    }

    /// Does everything that is due, each thing at its own time.
    #[inline]
    pub(crate) fn catch_up(&mut self, business: &mut dyn Business, now: Time, facts: &mut Vec<Fact>) {
        while let Some((due, job)) = self.accounts.agenda.pop_due(now) {
            business.tick(&mut self.accounts, due, facts);
            self.carry_out(business, due, job, facts);
        }
        business.tick(&mut self.accounts, now, facts);
    }

    #[cold]
    fn carry_out(&mut self, business: &mut dyn Business, due: Time, job: Job, facts: &mut Vec<Fact>) {
        match job {
            Job::Commit { request, reference, settlement } => {
                business.take_back(&request);
                business.commit(&mut self.accounts, due, &request, reference, settlement, facts);
                self.complete(&request, due);
            }
            Job::Finish { op, reference, end } => business.finish(&mut self.accounts, due, op, reference, end, facts),
        }
    }

    fn complete(&mut self, request: &Request, due: Time) {
        let Some(slot) = self.dedup.find(request.op, request.key) else { return };
        let entry = self.dedup.entry_mut(slot);
        if matches!(entry.state, KeyState::InFlight(_)) {
            (entry.state, entry.completed_at) = (KeyState::Done, due);
        }
    }

    /// What is known of a request's key. May ask the door whether the key was forgotten.
    #[inline]
    pub(crate) fn identify(
        &mut self,
        serving: &Serving,
        contract: &Contract,
        now: Time,
        at: Occasion,
        request: &Request,
        door: &mut Door,
    ) -> Found {
        if request.key == 0 || !contract.dedups() {
            return Found::Nothing;
        }
        match self.remembered(serving, contract, now, at, request, door) {
            None => Found::Nothing,
            Some(slot) => self.classify(contract, slot, request),
        }
    }

    /// The slot of a key that is not forgotten.
    pub(crate) fn remembered(
        &mut self,
        serving: &Serving,
        contract: &Contract,
        now: Time,
        at: Occasion,
        request: &Request,
        door: &mut Door,
    ) -> Option<usize> {
        let slot = self.dedup.find_in(contract.key_scope.value, request.op, request.key)?;
        let entry = self.dedup.entry_mut(slot);
        entry.unlock(now, contract.on_server_error.value);
        let unrecorded = entry.state == KeyState::Failed(OnFailed::Reexecute);
        if unrecorded || forgotten(entry, serving, contract, now, at, door) {
            self.dedup.forget(slot);
            return None;
        }
        Some(slot)
    }

    fn classify(&self, contract: &Contract, slot: usize, request: &Request) -> Found {
        let entry = self.dedup.entry(slot);
        match entry.state {
            _ if crate::dedup::drifts(contract, entry, request) => Found::Drift(slot),
            KeyState::InFlight(_) => Found::Running(slot),
            _ => Found::Recorded(slot),
        }
    }

    /// Writes down how a request ended, if the contract remembers such ends.
    #[inline]
    pub(crate) fn note(&mut self, contract: &Contract, now: Time, slot: Option<usize>, request: &Request, note: Note) {
        let unrecorded = note.state == KeyState::Failed(OnFailed::Reexecute);
        if request.key == 0 || !contract.dedups() || unrecorded {
            return;
        }
        let completed_at = if let KeyState::InFlight(until) = note.state { until } else { now };
        let entry = Entry {
            op: request.op,
            state: note.state,
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
        let jobs = self.accounts.agenda.iter();
        jobs.filter(|(_, job)| matches!(job, Job::Commit { request, .. } if request.op == op && matches(request)))
            .map(|(due, _)| due)
            .max()
    }
}

/// Whether a key was forgotten. Inside the interval the door decides, once.
#[inline]
fn forgotten(
    entry: &mut Entry,
    serving: &Serving,
    contract: &Contract,
    now: Time,
    at: Occasion,
    door: &mut Door,
) -> bool {
    let window = &contract.window.value;
    let age = entry.age(now, window);
    if age < window.min || matches!(entry.state, KeyState::InFlight(_)) {
        return false;
    }
    age >= window.max || entry.memory == Memory::Unasked && ask_forgotten(entry, serving, at, door)
}

#[cold]
fn ask_forgotten(entry: &mut Entry, serving: &Serving, at: Occasion, door: &mut Door) -> bool {
    let (menu, mask) = serving.masks.pruning();
    entry.memory = Memory::Kept;
    let pick = if mask == 0 { Pick::BENIGN } else { door.choose(at.at(Stage::Store), menu, mask) };
    match MemoryFate::of(pick.kind) {
        None => false,
        Some(fate @ MemoryFate::Pruned) => {
            door.felt(fate);
            true
        }
    }
}
