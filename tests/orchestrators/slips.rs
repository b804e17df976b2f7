//! Mistakes of one rule each, with the promise that catches them.

use crate::order::rules::{Heard, Next, Rules, Terms, done, usual};
use crate::order::state::{Entry, Outcome, State, Step};
use unacked::prelude::*;

/// A card, an address, a lot that no order knows.
const NOBODY: u32 = u32::MAX;

/// What is done wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slip {
    FreshKey,
    SharedKey,
    KeyOfTheOrder,
    OtherAmount,
    OtherCurrency,
    HalfRefund,
    OtherAddress,
    NoWriteAhead,
    NoApproval,
    NoReservation,
    NoMail,
    TellsEarly,
    NotFoundIsGone,
    SilenceIsNo,
    SilenceIsDone,
    PendingIsDone,
    RefusalIsFinal,
    IgnoresWindow,
    RepeatsMail,
    IgnoresHold,
    KeepsTheMoney,
    HandsOffAtOnce,
    NeverHandsOff,
    Unfenced,
    OtherDestination,
    OtherGoods,
    OtherWords,
    IgnoresNo,
    YesIsForEver,
    Nobodys(Op),
    WaitsForWeeks,
    HandsOffUnsent,
    OtherKeyOnTheWire,
    AmountDrifts,
    TriesADeclinedCard,
    OtherCause,
    SilenceIsPending,
    RefundWithoutKey,
    RefundUnderTheChargesKey,
    FreshRefundKey,
    FreshShipmentKey,
    KeepsTheHold,
    TendsWhatAPersonHas,
}

/// A mistake, where it is made, what must catch it, and what its story must name.
pub(crate) struct Row {
    pub(crate) slip: Slip,
    pub(crate) scenario: &'static str,
    pub(crate) promise: &'static str,
    pub(crate) story: &'static [&'static str],
}

const fn row(slip: Slip, scenario: &'static str, promise: &'static str, story: &'static [&'static str]) -> Row {
    Row { slip, scenario, promise, story }
}

/// All of them.
pub(crate) const TABLE: &[Row] = &[
    row(Slip::FreshKey, "checkout", "charged-once", &["charge order 1, key"]),
    row(Slip::SharedKey, "tests/orchestrators/stock-for-both.toml", "key-stable", &["charge order"]),
    row(Slip::KeyOfTheOrder, "checkout", "finishes", &["reserve order 1, key"]),
    row(Slip::OtherAmount, "checkout", "charged-once", &["charge order 1, key"]),
    row(Slip::OtherCurrency, "checkout", "charged-once", &["charge order 1, key"]),
    row(Slip::HalfRefund, "checkout", "refund-justified", &["refund order 1, key"]),
    row(Slip::OtherAddress, "checkout", "approved-only", &["fulfill order 1, key"]),
    row(Slip::NoWriteAhead, "checkout", "key-durable", &["charge order 1, key"]),
    row(Slip::NoApproval, "checkout", "approved-only", &["fulfill"]),
    row(Slip::NoReservation, "checkout", "stock-conserved", &["fulfill"]),
    row(Slip::NoMail, "checkout", "notified-once", &["never told"]),
    row(Slip::TellsEarly, "checkout", "told-true", &["notify order 1, key"]),
    row(Slip::NotFoundIsGone, "checkout", "charged-once", &["charge order 1, key"]),
    row(Slip::SilenceIsNo, "checkout", "record-true", &["charge"]),
    row(Slip::SilenceIsDone, "checkout", "record-true", &["charge"]),
    row(Slip::PendingIsDone, "checkout", "approved-only", &["fulfill"]),
    row(Slip::RefusalIsFinal, "checkout", "record-true", &["fulfill"]),
    row(Slip::IgnoresWindow, "approval-week", "key-window", &["charge order 1, key"]),
    row(Slip::RepeatsMail, "checkout", "notified-once", &["notify order 1, key"]),
    row(Slip::IgnoresHold, "checkout", "stock-conserved", &["fulfill"]),
    row(Slip::KeepsTheMoney, "checkout", "intent-honoured", &["captured"]),
    row(Slip::HandsOffAtOnce, "checkout", "handoff-justified", &["handed"]),
    row(Slip::NeverHandsOff, "two-workers", "handoff-visible", &["fulfill order 1, key"]),
    row(Slip::Unfenced, "two-workers", "owner-only", &["worker"]),
    row(Slip::OtherDestination, "checkout", "approved-only", &["fulfill order 1, key"]),
    row(Slip::OtherGoods, "checkout", "shipped-once", &["fulfill order 1, key"]),
    row(Slip::OtherWords, "checkout", "told-true", &["notify order 1, key"]),
    row(Slip::IgnoresNo, "checkout", "approved-only", &["fulfill order 1, key"]),
    row(Slip::YesIsForEver, "no-dedup-carrier", "approved-only", &["fulfill order 1, key"]),
    row(Slip::Nobodys(Op::Charge), "checkout", "charged-once", &["charge"]),
    row(Slip::Nobodys(Op::Fulfill), "checkout", "shipped-once", &["shipment"]),
    row(Slip::Nobodys(Op::Notify), "checkout", "notified-once", &["notify"]),
    row(Slip::WaitsForWeeks, "checkout", "finishes", &["approve order 1, key"]),
    row(Slip::HandsOffUnsent, "checkout", "handoff-justified", &["handed"]),
    row(Slip::OtherKeyOnTheWire, "checkout", "key-durable", &["charge order 1, key"]),
    row(Slip::AmountDrifts, "checkout", "key-stable", &["charge order 1, key"]),
    row(Slip::TriesADeclinedCard, "checkout", "key-stable", &["charge order 1, key"]),
    row(Slip::OtherCause, "checkout", "told-true", &["notify order 1, key"]),
    row(Slip::OtherCause, "checkout", "record-true", &["ended as refused"]),
    row(Slip::SilenceIsPending, "checkout", "record-true", &["charge"]),
    row(Slip::RefundWithoutKey, "checkout", "refund-justified", &["refund order 1"]),
    row(Slip::RefundUnderTheChargesKey, "checkout", "refund-justified", &["refund order 1, key"]),
    row(Slip::FreshRefundKey, "checkout", "key-stable", &["refund order 1, key"]),
    row(Slip::FreshShipmentKey, "checkout", "shipped-once", &["fulfill order 1, key"]),
    row(Slip::KeepsTheHold, "tests/orchestrators/hold-for-ever.toml", "stock-conserved", &["held"]),
    row(Slip::TendsWhatAPersonHas, "no-dedup-carrier", "handoff-visible", &["renew order 1, key"]),
];

