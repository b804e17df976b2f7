//! The TOML form of a service. Every key is one knob; what is absent is not documented.

use crate::contract::{
    Atomicity, Cancel, Cell, Commit, Contract, Delay, Fingerprint, Identity, InFlight, KeyScope, LateEffect, Lookup,
    OnDone, OnFailed, OnMismatch, Since, Window,
};
use crate::message::Op;
use crate::service::{Confidence, Service};
use serde::Deserialize;
use std::collections::BTreeMap;
use unacked_sim::time::{Span, parse_span};

/// A service as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawService {
    name: String,
    about: String,
    source: String,
    checked_on: String,
    confidence: Confidence,
    pub(crate) ops: BTreeMap<OpName, RawContract>,
}

/// An operation by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct OpName(pub(crate) Op);

impl TryFrom<String> for OpName {
    type Error = String;
    fn try_from(text: String) -> Result<OpName, String> {
        let names: Vec<&str> = Op::ALL.iter().map(|op| op.name()).collect();
        match Op::ALL.into_iter().find(|op| op.name() == text) {
            Some(op) => Ok(OpName(op)),
            None => Err(format!("`{text}` is not an operation; operations are {}", names.join(", "))),
        }
    }
}

/// A length of time as people write it.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct Length(pub(crate) Span);

impl TryFrom<String> for Length {
    type Error = String;
    fn try_from(text: String) -> Result<Length, String> {
        if text == "forever" { Ok(Length(Span::NEVER)) } else { parse_span(&text).map(Length) }
    }
}

/// `window = { min = "24h", max = "forever", from = "first-seen" }`; `max` absent: forever.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawWindow {
    pub(crate) min: Length,
    pub(crate) max: Option<Length>,
    #[serde(default)]
    pub(crate) from: Since,
}

/// `commit = "sync"` or `commit = { p50 = "1m", p99 = "10m", max = "2h" }`.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(
    untagged,
    expecting = "expected \"sync\", or { p50 = \"1m\", p99 = \"10m\", max = \"2h\" } for an outcome that comes later"
)]
pub(crate) enum RawCommit {
    Word(SyncWord),
    Later(RawDelay),
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum SyncWord {
    Sync,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawDelay {
    pub(crate) p50: Length,
    pub(crate) p99: Length,
    pub(crate) max: Length,
}

/// One operation's table.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawContract {
    pub(crate) identity: Option<Identity>,
    pub(crate) key_scope: Option<KeyScope>,
    pub(crate) window: Option<RawWindow>,
    pub(crate) fingerprint: Option<Fingerprint>,
    pub(crate) on_done: Option<OnDone>,
    pub(crate) on_declined: Option<OnFailed>,
    pub(crate) on_client_error: Option<OnFailed>,
    pub(crate) on_server_error: Option<OnFailed>,
    pub(crate) on_mismatch: Option<OnMismatch>,
    pub(crate) in_flight: Option<InFlight>,
    pub(crate) atomicity: Option<Atomicity>,
    pub(crate) commit: Option<RawCommit>,
    pub(crate) late_effect: Option<LateEffect>,
    pub(crate) lookup_by_id: Option<Length>,
    pub(crate) lookup_by_ref: Option<Length>,
    pub(crate) lookup_by_key: Option<Length>,
    pub(crate) lookup_search: Option<Length>,
    pub(crate) cancel: Option<Cancel>,
    pub(crate) service: Option<RawDelay>,
    pub(crate) late_commit: Option<Length>,
    pub(crate) lookup_lag: Option<Length>,
    #[serde(default)]
    pub(crate) undocumented: Vec<Knob>,
}

/// The keys that `undocumented = [...]` may list: the provider does it, but promises it nowhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Knob {
    Identity,
    KeyScope,
    Window,
    Fingerprint,
    OnDone,
    OnDeclined,
    OnClientError,
    OnServerError,
    OnMismatch,
    InFlight,
    Atomicity,
    Commit,
    LateEffect,
    LookupById,
    LookupByRef,
    LookupByKey,
    LookupSearch,
    Cancel,
}

