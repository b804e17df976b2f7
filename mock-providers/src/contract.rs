//! A provider's contract as data: one per operation, one cell per knob.
//!
//! A cell carries what the provider *does* and whether its documentation *says so*. Providers here
//! obey the value; a client may rely on documented cells only. Knob numbers (K2, K4 …) are those of
//! the survey of real providers that the catalog was made from.

use serde::Deserialize;
use unacked_sim::distribution::Distribution;
use unacked_sim::time::Span;

/// One knob's value, and whether the provider's documentation promises it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell<T> {
    /// What the provider does.
    pub value: T,
    /// Whether its documentation says so. Belief derives from documented cells only.
    pub documented: bool,
}

impl<T: Copy> Cell<T> {
    /// A promised value.
    pub const fn documented(value: T) -> Cell<T> {
        Cell { value, documented: true }
    }

    /// A value that the documentation leaves open.
    pub const fn assumed(value: T) -> Cell<T> {
        Cell { value, documented: false }
    }

    /// The value, if a client may rely on it.
    pub fn promised(self) -> Option<T> {
        self.documented.then_some(self.value)
    }
}

/// K2: how a repeated request is recognised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Identity {
    /// Not at all: every request is a new operation.
    None,
    /// By an idempotency key, if one is sent.
    Key,
    /// By an idempotency key that must be sent.
    RequiredKey,
    /// By the client's own reference of the thing (order id); it must be sent and serves lookups too.
    NaturalRef,
}

/// K2: what a key is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum KeyScope {
    /// The keys of the same operation.
    Operation,
    /// All keys of the account, whatever they were used for.
    Account,
}

/// K4: from when a key's age counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Since {
    /// Since the first arrival of the key.
    #[default]
    FirstSeen,
    /// Since the completion of the first request.
    Completed,
}

/// K4: how long a key is remembered, on the provider's clock.
///
/// Younger than `min`: certainly kept. Since `max` on: certainly forgotten. In between it may go
/// either way: the first request that arrives then decides it (through the door), for good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Kept at least this long.
    pub min: Span,
    /// Kept at most this long.
    pub max: Span,
    /// Since when on.
    pub from: Since,
}

impl Window {
    /// Never forgotten.
    pub const FOREVER: Window = Window { min: Span::NEVER, max: Span::NEVER, from: Since::FirstSeen };
    /// Nothing published: forgotten at any time, or never.
    pub const UNKNOWN: Window = Window { min: Span::ZERO, max: Span::NEVER, from: Since::FirstSeen };
}

/// K5: which parameters must be equal for a repeated key to be the same request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fingerprint {
    /// All of them.
    All,
    /// None: the key alone decides.
    None,
}

/// K6: what a repetition of a completed request is answered with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OnDone {
    /// The first answer, as it was.
    Snapshot,
    /// An answer made from the present state of the effect.
    Current,
    /// "Duplicate", naming the original.
    ConflictRef,
    /// "Duplicate", naming nothing.
    ConflictBare,
    /// A refusal like any other ("not unique"), naming nothing. Then a decline does not prove absence.
    Decline,
    /// Success without detail.
    Ack,
}

/// K7: what a repetition of a failed request meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OnFailed {
    /// The stored failure, again.
    Replay,
    /// The failure was not recorded: the request runs.
    Reexecute,
    /// The key is burnt: "duplicate, naming nothing" for ever, although no effect need exist.
    Burn,
}

/// K8: what a known key with other parameters meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OnMismatch {
    /// An error; nothing happens.
    Reject,
    /// The old answer, silently.
    Replay,
    /// A second operation.
    Execute,
}

/// K9: what a repetition meets while the first request is being executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum InFlight {
    /// "In progress" (409).
    Reject,
    /// It waits and gets the first request's answer.
    Wait,
    /// It runs too: two effects.
    Execute,
}

/// K10: whether effect and dedup record are written together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Atomicity {
    /// In one commit.
    Atomic,
    /// The effect first: a crash in between forgets the key (kind `record-lost`).
    EffectThenRecord,
    /// The record first: a crash in between locks the key without effect (kind `effect-lost`).
    RecordThenEffect,
}

/// How long something takes: a lognormal distribution through two quantiles, cut at a maximum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delay {
    /// Median.
    pub p50: Span,
    /// 99th percentile.
    pub p99: Span,
    /// Longest.
    pub max: Span,
}

impl Delay {
    /// The distribution of it, in microseconds.
    pub fn distribution(self) -> Distribution {
        Distribution::log_normal(self.p50.0, self.p99.0, self.max.0)
    }
}

/// K12: whether the answer tells the final outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Commit {
    /// Final at once.
    Sync,
    /// "Pending" first, final this much later.
    Async(Delay),
}

