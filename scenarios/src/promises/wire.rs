//! The wire: what leaves, and what answers establish. paid-before-shipped, refund-justified,
//! stock-conserved (releases), key-durable, key-stable, key-window (without records), owner-only,
//! bounded-attempts, and that a hand-off blocks new mutations.

use super::case::{Case, OpCase, tool_of};
use super::list::{
    BOUNDED_ATTEMPTS, HANDOFF_VISIBLE, KEY_DURABLE, KEY_STABLE, KEY_WINDOW, OWNER_ONLY, PAID_BEFORE_SHIPPED,
    REFUND_JUSTIFIED, STOCK_CONSERVED,
};
use super::{Finding, Promises, at, money};
use crate::status::{Proof, Status};
use unacked_mock_providers::message::{Ask, Op, Reply, Request, Says};
use unacked_sim::mix::fold;
use unacked_sim::time::{Span, Time};
use unacked_sim::verdict::{Promise, Verdicts};
use unacked_sim::world::{Moment, NodeId, Received};
use unacked_workflow::tool::Tool;

/// What must not change under one key: everything a provider would see, but never the taint.
fn payload(r: &Request) -> u64 {
    let money = r.amount as u64
        ^ u64::from(r.currency[0]) << 40
        ^ u64::from(r.currency[1]) << 48
        ^ u64::from(r.currency[2]) << 56;
    let goods = u64::from(r.sku) << 32 | u64::from(r.quantity);
    fold(money ^ 0x51, goods ^ 0x7f) ^ fold(r.reference ^ 0x33, r.content ^ 0x1d)
}

impl Promises {
    pub(super) fn send(&mut self, moment: Moment, node: NodeId, request: &Request, verdicts: &mut Verdicts) {
        let Some(order) = self.index(request.taint) else { return };
        let op = request.op;
        if request.ask == Ask::Lookup {
            self.cases[order].op_mut(op).asked = moment.now;
            return;
        }
        if op == Op::ReadStock {
            return self.count_read(moment, order);
        }
        self.judge_owner(moment, node, order, op, verdicts);
        self.judge_durable(moment, order, request, verdicts);
        self.judge_entitled(moment, node, order, request, verdicts);
        // An old owner finishes a send of a generation left behind: not the current one's business.
        if self.cases[order].op(op).is_leftover(request.key) {
            return;
        }
        self.judge_handed_off(moment, order, request, verdicts);
        self.judge_key(moment, node, order, request, verdicts);
        self.count_send(moment, order, request, verdicts);
    }

    // ---- who, and whether it was claimed

    /// A stale owner may finish the one send it durably claimed, and nothing else (R6).
    fn judge_owner(&mut self, moment: Moment, node: NodeId, order: usize, op: Op, verdicts: &mut Verdicts) {
        if !self.terms.sees_store {
            return;
        }
        let case = &mut self.cases[order];
        // Who keeps no claims has no owner to be.
        let Some(owner) = case.owner else { return };
        let unsent = &mut case.op_mut(op).unsent[usize::from(node.0)];
        if *unsent > 0 {
            *unsent -= 1;
        } else if owner != node {
            let finding = Finding {
                promise: &OWNER_ONLY,
                operation: op,
                order,
                headline: format!("a worker that no longer owns order {} sent {}", order + 1, op.name()),
                expected: "only the newest owner sends, or an old one what it had claimed".into(),
                found: "a send without a claim, by an old owner".into(),
                evidence: vec![],
            };
            self.broken(moment, finding, verdicts);
        }
    }

    /// Operation, key and arguments are committed before the first byte leaves (R3).
    fn judge_durable(&self, moment: Moment, order: usize, request: &Request, verdicts: &mut Verdicts) {
        let op = self.cases[order].op(request.op);
        if !self.terms.sees_store || (request.key != 0 && op.claimed.contains(&request.key)) {
            return;
        }
        let finding = Finding {
            promise: &KEY_DURABLE,
            operation: request.op,
            order,
            headline: format!("{} of order {} left before its key was durable", request.op.name(), order + 1),
            expected: "a durable record of operation, key and arguments before the first byte".into(),
            found: if op.claims == 0 { "no record of the dispatch".into() } else { "a record with another key".into() },
            evidence: vec![],
        };
        self.broken(moment, finding, verdicts);
    }

