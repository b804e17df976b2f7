//! The pipeline every request goes through: gates, identity, match, decide, execute, record, answer.

use crate::business::{Business, Job};
use crate::contract::{Contract, InFlight, OnDone, OnFailed, OnMismatch};
use crate::dedup::{Entry, KeyState};
use crate::execution::{Execution, Gate, ask, gate};
use crate::fact::Fact;
use crate::kinds::{ActFate, GateFate, Situation};
use crate::lookup;
use crate::message::{Ask, Op, Reply, Says};
use crate::provider_state::{Found, Note, ProviderState};
use crate::twist::{Settles, Twist};
use unacked_sim::kind::Fate;
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
    state.accounts.agenda.take_wish()
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
    if pick.kind.is_benign() {
        return go_on(exec, contract, found, refused, Twist::USUAL);
    }
    match GateFate::find(pick.kind) {
        Some(fate) => gated(exec, contract, found, refused, fate, Span(pick.value)),
        None => twisted(exec, contract, found, refused, ActFate::named(pick.kind), Span(pick.value)),
    }
}

#[cold]
fn gated(
    exec: &mut Execution<'_>,
    contract: &Contract,
    found: Found,
    refused: bool,
    fate: GateFate,
    value: Span,
) -> Answer<Reply> {
    match gate(exec, fate, value) {
        Gate::Passes => go_on(exec, contract, found, refused, Twist::USUAL),
        Gate::Answers(reply) => Answer::now(reply),
        Gate::Fails => fail(exec, contract, None, KeyState::Failed(contract.on_server_error.value)),
    }
}

#[cold]
fn twisted(
    exec: &mut Execution<'_>,
    contract: &Contract,
    found: Found,
    refused: bool,
    fate: ActFate,
    value: Span,
) -> Answer<Reply> {
    exec.door.felt(fate);
    go_on(exec, contract, found, refused, Twist::of(fate, value))
}

#[inline]
fn go_on(exec: &mut Execution<'_>, contract: &Contract, found: Found, refused: bool, twist: Twist) -> Answer<Reply> {
    match step(contract, exec.state, found, twist) {
        Step::Run(slot) if refused => decline(exec, contract, slot),
        Step::Run(slot) => run(exec, contract, slot, twist),
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

fn step(contract: &Contract, state: &ProviderState, found: Found, twist: Twist) -> Step {
    match found {
        Found::Nothing => Step::Run(None),
        Found::Recorded(slot) if twist.anyway => Step::Run(Some(slot)),
        Found::Recorded(slot) => Step::Repeat(slot),
        Found::Running(slot) => running(contract, slot, twist),
        Found::Drift(slot) => drift(contract, state, slot, twist),
    }
}

fn running(contract: &Contract, slot: usize, twist: Twist) -> Step {
    match contract.in_flight.value {
        _ if twist.anyway => Step::Run(Some(slot)),
        InFlight::Reject => Step::Say(Says::InProgress),
        InFlight::Wait => Step::Wait(slot),
        InFlight::Execute => Step::Run(Some(slot)),
    }
}

fn drift(contract: &Contract, state: &ProviderState, slot: usize, twist: Twist) -> Step {
    match contract.on_mismatch.value {
        _ if twist.anyway => Step::Run(Some(slot)),
        OnMismatch::Reject => Step::Say(Says::Mismatch),
        OnMismatch::Execute => Step::Run(Some(slot)),
        OnMismatch::Replay => match state.dedup.entry(slot).state {
            KeyState::InFlight(_) => running(contract, slot, twist),
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

fn run(exec: &mut Execution<'_>, contract: &Contract, slot: Option<usize>, twist: Twist) -> Answer<Reply> {
    if let Some(span) = twist.locks {
        return fail(exec, contract, slot, KeyState::InFlight(exec.now + span));
    }
    let refused = twist.settles == Settles::Refused;
    match exec.request.op {
        Op::Fulfill if exec.serving.is_later(Op::Fulfill) => execute(exec, contract, slot, twist),
        _ if refused => decline(exec, contract, slot),
        _ => execute(exec, contract, slot, twist),
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
    let invalid = exec.business.is_invalid(&exec.state.accounts, exec.request);
    let stored = if invalid { contract.on_client_error } else { contract.on_declined };
    let reference = exec.business.refuse(&mut exec.state.accounts, exec.now, exec.request, exec.facts);
    let reply = Reply { reference, ..Reply::bare(Says::Declined) };
    let state = KeyState::Failed(stored.value);
    exec.state.note(contract, exec.now, slot, exec.request, Note { state, reference, reply });
    Answer::now(reply)
}

#[inline]
fn execute(exec: &mut Execution<'_>, contract: &Contract, slot: Option<usize>, twist: Twist) -> Answer<Reply> {
    let (now, request) = (exec.now, exec.request);
    let settlement = exec.business.plan(exec.serving, now, exec.at, request, twist.settles, exec.door);
    // Within the documented bound.
    let within = contract.late_commit.unwrap_or(Span::NEVER);
    let works = exec.serving.works(exec.at, request.op, exec.door).min(within);
    let late = twist.late.min(within).max(works);
    let at = now + late;
    let reference = exec.business.reference(&mut exec.state.accounts, request);
    let reply = exec.business.reply(&exec.state.accounts, at, request, reference, settlement);
    if late == Span::ZERO {
        exec.business.commit(&mut exec.state.accounts, now, request, reference, settlement, exec.facts);
    } else {
        exec.business.set_aside(request);
        exec.state.accounts.agenda.push(at, Job::Commit { request: *request, reference, settlement });
    }
    if !twist.forgets {
        exec.state.note(contract, now, slot, request, note(contract, twist, at, now, reference, reply));
    }
    if twist.error {
        Answer { after: works, ..Answer::now(Reply::bare(Says::ServerError)) }
    } else {
        Answer { reply: Some(reply), after: late, wake_at: None }
    }
}

/// What is written down about a request that takes effect at `at`.
fn note(contract: &Contract, twist: Twist, at: Time, now: Time, reference: u64, reply: Reply) -> Note {
    let stored = contract.on_server_error.value;
    match twist.error && stored != OnFailed::Reexecute {
        true => Note { state: KeyState::Failed(stored), reference, reply: Reply::bare(Says::ServerError) },
        false if at > now => Note { state: KeyState::InFlight(at), reference, reply },
        false => Note { state: KeyState::Done, reference, reply },
    }
}
