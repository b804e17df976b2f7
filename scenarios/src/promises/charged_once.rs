//! charged-once: money is taken once per order.

use crate::clause::promise;
use crate::court::{Court, Wording, money, times};
use crate::known::order_state::OrderState;
use unacked_mock_providers::fact::Fact as Effect;
use unacked_mock_providers::message::Op;

promise! {
    "charged-once", Always, "R1 R3 R7 R8",
        "captured minus refunded money never exceeds what was approved for the order, in its currency";
    SURPLUS = "surplus", Always, [Effects], "R1 R3 R7 R8",
        "what is captured and not given back is no more than was approved";
    CURRENCY = "currency", Always, [Effects], "R8",
        "money is captured in the currency that was approved";
    STRAY = "stray", Always, [Effects], "R8",
        "money is captured from a card of an authorised order";
}

/// Money was captured; `earlier`: the event of the capture before.
pub(crate) fn captured(court: &mut Court<'_>, state: &OrderState, effect: &Effect, earlier: u32) {
    let approved = state.registered.intent.amount;
    let (net, captures) = (state.facts.net(), state.facts.captures);
    let number = court.number();
    let said = || Wording {
        headline: format!("order {number} was charged {}", times(captures)),
        expected: format!("at most {} captured", money(approved.minor, approved.currency)),
        found: format!("{} captured in {captures} charges", money(net, effect.currency)),
        evidence: vec![earlier],
    };
    if effect.currency != approved.currency {
        court.breaks(&CURRENCY, Op::Charge, said());
    } else if net > approved.minor {
        court.breaks(&SURPLUS, Op::Charge, said());
    }
}

/// Money was captured from nobody's card.
pub(crate) fn stray(court: &mut Court<'_>, effect: &Effect) {
    court.breaks(&STRAY, Op::Charge, Wording::stray(effect));
}
