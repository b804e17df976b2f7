//! What is true about one order at the providers: a ledger of its own, moved by effects alone.

use unacked_mock_providers::fact::{Fact as Effect, What};
use unacked_sim::time::Time;

/// What is true about one order.
#[derive(Clone, Copy, Debug, Default)]
pub struct Facts {
    /// Captured, minor units.
    pub captured: i64,
    /// Captures.
    pub captures: u32,
    /// Refunds that exist but have not succeeded.
    pub refund_pending: i64,
    /// Refunds that succeeded.
    pub refunded: i64,
    /// Units requested and not accepted, rejected or cancelled.
    pub requested: i64,
    /// Units accepted.
    pub accepted: i64,
    /// Units held.
    pub held: i64,
    /// Expiry of the hold.
    pub held_until: Time,
    /// Mails accepted.
    pub mails: u32,
    /// What the latest of them said.
    pub told: u64,
    /// References of the latest two charges.
    pub charges: [u64; 2],
    /// Events that findings rest on: latest capture, acceptance, mail.
    pub seen: [u32; 3],
}

impl Facts {
    /// Captured and not given back.
    pub fn net(&self) -> i64 {
        self.captured - self.refunded
    }

    /// Captured, and neither given back nor on its way back.
    pub fn covered(&self) -> i64 {
        self.net() - self.refund_pending
    }

    /// Units at the carrier, accepted or not.
    pub fn live(&self) -> i64 {
        self.accepted + self.requested
    }

    /// Units held for the order at this time; an expiry is noticed only when somebody looks.
    pub fn held_at(&self, now: Time) -> i64 {
        if self.held_until > now { self.held } else { 0 }
    }

    /// An effect came about, at this event.
    pub fn apply(&mut self, effect: &Effect, event: u32) {
        match effect.what {
            What::Captured => {
                self.captured += effect.amount;
                self.captures += 1;
                self.charges = [effect.reference, self.charges[0]];
                self.seen[0] = event;
            }
            What::RefundPending => self.refund_pending += effect.amount,
            What::Refunded => {
                self.refund_pending = (self.refund_pending - effect.amount).max(0);
                self.refunded += effect.amount;
            }
            What::RefundFailed => self.refund_pending = (self.refund_pending - effect.amount).max(0),
            What::ShipmentRequested => self.requested += effect.amount,
            What::ShipmentAccepted => self.accept(effect.amount, event),
            What::ShipmentRejected | What::ShipmentCancelled => self.requested = 0,
            What::Mailed => {
                self.mails += 1;
                self.told = effect.value;
                self.seen[2] = event;
            }
            What::Held => {
                self.held += effect.amount;
                self.held_until = self.held_until.max(Time(effect.value));
            }
            What::Renewed => self.held_until = self.held_until.max(Time(effect.value)),
            What::Released | What::HoldExpired => self.held = (self.held - effect.amount).max(0),
            What::ChargeDeclined | What::StockRefused | What::ApprovalAsked | What::Approved | What::NotApproved => {}
        }
    }

    fn accept(&mut self, units: i64, event: u32) {
        self.accepted += units;
        self.requested = (self.requested - units).max(0);
        self.held = (self.held - units).max(0);
        self.seen[1] = event;
    }
}
