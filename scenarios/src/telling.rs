//! Ends and truths in words.

pub use crate::court::money;
use crate::known::order_state::OrderState;
use unacked_workflow::order::{Cause, End, Intent};

/// A recorded end in words: `delivered`, `refused (out of stock)`.
pub fn ended(end: End) -> String {
    match end {
        End::Delivered => "delivered".into(),
        End::Refused(cause) => refused(cause),
    }
}

/// What a mail of this content tells the customer of an order; `None`: nothing that is known.
pub(crate) fn told(state: &OrderState, content: u64) -> Option<End> {
    const ENDS: [End; 5] = [
        End::Delivered,
        End::Refused(Cause::NoStock),
        End::Refused(Cause::Declined),
        End::Refused(Cause::NotApproved),
        End::Refused(Cause::CannotShip),
    ];
    ENDS.into_iter().find(|&end| wording(&state.registered.intent, end) == content)
}

/// The content of a mail that tells how an order ended.
pub(crate) fn wording(intent: &Intent, end: End) -> u64 {
    match end {
        End::Delivered => intent.content,
        End::Refused(cause) => intent.content ^ (cause as u64 + 1),
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