/// All rules but one are those of [`Right`](crate::order::rules::Right).
struct Usual;

impl Rules for Usual {}

impl Rules for Slip {
    fn key(&self, order: u32, op: Op, step: &Step) -> u64 {
        match self {
            Slip::FreshKey if op == Op::Charge => Usual.key(order, op, step) + 10_000 * u64::from(step.tries),
            Slip::FreshRefundKey if op == Op::Refund => Usual.key(order, op, step) + 10_000 * u64::from(step.tries),
            Slip::FreshShipmentKey if op == Op::Fulfill => Usual.key(order, op, step) + 10_000 * u64::from(step.tries),
            Slip::RefundUnderTheChargesKey if op == Op::Refund => Usual.key(order, Op::Charge, step),
            Slip::SharedKey if op == Op::Charge => Usual.key(0, op, step),
            Slip::KeyOfTheOrder => Usual.key(order, op, &Step::default()),
            _ => Usual.key(order, op, step),
        }
    }

    fn on_the_wire(&self, op: Op, key: u64) -> u64 {
        match (self, op) {
            (Slip::OtherKeyOnTheWire, Op::Charge) => key + 50,
            (Slip::RefundWithoutKey, Op::Refund) => 0,
            _ => key,
        }
    }

    fn cause(&self, cause: Cause) -> Cause {
        if *self == Slip::OtherCause { Cause::NoStock } else { cause }
    }

    fn rests(&self, state: &State) -> bool {
        *self != Slip::TendsWhatAPersonHas && Usual.rests(state)
    }

    fn request(&self, request: Request, step: &Step) -> Request {
        match (self, request.op) {
            (Slip::AmountDrifts, Op::Charge) => Request { amount: request.amount + i64::from(step.tries), ..request },
            (Slip::OtherDestination, Op::Fulfill) => Request { destination: request.destination + 1, ..request },
            (Slip::OtherGoods, Op::Fulfill) => Request { quantity: request.quantity + 1, ..request },
            (Slip::OtherWords, Op::Notify) => Request { content: request.content ^ 1, ..request },
            (Slip::Nobodys(of), op) if *of == op => Request { taint: NOBODY, ..request },
            (Slip::OtherAmount, Op::Charge) => Request { amount: request.amount * 100, ..request },
            (Slip::OtherCurrency, Op::Charge) => Request { currency: *b"USD", ..request },
            (Slip::HalfRefund, Op::Refund) => Request { amount: request.amount / 2, ..request },
            (Slip::OtherAddress, Op::Fulfill) => Request { content: request.content ^ 1, ..request },
            _ => request,
        }
    }

