//! Effects: charged-once, shipped-once, the goods and money side of the other promises.

use super::list::{CHARGED_ONCE, NOTIFIED_ONCE, PAID_BEFORE_SHIPPED, REFUND_JUSTIFIED, SHIPPED_ONCE, STOCK_CONSERVED};
use super::{Finding, Promises, money};
use crate::intent::Decided;
use crate::status::Proof;
use unacked_mock_providers::fact::{Fact as Effect, What};
use unacked_mock_providers::message::Op;
use unacked_sim::time::Time;
use unacked_sim::verdict::Verdicts;
use unacked_sim::world::Moment;

impl Promises {
    pub(super) fn effect(&mut self, moment: Moment, effect: &Effect, verdicts: &mut Verdicts) {
        let Some(order) = self.index(effect.taint) else {
            return self.stray_effect(moment, effect, verdicts);
        };
        match effect.what {
            What::Captured => self.captured(moment, order, effect, verdicts),
            What::RefundPending => self.refunding(moment, order, effect, true, verdicts),
            What::Refunded => self.refunding(moment, order, effect, false, verdicts),
            What::ShipmentRequested => self.requested(moment, order, effect, verdicts),
            What::ShipmentAccepted => self.accepted(moment, order, effect, verdicts),
            What::Mailed => self.mailed(moment, order, verdicts),
            _ => self.plain(order, effect),
        }
        self.note_legal(moment, order);
    }

    /// Changes that no promise forbids by themselves.
    fn plain(&mut self, order: usize, effect: &Effect) {
        let case = &mut self.cases[order];
        match effect.what {
            What::Held => {
                case.truth.held = effect.amount;
                case.truth.held_until = Time(effect.value);
            }
            What::Renewed => case.truth.held_until = Time(effect.value),
            What::Released | What::HoldExpired => case.truth.held = 0,
            What::ShipmentRejected => {
                case.truth.requested = 0;
                case.registered.causes.cannot_ship = true;
            }
            What::ShipmentCancelled => case.truth.requested = 0,
            What::ChargeDeclined => case.registered.causes.declined = true,
            What::StockRefused => case.registered.causes.no_stock = true,
            What::NotApproved => case.registered.causes.not_approved = true,
            _ => {}
        }
    }

    /// The approval desk decided.
    pub fn decided(&mut self, order: usize, decided: Decided) {
        if let Some(case) = self.cases.get_mut(order) {
            case.registered.decision = Some(decided);
            case.registered.causes.not_approved |= !decided.granted;
            // Our desk writes its decision into the subject's store: it is durable evidence.
            let proof = if decided.granted { Proof::Committed } else { Proof::Rejected };
            case.op_mut(Op::Approve).evidence.record(proof);
        }
    }

    fn captured(&mut self, moment: Moment, order: usize, effect: &Effect, verdicts: &mut Verdicts) {
        let case = &mut self.cases[order];
        let approved = case.registered.intent.amount;
        case.truth.captured += effect.amount;
        case.truth.captures += 1;
        let earlier = std::mem::replace(&mut case.truth.seen[0], moment.event);
        let (net, captures) = (case.truth.net(), case.truth.captures);
        if net <= approved.minor && effect.currency == approved.currency {
            return;
        }
        let finding = Finding {
            promise: &CHARGED_ONCE,
            operation: Op::Charge,
            order,
            headline: format!("order {} was charged {}", order + 1, times(captures)),
            expected: format!("at most {} captured", money(approved.minor, approved.currency)),
            found: format!("{} captured in {captures} charges", money(net, effect.currency)),
            evidence: vec![earlier],
        };
        self.broken(moment, finding, verdicts);
    }

    fn refunding(&mut self, moment: Moment, order: usize, effect: &Effect, pending: bool, verdicts: &mut Verdicts) {
        let truth = &mut self.cases[order].truth;
        if pending {
            truth.refund_pending += effect.amount;
        } else {
            truth.refund_pending = (truth.refund_pending - effect.amount).max(0);
            truth.refunded += effect.amount;
        }
        let live = truth.refunded + truth.refund_pending;
        if live <= truth.captured {
            return;
        }
        let (captured, currency) = (truth.captured, effect.currency);
        let finding = Finding {
            promise: &REFUND_JUSTIFIED,
            operation: Op::Refund,
            order,
            headline: format!("order {} was refunded more than it was charged", order + 1),
            expected: format!("at most {} refunded", money(captured, currency)),
            found: format!("{} refunded or on its way", money(live, currency)),
            evidence: vec![truth.seen[0]],
        };
        self.broken(moment, finding, verdicts);
    }

    fn requested(&mut self, moment: Moment, order: usize, effect: &Effect, verdicts: &mut Verdicts) {
        let truth = &mut self.cases[order].truth;
        truth.requested += effect.amount;
        self.judge_shipped(moment, order, verdicts);
    }

