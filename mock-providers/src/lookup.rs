//! Lookups: what a provider says about an operation when asked, perhaps as of a while ago.

use crate::contract::Contract;
use crate::dedup::KeyState;
use crate::effect::{Effect, effect_op, makes};
use crate::execution::{Execution, Gate, ask, gate};
use crate::kinds::{GateFate, LookupFate};
use crate::message::{Op, Reply, Request, Says};
use unacked_sim::kind::Fate;
use unacked_sim::provider::Answer;
use unacked_sim::time::{Span, Time};

/// The way that a lookup goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// To an effect of this position, through an index at most this stale.
    Stale(Effect, Span),
    /// To an effect found through a stale index, but shown as it is now.
    Indexed(Effect, Span),
    /// To a key that is being executed.
    Running,
    /// Nowhere.
    Nothing,
}

/// Answers a lookup. Where the contract knows no way at all, the answer is a server error: it
/// establishes nothing.
pub(crate) fn answer(exec: &mut Execution<'_>, contract: &Contract) -> Answer<Reply> {
    if contract.lookup.stalest().is_none() {
        return Answer::now(Reply::bare(Says::ServerError));
    }
    let (menu, mask) = exec.serving.masks.lookup(exec.request.op);
    let pick = ask(exec, menu, mask);
    Answer::now(match GateFate::find(pick.kind) {
        Some(fate) => gated(exec, contract, fate, Span(pick.value)),
        None => look(exec, contract, LookupFate::of(pick.kind), Span(pick.value)),
    })
}

#[cold]
fn gated(exec: &mut Execution<'_>, contract: &Contract, fate: GateFate, value: Span) -> Reply {
    match gate(exec, fate, value) {
        Gate::Fails => Reply::bare(Says::ServerError),
        Gate::Answers(reply) => reply,
        Gate::Passes => look(exec, contract, None, Span::ZERO),
    }
}

fn look(exec: &mut Execution<'_>, contract: &Contract, fate: Option<LookupFate>, value: Span) -> Reply {
    let way = way(exec, contract);
    let lag = match way {
        Way::Indexed(..) => exec.serving.lag(exec.at, exec.door),
        Way::Stale(..) | Way::Running | Way::Nothing => Span::ZERO,
    };
    let usual = found(exec, way, lag);
    match fate {
        None => usual,
        Some(fate) => astray(exec, fate, value, way, usual),
    }
}

#[cold]
fn astray(exec: &mut Execution<'_>, fate: LookupFate, value: Span, way: Way, usual: Reply) -> Reply {
    let reply = match fate {
        LookupFate::Behind => found(exec, way, value),
        LookupFate::Denies => Reply::bare(Says::NotFound),
        LookupFate::Confuses => another(exec),
    };
    if reply != usual {
        exec.door.felt(fate);
    }
    reply
}

/// Somebody else's: it happened, but it is not what was asked about.
fn another(exec: &Execution<'_>) -> Reply {
    let Request { key, amount, currency, .. } = *exec.request;
    Reply { says: Says::Done, reference: key | 1 << 63, amount: amount + 1, currency, value: 0 }
}

/// What is found on a way, as of a while ago.
fn found(exec: &Execution<'_>, way: Way, lag: Span) -> Reply {
    let (now, op) = (exec.now, exec.request.op);
    let reply = match way {
        Way::Stale(effect, most) => back(now, lag.min(most)).map(|then| effect.reply_at(op, then)),
        Way::Indexed(effect, most) => {
            back(now, lag.min(most)).filter(|&then| effect.at <= then).map(|_| effect.reply_at(op, now))
        }
        Way::Running if lag == Span::ZERO => Some(Reply::bare(Says::InProgress)),
        Way::Running | Way::Nothing => None,
    };
    reply.unwrap_or(Reply::bare(Says::NotFound))
}

/// A while ago; `None` before the world began.
fn back(now: Time, lag: Span) -> Option<Time> {
    now.0.checked_sub(lag.0).map(Time)
}

fn way(exec: &mut Execution<'_>, contract: &Contract) -> Way {
    let lookup = &contract.lookup;
    if let Some(most) = lookup.by_id.value.or(lookup.by_ref.value)
        && let Some(effect) = by_reference(exec)
    {
        return Way::Stale(effect, most);
    }
    if exec.request.key == 0 {
        return Way::Nothing;
    }
    match (lookup.by_ref.value, lookup.by_key.value, lookup.search.value) {
        (Some(most), _, _) => by_natural_ref(exec).map_or(Way::Nothing, |e| Way::Stale(e, most)),
        (_, Some(most), _) => by_key(exec, contract, most),
        (_, _, Some(most)) => by_natural_ref(exec).map_or(Way::Nothing, |e| Way::Indexed(e, most)),
        _ => Way::Nothing,
    }
}

/// By the provider's own id. If a key is given too, the effect must be that key's: a refund's
/// request names its charge, which is no refund. A hold does not tell which renewal extended it.
fn by_reference(exec: &Execution<'_>) -> Option<Effect> {
    let request = exec.request;
    if request.reference == 0 {
        return None;
    }
    let effect = *exec.state.accounts.ledger.effect(effect_op(request.op), request.reference)?;
    let fits = match request.op {
        Op::Release | Op::CancelFulfillment => true,
        Op::Renew => request.key == 0,
        _ => request.key == 0 || effect.key == request.key,
    };
    fits.then_some(effect)
}

/// By the client's reference: the effect under it, or the one that the request under it changed.
fn by_natural_ref(exec: &Execution<'_>) -> Option<Effect> {
    let (request, state) = (exec.request, &exec.state);
    if makes(request.op) {
        return state.accounts.ledger.under_key(request.op, request.key).copied();
    }
    let slot = state.dedup.find(request.op, request.key)?;
    state.accounts.ledger.effect(effect_op(request.op), state.dedup.entry(slot).reference).copied()
}

/// By the idempotency key: only as long as the key is remembered.
fn by_key(exec: &mut Execution<'_>, contract: &Contract, most: Span) -> Way {
    let slot = exec.state.remembered(exec.serving, contract, exec.now, exec.at, exec.request, exec.door);
    let Some(slot) = slot else { return Way::Nothing };
    let entry = exec.state.dedup.entry(slot);
    if matches!(entry.state, KeyState::InFlight(_)) {
        return Way::Running;
    }
    let effect = exec.state.accounts.ledger.effect(effect_op(entry.op), entry.reference);
    effect.map_or(Way::Nothing, |e| Way::Stale(*e, most))
}