impl Knob {
    /// The key as it is written.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Knob::Identity => "identity",
            Knob::KeyScope => "key_scope",
            Knob::Window => "window",
            Knob::Fingerprint => "fingerprint",
            Knob::OnDone => "on_done",
            Knob::OnDeclined => "on_declined",
            Knob::OnClientError => "on_client_error",
            Knob::OnServerError => "on_server_error",
            Knob::OnMismatch => "on_mismatch",
            Knob::InFlight => "in_flight",
            Knob::Atomicity => "atomicity",
            Knob::Commit => "commit",
            Knob::LateEffect => "late_effect",
            Knob::LookupById => "lookup_by_id",
            Knob::LookupByRef => "lookup_by_ref",
            Knob::LookupByKey => "lookup_by_key",
            Knob::LookupSearch => "lookup_search",
            Knob::Cancel => "cancel",
        }
    }
}

impl RawWindow {
    fn window(self) -> Window {
        Window { min: self.min.0, max: self.max.map_or(Span::NEVER, |l| l.0), from: self.from }
    }
}

impl RawCommit {
    pub(crate) fn commit(self) -> Commit {
        match self {
            RawCommit::Word(SyncWord::Sync) => Commit::Sync,
            RawCommit::Later(delay) => Commit::Async(delay.delay()),
        }
    }
}

impl RawDelay {
    fn delay(self) -> Delay {
        Delay { p50: self.p50.0, p99: self.p99.0, max: self.max.0 }
    }
}

impl RawContract {
    /// A written value counts as documented unless `undocumented` lists its key; an absent one is
    /// `otherwise` and not documented.
    fn cell<T>(&self, knob: Knob, written: Option<T>, otherwise: Cell<T>) -> Cell<T> {
        match written {
            Some(value) => Cell { value, documented: !self.undocumented.contains(&knob) },
            None => otherwise,
        }
    }

    fn way(&self, knob: Knob, written: Option<Length>) -> Cell<Option<Span>> {
        self.cell(knob, written.map(|l| Some(l.0)), Cell::assumed(None))
    }

    /// The contract that the table means.
    pub(crate) fn contract(&self) -> Contract {
        let bare = Contract::BARE;
        Contract {
            identity: self.cell(Knob::Identity, self.identity, bare.identity),
            key_scope: self.cell(Knob::KeyScope, self.key_scope, bare.key_scope),
            window: self.cell(Knob::Window, self.window.map(RawWindow::window), bare.window),
            fingerprint: self.cell(Knob::Fingerprint, self.fingerprint, bare.fingerprint),
            on_done: self.cell(Knob::OnDone, self.on_done, bare.on_done),
            on_declined: self.cell(Knob::OnDeclined, self.on_declined, bare.on_declined),
            on_client_error: self.cell(Knob::OnClientError, self.on_client_error, bare.on_client_error),
            on_server_error: self.cell(Knob::OnServerError, self.on_server_error, bare.on_server_error),
            on_mismatch: self.cell(Knob::OnMismatch, self.on_mismatch, bare.on_mismatch),
            in_flight: self.cell(Knob::InFlight, self.in_flight, bare.in_flight),
            atomicity: self.cell(Knob::Atomicity, self.atomicity, bare.atomicity),
            commit: self.cell(Knob::Commit, self.commit.map(RawCommit::commit), bare.commit),
            late_effect: self.cell(Knob::LateEffect, self.late_effect, bare.late_effect),
            lookup: self.lookup(),
            cancel: self.cell(Knob::Cancel, self.cancel, bare.cancel),
            service: self.service.map(RawDelay::delay),
            late_commit: self.late_commit.map(|l| l.0),
            lookup_lag: self.lookup_lag.map(|l| l.0),
        }
    }

    fn lookup(&self) -> Lookup {
        Lookup {
            by_id: self.way(Knob::LookupById, self.lookup_by_id),
            by_ref: self.way(Knob::LookupByRef, self.lookup_by_ref),
            by_key: self.way(Knob::LookupByKey, self.lookup_by_key),
            search: self.way(Knob::LookupSearch, self.lookup_search),
        }
    }
}

impl RawService {
    /// The service that the file means.
    pub(crate) fn service(self) -> Service {
        let mut ops = [None; Op::COUNT];
        for (op, raw) in &self.ops {
            ops[op.0 as usize] = Some(raw.contract());
        }
        Service {
            name: self.name,
            about: self.about,
            source: self.source,
            checked_on: self.checked_on,
            confidence: self.confidence,
            ops,
        }
    }
}
