//! approved-only: nothing irreversible without a person's yes to exactly this.

use crate::clause::{Clause, Need, promise};
use crate::court::{Court, Wording};
use crate::fact::Written;
use crate::intent::Registered;
use crate::known::order_state::OrderState;
use unacked_mock_providers::message::{Op, Request};
use unacked_sim::time::Time;

promise! {
    "approved-only", Always, "R14 R15",
        "fulfillment is first dispatched under an unexpired, unused approval of exactly this content and operation";
    ASKED = "asked", Always, [ApprovalDesk, Wire], "R14", "somebody has decided";
    DENIED = "denied", Always, [ApprovalDesk, Wire], "R14", "the decision was a yes";
    CONTENT = "content", Always, [ApprovalDesk, Wire], "R14", "the yes was to what is sent";
    GOODS = "goods", Always, [ApprovalDesk, Wire], "R14", "what is sent for is what was ordered: line and quantity";
    ADDRESS = "address", Always, [ApprovalDesk, Wire], "R14", "it goes where it was ordered to";
    OPERATION = "operation", Always, [ApprovalDesk, Wire], "R14 R15", "the yes was for this operation";
    EXPIRED = "expired", Always, [ApprovalDesk, Wire], "R14",
        "the yes was still valid when the attempt was claimed, or at most a pause before it left";
    USED = "used", Always, [ApprovalDesk, Wire], "R15", "the yes had not been used before";
    CONSUMED = "consumed", Always, [ApprovalDesk, Records], "R14", "the commit that dispatches uses it up";
}

const EXPECTED: &str = "an unexpired, unused approval of exactly this content and operation, used up by the dispatch";

/// The first attempt at the carrier leaves, whatever was written about it.
pub(crate) fn dispatched(court: &mut Court<'_>, state: &mut OrderState, request: &Request) {
    let used_at = used_at(court, state);
    let found = missing(&state.registered, used_at, request);
    if let Some(decision) = &mut state.registered.decision {
        (decision.consumed, decision.used_by) = (true, request.key);
    }
    let Some((clause, found)) = found else { return };
    let said = Wording {
        headline: format!("fulfillment of order {} was dispatched although {found}", court.number()),
        expected: EXPECTED.into(),
        found: found.into(),
        evidence: vec![],
    };
    court.breaks(clause, Op::Fulfill, said);
}

/// When the approval was used, in favour of who sends: at the claim where that is seen, else a pause ago.
fn used_at(court: &Court<'_>, state: &OrderState) -> Time {
    let now = court.moment.now;
    match state.op(Op::Fulfill).evidence.first_claim {
        Some(claimed) if court.documented.sees.has(Need::Records) => claimed,
        _ => Time(now.0.saturating_sub(court.documented.limits.p_max)),
    }
}

/// What the approval lacks, if anything.
fn missing(registered: &Registered, now: Time, request: &Request) -> Option<(&'static Clause, &'static str)> {
    let Some(d) = registered.decision else { return Some((&ASKED, "nobody had approved it")) };
    let intent = &registered.intent;
    let reused = d.consumed && (d.used_by != request.key || request.key == 0);
    match () {
        () if !d.granted => Some((&DENIED, "a person had said no")),
        () if d.content != request.content => Some((&CONTENT, "the approval was of other content")),
        () if (request.sku, request.quantity) != (intent.sku, intent.quantity) => {
            Some((&GOODS, "other goods had been approved"))
        }
        () if request.destination != intent.destination => Some((&ADDRESS, "another address had been approved")),
        () if d.operation != 0 && d.operation != request.key => {
            Some((&OPERATION, "the approval was for another operation"))
        }
        () if now.0 >= d.expires => Some((&EXPIRED, "the approval had expired")),
        () if reused => Some((&USED, "the approval had been used already")),
        () => None,
    }
}

/// The first attempt at the carrier is claimed.
pub(crate) fn claimed(court: &mut Court<'_>, state: &OrderState, written: &Written) {
    if written.consumed || !state.registered.decision.is_some_and(|d| d.granted) {
        return;
    }
    let said = Wording {
        headline: format!(
            "fulfillment of order {} was dispatched although the dispatching commit did not use the approval up",
            court.number()
        ),
        expected: EXPECTED.into(),
        found: "the dispatching commit did not use it up".into(),
        evidence: vec![],
    };
    court.breaks(&CONSUMED, Op::Fulfill, said);
}
