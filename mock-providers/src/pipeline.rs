//! The pipeline every request goes through: gates, identity, match, decide, execute, record, answer.

use crate::call::{Call, ask, throttled};
use crate::contract::{Contract, InFlight, OnDone, OnFailed, OnMismatch};
use crate::dedup::{Entry, Record};
use crate::fact::Fact;
use crate::front::{Found, Front, Note};
use crate::kinds::*;
use crate::lookup;
use crate::menus::Situation;
use crate::message::{Ask, Op, Reply, Says};
use crate::trade::{Job, Trade};
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
pub(crate) fn handle(mut call: Call<'_>) -> Answer<Reply> {
    call.front.catch_up(call.trade, call.now, call.facts);
    let Some(contract) = call.terms.contract(call.request.op) else {
        return Answer::now(Reply::bare(Says::ServerError));
    };
    let mut answer = match call.request.ask {
        Ask::Act => act(&mut call, contract),
        Ask::Lookup => lookup::answer(&mut call, contract),
    };
    if call.now < call.front.down_until {
        answer.reply = None;
    }
    answer.wake_at = call.front.books.agenda.take_wish();
    answer
}

/// A time the provider asked for has come, or not quite: it does what is due.
pub(crate) fn wake(front: &mut Front, trade: &mut dyn Trade, now: Time, facts: &mut Vec<Fact>) -> Option<Time> {
    front.catch_up(trade, now, facts);
    front.books.agenda.take_wish();
    front.books.agenda.next()
}

