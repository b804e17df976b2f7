//! The pipeline every request goes through: gates, identity, match, decide, execute, record, answer.

use crate::business::{Business, Job};
use crate::contract::{Contract, InFlight, OnDone, OnFailed, OnMismatch};
use crate::dedup::{Entry, KeyState};
use crate::execution::{Execution, ask, throttled};
use crate::fact::Fact;
use crate::kinds::*;
use crate::lookup;
use crate::menus::Situation;
use crate::message::{Ask, Op, Reply, Says};
use crate::provider_state::{Found, Note, ProviderState};
use unacked_sim::menu::Pick;
use unacked_sim::provider::Answer;
use unacked_sim::time::{Span, Time};

/// What the contract makes of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// It runs; what is written down replaces this slot.
    Run(Option<usize>),
    /// It is answered from this slot.
    Repeat(usize),
    /// It waits for this slot's request.
    Wait(usize),
    /// It is answered with a word.
    Say(Says),
}

/// Handles a request that has arrived.
#[inline]
pub(crate) fn handle(mut exec: Execution<'_>) -> Answer<Reply> {
    exec.state.catch_up(exec.business, exec.now, exec.facts);
    let Some(contract) = exec.serving.contract(exec.request.op) else {
        return Answer::now(Reply::bare(Says::ServerError));
    };
    let mut answer = match exec.request.ask {
        Ask::Act => act(&mut exec, contract),
        Ask::Lookup => lookup::answer(&mut exec, contract),
    };
    if exec.now < exec.state.down_until {
        answer.reply = None;
    }
    answer.wake_at = exec.state.accounts.agenda.take_wish();
    answer
}

/// A time the provider asked for has come, or not quite: it does what is due.
pub(crate) fn wake(
    state: &mut ProviderState,
    business: &mut dyn Business,
    now: Time,
    facts: &mut Vec<Fact>,
) -> Option<Time> {
    state.catch_up(business, now, facts);
    state.accounts.agenda.take_wish();
    state.accounts.agenda.next()
}

#[inline]
fn act(exec: &mut Execution<'_>, contract: &Contract) -> Answer<Reply> {
    if exec.request.key == 0 && contract.needs_key() {
        return Answer::now(Reply::bare(Says::Declined));
    }
    let found = exec.state.identify(exec.serving, contract, exec.now, exec.at, exec.request, exec.door);
    let refused =
        !matches!(found, Found::Recorded(_)) && exec.business.refuses(&exec.state.accounts, exec.now, exec.request);
    let (menu, mask) = exec.serving.masks.act(exec.request.op, situation(found, refused));
    let pick = ask(exec, menu, mask);
    if pick.kind == THROTTLED {
        return throttled(pick);
    }
    match step(contract, exec.state, found, pick) {
        Step::Run(slot) => run(exec, contract, slot, refused, pick),
        Step::Repeat(slot) => Answer::now(repeat(exec, contract, slot)),
        Step::Wait(slot) => wait(exec, slot),
        Step::Say(says) => Answer::now(Reply::bare(says)),
    }
}

fn situation(found: Found, refused: bool) -> Situation {
    match found {
        Found::Nothing if refused => Situation::Refused,
        Found::Nothing => Situation::Fresh,
        Found::Running(_) => Situation::Running,
        Found::Recorded(_) => Situation::Recorded,
        Found::Drift(_) => Situation::Drift,
    }
}

fn step(contract: &Contract, state: &ProviderState, found: Found, pick: Pick) -> Step {
    match found {
        Found::Nothing => Step::Run(None),
        Found::Recorded(slot) => Step::Repeat(slot),
        Found::Running(slot) => running(contract, slot, pick),
        Found::Drift(slot) => drift(contract, state, slot, pick),
    }
}

fn running(contract: &Contract, slot: usize, pick: Pick) -> Step {
    match contract.in_flight.value {
        _ if pick.kind == RACE_EXECUTED => Step::Run(Some(slot)),
        InFlight::Reject => Step::Say(Says::InProgress),
        InFlight::Wait => Step::Wait(slot),
        InFlight::Execute => Step::Run(Some(slot)),
    }
}

fn drift(contract: &Contract, state: &ProviderState, slot: usize, pick: Pick) -> Step {
    match contract.on_mismatch.value {
        _ if pick.kind == DRIFT_EXECUTED => Step::Run(Some(slot)),
        OnMismatch::Reject => Step::Say(Says::Mismatch),
        OnMismatch::Execute => Step::Run(Some(slot)),
        OnMismatch::Replay => match state.dedup.entry(slot).state {
            KeyState::InFlight(_) => running(contract, slot, pick),
            _ => Step::Repeat(slot),
        },
    }
}

/// Waits for the first request and gets its answer.
fn wait(exec: &Execution<'_>, slot: usize) -> Answer<Reply> {
    let entry = exec.state.dedup.entry(slot);
    Answer { reply: Some(entry.reply), after: entry.completed_at.since(exec.now), wake_at: None }
}

/// The answer to a repetition of a request that has ended.
fn repeat(exec: &Execution<'_>, contract: &Contract, slot: usize) -> Reply {
    let entry = exec.state.dedup.entry(slot);
    match entry.state {
        KeyState::Failed(OnFailed::Burn) => Reply::bare(Says::Duplicate),
        KeyState::Failed(_) => entry.reply,
        _ => done(exec, contract, entry),
    }
}