/// K12: whether an effect may appear after an error answer (roll-forward after a 500).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LateEffect {
    /// It may not.
    Never,
    /// It may.
    May,
}

/// K14: until when a fulfillment request can be cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cancel {
    /// Never.
    Never,
    /// Until the provider accepted it.
    UntilAcceptance,
}

/// K13: how an operation's outcome can be looked up. The value is the largest staleness of that
/// way (zero: read your writes); `None`: there is no such way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lookup {
    /// By the provider's own id, which a lost answer does not give.
    pub by_id: Cell<Option<Span>>,
    /// By the natural reference.
    pub by_ref: Cell<Option<Span>>,
    /// By the idempotency key, from the dedup store: forgotten keys are not found.
    pub by_key: Cell<Option<Span>>,
    /// By a search for the key in metadata: an index finds the object, late; the object is fresh.
    pub search: Cell<Option<Span>>,
}

impl Lookup {
    /// All four ways, in the order in which they are tried.
    pub const fn ways(&self) -> [Cell<Option<Span>>; 4] {
        [self.by_id, self.by_ref, self.by_key, self.search]
    }

    /// The largest staleness of any way; `None` if there is none.
    pub fn stalest(&self) -> Option<Span> {
        self.ways().iter().filter_map(|c| c.value).max()
    }
}

/// What a provider does with one operation, and which of it is documented.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contract {
    /// K2.
    pub identity: Cell<Identity>,
    /// K2.
    pub key_scope: Cell<KeyScope>,
    /// K4.
    pub window: Cell<Window>,
    /// K5.
    pub fingerprint: Cell<Fingerprint>,
    /// K6.
    pub on_done: Cell<OnDone>,
    /// K7, for definite refusals (declined card, no stock).
    pub on_declined: Cell<OnFailed>,
    /// K7, for requests that did not validate (429 and 401 are never recorded anywhere).
    pub on_client_error: Cell<OnFailed>,
    /// K7, for 5xx answers.
    pub on_server_error: Cell<OnFailed>,
    /// K8.
    pub on_mismatch: Cell<OnMismatch>,
    /// K9.
    pub in_flight: Cell<InFlight>,
    /// K10.
    pub atomicity: Cell<Atomicity>,
    /// K12.
    pub commit: Cell<Commit>,
    /// K12.
    pub late_effect: Cell<LateEffect>,
    /// K13.
    pub lookup: Lookup,
    /// K14; only `cancel-fulfillment` has it.
    pub cancel: Cell<Cancel>,
    /// How long the provider works on a request: it takes effect then, and is answered. `None`: no time at all.
    pub service: Option<Delay>,
    /// Documented bound on how long after its arrival a request may still commit; `None`: unbounded.
    pub late_commit: Option<Span>,
    /// Documented bound on the staleness of lookups; `None`: unbounded.
    pub lookup_lag: Option<Span>,
}

impl Contract {
    /// Nothing promised, no deduplication, no lookup: what an empty table means.
    pub const BARE: Contract = Contract {
        identity: Cell::assumed(Identity::None),
        key_scope: Cell::assumed(KeyScope::Operation),
        window: Cell::assumed(Window::UNKNOWN),
        fingerprint: Cell::assumed(Fingerprint::None),
        on_done: Cell::assumed(OnDone::Snapshot),
        on_declined: Cell::assumed(OnFailed::Reexecute),
        on_client_error: Cell::assumed(OnFailed::Reexecute),
        on_server_error: Cell::assumed(OnFailed::Reexecute),
        on_mismatch: Cell::assumed(OnMismatch::Reject),
        in_flight: Cell::assumed(InFlight::Reject),
        atomicity: Cell::assumed(Atomicity::Atomic),
        commit: Cell::assumed(Commit::Sync),
        late_effect: Cell::assumed(LateEffect::Never),
        lookup: Lookup {
            by_id: Cell::assumed(None),
            by_ref: Cell::assumed(None),
            by_key: Cell::assumed(None),
            search: Cell::assumed(None),
        },
        cancel: Cell::assumed(Cancel::Never),
        service: None,
        late_commit: None,
        lookup_lag: None,
    };

    /// Whether repeated requests are recognised at all.
    #[inline]
    pub fn dedups(&self) -> bool {
        self.identity.value != Identity::None
    }

    /// Whether a request without key is refused.
    #[inline]
    pub fn needs_key(&self) -> bool {
        matches!(self.identity.value, Identity::RequiredKey | Identity::NaturalRef)
    }

    /// Whether a key may or may not be forgotten at some age, so that the door has to be asked.
    pub fn may_prune(&self) -> bool {
        self.dedups() && self.window.value.min < self.window.value.max
    }
}