#[inline]
fn act(call: &mut Call<'_>, contract: &Contract) -> Answer<Reply> {
    if call.request.key == 0 && contract.needs_key() {
        return Answer::now(Reply::bare(Says::Declined));
    }
    let found = call.front.identify(call.terms, contract, call.now, call.at, call.request, call.door);
    let refused = !matches!(found, Found::Recorded(_)) && call.trade.refuses(&call.front.books, call.now, call.request);
    let (menu, mask) = call.terms.masks.act(call.request.op, situation(found, refused));
    let pick = ask(call, menu, mask);
    if pick.kind == THROTTLED {
        return throttled(pick);
    }
    match step(contract, call.front, found, pick) {
        Step::Run(slot) => run(call, contract, slot, refused, pick),
        Step::Repeat(slot) => Answer::now(repeat(call, contract, slot)),
        Step::Wait(slot) => wait(call, slot),
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

fn step(contract: &Contract, front: &Front, found: Found, pick: Pick) -> Step {
    match found {
        Found::Nothing => Step::Run(None),
        Found::Recorded(slot) => Step::Repeat(slot),
        Found::Running(slot) => running(contract, slot, pick),
        Found::Drift(slot) => drift(contract, front, slot, pick),
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

fn drift(contract: &Contract, front: &Front, slot: usize, pick: Pick) -> Step {
    match contract.on_mismatch.value {
        _ if pick.kind == DRIFT_EXECUTED => Step::Run(Some(slot)),
        OnMismatch::Reject => Step::Say(Says::Mismatch),
        OnMismatch::Execute => Step::Run(Some(slot)),
        OnMismatch::Replay => match front.dedup.entry(slot).record {
            Record::InFlight(_) => running(contract, slot, pick),
            _ => Step::Repeat(slot),
        },
    }
}

/// Waits for the first request and gets its answer.
fn wait(call: &Call<'_>, slot: usize) -> Answer<Reply> {
    let entry = call.front.dedup.entry(slot);
    Answer { reply: Some(entry.reply), after: entry.completed_at.since(call.now), wake_at: None }
}

/// The answer to a repetition of a request that has ended.
fn repeat(call: &Call<'_>, contract: &Contract, slot: usize) -> Reply {
    let entry = call.front.dedup.entry(slot);
    match entry.record {
        Record::Failed(OnFailed::Burn) => Reply::bare(Says::Duplicate),
        Record::Failed(_) => entry.reply,
        _ => done(call, contract, entry),
    }
}

fn done(call: &Call<'_>, contract: &Contract, entry: &Entry) -> Reply {
    match contract.on_done.value {
        OnDone::Snapshot => entry.reply,
        OnDone::Current => current(call, entry),
        OnDone::ConflictRef => Reply { reference: entry.reference, ..Reply::bare(Says::Duplicate) },
        OnDone::ConflictBare => Reply::bare(Says::Duplicate),
        OnDone::Decline => Reply::bare(Says::Declined),
        OnDone::Ack => Reply { reference: 0, value: 0, ..entry.reply },
    }
}

fn current(call: &Call<'_>, entry: &Entry) -> Reply {
    let effect = call.front.books.ledger.effect(crate::effect::effect_op(entry.op), entry.reference);
    effect.map_or(entry.reply, |e| e.reply_at(entry.op, call.now))
}

fn run(call: &mut Call<'_>, contract: &Contract, slot: Option<usize>, refused: bool, pick: Pick) -> Answer<Reply> {
    match pick.kind {
        ERROR_BEFORE_EFFECT => fail(call, contract, slot, Record::Failed(contract.on_server_error.value)),
        EFFECT_LOST => fail(call, contract, slot, Record::InFlight(call.now + Span(pick.value))),
        DECLINED => decline(call, contract, slot),
        CANNOT_SHIP if !call.terms.is_later(Op::Fulfill) => decline(call, contract, slot),
        _ if refused => decline(call, contract, slot),
        _ => execute(call, contract, slot, pick),
    }
}

/// 5xx, and nothing happened.
#[cold]
fn fail(call: &mut Call<'_>, contract: &Contract, slot: Option<usize>, record: Record) -> Answer<Reply> {
    let reply = Reply::bare(Says::ServerError);
    call.front.note(contract, call.now, slot, call.request, Note { record, reference: 0, reply });
    Answer::now(reply)
}

/// A definite refusal.
#[cold]
fn decline(call: &mut Call<'_>, contract: &Contract, slot: Option<usize>) -> Answer<Reply> {
    let reference = call.trade.refuse(&mut call.front.books, call.now, call.request, call.facts);
    let reply = Reply { reference, ..Reply::bare(Says::Declined) };
    let record = Record::Failed(contract.on_declined.value);
    call.front.note(contract, call.now, slot, call.request, Note { record, reference, reply });
    Answer::now(reply)
}

#[inline]
fn execute(call: &mut Call<'_>, contract: &Contract, slot: Option<usize>, pick: Pick) -> Answer<Reply> {
    let (now, request) = (call.now, call.request);
    let how = call.trade.plan(call.terms, now, call.at, request, pick, call.door);
    let late = lateness(contract, pick);
    let at = now + late;
    let reference = call.trade.reference(&mut call.front.books, request);
    let reply = call.trade.reply(&call.front.books, at, request, reference, how);
    if late == Span::ZERO {
        call.trade.commit(&mut call.front.books, now, request, reference, how, call.facts);
    } else {
        call.trade.set_aside(request);
        call.front.books.agenda.push(at, Job::Commit { request: *request, reference, how });
    }
    if let Some(note) = note(contract, pick, at, reference, reply) {
        call.front.note(contract, now, slot, request, note);
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
    let told = Note { record: Record::Done, reference, reply };
    let error = Reply::bare(Says::ServerError);
    let stored = contract.on_server_error.value;
    match pick.kind {
        RECORD_LOST => None,
        COMMIT_LATE => Some(Note { record: Record::InFlight(at), ..told }),
        ERROR_AFTER_EFFECT | ERROR_THEN_EFFECT if stored != OnFailed::Reexecute => {
            Some(Note { record: Record::Failed(stored), reference, reply: error })
        }
        ERROR_THEN_EFFECT => Some(Note { record: Record::InFlight(at), ..told }),
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
