//! Durable records: record-true, approved-only, key-window, owner-only (writes), handoff-justified,
//! and one open generation at a time.

use super::case::op_of;
use super::list::{APPROVED_ONLY, BOUNDED_ATTEMPTS, HANDOFF_JUSTIFIED, OWNER_ONLY, RECORD_TRUE, STOCK_CONSERVED};
use super::wire::{Spot, Words};
use super::{Promises, at};
use crate::fact::Record;
use crate::status::{Proof, Status};
use unacked_mock_providers::message::Op;
use unacked_sim::time::{Span, Time};
use unacked_sim::verdict::Verdicts;
use unacked_sim::world::{Moment, NodeId};
use unacked_workflow::belief::{Dedup, Lookup};
use unacked_workflow::order::Status as Written;
use unacked_workflow::ports::Transition;
use unacked_workflow::tool::Tool;

/// How long a claim may take to become durable, pauses aside, while the store fails.
const SLOW_COMMIT: Span = Span::secs(90);

impl Promises {
    pub(super) fn record(&mut self, moment: Moment, record: &Record, verdicts: &mut Verdicts) {
        let order = record.order as usize;
        if order >= self.cases.len() {
            return;
        }
        if record.stale {
            self.stale_write(moment, order, record, verdicts);
        }
        match record.tool {
            Some(tool) => self.operation_written(moment, order, tool, record, verdicts),
            None => self.order_written(moment, order, record, verdicts),
        }
    }

    fn stale_write(&self, moment: Moment, order: usize, record: &Record, verdicts: &mut Verdicts) {
        let operation = record.tool.map_or(Op::ReadStock, op_of);
        self.unentitled(
            moment,
            &OWNER_ONLY,
            operation,
            order,
            verdicts,
            Words {
                headline: format!("a worker that no longer owns order {} wrote its record", order + 1),
                expected: "a write under an old claim is refused".into(),
                found: "the store accepted it".into(),
                evidence: vec![],
            },
        );
    }

    // ---- operations

    fn operation_written(
        &mut self,
        moment: Moment,
        order: usize,
        tool: Tool,
        record: &Record,
        verdicts: &mut Verdicts,
    ) {
        let op = op_of(tool);
        if record.after.generation != record.before.generation {
            self.new_generation(moment, order, op, record, verdicts);
        }
        if record.after.attempts > record.before.attempts
            || record.after.generation != record.before.generation && record.after.attempts > 0
        {
            self.claimed(moment, order, tool, record, verdicts);
        }
        if record.after.status != record.before.status {
            self.judge_step(moment, order, op, record, verdicts);
        }
        let state = self.cases[order].op_mut(op);
        state.written = record.after.status;
        state.generation = record.after.generation;
    }

    /// A new generation opens only when the previous one ended without effect (R3).
    fn new_generation(&mut self, moment: Moment, order: usize, op: Op, record: &Record, verdicts: &mut Verdicts) {
        let known = self.cases[order].op(op).status(record.node);
        let repeats = matches!(op, Op::Renew | Op::Approve | Op::Reserve | Op::ReadStock);
        let settled = matches!(known, Status::NotSent | Status::Rejected) || repeats && known != Status::Open;
        if !settled && op != Op::ReadStock {
            self.unentitled(
                moment,
                &BOUNDED_ATTEMPTS,
                op,
                order,
                verdicts,
                Words {
                    headline: format!(
                        "order {} opened a new {} while the old one was {}",
                        order + 1,
                        op.name(),
                        known.name()
                    ),
                    expected: "at most one open generation per operation".into(),
                    found: format!(
                        "generation {} while generation {} is {}",
                        record.after.generation,
                        record.before.generation,
                        known.name()
                    ),
                    evidence: vec![self.cases[order].op(op).sent_event],
                },
            );
        }
        // A read is not claimed: its first record comes after its sends, which count all the same.
        if op == Op::ReadStock && record.before.generation == 0 {
            return;
        }
        let state = self.cases[order].op_mut(op);
        let key = state.key;
        state.renew();
        // A key that may still have effect is not forgotten: the wire is judged by it.
        if !settled {
            state.key = key;
        }
    }

