//! The final state: record-true, intent-honoured, notified-once, handoff-visible, finishes.

use super::case::Case;
use super::list::{FINISHES, HANDOFF_VISIBLE, INTENT_HONOURED, NOTIFIED_ONCE, RECORD_TRUE, STOCK_CONSERVED};
use super::wire::Words;
use super::{Promises, at, money};
use unacked_mock_providers::message::Op;
use unacked_sim::time::Time;
use unacked_sim::verdict::Verdicts;
use unacked_sim::world::Moment;
use unacked_workflow::order::{Cause, End, Status as Written};

/// What is true about the stock of all lines together, in units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stock {
    /// At the beginning.
    pub initial: i64,
    /// Now available.
    pub available: i64,
    /// Now held.
    pub held: i64,
    /// Shipped.
    pub consumed: i64,
}

impl Promises {
    /// Judges the final state. `calm`: when the faults stopped.
    pub fn finish(&mut self, moment: Moment, calm: Time, stock: Stock, verdicts: &mut Verdicts) {
        for order in 0..self.cases.len() {
            self.note_legal(moment, order);
            self.judge_end(moment, order, verdicts);
            self.judge_records(moment, order, verdicts);
            self.judge_told(moment, order, verdicts);
            self.judge_bound(moment, order, calm, verdicts);
        }
        self.judge_stock(moment, stock, verdicts);
    }

    fn judge_end(&self, moment: Moment, order: usize, verdicts: &mut Verdicts) {
        let case = &self.cases[order];
        if case.is_delivered() || case.is_refused(moment.now) || case.handoff.is_some() {
            return;
        }
        match case.end {
            Some((end, _)) => self.false_end(moment, order, end, verdicts),
            None if !self.terms.sees_store && case.is_untouched() => self.lost(moment, order, verdicts),
            None => self.stuck(moment, order, verdicts),
        }
    }

    /// The order ended, but neither took effect nor was refused for a cause that was true.
    fn false_end(&self, moment: Moment, order: usize, end: End, verdicts: &mut Verdicts) {
        let case = &self.cases[order];
        self.unentitled(
            moment,
            &INTENT_HONOURED,
            Op::Charge,
            order,
            verdicts,
            Words {
                headline: format!("order {} ended as {} but is not", order + 1, ended(end)),
                expected: "delivered as approved, or refused for a true cause with nothing left behind".into(),
                found: truth(case),
                evidence: case.truth.seen.to_vec(),
            },
        );
    }

    fn lost(&self, moment: Moment, order: usize, verdicts: &mut Verdicts) {
        self.unentitled(
            moment,
            &INTENT_HONOURED,
            Op::Charge,
            order,
            verdicts,
            Words {
                headline: format!("order {} was lost", order + 1),
                expected: "the order takes effect, is refused for a true cause, or is handed to a person".into(),
                found: "nothing was ever charged, shipped or refused".into(),
                evidence: vec![],
            },
        );
    }

    fn stuck(&self, moment: Moment, order: usize, verdicts: &mut Verdicts) {
        let case = &self.cases[order];
        let open = [Op::Charge, Op::Fulfill, Op::Refund].into_iter().find(|&op| case.op(op).is_open_in_records());
        if let Some(op) = open.filter(|_| self.terms.sees_store) {
            return self.unentitled(
                moment,
                &HANDOFF_VISIBLE,
                op,
                order,
                verdicts,
                Words {
                    headline: format!(
                        "{} of order {} stayed unresolved, and no operator was told",
                        op.name(),
                        order + 1
                    ),
                    expected: "an entry in the operator queue once no automatic step is left".into(),
                    found: truth(case),
                    evidence: vec![case.op(op).sent_event],
                },
            );
        }
        self.unfinished(moment, order, "it never did", verdicts);
    }

    fn unfinished(&self, moment: Moment, order: usize, found: &str, verdicts: &mut Verdicts) {
        let case = &self.cases[order];
        self.unentitled(
            moment,
            &FINISHES,
            Op::Fulfill,
            order,
            verdicts,
            Words {
                headline: format!("order {} did not reach a legal end in time", order + 1),
                expected: format!("a legal end within {} of the last fault", self.terms.finish_bound),
                found: format!("{found}: {}", truth(case)),
                evidence: case.truth.seen.to_vec(),
            },
        );
    }

