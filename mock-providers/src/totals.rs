//! Totals of one intent: money in minor units, stock in units.

use crate::effect::State;
use crate::fact::{Fact, What};

/// What is true of one intent at one provider. Add up several with [`Totals::add`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Money captured, refunds not subtracted.
    pub captured: i64,
    /// Money of refunds that exist and have not succeeded.
    pub refund_pending: i64,
    /// Money of refunds that succeeded.
    pub refunded: i64,
    /// Units held now.
    pub held: i64,
    /// Units shipped from a hold, or without one.
    pub consumed: i64,
    /// Units released.
    pub released: i64,
    /// Units whose hold expired.
    pub expired: i64,
    /// Units requested for fulfillment and not yet accepted, rejected or cancelled.
    pub requested: i64,
    /// Units accepted for fulfillment.
    pub accepted: i64,
    /// Units whose request was cancelled.
    pub cancelled: i64,
    /// Units whose request was rejected.
    pub rejected: i64,
    /// Charges that were declined.
    pub declines: i64,
    /// Mails accepted.
    pub mails: i64,
}

impl Totals {
    /// Takes a fact in; `was` is the effect's state before it.
    #[inline]
    pub(crate) fn apply(&mut self, fact: &Fact, was: Option<State>) {
        let n = fact.amount;
        let pending = if was == Some(State::Pending) { n } else { 0 };
        match fact.what {
            What::Captured => self.captured += n,
            What::RefundPending => self.refund_pending += n,
            What::Refunded => (self.refunded, self.refund_pending) = (self.refunded + n, self.refund_pending - pending),
            What::RefundFailed => self.refund_pending -= pending,
            What::Held => self.held += n,
            What::Released => (self.released, self.held) = (self.released + n, self.held - n),
            What::HoldExpired => (self.expired, self.held) = (self.expired + n, self.held - n),
            What::ShipmentRequested => self.requested += n,
            What::ShipmentAccepted => (self.accepted, self.requested) = (self.accepted + n, self.requested - pending),
            What::ShipmentRejected => (self.rejected, self.requested) = (self.rejected + n, self.requested - pending),
            What::ShipmentCancelled => {
                (self.cancelled, self.requested) = (self.cancelled + n, self.requested - pending)
            }
            What::Mailed => self.mails += 1,
            What::ChargeDeclined => self.declines += 1,
            What::Renewed | What::StockRefused => {}
            What::ApprovalAsked | What::Approved | What::NotApproved => {}
        }
    }

    /// Adds another provider's totals of the same intent.
    pub fn add(&mut self, other: &Totals) {
        self.captured += other.captured;
        self.refund_pending += other.refund_pending;
        self.refunded += other.refunded;
        self.held += other.held;
        self.consumed += other.consumed;
        self.released += other.released;
        self.expired += other.expired;
        self.requested += other.requested;
        self.accepted += other.accepted;
        self.cancelled += other.cancelled;
        self.rejected += other.rejected;
        self.declines += other.declines;
        self.mails += other.mails;
    }

    /// Captured less succeeded refunds.
    pub fn net(&self) -> i64 {
        self.captured - self.refunded
    }
}
