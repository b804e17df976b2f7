//! The ports: everything the orchestrator needs from outside, as traits without `Send`.
//!
//! One implementation drives the simulator, another (in `tests/`) runs on tokio with maps in memory.

use crate::order::{Course, Key, Money, Order, OrderId, Reference};
use crate::time::Micros;
use crate::tool::Tool;

/// One attempt at a tool, as it leaves the orchestrator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// For which order.
    pub order: OrderId,
    /// Which tool.
    pub tool: Tool,
    /// Perform the effect, or only ask about it.
    pub ask: Ask,
    /// The operation's generation.
    pub generation: u16,
    /// Idempotency key or client reference.
    pub key: Key,
    /// To act: the effect acted upon (refund: the charge's; renew and release: the hold's), else
    /// none. To look up: the operation's own, where known.
    pub reference: Reference,
    /// Amount, for charge and refund.
    pub money: Money,
    /// Units, for reserve and fulfill.
    pub quantity: u32,
    /// Where it goes.
    pub destination: u32,
    /// Content hash the call is about; part of the payload.
    pub content: u64,
    /// Which way the order went: what a notification tells the customer (R23).
    pub course: Course,
    /// How long to wait for the answer.
    pub timeout: Micros,
}

/// What is asked of the provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    /// Perform the effect.
    Act,
    /// Look the effect up; changes nothing.
    Lookup,
}

/// What came of one attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Response {
    /// A decodable answer.
    Answer(Answer),
    /// No usable answer in time, or the transport failed after bytes had left.
    Silence,
    /// The connection was refused before any byte left: this attempt did nothing.
    Refused,
    /// An answer that could not be decoded (R1b): the effect may have happened.
    Garbled,
}

/// A provider's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// What it says.
    pub kind: Reply,
    /// The effect's reference, 0 where the answer names none.
    pub reference: Reference,
    /// Amount and currency echoed by the provider, to be checked (R24).
    pub money: Money,
    /// Units available (read stock), hold or approval expiry in node time, or retry-after.
    pub value: u64,
}

/// The kinds of answer that contracts distinguish.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Reply {
    /// The effect exists and is final as far as this tool goes.
    Done,
    /// Accepted or created, but not final yet.
    Pending,
    /// Definite refusal, tied to the key where there is one (declined card, no stock, invalid).
    Declined,
    /// The reference is taken by an effect that exists already.
    Duplicate,
    /// The same key is being executed by another attempt.
    InProgress,
    /// The key was used with other parameters.
    Mismatch,
    /// Refused before anything was looked at; `value` = retry after, or 0.
    Throttled,
    /// Server error: the outcome is not established.
    ServerError,
    /// Lookup only: nothing under that reference *at the time the index was built*.
    NotFound,
}

/// What went wrong with a durable operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoreError {
    /// Another claim has a newer fence: the writer is no longer the owner.
    Fenced,
    /// The transaction lost a conflict; nothing was written.
    Conflict,
    /// The store cannot be reached; nothing was written.
    Unavailable,
    /// No acknowledgement: the write may or may not have happened.
    Unacknowledged,
}

/// What a durable write does, named for sites and monitors: the tool's operation, or the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transition {
    /// The operation of this tool moved to its new status.
    Operation(Tool),
    /// The order waits: lease released, `due` set.
    Parked,
    /// The order entered the operator queue.
    HandedOff,
    /// An operator's statement was taken into the record.
    Resolved(Tool),
    /// The order turned from forward to cancelling.
    Cancelling,
    /// The order ended.
    Ended,
}

/// Whether there may be more work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Idle {
    /// Something may be due: claim again.
    Awake,
    /// Every order has ended and none can be reopened.
    Over,
}

/// Time and chance, as one worker sees them.
pub trait Clock {
    /// This node's clock.
    fn now(&self) -> Micros;

    /// Full-jitter draw in `0..=cap` for the `nth` wait of an operation.
    fn jitter(&self, order: OrderId, tool: Tool, nth: u16, cap: Micros) -> Micros;
}

impl<C: Clock> Clock for &C {
    fn now(&self) -> Micros {
        (**self).now()
    }

    fn jitter(&self, order: OrderId, tool: Tool, nth: u16, cap: Micros) -> Micros {
        (**self).jitter(order, tool, nth, cap)
    }
}

/// Everything else outside the orchestrator: what [`crate::worker::run`] awaits.
#[expect(async_fn_in_trait, reason = "one single-threaded runtime per worker: futures need not be Send")]
pub trait Ports: Clock {
    /// Waits on this node's clock.
    async fn sleep(&self, span: Micros);

    /// One attempt over the wire, without any retry.
    async fn call(&self, attempt: Attempt) -> Response;

    /// Takes the lease of a due order, if there is one, in one durable write: an order whose lease
    /// is free, expired or this node's own. Fills `into` with the whole record as of that write and
    /// returns whether there was one.
    ///
    /// # Errors
    /// See [`StoreError`].
    async fn claim(&self, into: &mut Order) -> Result<bool, StoreError>;

    /// Writes the record in one transaction, if `order.lease.fence` is still the newest. The lease
    /// is extended by the write unless the record releases it (`lease.until == 0`).
    ///
    /// # Errors
    /// See [`StoreError`]; after any of them the record in memory is stale.
    async fn commit(&self, order: &mut Order, what: Transition) -> Result<(), StoreError>;

    /// Waits until an order may be due.
    async fn idle(&self) -> Idle;
}
