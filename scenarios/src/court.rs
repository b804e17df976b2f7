//! Where a clause is judged: who is heard, about which order, when; and how a breach is written down.

use crate::clause::Clause;
use crate::known::documented::Documented;
use unacked_mock_providers::fact::Fact as Effect;
use unacked_mock_providers::message::Op;
use unacked_sim::site::Scope;
use unacked_sim::time::Time;
use unacked_sim::verdict::{Blame, Verdicts, Violation};
use unacked_sim::world::Moment;

/// A hearing about one order.
pub(crate) struct Court<'a> {
    /// What the oracles judge by.
    pub(crate) documented: &'a Documented,
    /// When, and at which event.
    pub(crate) moment: Moment,
    /// Which order, from 0; `usize::MAX`: none at all.
    pub(crate) order: usize,
    pub(crate) scope: Scope,
    pub(crate) muted: Option<&'static str>,
    pub(crate) verdicts: &'a mut Verdicts,
}

/// What is said of a breach.
pub(crate) struct Wording {
    /// What broke; stands alone.
    pub(crate) headline: String,
    /// What should have been.
    pub(crate) expected: String,
    /// What was found instead.
    pub(crate) found: String,
    /// Earlier events that it rests on; 0 is none.
    pub(crate) evidence: Vec<u32>,
}

impl Court<'_> {
    /// The order's number, as people count.
    pub(crate) fn number(&self) -> usize {
        self.order.wrapping_add(1)
    }

    /// Writes down that a clause was broken, unless it cannot be judged for this subject or a clause of
    /// the same promise was broken before.
    #[cold]
    pub(crate) fn breaks(&mut self, clause: &'static Clause, operation: Op, wording: Wording) {
        if !clause.needs.met_by(self.documented.sees) || self.muted == Some(clause.id) {
            return;
        }
        self.verdicts.add(Violation {
            promise: clause.promise,
            clause: clause.id,
            operation: operation.name(),
            scope: self.scope,
            blame: Blame::Workflow,
            at: self.moment.now,
            event: self.moment.event,
            headline: wording.headline,
            expected: wording.expected,
            found: wording.found,
            evidence: wording.evidence.into_iter().filter(|&e| e != 0).collect(),
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

/// How often, in words.
pub(crate) fn times(n: u32) -> String {
    match n {
        1 => "once".into(),
        2 => "twice".into(),
        n => format!("{n} times"),
    }
}

impl Wording {
    /// An effect that names no order.
    pub(crate) fn stray(effect: &Effect) -> Wording {
        Wording {
            headline: format!("{} for no order at all", effect.what.name()),
            expected: "every effect belongs to an authorised order".into(),
            found: "an effect that names nobody's card, address or lot".into(),
            evidence: vec![],
        }
    }
}
