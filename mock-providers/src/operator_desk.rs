//! The operator desk: a person resolves what was handed off, from the truth, with evidence.
//!
//! Not on the wire. The operator says nothing as long as anything can still arrive.

use crate::agenda::Agenda;
use crate::kinds::OperatorFate;
use crate::menus::mask;
use crate::truth::{Question, Truth};
use std::collections::VecDeque;
use unacked_sim::distribution::Distribution;
use unacked_sim::door::Door;
use unacked_sim::kind::Fate;
use unacked_sim::menu::{MenuId, Pick};
use unacked_sim::site::{Occasion, Stage};
use unacked_sim::time::{Span, Time};

/// How the operators work.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shift {
    /// How long until one picks the case up, in microseconds.
    pub picks_up: Distribution,
    /// How long the case then takes, in microseconds.
    pub resolves: Distribution,
}

impl Shift {
    /// Pick-up median 25 m (99th percentile 24 h), resolved within one to three days. Assumed figures.
    pub fn usual() -> Shift {
        Shift {
            picks_up: Distribution::log_normal(Span::mins(25).0, Span::hours(24).0, Span::days(3).0),
            resolves: Distribution::Uniform { lo: Span::days(1).0, hi: Span::days(3).0 },
        }
    }
}

/// What an operator states about a case, with evidence: never [`Truth::Unsettled`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OperatorFinding {
    /// The case.
    pub question: Question,
    /// What is true.
    pub finding: Truth,
    /// When it was stated.
    pub at: Time,
}

/// A desk of operators.
#[derive(Clone, Debug)]
pub struct OperatorDesk {
    shift: Shift,
    menu: MenuId,
    mask: u32,
    cases: Agenda<Question>,
    findings: VecDeque<OperatorFinding>,
}

impl OperatorDesk {
    /// A desk without cases. The menu is asked once per case, at stage `human`.
    pub fn new(menu: MenuId, door: &Door, shift: Shift) -> OperatorDesk {
        OperatorDesk {
            shift,
            menu,
            mask: mask(door, menu, OperatorFate::ALL.iter().map(|f| f.kind())),
            cases: Agenda::default(),
            findings: VecDeque::new(),
        }
    }

    /// Back to the beginning; the memory is kept.
    pub fn reset(&mut self) {
        self.cases.reset();
        self.findings.clear();
    }

    /// As it was in `to`, a copy taken earlier.
    pub fn rewind(&mut self, to: &OperatorDesk) {
        self.cases.rewind(&to.cases);
        self.findings.clone_from(&to.findings);
    }

    /// Takes in a case. Returns when to wake the desk. `at` must be an occasion of its own (a verb
    /// such as `operator`): its stages `human` (choice, resolution) and `clock` (pick-up) are used.
    pub fn open(&mut self, now: Time, at: Occasion, question: Question, door: &mut Door) -> Time {
        let site = at.at(Stage::Human);
        let pick = if self.mask == 0 { Pick::BENIGN } else { door.choose(site, self.menu, self.mask) };
        let usual = self.takes(at, door);
        let takes = match OperatorFate::of(pick.kind) {
            None => usual,
            Some(fate) => oddly(fate, Span(pick.value), usual, door),
        };
        self.cases.push(now + takes, question);
        self.cases.take_wish().unwrap_or(now + takes)
    }

    fn takes(&self, at: Occasion, door: &Door) -> Span {
        let picked_up = Span(door.sample(at.at(Stage::Clock), &self.shift.picks_up));
        picked_up + Span(door.sample(at.at(Stage::Human), &self.shift.resolves))
    }

    /// Resolves the cases that are due, from the truth; what is unsettled is looked at again when it
    /// can have settled. Returns when to wake the desk next.
    pub fn wake(&mut self, now: Time, mut truth: impl FnMut(&Question) -> Truth) -> Option<Time> {
        while let Some((_, question)) = self.cases.pop_due(now) {
            match truth(&question) {
                Truth::Unsettled(until) => self.cases.push(until.max(now + Span(1)), question),
                finding => self.findings.push_back(OperatorFinding { question, finding, at: now }),
            }
        }
        self.cases.take_wish()
    }

    /// How many cases are open.
    pub fn open_cases(&self) -> usize {
        self.cases.iter().count()
    }

    /// The next finding that nobody has fetched yet.
    pub fn take_statement(&mut self) -> Option<OperatorFinding> {
        self.findings.pop_front()
    }
}

/// How long a case takes then.
#[cold]
fn oddly(fate: OperatorFate, value: Span, usual: Span, door: &mut Door) -> Span {
    let takes = match fate {
        OperatorFate::Slow => value,
    };
    if takes != usual {
        door.felt(fate);
    }
    takes
}
