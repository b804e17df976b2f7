//! approved-only: nothing irreversible without a person's yes to exactly this.

use crate::clause::{Clause, promise};
use crate::court::{Court, Wording};
use crate::fact::Written;
use crate::intent::Registered;
use crate::known::order_state::OrderState;
use unacked_mock_providers::message::Op;
use unacked_sim::time::Time;

promise! {
    "approved-only", Always, "R14 R15",
        "fulfillment is first dispatched under an unexpired, unused approval of exactly this content and operation";
    ASKED = "asked", Always, [ApprovalDesk, Records], "R14", "somebody has decided";
    DENIED = "denied", Always, [ApprovalDesk, Records], "R14", "the decision was a yes";
    CONTENT = "content", Always, [ApprovalDesk, Records], "R14", "the yes was to what is dispatched";
    OPERATION = "operation", Always, [ApprovalDesk, Records], "R14 R15", "the yes was for this operation";
    EXPIRED = "expired", Always, [ApprovalDesk, Records], "R14", "the yes was still valid";
    USED = "used", Always, [ApprovalDesk, Records], "R15", "the yes had not been used before";
    CONSUMED = "consumed", Always, [ApprovalDesk, Records], "R14", "the commit that dispatches uses it up";
}

/// The first attempt at the carrier is claimed.
pub(crate) fn claimed(court: &mut Court<'_>, state: &mut OrderState, written: &Written) {
    let found = missing(&state.registered, court.moment.now, written);
    if let Some(decision) = &mut state.registered.decision {
        decision.consumed = true;
    }
    let Some((clause, found)) = found else { return };
    let said = Wording {
        headline: format!("fulfillment of order {} was dispatched although {found}", court.number()),
        expected: "an unexpired, unused approval of exactly this content and operation, used up by the dispatch".into(),
        found: found.into(),
        evidence: vec![],
    };
    court.breaks(clause, Op::Fulfill, said);
}

/// What the approval lacks, if anything.
fn missing(registered: &Registered, now: Time, written: &Written) -> Option<(&'static Clause, &'static str)> {
    let Some(d) = registered.decision else { return Some((&ASKED, "nobody had approved it")) };
    match () {
        () if !d.granted => Some((&DENIED, "a person had said no")),
        () if d.content != registered.intent.content => Some((&CONTENT, "the approval was of other content")),
        () if d.operation != 0 && d.operation != written.key => {
            Some((&OPERATION, "the approval was for another operation"))
        }
        () if now.0 >= d.expires => Some((&EXPIRED, "the approval had expired")),
        () if d.consumed => Some((&USED, "the approval had been used already")),
        () if !written.consumed => Some((&CONSUMED, "the dispatching commit did not use it up")),
        () => None,
    }
}
