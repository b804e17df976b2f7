//! Ends and truths in words.

pub use crate::court::money;
use crate::known::order_state::OrderState;
use unacked_workflow::order::{Cause, End};

/// A recorded end in words: `delivered`, `refused (out of stock)`.
pub fn ended(end: End) -> String {
    match end {
        End::Delivered => "delivered".into(),
        End::Refused(cause) => refused(cause),
    }
}

/// A refusal in words.
pub(crate) fn refused(cause: Cause) -> String {
    let why = match cause {
        Cause::NoStock => "out of stock",
        Cause::Declined => "payment declined",
        Cause::NotApproved => "not approved",
        Cause::CannotShip => "cannot be shipped",
    };
    format!("refused ({why})")
}

/// The truth about an order in one line.
pub(crate) fn truth(state: &OrderState) -> String {
    let t = &state.facts;
    let currency = state.registered.intent.amount.currency;
    let mut out = format!("{} captured", money(t.captured, currency));
    if t.refunded > 0 || t.refund_pending > 0 {
        out.push_str(&format!(
            ", {} refunded, {} on its way back",
            money(t.refunded, currency),
            money(t.refund_pending, currency)
        ));
    }
    out.push_str(&format!(", {} unit(s) accepted by the carrier", t.accepted));
    if t.requested > 0 {
        out.push_str(&format!(", {} requested", t.requested));
    }
    if t.held > 0 {
        out.push_str(&format!(", {} held", t.held));
    }
    out
}