    /// A durable claim: the next send may leave from now on.
    fn claimed(&mut self, moment: Moment, order: usize, tool: Tool, record: &Record, verdicts: &mut Verdicts) {
        let op = op_of(tool);
        let first = self.cases[order].op(op).claims == 0;
        if tool == Tool::Fulfill && first {
            self.judge_approval(moment, order, record, verdicts);
            self.judge_hold(moment, order, verdicts);
        }
        if let Some(window) = self.terms.window(tool).filter(|_| !first) {
            let pause = Span(self.terms.limits.p_max);
            self.judge_window(Spot { moment, node: record.node, order }, op, window, pause, verdicts);
        }
        let state = self.cases[order].op_mut(op);
        state.claimed = [record.key, if state.claimed[0] == 0 { state.claimed[1] } else { state.claimed[0] }];
        state.claims += 1;
        state.evidence.attempts = state.evidence.attempts.max(state.claims);
        state.evidence.last_claim = moment.now;
        state.evidence.first_claim.get_or_insert(moment.now);
        if let Some(unsent) = state.unsent.get_mut(usize::from(record.node.0)) {
            *unsent = 1;
        }
    }

    /// The irreversible step is first dispatched under a live approval of exactly this (R14).
    fn judge_approval(&mut self, moment: Moment, order: usize, record: &Record, verdicts: &mut Verdicts) {
        let case = &mut self.cases[order];
        let content = case.registered.intent.content;
        let found = match &mut case.registered.decision {
            None => Some("nobody had approved it"),
            Some(d) if !d.granted => Some("a person had said no"),
            Some(d) if d.content != content => Some("the approval was of other content"),
            Some(d) if d.operation != 0 && d.operation != record.key => Some("the approval was for another operation"),
            Some(d) if moment.now.0 >= d.expires => Some("the approval had expired"),
            Some(d) if d.consumed => Some("the approval had been used already"),
            Some(d) => {
                d.consumed = true;
                (!record.consumed).then_some("the dispatching commit did not use it up")
            }
        };
        let Some(found) = found else { return };
        self.unentitled(
            moment,
            &APPROVED_ONLY,
            Op::Fulfill,
            order,
            verdicts,
            Words {
                headline: format!("fulfillment of order {} was dispatched although {found}", order + 1),
                expected:
                    "an unexpired, unused approval of exactly this content and operation, used up by the dispatch"
                        .into(),
                found: found.into(),
                evidence: vec![],
            },
        );
    }

    /// Shipping needs a hold that outlives the request's last possible arrival.
    fn judge_hold(&self, moment: Moment, order: usize, verdicts: &mut Verdicts) {
        let truth = &self.cases[order].truth;
        let margin = self.terms.horizon(Tool::Fulfill).arrival;
        if truth.held > 0 && truth.held_until >= moment.now + margin {
            return;
        }
        let found =
            if truth.held > 0 { format!("a hold that ends at {}", at(truth.held_until)) } else { "no hold".into() };
        self.unentitled(
            moment,
            &STOCK_CONSERVED,
            Op::Fulfill,
            order,
            verdicts,
            Words {
                headline: format!("fulfillment of order {} was dispatched without a hold that lasts", order + 1),
                expected: format!("a hold until at least {}", at(moment.now + margin)),
                found,
                evidence: vec![],
            },
        );
    }

    /// Each step from unknown to something is entitled when it is written (R10).
    fn judge_step(&mut self, moment: Moment, order: usize, op: Op, record: &Record, verdicts: &mut Verdicts) {
        let known = self.cases[order].op(op).status(record.node);
        let state = self.cases[order].op_mut(op);
        let entitled = match record.after.status {
            Written::Planned | Written::Dispatched | Written::Unknown => return,
            Written::Completed => {
                state.evidence.record(Proof::Committed);
                known == Status::Committed
            }
            Written::Rejected => {
                state.evidence.record(Proof::Rejected);
                matches!(known, Status::Rejected | Status::NotSent)
            }
            Written::Pending => {
                state.evidence.record(Proof::Pending);
                known != Status::Open
            }
        };
        if entitled || matches!(op, Op::ReadStock | Op::Approve) {
            return;
        }
        self.unentitled(
            moment,
            &RECORD_TRUE,
            op,
            order,
            verdicts,
            Words {
                headline: format!(
                    "order {} records {} as {} while it is {}",
                    order + 1,
                    op.name(),
                    record.after.status.name(),
                    known.name()
                ),
                expected: "a step that the evidence supports".into(),
                found: format!("recorded {}; by the evidence {}", record.after.status.name(), known.name()),
                evidence: vec![self.cases[order].op(op).sent_event],
            },
        );
    }

