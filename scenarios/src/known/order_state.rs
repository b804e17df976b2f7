//! What the oracles know about one order: what was authorised, what is true, the evidence, the records.

use crate::intent::Registered;
use crate::known::facts::Facts;
use crate::known::op_state::OpState;
use unacked_mock_providers::message::Op;
use unacked_sim::time::{Span, Time};
use unacked_sim::world::NodeId;
use unacked_workflow::order::End;

/// One order.
#[derive(Clone, Copy, Debug, Default)]
pub struct OrderState {
    /// What was authorised and decided.
    pub registered: Registered,
    /// What is true.
    pub facts: Facts,
    /// Per operation: evidence and records.
    pub ops: [OpState; Op::COUNT],
    /// Owner by the newest claim.
    pub owner: Option<NodeId>,
    /// An open entry in the operator queue: about what, since when.
    pub handoff: Option<(Op, Time)>,
    /// Whether it was ever handed off.
    pub handed_off: bool,
    /// The record shows that the customer may not have been told.
    pub notification_unknown: bool,
    /// The subject was told that the card is declined.
    pub told_declined: bool,
    /// Since when a person thinks it over.
    pub asked: Option<Time>,
    /// How long persons have thought it over altogether.
    pub waited: Span,
    /// The recorded end, and when it was written.
    pub end: Option<(End, Time)>,
    /// When the order first reached what its truth makes a legal end.
    pub legal_since: Option<Time>,
}

impl OrderState {
    /// One operation.
    pub fn op(&self, op: Op) -> &OpState {
        &self.ops[op as usize]
    }

    /// The same, to change it.
    pub fn op_mut(&mut self, op: Op) -> &mut OpState {
        &mut self.ops[op as usize]
    }

    /// How long it took to its end, the approver's time apart; for ever, if it has none.
    pub fn took(&self) -> Span {
        match self.end.map(|(_, at)| at).or(self.legal_since) {
            Some(at) => at.since(Time::ZERO + self.waited),
            None => Span::NEVER,
        }
    }

    /// Delivered, by truth.
    pub fn is_delivered(&self) -> bool {
        let intent = &self.registered.intent;
        self.facts.net() == intent.amount.minor
            && self.facts.refund_pending == 0
            && self.facts.accepted == i64::from(intent.quantity)
    }

    /// Refused for a true cause with nothing left behind, by truth.
    pub fn is_refused(&self, now: Time) -> bool {
        let t = &self.facts;
        let nothing_live = t.net() == 0 && t.live() == 0;
        nothing_live && self.registered.causes.any() && (t.held == 0 || t.held_until <= now)
    }

    /// A legal end by truth: delivered, or refused.
    pub fn is_legal(&self, now: Time) -> bool {
        self.is_delivered() || self.is_refused(now)
    }

    /// Lost: nothing was ever taken or sent, and there is no cause to refuse it. A refused order that leaves
    /// a hold behind is no lost one.
    pub fn is_lost(&self) -> bool {
        self.facts.captured == 0 && self.facts.live() == 0 && !self.registered.causes.any()
    }

    /// Nothing more is owed: a legal end, or a person who has it.
    pub fn is_settled(&self, now: Time) -> bool {
        self.is_legal(now) || self.handoff.is_some()
    }

    /// Whether its hold may still be needed.
    pub fn is_open(&self) -> bool {
        self.handoff.is_some() || self.end.is_none() && !self.is_delivered()
    }

    /// The operation whose outcome is open in the records, if any.
    pub fn unresolved(&self) -> Option<Op> {
        [Op::Charge, Op::Fulfill, Op::Refund].into_iter().find(|&op| self.op(op).written.is_open())
    }

    /// Remembers since when the truth is a legal end.
    pub fn note_legal(&mut self, now: Time) {
        match (self.is_legal(now), self.legal_since) {
            // A hold that ran out meanwhile was the last thing that stood in the way.
            (true, None) => {
                self.legal_since = Some(if self.facts.held > 0 { self.facts.held_until.min(now) } else { now })
            }
            (false, Some(_)) => self.legal_since = None,
            _ => {}
        }
    }
}
