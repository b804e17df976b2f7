//! The durable record of one order: its operations, approval, hand-off, lease and end.
//!
//! Everything the orchestrator decides is computed from this record, so that a restart resumes
//! where the last durable write left off (R16). All of it is plain `Copy` data.

use crate::time::{Micros, NEVER};
use crate::tool::Tool;

/// Number of an order; orders are numbered from 0 (names print from 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct OrderId(pub u32);

/// An idempotency key, or a client reference, as it travels on the wire. 0 is "none".
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Key(pub u64);

/// A provider's own name for an effect (`ch_1`, a shipment id). 0 is "none".
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Reference(pub u64);

/// Minor units and ISO 4217 currency, which travel together (R24).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Money {
    /// Amount in minor units (cents).
    pub minor: i64,
    /// ISO 4217 alphabetic code.
    pub currency: [u8; 3],
}

/// What was ordered and approved for one order; immutable for the life of the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Intent {
    /// Who ordered: travels as the taint of card and address.
    pub customer: u32,
    /// What is charged.
    pub amount: Money,
    /// Stock-keeping unit of the order's line.
    pub sku: u32,
    /// Units of it.
    pub quantity: u32,
    /// Where it goes.
    pub destination: u32,
    /// Hash of everything an approval must be bound to (R14).
    pub content: u64,
}

/// State of one operation in the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
#[repr(u8)]
pub enum Status {
    /// Not begun in this generation.
    #[default]
    Planned,
    /// Claimed durably: a request may have left, its outcome is not recorded.
    Dispatched,
    /// Some attempt's outcome could not be established (R10).
    Unknown,
    /// The provider named a state that is not final (R11: later steps wait).
    Pending,
    /// The effect is established.
    Completed,
    /// Established as ended without effect.
    Rejected,
}

impl Status {
    /// The word used in sites and output.
    pub const fn name(self) -> &'static str {
        match self {
            Status::Planned => "planned",
            Status::Dispatched => "dispatched",
            Status::Unknown => "unknown",
            Status::Pending => "pending",
            Status::Completed => "completed",
            Status::Rejected => "rejected",
        }
    }

    /// Whether the outcome is open: sent or possibly sent, and not established.
    pub const fn is_open(self) -> bool {
        matches!(self, Status::Dispatched | Status::Unknown | Status::Pending)
    }
}

/// The durable record of one operation (R3, R16).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Operation {
    /// Where it stands.
    pub status: Status,
    /// Counts from 1; a new one opens only when the previous ended without effect.
    pub generation: u16,
    /// Attempts durably claimed in this generation.
    pub attempts: u16,
    /// Lookups made in this generation.
    pub lookups: u16,
    /// The key of this generation, chosen before the first dispatch.
    pub key: Key,
    /// The provider's reference, once known.
    pub reference: Reference,
    /// First durable claim of this generation whose request may have left, on the claiming node's clock:
    /// from here on windows and deadlines count.
    pub first_claim: Option<Micros>,
    /// Latest durable claim of this generation.
    pub last_claim: Micros,
    /// The latest answer would only be repeated by a replay (a stored failure, a mismatch, an
    /// unproven duplicate), so look up instead.
    pub stored_failure: bool,
    /// With [`Status::Rejected`]: established as never having taken effect, rather than refused by
    /// the provider, so that a new generation may be opened (R3).
    pub absent: bool,
    /// When the next attempt or lookup is due, on the node's clock (R2: timing only).
    pub retry_at: Micros,
    /// For a hold: when it expires. For an approval: until when the yes is valid.
    pub until: Micros,
}

impl Operation {
    /// Whether nothing of this generation can have left.
    pub const fn is_unsent(&self) -> bool {
        self.first_claim.is_none()
    }

    /// Whether it is established how it ended.
    pub const fn is_settled(&self) -> bool {
        matches!(self.status, Status::Completed | Status::Rejected)
    }
}

/// Which way the order is going.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Course {
    /// Towards delivery.
    #[default]
    Forward,
    /// Undoing what is known, towards a refusal with this cause.
    Cancelling(Cause),
}