    // ---- the order as a whole

    fn order_written(&mut self, moment: Moment, order: usize, record: &Record, verdicts: &mut Verdicts) {
        if let (Transition::HandedOff, Some((tool, _))) = (record.what, record.handoff) {
            self.judge_handoff(moment, order, tool, record.node, verdicts);
        }
        let case = &mut self.cases[order];
        case.notification_unknown = record.notification_unknown;
        case.handoff = record.handoff.map(|(tool, _)| (op_of(tool), moment.now));
        case.handed_off |= record.handoff.is_some();
        if let (Some(end), None) = (record.end, case.end) {
            case.end = Some((end, moment.now));
        }
    }

    /// Handed over in a write of its own.
    pub(super) fn queued(&mut self, moment: Moment, node: NodeId, order: usize, tool: Tool, verdicts: &mut Verdicts) {
        if order >= self.cases.len() {
            return;
        }
        self.judge_handoff(moment, order, tool, node, verdicts);
        let case = &mut self.cases[order];
        case.handoff = Some((op_of(tool), moment.now));
        case.handed_off = true;
    }

    /// An operator established what became of a handed-off operation.
    pub(super) fn stated(&mut self, order: usize, op: Op, committed: bool) {
        if let Some(case) = self.cases.get_mut(order) {
            case.op_mut(op).evidence.record(if committed { Proof::Committed } else { Proof::Rejected });
            case.handoff = None;
        }
    }

    /// No contract-permitted automatic step was left, or the declared deadline had passed (R11, R20).
    fn judge_handoff(&self, moment: Moment, order: usize, tool: Tool, node: NodeId, verdicts: &mut Verdicts) {
        let Some(left) = self.step_left(moment.now, order, tool, node) else { return };
        let op = op_of(tool);
        self.unentitled(
            moment,
            &HANDOFF_JUSTIFIED,
            op,
            order,
            verdicts,
            Words {
                headline: format!("order {} was handed to a person although {left}", order + 1),
                expected: "a hand-off only when no automatic step is left or its deadline has passed".into(),
                found: left,
                evidence: vec![self.cases[order].op(op).sent_event],
            },
        );
    }

    /// The automatic step that was left, in words.
    fn step_left(&self, now: Time, order: usize, tool: Tool, node: NodeId) -> Option<String> {
        let state = self.cases[order].op(op_of(tool));
        let belief = self.terms.documented.of(tool);
        let limits = &self.terms.limits;
        // The record's own time is that of the decision, on the node's clock: earlier than the claim
        // became durable by at most a pause, and off by the skew.
        let since = state.evidence.first_claim.unwrap_or(now);
        let age = (now.since(since) + Span(limits.skew) + Span(limits.p_max) + SLOW_COMMIT).0;
        let replayable = self.replayable(now, order, tool);
        let deadline = if replayable { limits.handoff_covered[tool as usize] } else { limits.handoff[tool as usize] };
        if state.evidence.attempts >= limits.attempts[tool as usize] || age >= deadline {
            return None;
        }
        // Unless a refusal is known only to a node that could not record it. What was throttled was on the
        // wire, which may have made a copy.
        let unsent = state.status(node) == Status::NotSent && state.evidence.first_send.is_none();
        if unsent && !state.written.is_open() {
            return Some(format!("nothing of its {} had been sent", tool.name()));
        }
        if replayable {
            return Some(format!("its {} could still be replayed under its key", tool.name()));
        }
        let can_look = match belief.lookup {
            Lookup::None => false,
            Lookup::ById => state.status(node) == Status::Pending,
            Lookup::ByReference => true,
        };
        can_look.then(|| format!("its {} could still be looked up", tool.name()))
    }

    /// Whether a replay under the key is covered at this time.
    fn replayable(&self, now: Time, order: usize, tool: Tool) -> bool {
        let state = self.cases[order].op(op_of(tool));
        let belief = self.terms.documented.of(tool);
        let Dedup::Keyed(window) = belief.dedup else { return false };
        if belief.stores_failures && state.stored_failure {
            return false;
        }
        let first = state.evidence.first_send.unwrap_or(now);
        let safe = window.saturating_sub(self.terms.horizon(tool).arrival.0);
        now.0 < first.0.saturating_add(safe)
    }
}
