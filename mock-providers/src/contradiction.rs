//! What a contract may not say, because it would contradict itself.

use crate::contract::{Cancel, Commit, Fingerprint, Identity};
use crate::message::Op;
use crate::raw::{Knob, Length, RawCommit, RawContract};
use crate::service::ContractError;
use unacked_sim::time::Span;

/// A contradiction: the key, what is wrong with it, and the fix.
pub(crate) struct Contradiction {
    key: &'static str,
    problem: String,
    fix: String,
}

fn wrong<T>(key: &'static str, problem: impl Into<String>, fix: impl Into<String>) -> Result<T, Contradiction> {
    Err(Contradiction { key, problem: problem.into(), fix: fix.into() })
}

impl Contradiction {
    /// The error for this operation of this service.
    pub(crate) fn of(self, service: &str, op: Op) -> ContractError {
        ContractError::Contradiction {
            service: service.into(),
            op: op.name(),
            key: self.key,
            problem: self.problem,
            fix: self.fix,
        }
    }
}

/// The first contradiction of a contract as it is written, if any.
pub(crate) fn find(op: Op, raw: &RawContract) -> Result<(), Contradiction> {
    without_identity(raw)?;
    natural_ref(raw)?;
    window(raw)?;
    commit(op, raw)?;
    lookups(raw)?;
    cancel(op, raw)?;
    read_only(op, raw)?;
    undocumented(raw)
}

/// What speaks of repeated keys needs something that recognises them.
fn without_identity(raw: &RawContract) -> Result<(), Contradiction> {
    if raw.identity.is_some_and(|i| i != Identity::None) {
        return Ok(());
    }
    let given = [
        ("key_scope", raw.key_scope.is_some()),
        ("window", raw.window.is_some()),
        ("fingerprint", raw.fingerprint.is_some()),
        ("on_done", raw.on_done.is_some()),
        ("on_declined", raw.on_declined.is_some()),
        ("on_client_error", raw.on_client_error.is_some()),
        ("on_server_error", raw.on_server_error.is_some()),
        ("on_mismatch", raw.on_mismatch.is_some()),
        ("in_flight", raw.in_flight.is_some()),
        ("atomicity", raw.atomicity.is_some()),
        ("lookup_by_key", raw.lookup_by_key.is_some()),
    ];
    match given.into_iter().find(|g| g.1) {
        None => Ok(()),
        Some((key, _)) => wrong(
            key,
            "it speaks of repeated keys, but nothing recognises a repeated request (identity is none)",
            format!(
                "remove `{key}`, or say how requests are recognised: identity = \"key\", \"required-key\" or \"natural-ref\""
            ),
        ),
    }
}

/// A natural reference names the thing itself: other parameters are still the same thing.
fn natural_ref(raw: &RawContract) -> Result<(), Contradiction> {
    let natural = raw.identity == Some(Identity::NaturalRef);
    if natural && raw.fingerprint == Some(Fingerprint::All) {
        return wrong(
            "fingerprint",
            "a natural reference names the thing itself, whatever the other parameters are",
            "write fingerprint = \"none\", or identity = \"key\" if the parameters are compared",
        );
    }
    if !natural && raw.lookup_by_ref.is_some() {
        return wrong(
            "lookup_by_ref",
            "there is no natural reference to look up by",
            "write identity = \"natural-ref\", or use lookup_by_key or lookup_search",
        );
    }
    if raw.on_mismatch.is_some() && raw.fingerprint != Some(Fingerprint::All) {
        return wrong(
            "on_mismatch",
            "parameters are not compared, so none can differ",
            "remove `on_mismatch`, or write fingerprint = \"all\"",
        );
    }
    Ok(())
}

fn window(raw: &RawContract) -> Result<(), Contradiction> {
    let Some(window) = raw.window else { return Ok(()) };
    let max = window.max.map_or(Span::NEVER, |l| l.0);
    if window.min.0 > max {
        return wrong(
            "window",
            format!("keys are kept at least {} but at most {max}", window.min.0),
            "swap min and max; equal values mean exactly that long",
        );
    }
    if max == Span::ZERO {
        return wrong("window", "keys are kept for no time at all", "write identity = \"none\" and remove `window`");
    }
    Ok(())
}

/// Operations whose outcome may come later than their answer.
const LATER: [Op; 3] = [Op::Charge, Op::Refund, Op::Fulfill];