/// Why an order is refused. Each must have been true in the world (intent-honoured).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Cause {
    /// Not enough stock.
    NoStock,
    /// The payment provider declined the charge.
    Declined,
    /// A person said no, or the declared deadline passed without a yes.
    NotApproved,
    /// The fulfillment provider rejected the request.
    CannotShip,
}

/// A person's decision, written into the record by the approval desk in one compare-and-set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Approval {
    /// What was decided.
    pub decision: Decision,
    /// The content it is bound to.
    pub content: u64,
    /// The fulfillment operation it is bound to.
    pub operation: Key,
    /// Until when a yes may be used.
    pub expires: Micros,
    /// Set in the commit that first dispatches the fulfillment.
    pub consumed: bool,
}

/// The state of an approval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Decision {
    /// Nothing decided (or nothing asked yet).
    #[default]
    Open,
    /// Yes.
    Granted,
    /// No, or the desk recorded that the deadline passed.
    Denied,
}

/// An entry in the operator queue (R20): visible, with references, for one operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handoff {
    /// The operation that could not be settled.
    pub tool: Tool,
    /// Its generation.
    pub generation: u16,
    /// Key the operator needs to find the effect.
    pub key: Key,
    /// Since when it waits, on the node's clock.
    pub since: Micros,
    /// What an operator established, with evidence; written by the operator desk.
    pub statement: Option<Statement>,
}

/// What an operator established about the handed-off operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Statement {
    /// The effect exists under this reference.
    Committed(Reference),
    /// The effect does not exist and cannot come any more.
    Absent,
}

/// How an order ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// L1.
    Delivered,
    /// L2.
    Refused(Cause),
}

/// Who may write the record, until when (R6). `fence` grows with every claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Lease {
    /// Owning node; meaningless once `until` has passed.
    pub owner: u32,
    /// Number of the claim: a write with an older one is refused.
    pub fence: u32,
    /// End of the lease on the store's clock; 0 when released.
    pub until: Micros,
}

/// The whole record of one order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order {
    /// Its number.
    pub id: OrderId,
    /// What was ordered.
    pub intent: Intent,
    /// Its operations, indexed by [`Tool`].
    pub ops: [Operation; Tool::COUNT],
    /// Which way it is going.
    pub course: Course,
    /// The approval, bound to content and operation.
    pub approval: Approval,
    /// The operator queue entry, if any.
    pub handoff: Option<Handoff>,
    /// The customer was not (or not provably) told; shown to operators (no-win-13).
    pub notification_unknown: bool,
    /// How it ended, if it did.
    pub end: Option<End>,
    /// Who works on it.
    pub lease: Lease,
    /// When it wants attention next; [`NEVER`] while it waits for a person or has ended.
    pub due: Micros,
    /// Which operations were changed since the record was last read or written (bit n = tool n):
    /// what a write has to cover. Not durable.
    pub touched: u16,
}

impl Order {
    /// A fresh record, due at once.
    pub fn new(id: OrderId, intent: Intent) -> Self {
        Order {
            id,
            intent,
            ops: [Operation::default(); Tool::COUNT],
            course: Course::Forward,
            approval: Approval::default(),
            handoff: None,
            notification_unknown: false,
            end: None,
            lease: Lease::default(),
            due: 0,
            touched: 0,
        }
    }

    /// An empty record to be filled by [`crate::ports::Ports::claim`].
    pub fn blank() -> Self {
        Order::new(OrderId(0), Intent::default())
    }

    /// The record of one operation.
    pub fn op(&self, tool: Tool) -> &Operation {
        &self.ops[tool as usize]
    }

    /// The same, to change it.
    pub fn op_mut(&mut self, tool: Tool) -> &mut Operation {
        self.touched |= 1 << tool as u16;
        &mut self.ops[tool as usize]
    }

    /// The operations changed since the record was last read or written.
    pub fn changed(&self) -> impl Iterator<Item = Tool> + use<> {
        let mut left = self.touched;
        std::iter::from_fn(move || {
            let tool = Tool::ALL.get(left.trailing_zeros() as usize).copied()?;
            left &= left - 1;
            Some(tool)
        })
    }

    /// Marks the record as ended: nothing is due any more.
    pub fn close(&mut self, end: End) {
        self.end = Some(end);
        self.due = NEVER;
    }
}
