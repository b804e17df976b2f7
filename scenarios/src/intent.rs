//! The intent registry: what was authorised, by order. The subject never reads it.

use unacked_mock_providers::fact::What;
use unacked_workflow::order::{Cause, Intent};

/// What one order may cause, and what has been decided about it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Registered {
    /// What was ordered and authorised.
    pub intent: Intent,
    /// Causes that are true in the world: a legitimate refusal needs one.
    pub causes: Causes,
    /// The approval desk's decision, as it was made.
    pub decision: Option<Decided>,
}

/// Causes of refusal that came true.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Causes {
    /// A reservation (or a stock read) found too little.
    pub no_stock: bool,
    /// The payment provider declined.
    pub declined: bool,
    /// A person said no, or the deadline passed.
    pub not_approved: bool,
    /// The carrier rejected the request for good.
    pub cannot_ship: bool,
}

impl Causes {
    /// What an effect says about why the order may be refused.
    pub fn note(&mut self, what: What) {
        match what {
            What::ShipmentRejected => self.cannot_ship = true,
            What::ChargeDeclined => self.declined = true,
            What::StockRefused => self.no_stock = true,
            What::NotApproved => self.not_approved = true,
            _ => {}
        }
    }

    /// Whether this one is.
    pub fn has(self, cause: Cause) -> bool {
        match cause {
            Cause::NoStock => self.no_stock,
            Cause::Declined => self.declined,
            Cause::NotApproved => self.not_approved,
            Cause::CannotShip => self.cannot_ship,
        }
    }

    /// Whether any is true.
    pub fn any(self) -> bool {
        self.no_stock || self.declined || self.not_approved || self.cannot_ship
    }
}

/// A decision as the desk made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decided {
    /// Yes or no.
    pub granted: bool,
    /// The content that was shown.
    pub content: u64,
    /// The fulfillment operation it is for.
    pub operation: u64,
    /// Until when a yes may be used, microseconds.
    pub expires: u64,
    /// A dispatch has used it up.
    pub consumed: bool,
    /// Under this key.
    pub used_by: u64,
}