fn commit(op: Op, raw: &RawContract) -> Result<(), Contradiction> {
    let Some(Commit::Async(delay)) = raw.commit.map(RawCommit::commit) else { return Ok(()) };
    if !LATER.contains(&op) {
        return wrong(
            "commit",
            format!("{} has no outcome that could come later", op.name()),
            "write commit = \"sync\"; only charge, refund and fulfill may be asynchronous",
        );
    }
    if delay.p50 > delay.p99 || delay.p99 > delay.max {
        return wrong(
            "commit",
            format!("p50 {} <= p99 {} <= max {} does not hold", delay.p50, delay.p99, delay.max),
            "order the three lengths",
        );
    }
    if delay.max == Span::NEVER {
        return wrong(
            "commit",
            "an outcome that never comes cannot be waited for",
            "give max a length, such as \"24h\"",
        );
    }
    Ok(())
}

fn lookups(raw: &RawContract) -> Result<(), Contradiction> {
    if raw.late_commit.is_some_and(|l| l.0 == Span::NEVER) {
        return wrong("late_commit", "a bound of forever is none", "remove `late_commit`");
    }
    let ways = [raw.lookup_by_id, raw.lookup_by_ref, raw.lookup_by_key, raw.lookup_search];
    let Some(stalest) = ways.into_iter().flatten().map(|l: Length| l.0).max() else {
        return match raw.lookup_lag {
            None => Ok(()),
            Some(_) => {
                wrong("lookup_lag", "there is nothing to look up by", "remove `lookup_lag`, or add a lookup_by_… key")
            }
        };
    };
    match raw.lookup_lag {
        Some(bound) if bound.0 < stalest => wrong(
            "lookup_lag",
            format!("lookups are promised to be at most {} behind, but one of them may be {stalest} behind", bound.0),
            format!("write lookup_lag = \"{stalest}\" or lower the staleness"),
        ),
        _ => Ok(()),
    }
}

fn cancel(op: Op, raw: &RawContract) -> Result<(), Contradiction> {
    match (op, raw.cancel) {
        (Op::CancelFulfillment, Some(Cancel::UntilAcceptance)) | (_, None) => Ok(()),
        (Op::CancelFulfillment, Some(Cancel::Never)) => wrong(
            "cancel",
            "an operation that is never possible is not offered",
            "remove the table [ops.cancel-fulfillment]",
        ),
        _ => wrong("cancel", "only cancel-fulfillment cancels", "move `cancel` to [ops.cancel-fulfillment]"),
    }
}

fn read_only(op: Op, raw: &RawContract) -> Result<(), Contradiction> {
    if op != Op::ReadStock || raw.identity.is_none_or(|i| i == Identity::None) {
        return Ok(());
    }
    wrong("identity", "a read has no effect that could happen twice", "remove `identity`")
}

/// Only what is written can be marked as undocumented.
fn undocumented(raw: &RawContract) -> Result<(), Contradiction> {
    match raw.undocumented.iter().find(|&&knob| !written(raw, knob)) {
        None => Ok(()),
        Some(knob) => wrong(
            "undocumented",
            format!("it lists `{}`, which has no value here; what is absent is undocumented anyway", knob.name()),
            "give the key the value that the provider shows, or take it off the list",
        ),
    }
}

fn written(raw: &RawContract, knob: Knob) -> bool {
    match knob {
        Knob::Identity => raw.identity.is_some(),
        Knob::KeyScope => raw.key_scope.is_some(),
        Knob::Window => raw.window.is_some(),
        Knob::Fingerprint => raw.fingerprint.is_some(),
        Knob::OnDone => raw.on_done.is_some(),
        Knob::OnDeclined => raw.on_declined.is_some(),
        Knob::OnClientError => raw.on_client_error.is_some(),
        Knob::OnServerError => raw.on_server_error.is_some(),
        Knob::OnMismatch => raw.on_mismatch.is_some(),
        Knob::InFlight => raw.in_flight.is_some(),
        Knob::Atomicity => raw.atomicity.is_some(),
        Knob::Commit => raw.commit.is_some(),
        Knob::LateEffect => raw.late_effect.is_some(),
        Knob::LookupById => raw.lookup_by_id.is_some(),
        Knob::LookupByRef => raw.lookup_by_ref.is_some(),
        Knob::LookupByKey => raw.lookup_by_key.is_some(),
        Knob::LookupSearch => raw.lookup_search.is_some(),
        Knob::Cancel => raw.cancel.is_some(),
    }
}
