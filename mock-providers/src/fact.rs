//! Facts: what became true in the world, attributed by taint. Promises are judged over these.

use crate::message::{Op, Taint};

/// A durable change at a provider, or a definite statement of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fact {
    /// What happened.
    pub what: What,
    /// Whose intent it belongs to.
    pub taint: Taint,
    /// The provider's reference of the effect.
    pub reference: u64,
    /// Money in minor units, or units of stock.
    pub amount: i64,
    /// Currency of money.
    pub currency: [u8; 3],
    /// Expiry of a hold or approval in microseconds; content hash of an approval; key of the request.
    pub value: u64,
}

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum What {
    /// Money was captured.
    Captured,
    /// A refund exists and counts, but has not arrived yet.
    RefundPending,
    /// A refund succeeded (after [`What::RefundPending`] where there was one).
    Refunded,
    /// A refund that was pending failed: the money was not given back after all.
    RefundFailed,
    /// Units are held; `value` = expiry.
    Held,
    /// A hold was extended; `value` = new expiry.
    Renewed,
    /// Held units went back by release.
    Released,
    /// Held units went back because the hold expired.
    HoldExpired,
    /// A fulfillment request exists and may still be cancelled.
    ShipmentRequested,
    /// Fulfillment was accepted: noncancellable from here; consumes the hold.
    ShipmentAccepted,
    /// Fulfillment was rejected for good, after or instead of a request.
    ShipmentRejected,
    /// A fulfillment request was cancelled before acceptance.
    ShipmentCancelled,
    /// A mail was accepted; `value` = content hash (which event it tells).
    Mailed,
    /// A charge was declined; nothing was captured.
    ChargeDeclined,
    /// A reservation was refused for want of stock.
    StockRefused,
    /// The approval desk took in a question; `value` = content hash.
    ApprovalAsked,
    /// A person said yes; `value` = until when (microseconds).
    Approved,
    /// A person said no, or the deadline passed and the desk recorded a cancel decision.
    NotApproved,
}

impl What {
    /// The words used in output.
    pub const fn name(self) -> &'static str {
        match self {
            What::Captured => "captured",
            What::RefundPending => "refund pending",
            What::Refunded => "refunded",
            What::RefundFailed => "refund failed",
            What::Held => "held",
            What::Renewed => "hold renewed",
            What::Released => "released",
            What::HoldExpired => "hold expired",
            What::ShipmentRequested => "shipment requested",
            What::ShipmentAccepted => "shipment accepted",
            What::ShipmentRejected => "shipment rejected",
            What::ShipmentCancelled => "shipment cancelled",
            What::Mailed => "mail accepted",
            What::ChargeDeclined => "charge declined",
            What::StockRefused => "no stock",
            What::ApprovalAsked => "approval asked",
            What::Approved => "approved",
            What::NotApproved => "not approved",
        }
    }

    /// The operation it belongs to.
    pub const fn op(self) -> Op {
        match self {
            What::Captured | What::ChargeDeclined => Op::Charge,
            What::RefundPending | What::Refunded | What::RefundFailed => Op::Refund,
            What::Held | What::StockRefused | What::HoldExpired => Op::Reserve,
            What::Renewed => Op::Renew,
            What::Released => Op::Release,
            What::ShipmentRequested | What::ShipmentAccepted | What::ShipmentRejected => Op::Fulfill,
            What::ShipmentCancelled => Op::CancelFulfillment,
            What::Mailed => Op::Notify,
            What::ApprovalAsked | What::Approved | What::NotApproved => Op::Approve,
        }
    }
}