    // ---- whether the node was entitled to it

    fn judge_entitled(&self, moment: Moment, node: NodeId, order: usize, request: &Request, verdicts: &mut Verdicts) {
        match request.op {
            Op::Fulfill => self.judge_paid_first(moment, node, order, verdicts),
            Op::Refund => self.judge_refund(moment, node, order, request, verdicts),
            Op::Release => self.judge_release(moment, node, order, verdicts),
            _ => {}
        }
    }

    fn judge_paid_first(&self, moment: Moment, node: NodeId, order: usize, verdicts: &mut Verdicts) {
        let charge = self.cases[order].op(Op::Charge);
        let known = charge.status(node);
        if known == Status::Committed {
            return;
        }
        self.unentitled(
            moment,
            &PAID_BEFORE_SHIPPED,
            Op::Fulfill,
            order,
            verdicts,
            Words {
                headline: format!(
                    "fulfillment of order {} was requested while its charge was {}",
                    order + 1,
                    known.name()
                ),
                expected: "an established charge before fulfillment is requested".into(),
                found: format!("charge {}", known.name()),
                evidence: vec![charge.sent_event],
            },
        );
    }

    fn judge_refund(&self, moment: Moment, node: NodeId, order: usize, request: &Request, verdicts: &mut Verdicts) {
        let case = &self.cases[order];
        let Some(found) = unjustified(case, node, request) else { return };
        self.unentitled(
            moment,
            &REFUND_JUSTIFIED,
            Op::Refund,
            order,
            verdicts,
            Words {
                headline: format!("order {} was refunded without justification: {found}", order + 1),
                expected: "an established charge, a true decision to cancel, and no fulfillment that could still come"
                    .into(),
                found,
                evidence: vec![case.op(Op::Charge).sent_event],
            },
        );
    }

    fn judge_release(&self, moment: Moment, node: NodeId, order: usize, verdicts: &mut Verdicts) {
        let case = &self.cases[order];
        let unsettled = [Op::Charge, Op::Fulfill].into_iter().find(|&op| case.op(op).status(node).is_unsettled());
        let Some(op) = unsettled else { return };
        let known = case.op(op).status(node);
        self.unentitled(
            moment,
            &STOCK_CONSERVED,
            Op::Release,
            order,
            verdicts,
            Words {
                headline: format!(
                    "stock of order {} was released while its {} was {}",
                    order + 1,
                    op.name(),
                    known.name()
                ),
                expected: "no release while charge or fulfillment is unknown".into(),
                found: format!("{} {}", op.name(), known.name()),
                evidence: vec![case.op(op).sent_event],
            },
        );
    }

    #[cold]
    pub(super) fn unentitled(
        &self,
        moment: Moment,
        promise: &'static Promise,
        operation: Op,
        order: usize,
        verdicts: &mut Verdicts,
        words: Words,
    ) {
        let Words { headline, expected, found, evidence } = words;
        self.broken(moment, Finding { promise, operation, order, headline, expected, found, evidence }, verdicts);
    }

    /// A hand-off blocks new mutating operations; covered same-key replays stay allowed (R20).
    fn judge_handed_off(&self, moment: Moment, order: usize, request: &Request, verdicts: &mut Verdicts) {
        let case = &self.cases[order];
        let Some((about, since)) = case.handoff else { return };
        let op = case.op(request.op);
        if op.sends > 0 && op.key == request.key
            || op.claims > 0 && moment.now <= since + self.terms.horizon(Tool::Charge).arrival
        {
            return;
        }
        self.unentitled(
            moment,
            &HANDOFF_VISIBLE,
            request.op,
            order,
            verdicts,
            Words {
                headline: format!(
                    "order {} went on with {} although it waits for an operator",
                    order + 1,
                    request.op.name()
                ),
                expected: "no new mutation while an operation is handed off".into(),
                found: format!("{} handed off at {}, then a new {}", about.name(), at(since), request.op.name()),
                evidence: vec![],
            },
        );
    }

    // ---- keys