    fn writes_ahead(&self, op: Op) -> bool {
        *self != Slip::NoWriteAhead || op != Op::Charge
    }

    fn takes(&self, op: Op) -> bool {
        !matches!(
            (self, op),
            (Slip::NoApproval, Op::Approve) | (Slip::NoReservation, Op::Reserve) | (Slip::NoMail, Op::Notify)
        )
    }

    fn tells_early(&self) -> bool {
        *self == Slip::TellsEarly
    }

    fn next(&self, op: Op, step: &Step, heard: &Heard, now: Time, terms: &Terms) -> Next {
        match self {
            Slip::HandsOffUnsent if step.sends == 0 && op == Op::Fulfill => Next::HandOff,
            Slip::HandsOffAtOnce if step.sends > 0 && !step.pending && op == Op::Charge => Next::HandOff,
            _ => usual(self, op, step, heard, now, terms),
        }
    }

    fn covers(&self, step: &Step, now: Time, terms: &Terms) -> bool {
        match self {
            Slip::IgnoresWindow => terms.tool.dedup != Dedup::None && step.tries < terms.attempts,
            Slip::RepeatsMail if terms.tool.dedup == Dedup::None => step.tries < terms.attempts,
            _ => Usual.covers(step, now, terms),
        }
    }

    fn deadline(&self, op: Op, covered: bool, terms: &Terms) -> Span {
        if *self == Slip::NeverHandsOff { Span::NEVER } else { Usual.deadline(op, covered, terms) }
    }

    fn answered(&self, op: Op, step: &Step, reply: &Reply, terms: &Terms) -> Option<Outcome> {
        match (self, reply.says) {
            (Slip::PendingIsDone, Says::Pending) => Some(for_ever(reply)),
            (Slip::RefusalIsFinal, Says::Declined) => Some(Outcome::Refused),
            (Slip::TriesADeclinedCard, Says::Declined) if op == Op::Charge => Some(Outcome::Absent),
            (Slip::IgnoresNo, Says::Declined) if op == Op::Approve => Some(for_ever(reply)),
            _ => Usual.answered(op, step, reply, terms),
        }
    }

    fn looked_up(&self, op: Op, step: &Step, reply: &Reply, asked: Time, terms: &Terms) -> Option<Outcome> {
        match (self, reply.says) {
            (Slip::PendingIsDone, Says::Pending) => Some(for_ever(reply)),
            (Slip::NotFoundIsGone, Says::NotFound) => Some(Outcome::Absent),
            (Slip::IgnoresNo, Says::Declined) if op == Op::Approve => Some(for_ever(reply)),
            _ => Usual.looked_up(op, step, reply, asked, terms),
        }
    }

    fn unanswered(&self, op: Op) -> Option<Entry> {
        let settled = |outcome| Some(Entry::Settled { op, outcome });
        match self {
            _ if op != Op::Charge => None,
            Slip::SilenceIsNo => settled(Outcome::Refused),
            Slip::SilenceIsDone => settled(Outcome::Done { reference: 1, until: Time::ZERO }),
            Slip::SilenceIsPending => Some(Entry::Pending { op }),
            _ => None,
        }
    }

    fn may_ship(&self, state: &State, now: Time, terms: &Terms) -> bool {
        match self {
            Slip::YesIsForEver => self.holds(state, now + terms.travel()) && state.is_done(Op::Approve),
            _ => {
                let margin = terms.travel();
                self.holds(state, now + margin) && (!self.takes(Op::Approve) || state.approved_until > now + margin)
            }
        }
    }

    fn pause(&self, op: Op, rounds: u32) -> Span {
        match self {
            Slip::WaitsForWeeks if op == Op::Approve => Span::days(30),
            _ => Usual.pause(op, rounds),
        }
    }

    fn holds(&self, state: &State, until: Time) -> bool {
        match self {
            Slip::IgnoresHold => state.reference(Op::Reserve) != 0,
            Slip::NoReservation => true,
            _ => Usual.holds(state, until),
        }
    }

    fn undoes(&self, state: &State, now: Time) -> Option<Op> {
        match self {
            Slip::KeepsTheMoney => None,
            Slip::KeepsTheHold => Usual.undoes(state, now).filter(|&op| op != Op::Release),
            _ => Usual.undoes(state, now),
        }
    }
}

fn for_ever(reply: &Reply) -> Outcome {
    match done(reply) {
        Outcome::Done { reference, .. } => Outcome::Done { reference, until: Time::NEVER },
        outcome => outcome,
    }
}
