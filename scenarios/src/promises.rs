//! The oracles: monitors over facts, with static dispatch by what happened.
//!
//! Each file judges one family; all state is in [`case::Case`], one per order. Reading order: the
//! list, the case, then wire, records, effects, and the end.

pub mod case;
mod effects;
pub mod end;
pub mod list;
mod records;
mod wire;

use crate::fact::Fact;
use crate::status::Horizon;
use case::{Case, op_of};
use unacked_mock_providers::message::{Op, Reply, Request, UNTAINTED};
use unacked_sim::site::Scope;
use unacked_sim::time::{Span, Time};
use unacked_sim::verdict::{Blame, Promise, Verdicts, Violation};
use unacked_sim::world::{Moment, NodeId, Received};
use unacked_workflow::belief::{Beliefs, Dedup, Limits};
use unacked_workflow::order::Intent;
use unacked_workflow::tool::Tool;

/// What the oracles judge by: documented terms, the scenario's horizons, and what can be observed.
#[derive(Clone, Debug)]
pub struct Terms {
    /// What the contracts document, per tool.
    pub documented: Beliefs,
    /// The scenario's horizons.
    pub limits: Limits,
    /// Layers between worker and wire that re-send by themselves, plus one.
    pub layers: u16,
    /// The subject writes through our ledger port: its records can be judged.
    pub sees_store: bool,
    /// Every order must have reached a legal end this long after calm began.
    pub finish_bound: Span,
}

impl Terms {
    /// What a contract documents about the end of uncertainty, for one tool.
    pub fn horizon(&self, tool: Tool) -> Horizon {
        let bounds = &self.limits;
        Horizon {
            absent_after: self.documented.of(tool).absent_after.map(Span),
            arrival: Span(bounds.p_max) + Span(bounds.d_max) + Span(bounds.skew),
        }
    }

    /// How long a key protects from its first use, by documentation; `None` = no duplicate suppression.
    pub fn window(&self, tool: Tool) -> Option<u64> {
        match self.documented.of(tool).dedup {
            Dedup::None => None,
            Dedup::Keyed(window) => Some(window),
        }
    }
}

/// The oracles of one world.
#[derive(Clone, Debug)]
pub struct Promises {
    /// What they judge by.
    pub terms: Terms,
    /// One per order.
    pub cases: Vec<Case>,
    /// What a case is at the beginning: copied rather than written field by field, once a run.
    blank: Box<Case>,
    scopes: Vec<Scope>,
}

/// What a monitor found.
pub(crate) struct Finding {
    promise: &'static Promise,
    operation: Op,
    order: usize,
    headline: String,
    expected: String,
    found: String,
    evidence: Vec<u32>,
}

impl Promises {
    /// Oracles for orders with these scopes.
    pub fn new(terms: Terms, scopes: Vec<Scope>) -> Promises {
        Promises { terms, cases: Vec::new(), blank: Box::default(), scopes }
    }

    /// As at the beginning, for these intents.
    pub fn reset(&mut self, intents: &[Intent]) {
        self.cases.resize_with(intents.len(), Case::default);
        for (case, intent) in self.cases.iter_mut().zip(intents) {
            *case = *self.blank;
            case.registered.intent = *intent;
        }
    }

    /// As they were in `to`, a copy taken earlier.
    pub(crate) fn rewind(&mut self, to: &Promises) {
        self.cases.clone_from(&to.cases);
    }

    /// A fact came about.
    #[inline]
    pub fn observe(&mut self, moment: Moment, fact: &Fact, verdicts: &mut Verdicts) {
        match fact {
            Fact::Effect(effect) => self.effect(moment, effect, verdicts),
            Fact::Record(record) => self.record(moment, record, verdicts),
            Fact::Queued { node, order, tool, .. } => self.queued(moment, *node, *order as usize, *tool, verdicts),
            Fact::Fenced { .. } => {}
            Fact::Claimed { node, order, .. } => {
                if let Some(case) = self.cases.get_mut(*order as usize) {
                    case.owner = Some(*node);
                }
            }
            Fact::Stated { order, tool, committed } => self.stated(*order as usize, op_of(*tool), *committed),
        }
    }

    /// A request leaves a node.
    #[inline]
    pub fn sent(&mut self, moment: Moment, node: NodeId, request: &Request, verdicts: &mut Verdicts) {
        self.send(moment, node, request, verdicts);
    }

    /// A call has ended for its caller: what it establishes becomes evidence.
    #[inline]
    pub fn received(&mut self, node: NodeId, request: &Request, got: Received<'_, Reply>) {
        self.learn(node, request, got);
    }

    /// A node forgot what it had not recorded.
    pub fn crashed(&mut self, node: NodeId) {
        for case in &mut self.cases {
            for op in &mut case.ops {
                op.evidence.forget(node);
                if let Some(unsent) = op.unsent.get_mut(usize::from(node.0)) {
                    *unsent = 0;
                }
            }
        }
    }

    fn index(&self, taint: u32) -> Option<usize> {
        (taint != UNTAINTED && (taint as usize) < self.cases.len()).then_some(taint as usize)
    }

    /// Whether every order has reached a legal end, by truth: delivered, refused for a true cause, or
    /// waiting for an operator.
    pub fn all_legal(&self) -> bool {
        self.cases.iter().all(|case| case.handoff.is_some() || case.legal_since.is_some())
    }

    /// Records a violation, unless its promise was broken before.
    #[cold]
    pub(crate) fn broken(&self, moment: Moment, finding: Finding, verdicts: &mut Verdicts) {
        verdicts.add(Violation {
            promise: finding.promise,
            operation: finding.operation.name(),
            scope: self.scopes.get(finding.order).copied().unwrap_or(Scope(0)),
            blame: Blame::Workflow,
            at: moment.now,
            event: moment.event,
            headline: finding.headline,
            expected: finding.expected,
            found: finding.found,
            evidence: finding.evidence.into_iter().filter(|&e| e != 0).collect(),
        });
    }
}

/// Minor units and currency as people write them.
pub fn money(minor: i64, currency: [u8; 3]) -> String {
    let sign = if minor < 0 { "-" } else { "" };
    let code = String::from_utf8_lossy(&currency).into_owned();
    format!("{sign}{}.{:02} {code}", minor.abs() / 100, minor.abs() % 100)
}

/// A moment in words.
pub(crate) fn at(time: Time) -> String {
    format!("t={time}")
}
