//! A contract as a table that a person can read: what a client may rely on, and what it may not.

use crate::contract::{
    Atomicity, Cancel, Cell, Commit, Contract, Fingerprint, Identity, InFlight, KeyScope, LateEffect, OnDone, OnFailed,
    OnMismatch, Since, Window,
};
use crate::message::Op;
use crate::service::Service;
use std::fmt::Write;
use unacked_sim::time::Span;

/// The contracts of a service, one block per operation. Undocumented rows are marked with `?`:
/// the provider does it here, and nobody promised it.
pub fn render(service: &Service) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{} - {}", service.name, service.about);
    let _ = writeln!(out, "source {}", service.source);
    let _ = writeln!(out, "checked on {}, {}", service.checked_on, service.confidence.name());
    for (op, contract) in service.offered() {
        let _ = writeln!(out, "\n{}", op.name());
        for (label, documented, text) in rows(op, contract) {
            let _ = writeln!(out, "  {} {label:<18} {text}", if documented { ' ' } else { '?' });
        }
    }
    out.push_str("\n? = not documented: it happens here, but a correct client may not rely on it\n");
    out
}

type Row = (&'static str, bool, String);

fn rows(op: Op, contract: &Contract) -> Vec<Row> {
    let mut rows = Vec::new();
    if op != Op::ReadStock {
        rows.push(row("repeats known by", contract.identity, identity));
    }
    if contract.dedups() {
        dedup_rows(contract, &mut rows);
    }
    if contract.late_effect.documented || contract.late_effect.value == LateEffect::May {
        rows.push(row("effect after 5xx", contract.late_effect, late_effect));
    }
    rows.push(row("outcome", contract.commit, commit));
    if contract.cancel.value != Cancel::Never {
        rows.push(row("cancel", contract.cancel, |_| "until acceptance".into()));
    }
    lookup_rows(contract, &mut rows);
    bound_rows(op, contract, &mut rows);
    rows
}

fn row<T: Copy>(label: &'static str, cell: Cell<T>, text: impl Fn(T) -> String) -> Row {
    (label, cell.documented, text(cell.value))
}

fn dedup_rows(contract: &Contract, rows: &mut Vec<Row>) {
    rows.push(row("keys are", contract.key_scope, key_scope));
    rows.push(row("remembered", contract.window, window));
    rows.push(row("repeat, done", contract.on_done, on_done));
    rows.push(row("repeat, declined", contract.on_declined, on_failed));
    rows.push(row("repeat, 5xx", contract.on_server_error, on_failed));
    rows.push(row("repeat, running", contract.in_flight, in_flight));
    rows.push(row("parameters", contract.fingerprint, fingerprint));
    if contract.fingerprint.value == Fingerprint::All {
        rows.push(row("other parameters", contract.on_mismatch, on_mismatch));
    }
    rows.push(row("record and effect", contract.atomicity, atomicity));
}

fn lookup_rows(contract: &Contract, rows: &mut Vec<Row>) {
    let labels = ["lookup by id", "lookup by ref", "lookup by key", "search"];
    for (label, cell) in labels.into_iter().zip(contract.lookup.ways()) {
        if let Some(most) = cell.value {
            rows.push((label, cell.documented, staleness(most)));
        }
    }
    if contract.lookup.stalest().is_none() {
        rows.push(("lookup", true, "none".into()));
    }
}

fn bound_rows(op: Op, contract: &Contract, rows: &mut Vec<Row>) {
    if op == Op::ReadStock {
        return;
    }
    if let Some(delay) = contract.service {
        rows.push(("works for", false, format!("{} as a rule, at most {}", delay.p50, delay.max)));
    }
    rows.push(bound("commits within", contract.late_commit));
    if contract.lookup.stalest().is_some() {
        rows.push(bound("lookups lag by", contract.lookup_lag));
    }
}

fn bound(label: &'static str, bound: Option<Span>) -> Row {
    (label, bound.is_some(), bound.map_or("no bound".into(), |b| format!("at most {b}")))
}

fn identity(identity: Identity) -> String {
    match identity {
        Identity::None => "nothing: every request is a new operation",
        Identity::Key => "idempotency key, optional",
        Identity::RequiredKey => "idempotency key, required",
        Identity::NaturalRef => "the client's own reference, required",
    }
    .into()
}

fn key_scope(scope: KeyScope) -> String {
    match scope {
        KeyScope::Operation => "each operation's own",
        KeyScope::Account => "the account's: another operation's key is a known key",
    }
    .into()
}

fn window(window: Window) -> String {
    let from = match window.from {
        Since::FirstSeen => "first use",
        Since::Completed => "completion",
    };
    match (window.min, window.max) {
        (Span::NEVER, _) => "for ever".into(),
        (Span::ZERO, Span::NEVER) => "for an unknown time".into(),
        (min, max) if min == max => format!("exactly {min} from {from}"),
        (min, Span::NEVER) => format!("at least {min} from {from}"),
        (min, max) => format!("{min} to {max} from {from}"),
    }
}

fn on_done(on_done: OnDone) -> String {
    match on_done {
        OnDone::Snapshot => "the first answer, as it was",
        OnDone::Current => "the present state",
        OnDone::ConflictRef => "\"duplicate\", naming the original",
        OnDone::ConflictBare => "\"duplicate\", naming nothing",
        OnDone::Decline => "a refusal like any other: a decline proves nothing",
        OnDone::Ack => "success without detail",
    }
    .into()
}

fn on_failed(on_failed: OnFailed) -> String {
    match on_failed {
        OnFailed::Replay => "the stored failure, again",
        OnFailed::Reexecute => "runs as if new",
        OnFailed::Burn => "the key is burnt",
    }
    .into()
}

fn in_flight(in_flight: InFlight) -> String {
    match in_flight {
        InFlight::Reject => "\"in progress\"",
        InFlight::Wait => "waits for the first answer",
        InFlight::Execute => "runs too: two effects",
    }
    .into()
}

fn fingerprint(fingerprint: Fingerprint) -> String {
    match fingerprint {
        Fingerprint::All => "all compared",
        Fingerprint::None => "not compared",
    }
    .into()
}

fn on_mismatch(on_mismatch: OnMismatch) -> String {
    match on_mismatch {
        OnMismatch::Reject => "an error",
        OnMismatch::Replay => "the old answer, silently",
        OnMismatch::Execute => "a second operation",
    }
    .into()
}

fn atomicity(atomicity: Atomicity) -> String {
    match atomicity {
        Atomicity::Atomic => "in one commit",
        Atomicity::EffectThenRecord => "effect first, then the record",
        Atomicity::RecordThenEffect => "record first, then the effect",
    }
    .into()
}

fn late_effect(late_effect: LateEffect) -> String {
    match late_effect {
        LateEffect::Never => "never",
        LateEffect::May => "possible",
    }
    .into()
}

fn commit(commit: Commit) -> String {
    match commit {
        Commit::Sync => "in the answer".into(),
        Commit::Async(d) => format!("pending first, final later (median {}, p99 {}, at most {})", d.p50, d.p99, d.max),
    }
}

fn staleness(most: Span) -> String {
    if most == Span::ZERO { "up to date".into() } else { format!("at most {most} behind") }
}