    fn judge_key(&mut self, moment: Moment, node: NodeId, order: usize, request: &Request, verdicts: &mut Verdicts) {
        let window = self.terms.window(tool_of(request.op));
        let op = *self.cases[order].op(request.op);
        if op.key == 0 {
            return;
        }
        if request.key != op.key {
            self.judge_rotation(Spot { moment, node, order }, request, &op, window.is_some(), verdicts);
        } else if window.is_some() && payload(request) != op.payload {
            self.unentitled(
                moment,
                &KEY_STABLE,
                request.op,
                order,
                verdicts,
                Words {
                    headline: format!(
                        "{} of order {} was repeated under its key with other arguments",
                        request.op.name(),
                        order + 1
                    ),
                    expected: "one payload per key".into(),
                    found: "the same key with a different payload".into(),
                    evidence: vec![op.sent_event],
                },
            );
        } else if let Some(window) = window.filter(|_| !self.terms.sees_store) {
            self.judge_window(Spot { moment, node, order }, request.op, window, Span::ZERO, verdicts);
        }
    }

    /// A new key while the old one may still have effect (R3).
    fn judge_rotation(
        &mut self,
        Spot { moment, node, order }: Spot,
        request: &Request,
        op: &OpCase,
        keyed: bool,
        verdicts: &mut Verdicts,
    ) {
        let known = op.status(node);
        let settled = matches!(known, Status::Rejected | Status::NotSent);
        let repeats = matches!(request.op, Op::Renew | Op::Approve | Op::Reserve);
        if !(settled || repeats && known == Status::Committed) {
            let words = |expected: &str| Words {
                headline: format!(
                    "{} of order {} was sent under a new key while the old one was {}",
                    request.op.name(),
                    order + 1,
                    known.name()
                ),
                expected: expected.into(),
                found: format!("a second key; the first is {}", known.name()),
                evidence: vec![op.sent_event],
            };
            if keyed {
                let words = words("one key until the operation is known to have ended without effect");
                self.unentitled(moment, &KEY_STABLE, request.op, order, verdicts, words);
            }
            let words = words("at most one open generation per operation");
            self.unentitled(moment, &BOUNDED_ATTEMPTS, request.op, order, verdicts, words);
        }
        let case = self.cases[order].op_mut(request.op);
        if case.claimed[0] != request.key {
            case.renew();
        }
        case.key = 0;
        case.sends = 0;
    }

    /// No reliance on a key past the latest safe claim (R7).
    pub(super) fn judge_window(
        &self,
        Spot { moment, node, order }: Spot,
        op: Op,
        window: u64,
        pause: Span,
        verdicts: &mut Verdicts,
    ) {
        let state = self.cases[order].op(op);
        let limits = &self.terms.limits;
        let margin = pause + Span(limits.d_max) + Span(limits.skew);
        let Some(first) = state.evidence.first_send else { return };
        let latest = Time(first.0.saturating_add(window.saturating_sub(margin.0)));
        if window == u64::MAX || moment.now <= latest || state.status(node) != Status::Open {
            return;
        }
        self.unentitled(
            moment,
            &KEY_WINDOW,
            op,
            order,
            verdicts,
            Words {
                headline: format!(
                    "{} of order {} relied on a key that the provider may have forgotten",
                    op.name(),
                    order + 1
                ),
                expected: format!("no claim under the first key after {}", at(latest)),
                found: format!("a claim at {}; the key was first used at {}", at(moment.now), at(first)),
                evidence: vec![state.sent_event],
            },
        );
    }

    fn count_send(&mut self, moment: Moment, order: usize, request: &Request, verdicts: &mut Verdicts) {
        let cap = self.terms.limits.attempts[tool_of(request.op) as usize].saturating_mul(self.terms.layers);
        let sees_store = self.terms.sees_store;
        let op = self.cases[order].op_mut(request.op);
        if op.key == 0 {
            op.key = request.key;
            op.payload = payload(request);
        }
        op.sends += 1;
        op.sent_event = moment.event;
        op.evidence.first_send.get_or_insert(moment.now);
        op.evidence.attempts = op.evidence.attempts.max(op.sends);
        if !sees_store {
            op.evidence.last_claim = moment.now;
            op.evidence.first_claim.get_or_insert(moment.now);
        }
        let sends = op.sends;
        if sends > cap {
            self.unentitled(
                moment,
                &BOUNDED_ATTEMPTS,
                request.op,
                order,
                verdicts,
                Words {
                    headline: format!("{} of order {} was attempted {sends} times", request.op.name(), order + 1),
                    expected: format!("at most {cap} attempts per generation"),
                    found: format!("{sends} attempts under one key"),
                    evidence: vec![],
                },
            );
        }
    }