    fn accepted(&mut self, moment: Moment, order: usize, effect: &Effect, verdicts: &mut Verdicts) {
        let truth = &mut self.cases[order].truth;
        truth.accepted += effect.amount;
        truth.requested = (truth.requested - effect.amount).max(0);
        if truth.accepted <= effect.amount {
            truth.held = 0;
        }
        self.judge_shipped(moment, order, verdicts);
        self.judge_paid(moment, order, verdicts);
        self.cases[order].truth.seen[1] = moment.event;
    }

    fn judge_shipped(&self, moment: Moment, order: usize, verdicts: &mut Verdicts) {
        let case = &self.cases[order];
        let live = case.truth.accepted + case.truth.requested;
        let approved = i64::from(case.registered.intent.quantity);
        if live <= approved {
            return;
        }
        let finding = Finding {
            promise: &SHIPPED_ONCE,
            operation: Op::Fulfill,
            order,
            headline: format!("order {} is being shipped twice", order + 1),
            expected: format!("at most {approved} unit(s) live at the carrier"),
            found: format!("{live} unit(s): {} accepted, {} requested", case.truth.accepted, case.truth.requested),
            evidence: vec![case.truth.seen[1]],
        };
        self.broken(moment, finding, verdicts);
    }

    fn judge_paid(&self, moment: Moment, order: usize, verdicts: &mut Verdicts) {
        let case = &self.cases[order];
        let value = case.registered.intent.amount;
        let covered = case.truth.captured - case.truth.refunded - case.truth.refund_pending;
        if covered >= value.minor {
            return;
        }
        let finding = Finding {
            promise: &PAID_BEFORE_SHIPPED,
            operation: Op::Fulfill,
            order,
            headline: format!("order {} was shipped without being paid for", order + 1),
            expected: format!("{} captured when the carrier accepts", money(value.minor, value.currency)),
            found: format!("{} captured and not being refunded", money(covered, value.currency)),
            evidence: vec![case.truth.seen[0]],
        };
        self.broken(moment, finding, verdicts);
    }

    /// The carrier accepted, and there was no live hold to consume.
    pub fn shipped_unheld(&mut self, moment: Moment, order: usize, verdicts: &mut Verdicts) {
        let finding = Finding {
            promise: &STOCK_CONSERVED,
            operation: Op::Fulfill,
            order,
            headline: format!("order {} ships units that nobody holds for it", order + 1),
            expected: "a live hold for the order when the carrier accepts".into(),
            found: "no live hold".into(),
            evidence: vec![],
        };
        self.broken(moment, finding, verdicts);
    }

    fn mailed(&mut self, moment: Moment, order: usize, verdicts: &mut Verdicts) {
        let truth = &mut self.cases[order].truth;
        truth.mails += 1;
        let earlier = std::mem::replace(&mut truth.seen[2], moment.event);
        let mails = truth.mails;
        if mails <= 1 {
            return;
        }
        let finding = Finding {
            promise: &NOTIFIED_ONCE,
            operation: Op::Notify,
            order,
            headline: format!("the customer of order {} was told {}", order + 1, times(mails)),
            expected: "one mail about the order's end".into(),
            found: format!("{mails} mails accepted"),
            evidence: vec![earlier],
        };
        self.broken(moment, finding, verdicts);
    }

    /// An effect that uses nobody's card, address or lot breaks the promise of its kind.
    #[cold]
    fn stray_effect(&self, moment: Moment, effect: &Effect, verdicts: &mut Verdicts) {
        let promise = match effect.what {
            What::Captured => &CHARGED_ONCE,
            What::ShipmentRequested | What::ShipmentAccepted => &SHIPPED_ONCE,
            What::RefundPending | What::Refunded => &REFUND_JUSTIFIED,
            What::Mailed => &NOTIFIED_ONCE,
            _ => return,
        };
        let finding = Finding {
            promise,
            operation: effect.what.op(),
            order: usize::MAX,
            headline: format!("{} for no order at all", effect.what.name()),
            expected: "every effect belongs to an authorised order".into(),
            found: "an effect that names nobody's card, address or lot".into(),
            evidence: vec![],
        };
        self.broken(moment, finding, verdicts);
    }

    /// Remembers since when the truth is a legal end.
    pub(super) fn note_legal(&mut self, moment: Moment, order: usize) {
        let case = &mut self.cases[order];
        let legal = case.is_delivered() || case.is_refused(moment.now);
        match (legal, case.legal_since) {
            (true, None) => case.legal_since = Some(moment.now),
            (false, Some(_)) => case.legal_since = None,
            _ => {}
        }
    }
}

fn times(n: u32) -> String {
    match n {
        1 => "once".into(),
        2 => "twice".into(),
        n => format!("{n} times"),
    }
}
