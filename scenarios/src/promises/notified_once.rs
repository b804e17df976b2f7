//! notified-once: the customer hears of it once.

use crate::clause::promise;
use crate::court::{Court, Wording, times};
use crate::known::order_state::OrderState;
use unacked_mock_providers::fact::Fact as Effect;
use unacked_mock_providers::message::Op;

promise! {
    "notified-once", Eventually, "R18 R23",
        "the customer is told once how the order ended, or the record shows that this is not certain";
    TWICE = "twice", Always, [Effects], "R18",
        "no mail is accepted twice for the same order";
    NEVER = "never", AtTheEnd, [Effects, Records], "R23",
        "the customer of an order that has ended is told, or the record says that this is not certain";
    STRAY = "stray", Always, [Effects], "R18",
        "a mail belongs to an authorised order";
}

/// A mail was accepted.
pub(crate) fn mailed(court: &mut Court<'_>, state: &OrderState, earlier: u32) {
    let mails = state.facts.mails;
    if mails <= 1 {
        return;
    }
    let said = Wording {
        headline: format!("the customer of order {} was told {}", court.number(), times(mails)),
        expected: "one mail about the order's end".into(),
        found: format!("{mails} mails accepted"),
        evidence: vec![earlier],
    };
    court.breaks(&TWICE, Op::Notify, said);
}

/// The run is over.
pub(crate) fn ended(court: &mut Court<'_>, state: &OrderState) {
    if state.end.is_none() || state.facts.mails > 0 || state.notification_unknown {
        return;
    }
    let said = Wording {
        headline: format!("the customer of order {} was never told how it ended", court.number()),
        expected: "one mail, or a record that says the notification is unknown".into(),
        found: "no mail, and nothing about it in the record".into(),
        evidence: vec![],
    };
    court.breaks(&NEVER, Op::Notify, said);
}

/// A mail to nobody.
pub(crate) fn stray(court: &mut Court<'_>, effect: &Effect) {
    court.breaks(&STRAY, Op::Notify, Wording::stray(effect));
}