    /// A read needs no key and no claim, but it has its attempts and its horizon like anything else.
    fn count_read(&mut self, moment: Moment, order: usize) {
        let evidence = &mut self.cases[order].op_mut(Op::ReadStock).evidence;
        evidence.attempts += 1;
        evidence.first_claim.get_or_insert(moment.now);
    }

    // ---- evidence

    pub(super) fn learn(&mut self, node: NodeId, request: &Request, got: Received<'_, Reply>) {
        let Some(order) = self.index(request.taint) else { return };
        let tool = tool_of(request.op);
        if tool == Tool::ReadStock {
            return self.stock_read(order, got);
        }
        let belief = *self.terms.documented.of(tool);
        let horizon = self.terms.horizon(tool);
        let case = self.cases[order].op_mut(request.op);
        // That an attempt of a generation left behind did nothing says nothing about the current one.
        let current = !case.is_leftover(request.key);
        let reply = match got {
            Received::Reply(reply) => reply,
            // Before any byte left: nothing was counted as sent, but a claim was.
            Received::Refused => return case.evidence.void += u16::from(current && case.claims > case.sends),
            Received::Garbled | Received::Silence => return,
        };
        let lookup = request.ask == Ask::Lookup;
        let only_attempt = case.evidence.attempts.saturating_sub(case.evidence.void) <= 1;
        let proof = match reply.says {
            Says::Done => Some(Proof::Committed),
            Says::Pending => Some(Proof::Pending),
            Says::Declined if lookup || belief.decline_binds || only_attempt && !belief.declines_duplicates => {
                Some(Proof::Rejected)
            }
            Says::Duplicate if belief.duplicate_proves => Some(Proof::Committed),
            Says::NotFound if case.evidence.absence_is_final(case.asked, &horizon) => Some(Proof::Rejected),
            Says::ServerError if !lookup => {
                case.stored_failure |= belief.stores_failures;
                None
            }
            Says::Throttled if !lookup => return case.evidence.void += u16::from(current),
            _ => None,
        };
        if let Some(proof) = proof {
            case.evidence.learn(node, proof);
        }
    }
}

impl Promises {
    /// Too little on the shelves is a true cause, if that is what the stock service said.
    fn stock_read(&mut self, order: usize, got: Received<'_, Reply>) {
        let registered = &mut self.cases[order].registered;
        if let Received::Reply(reply) = got {
            let short = reply.says == Says::Done && reply.value < u64::from(registered.intent.quantity);
            registered.causes.no_stock |= short;
        }
    }
}

/// When, by whom, about which order.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    pub(super) moment: Moment,
    pub(super) node: NodeId,
    pub(super) order: usize,
}

/// What a finding says.
pub(super) struct Words {
    pub(super) headline: String,
    pub(super) expected: String,
    pub(super) found: String,
    pub(super) evidence: Vec<u32>,
}

/// Why a refund is not justified, if it is not.
fn unjustified(case: &Case, node: NodeId, request: &Request) -> Option<String> {
    let charge = case.op(Op::Charge).status(node);
    let fulfillment = case.op(Op::Fulfill).status(node);
    let approved = case.registered.intent.amount;
    if charge != Status::Committed {
        Some(format!("the charge was {}", charge.name()))
    } else if matches!(fulfillment, Status::Open | Status::Pending | Status::Committed) {
        Some(format!("the fulfillment was {}", fulfillment.name()))
    } else if !case.registered.causes.any() {
        Some("nobody had decided to cancel".into())
    } else if request.amount != approved.minor || request.currency != approved.currency {
        Some(format!(
            "{} for a charge of {}",
            money(request.amount, request.currency),
            money(approved.minor, approved.currency)
        ))
    } else {
        None
    }
}