fn done(exec: &Execution<'_>, contract: &Contract, entry: &Entry) -> Reply {
    match contract.on_done.value {
        OnDone::Snapshot => entry.reply,
        OnDone::Current => current(exec, entry),
        OnDone::ConflictRef => Reply { reference: entry.reference, ..Reply::bare(Says::Duplicate) },
        OnDone::ConflictBare => Reply::bare(Says::Duplicate),
        OnDone::Decline => Reply::bare(Says::Declined),
        OnDone::Ack => Reply { reference: 0, value: 0, ..entry.reply },
    }
}

fn current(exec: &Execution<'_>, entry: &Entry) -> Reply {
    let effect = exec.state.accounts.ledger.effect(crate::effect::effect_op(entry.op), entry.reference);
    effect.map_or(entry.reply, |e| e.reply_at(entry.op, exec.now))
}

fn run(exec: &mut Execution<'_>, contract: &Contract, slot: Option<usize>, refused: bool, pick: Pick) -> Answer<Reply> {
    match pick.kind {
        ERROR_BEFORE_EFFECT => fail(exec, contract, slot, KeyState::Failed(contract.on_server_error.value)),
        EFFECT_LOST => fail(exec, contract, slot, KeyState::InFlight(exec.now + Span(pick.value))),
        DECLINED => decline(exec, contract, slot),
        CANNOT_SHIP if !exec.serving.is_later(Op::Fulfill) => decline(exec, contract, slot),
        _ if refused => decline(exec, contract, slot),
        _ => execute(exec, contract, slot, pick),
    }
}

/// 5xx, and nothing happened.
#[cold]
fn fail(exec: &mut Execution<'_>, contract: &Contract, slot: Option<usize>, state: KeyState) -> Answer<Reply> {
    let reply = Reply::bare(Says::ServerError);
    exec.state.note(contract, exec.now, slot, exec.request, Note { state, reference: 0, reply });
    Answer::now(reply)
}

/// A definite refusal.
#[cold]
fn decline(exec: &mut Execution<'_>, contract: &Contract, slot: Option<usize>) -> Answer<Reply> {
    let reference = exec.business.refuse(&mut exec.state.accounts, exec.now, exec.request, exec.facts);
    let reply = Reply { reference, ..Reply::bare(Says::Declined) };
    let state = KeyState::Failed(contract.on_declined.value);
    exec.state.note(contract, exec.now, slot, exec.request, Note { state, reference, reply });
    Answer::now(reply)
}

#[inline]
fn execute(exec: &mut Execution<'_>, contract: &Contract, slot: Option<usize>, pick: Pick) -> Answer<Reply> {
    let (now, request) = (exec.now, exec.request);
    let settlement = exec.business.plan(exec.serving, now, exec.at, request, pick, exec.door);
    let late = lateness(contract, pick);
    let at = now + late;
    let reference = exec.business.reference(&mut exec.state.accounts, request);
    let reply = exec.business.reply(&exec.state.accounts, at, request, reference, settlement);
    if late == Span::ZERO {
        exec.business.commit(&mut exec.state.accounts, now, request, reference, settlement, exec.facts);
    } else {
        exec.business.set_aside(request);
        exec.state.accounts.agenda.push(at, Job::Commit { request: *request, reference, settlement });
    }
    if let Some(note) = note(contract, pick, at, reference, reply) {
        exec.state.note(contract, now, slot, request, note);
    }
    first_answer(pick, reply, late)
}

/// How much later the effect commits, within the documented bound.
#[inline]
fn lateness(contract: &Contract, pick: Pick) -> Span {
    match pick.kind {
        COMMIT_LATE | ERROR_THEN_EFFECT => Span(pick.value.max(1)).min(contract.late_commit.unwrap_or(Span::NEVER)),
        _ => Span::ZERO,
    }
}

/// What is written down about a request that takes effect at `at`. `None`: the record is lost.
fn note(contract: &Contract, pick: Pick, at: Time, reference: u64, reply: Reply) -> Option<Note> {
    let told = Note { state: KeyState::Done, reference, reply };
    let error = Reply::bare(Says::ServerError);
    let stored = contract.on_server_error.value;
    match pick.kind {
        RECORD_LOST => None,
        COMMIT_LATE => Some(Note { state: KeyState::InFlight(at), ..told }),
        ERROR_AFTER_EFFECT | ERROR_THEN_EFFECT if stored != OnFailed::Reexecute => {
            Some(Note { state: KeyState::Failed(stored), reference, reply: error })
        }
        ERROR_THEN_EFFECT => Some(Note { state: KeyState::InFlight(at), ..told }),
        _ => Some(told),
    }
}

fn first_answer(pick: Pick, reply: Reply, late: Span) -> Answer<Reply> {
    match pick.kind {
        ERROR_AFTER_EFFECT | ERROR_THEN_EFFECT | RECORD_LOST => Answer::now(Reply::bare(Says::ServerError)),
        COMMIT_LATE => Answer { reply: Some(reply), after: late, wake_at: None },
        _ => Answer::now(reply),
    }
}
