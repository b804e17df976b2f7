//! A policy as data: the reference behaviour, and each knob a wrong policy may turn.
//!
//! Every knob is a small enum, read in one place. [`Policy::reference`] obeys R1-R26.
//! Structural mistakes (writing after the dispatch, ignoring the fence) are not here: they are
//! decorators around the ports, so that this model answer stays readable.

use crate::keys::Namespace;
use crate::time::{HOUR, MILLIS, MINUTE, Micros, SECOND};
use crate::tool::Tool;

/// How the orchestrator behaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    /// Whose keys these are: tenant and environment go into each (R3).
    pub namespace: Namespace,
    /// Where an idempotency key comes from (R3).
    pub key: KeySource,
    /// Where the carrier's client reference comes from.
    pub reference: KeySource,
    /// What an unknown outcome leads to, per tool (R10).
    pub unknown: [OnUnknown; Tool::COUNT],
    /// What a 409 "in progress" or a mismatch leads to (R3).
    pub conflict: OnConflict,
    /// What an empty lookup proves (R10).
    pub absence: Absence,
    /// Whether a replay stops at the safe end of the key window (R7).
    pub window: WindowUse,
    /// How an approval is used (R14).
    pub approval: ApprovalUse,
    /// When compensation may start (R13, R17).
    pub compensation: Compensation,
    /// When an order is handed to a person (R20).
    pub handoff: HandoffRule,
    /// What is done about the customer's mail when its outcome is unknown.
    pub mail: MailRule,
    /// What an order is worth: `Always` refuses everything to be safe.
    pub refuse: Acceptance,
    /// How a worker recovers an order whose owner is gone (R16).
    pub recovery: Recovery,
    /// Whether the cap on attempts holds (R2: retrying for ever establishes nothing).
    pub cap: Cap,
    /// Timeouts and waits.
    pub retry: Retry,
}

/// Source of keys and references.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeySource {
    /// Derived from order, tool and generation before dispatch, persisted, reused (R3).
    Operation,
    /// Minted anew for each attempt.
    Attempt,
    /// Derived from the arguments: equal orders share it (R4).
    Arguments,
}

/// What an unknown outcome leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnUnknown {
    /// Replay where covered, look up, hand off: R10-R12.
    Resolve,
    /// Send it again, whatever the contract says.
    Resend,
    /// Treat it as failed and go on from there.
    AssumeFailed,
    /// Treat it as done and go on from there.
    AssumeDone,
}

/// What a conflict on one's own key leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnConflict {
    /// Wait and ask again under the same key.
    Wait,
    /// Append a suffix: a new key while the old one is open.
    NewKey,
}

/// What an empty lookup proves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absence {
    /// Nothing, before the documented bounds have passed.
    AfterBounds,
    /// That the effect does not exist: issue it again.
    AtOnce,
}

/// Whether replays respect the key window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WindowUse {
    /// Latest claim = first claim + window - p_max - d_max - skew.
    Respect,
    /// Replay for as long as it takes.
    Ignore,
}

/// How an approval is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ApprovalUse {
    /// Exactly this content and operation, unexpired, consumed in the dispatching commit.
    Bound,
    /// Not asked for at all.
    Skip,
    /// Asked for, but a yes is good for ever.
    IgnoreExpiry,
}

/// When compensation may start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compensation {
    /// Only for what is established (R13, R17).
    Confirmed,
    /// An unknown charge or fulfillment is refunded "to be safe".
    RefundUnknown,
    /// Stock goes back while the charge is unknown.
    ReleaseUnknown,
}

/// When an order is handed to a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandoffRule {
    /// When no automatic step is left, or the declared deadline has passed.
    Justified,
    /// At the first unknown outcome.
    Eager,
    /// Never: the order is left lying where it is.
    Silent,
}

/// What is done when the mail's outcome is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MailRule {
    /// Send again only where covered, else mark "notification unknown".
    Once,
    /// Send until an answer comes.
    UntilAnswered,
    /// Do not send at all.
    Never,
}

/// Whether orders are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Acceptance {
    /// Only for a cause that is true.
    TrueCause,
    /// Every order is refused as out of stock.
    Everything,
}

/// How an order with a dead owner is recovered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recovery {
    /// From its records.
    Resume,
    /// From its first step, with new generations.
    Restart,
}

/// Whether the cap on attempts holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cap {
    /// `Limits::attempts` per generation, then a lookup or a person.
    Respect,
    /// Attempts without end.
    Ignore,
}

/// Timeouts and waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Retry {
    /// Per-attempt timeout of a tool.
    pub timeout: [Micros; Tool::COUNT],
    /// Timeout of a lookup.
    pub lookup_timeout: Micros,
    /// Attempts made in a row while holding the lease.
    pub inline_attempts: u16,
    /// First inline wait (doubling, full jitter).
    pub inline_base: Micros,
    /// Longest inline wait.
    pub inline_cap: Micros,
    /// Waits between durable retries, the last one repeating; empty: none, hand off instead.
    pub durable: Vec<Micros>,
    /// Waits between lookups, the last one repeating; empty: no lookups.
    pub reconcile: Vec<Micros>,
}

impl Retry {
    /// Realistic defaults (timeouts from provider SDKs, waits assumed).
    pub fn reference() -> Self {
        Retry {
            timeout: [
                2 * SECOND,
                3 * SECOND,
                30 * SECOND,
                5 * SECOND,
                30 * SECOND,
                10 * SECOND,
                3 * SECOND,
                30 * SECOND,
                3 * SECOND,
            ],
            lookup_timeout: 5 * SECOND,
            inline_attempts: 3,
            inline_base: 500 * MILLIS,
            inline_cap: 5 * SECOND,
            durable: vec![30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR],
            reconcile: vec![5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR],
        }
    }
}

impl Policy {
    /// The model answer.
    pub fn reference() -> Self {
        Policy {
            namespace: Namespace::of("shop", "simulation"),
            key: KeySource::Operation,
            reference: KeySource::Operation,
            unknown: [OnUnknown::Resolve; Tool::COUNT],
            conflict: OnConflict::Wait,
            absence: Absence::AfterBounds,
            window: WindowUse::Respect,
            approval: ApprovalUse::Bound,
            compensation: Compensation::Confirmed,
            handoff: HandoffRule::Justified,
            mail: MailRule::Once,
            refuse: Acceptance::TrueCause,
            recovery: Recovery::Resume,
            cap: Cap::Respect,
            retry: Retry::reference(),
        }
    }
}