    fn judge_bound(&self, moment: Moment, order: usize, calm: Time, verdicts: &mut Verdicts) {
        let case = &self.cases[order];
        let recorded = case.end.map(|(_, at)| at);
        let reached = if self.terms.sees_store { recorded } else { case.legal_since };
        let Some(reached) = reached else { return };
        if reached > calm + self.terms.finish_bound && !case.handed_off {
            self.unfinished(moment, order, &format!("reached at {}", at(reached)), verdicts);
        }
    }

    /// What is final in the records is true.
    fn judge_records(&self, moment: Moment, order: usize, verdicts: &mut Verdicts) {
        let case = &self.cases[order];
        let Some((op, found)) = untrue(case, moment.now) else { return };
        self.unentitled(
            moment,
            &RECORD_TRUE,
            op,
            order,
            verdicts,
            Words {
                headline: format!("the record of order {} is not true: {found}", order + 1),
                expected: "records that agree with the providers' ledgers after the drain".into(),
                found: truth(case),
                evidence: case.truth.seen.to_vec(),
            },
        );
    }

    fn judge_told(&self, moment: Moment, order: usize, verdicts: &mut Verdicts) {
        let case = &self.cases[order];
        if case.end.is_none() || case.truth.mails > 0 || case.notification_unknown {
            return;
        }
        self.unentitled(
            moment,
            &NOTIFIED_ONCE,
            Op::Notify,
            order,
            verdicts,
            Words {
                headline: format!("the customer of order {} was never told how it ended", order + 1),
                expected: "one mail, or a record that says the notification is unknown".into(),
                found: "no mail, and nothing about it in the record".into(),
                evidence: vec![],
            },
        );
    }

    fn judge_stock(&self, moment: Moment, stock: Stock, verdicts: &mut Verdicts) {
        let Stock { initial, available, held, consumed } = stock;
        let open = self.cases.iter().any(|c| c.handoff.is_some() || c.end.is_none() && !c.is_delivered());
        let balanced = available + held + consumed == initial;
        if balanced && (held == 0 || open) {
            return;
        }
        self.unentitled(
            moment,
            &STOCK_CONSERVED,
            Op::Reserve,
            0,
            verdicts,
            Words {
                headline: "the stock does not add up".into(),
                expected: format!(
                    "available + held + consumed = {initial}, and nothing held for orders that have ended"
                ),
                found: format!("{available} available, {held} held, {consumed} consumed"),
                evidence: vec![],
            },
        );
    }
}

impl super::case::OpCase {
    fn is_open_in_records(&self) -> bool {
        self.written.is_open()
    }
}

/// The first record that the truth contradicts.
fn untrue(case: &Case, now: Time) -> Option<(Op, String)> {
    let charge = case.op(Op::Charge).written;
    let fulfill = case.op(Op::Fulfill).written;
    match (charge, fulfill) {
        (Written::Completed, _) if case.truth.captured == 0 => {
            Some((Op::Charge, "charge completed, nothing captured".into()))
        }
        (Written::Rejected, _) if case.truth.captured > 0 => {
            Some((Op::Charge, "charge rejected, money captured".into()))
        }
        (_, Written::Completed) if case.truth.accepted == 0 => {
            Some((Op::Fulfill, "fulfillment completed, nothing accepted".into()))
        }
        (_, Written::Rejected) if case.truth.accepted + case.truth.requested > 0 => {
            Some((Op::Fulfill, "fulfillment rejected, units on their way".into()))
        }
        _ => untrue_end(case, now),
    }
}

fn untrue_end(case: &Case, now: Time) -> Option<(Op, String)> {
    match case.end? {
        (End::Delivered, _) if !case.is_delivered() => Some((Op::Fulfill, "ended as delivered".into())),
        (End::Refused(cause), _) if !case.is_refused(now) => Some((Op::Refund, format!("ended as {}", refused(cause)))),
        _ => None,
    }
}

/// A recorded end in words: `delivered`, `refused (out of stock)`.
pub fn ended(end: End) -> String {
    match end {
        End::Delivered => "delivered".into(),
        End::Refused(cause) => refused(cause),
    }
}

fn refused(cause: Cause) -> String {
    let why = match cause {
        Cause::NoStock => "out of stock",
        Cause::Declined => "payment declined",
        Cause::NotApproved => "not approved",
        Cause::CannotShip => "cannot be shipped",
    };
    format!("refused ({why})")
}

/// The truth about an order in one line.
fn truth(case: &Case) -> String {
    let t = &case.truth;
    let currency = case.registered.intent.amount.currency;
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
