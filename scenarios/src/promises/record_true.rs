//! record-true: what is written down is known, and what is final is true.

use crate::clause::{Clause, promise};
use crate::court::{Court, Wording};
use crate::fact::Written;
use crate::known::order_state::OrderState;
use crate::status::Knowledge;
use crate::telling::{refused, truth};
use unacked_mock_providers::message::Op;
use unacked_sim::time::Time;
use unacked_workflow::order::{End, Status as Recorded};

promise! {
    "record-true", AtTheEnd, "R10 R16 R22",
        "each step from unknown to something is entitled when it is written, and what is final in the records is true";
    COMPLETED = "completed", Always, [Records], "R10 R22",
        "an operation is recorded as completed by one who knows that it is";
    REJECTED = "rejected", Always, [Records], "R10 R22",
        "an operation is recorded as rejected by one who knows that it had no effect";
    PENDING = "pending", Always, [Records], "R10",
        "an operation is recorded as pending by one who was told so";
    CHARGE = "charge", AtTheEnd, [Records, Effects], "R16",
        "a charge's final record agrees with the money";
    FULFILLMENT = "fulfillment", AtTheEnd, [Records, Effects], "R16",
        "a fulfillment's final record agrees with the goods";
    CAUSE = "cause", AtTheEnd, [Records, Effects], "R22",
        "the recorded cause of a refusal is one that came true";
    END = "end", AtTheEnd, [Records, Effects], "R16 R22",
        "the recorded end is what became of the order";
}

/// A status is written.
pub(crate) fn step(court: &mut Court<'_>, state: &OrderState, op: Op, written: &Written) {
    let known = state.op(op).status(written.node);
    let Some(clause) = unentitled(written.after.status, known) else { return };
    if matches!(op, Op::ReadStock | Op::Approve) {
        return;
    }
    let status = written.after.status.name();
    let said = Wording {
        headline: format!("order {} records {} as {status} while it is {}", court.number(), op.name(), known.name()),
        expected: "a step that the evidence supports".into(),
        found: format!("recorded {status}; by the evidence {}", known.name()),
        evidence: vec![state.op(op).sent_event],
    };
    court.breaks(clause, op, said);
}

/// The clause that a step breaks, by what is known.
fn unentitled(step: Recorded, known: Knowledge) -> Option<&'static Clause> {
    let (clause, entitled): (&'static Clause, bool) = match step {
        Recorded::Planned | Recorded::Dispatched | Recorded::Unknown => return None,
        Recorded::Completed => (&COMPLETED, known == Knowledge::Committed),
        Recorded::Rejected => (&REJECTED, matches!(known, Knowledge::Rejected | Knowledge::NotSent)),
        Recorded::Pending => (&PENDING, known != Knowledge::Open),
    };
    (!entitled).then_some(clause)
}

/// The run is over.
pub(crate) fn ended(court: &mut Court<'_>, state: &OrderState) {
    let Some((clause, op, found)) = untrue(state, court.moment.now) else { return };
    let said = Wording {
        headline: format!("the record of order {} is not true: {found}", court.number()),
        expected: "records that agree with the providers' ledgers after the drain".into(),
        found: truth(state),
        evidence: state.facts.seen.to_vec(),
    };
    court.breaks(clause, op, said);
}

/// The first record that the truth contradicts.
fn untrue(state: &OrderState, now: Time) -> Option<(&'static Clause, Op, String)> {
    let facts = &state.facts;
    match (state.op(Op::Charge).written, state.op(Op::Fulfill).written) {
        (Recorded::Completed, _) if facts.captured == 0 => {
            Some((&CHARGE, Op::Charge, "charge completed, nothing captured".into()))
        }
        (Recorded::Rejected, _) if facts.captured > 0 => {
            Some((&CHARGE, Op::Charge, "charge rejected, money captured".into()))
        }
        (_, Recorded::Completed) if facts.accepted == 0 => {
            Some((&FULFILLMENT, Op::Fulfill, "fulfillment completed, nothing accepted".into()))
        }
        (_, Recorded::Rejected) if facts.live() > 0 => {
            Some((&FULFILLMENT, Op::Fulfill, "fulfillment rejected, units on their way".into()))
        }
        _ => untrue_end(state, now),
    }
}

fn untrue_end(state: &OrderState, now: Time) -> Option<(&'static Clause, Op, String)> {
    match state.end?.0 {
        End::Delivered if !state.is_delivered() => Some((&END, Op::Fulfill, "ended as delivered".into())),
        End::Refused(cause) if !state.is_refused(now) => {
            Some((&END, Op::Refund, format!("ended as {}", refused(cause))))
        }
        End::Refused(cause) if !state.registered.causes.has(cause) => {
            Some((&CAUSE, Op::Refund, format!("ended as {}", refused(cause))))
        }
        _ => None,
    }
}
