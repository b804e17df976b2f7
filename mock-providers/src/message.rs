//! What travels between a workflow and the providers.

/// An operation that a provider performs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Op {
    /// How much of a line is available.
    ReadStock,
    /// Hold units until the hold expires.
    Reserve,
    /// Extend a live hold.
    Renew,
    /// Give held units back.
    Release,
    /// Capture money.
    Charge,
    /// Give captured money back.
    Refund,
    /// Request fulfillment.
    Fulfill,
    /// Cancel a fulfillment request; refused once it was accepted.
    CancelFulfillment,
    /// Send a mail.
    Notify,
    /// Ask a person for approval.
    Approve,
}

impl Op {
    /// How many operations there are.
    pub const COUNT: usize = 10;
    /// All of them, in table order.
    pub const ALL: [Op; Op::COUNT] = [
        Op::ReadStock,
        Op::Reserve,
        Op::Renew,
        Op::Release,
        Op::Charge,
        Op::Refund,
        Op::Fulfill,
        Op::CancelFulfillment,
        Op::Notify,
        Op::Approve,
    ];

    /// The word used in sites, files and output.
    pub const fn name(self) -> &'static str {
        match self {
            Op::ReadStock => "read-stock",
            Op::Reserve => "reserve",
            Op::Renew => "renew",
            Op::Release => "release",
            Op::Charge => "charge",
            Op::Refund => "refund",
            Op::Fulfill => "fulfill",
            Op::CancelFulfillment => "cancel-fulfillment",
            Op::Notify => "notify",
            Op::Approve => "approve",
        }
    }
}

/// Perform the effect, or only tell what is known about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    /// Perform it.
    Act,
    /// Look it up.
    Lookup,
}

/// The token that attributes an effect to an intent, whatever key or metadata the request carries:
/// it stands for the card, the address or the lot that only this intent uses. The number of the
/// intent, from 0; [`UNTAINTED`] if the request names nobody's.
pub type Taint = u32;

/// No intent at all.
pub const UNTAINTED: Taint = u32::MAX;

/// A request as it arrives at a provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// What is asked for.
    pub op: Op,
    /// Perform it or look it up.
    pub ask: Ask,
    /// Whose card, address and lot it uses. Never part of identity or fingerprint.
    pub taint: Taint,
    /// Idempotency key or client reference; 0 = none.
    pub key: u64,
    /// The provider's reference of an earlier effect (refund: the charge); 0 = none.
    pub reference: u64,
    /// Amount in minor units.
    pub amount: i64,
    /// ISO 4217 code.
    pub currency: [u8; 3],
    /// Stock-keeping unit.
    pub sku: u32,
    /// Units.
    pub quantity: u32,
    /// Where it goes.
    pub destination: u32,
    /// Hash of the rest of the payload (destination, text).
    pub content: u64,
}

/// What an answer says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Says {
    /// The effect exists and is final.
    Done,
    /// Accepted or created, not final yet.
    Pending,
    /// Definite refusal.
    Declined,
    /// The reference is taken by an existing effect.
    Duplicate,
    /// The key is being executed.
    InProgress,
    /// The key was used with other parameters.
    Mismatch,
    /// Refused before anything was looked at.
    Throttled,
    /// Server error: nothing is established.
    ServerError,
    /// Lookup: nothing under that reference when the index was built.
    NotFound,
}

impl Says {
    /// The word used in output.
    pub const fn name(self) -> &'static str {
        match self {
            Says::Done => "done",
            Says::Pending => "pending",
            Says::Declined => "declined",
            Says::Duplicate => "duplicate reference",
            Says::InProgress => "409 in progress",
            Says::Mismatch => "400 other parameters",
            Says::Throttled => "429 throttled",
            Says::ServerError => "500 server error",
            Says::NotFound => "not found",
        }
    }
}

/// An answer as it leaves a provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reply {
    /// What it says.
    pub says: Says,
    /// The effect's reference; 0 = none named.
    pub reference: u64,
    /// Amount in minor units, echoed.
    pub amount: i64,
    /// Currency, echoed.
    pub currency: [u8; 3],
    /// Units available, expiry (provider time, microseconds) or retry-after (microseconds).
    pub value: u64,
}

impl Reply {
    /// An answer that names nothing.
    pub const fn bare(says: Says) -> Reply {
        Reply { says, reference: 0, amount: 0, currency: [0; 3], value: 0 }
    }
}
