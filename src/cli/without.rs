//! `replay … --without N`: one fault left out, and whether the violation needs it.

use super::args::{Replay, View};
use super::terminal;
use crate::conclusion::Conclusion;
use crate::report;
use crate::story::Step;

/// What became of the run without the fault.
pub(super) struct Without {
    /// Number of the fault, from 1.
    pub(super) number: usize,
    /// What the whole run breaks.
    pub(super) promise: &'static str,
    /// Whether this one does not.
    pub(super) gone: bool,
    /// What happened in it.
    pub(super) steps: Vec<Step>,
}

impl Without {
    pub(super) fn conclusion(&self) -> Conclusion {
        if self.gone { Conclusion::Kept } else { Conclusion::Violated }
    }

    /// In the format asked for. `place`: what the whole run is called.
    pub(super) fn told(&self, args: &Replay, place: &str, policy: &str) -> String {
        let title = format!("{place} under {policy}: {}", self.sentence());
        match (args.format, args.trace) {
            (View::Human, false) => format!("{place}: {}\n", self.sentence()),
            (View::Human, true) => {
                format!("{}\n{place}: {}\n", report::trace(&self.steps, terminal::paint()), self.sentence())
            }
            (View::Json, true) => report::trace_json(&self.steps),
            (View::Json, false) => self.json(place, policy),
            (View::Mermaid, _) => report::mermaid(&title, &self.steps),
            (View::Perfetto, _) => report::perfetto(&title, &self.steps),
        }
    }

    fn sentence(&self) -> String {
        let became = if self.gone { "is kept: the fault is needed" } else { "is broken all the same" };
        format!("without fault {} `{}` {became}", self.number, self.promise)
    }

    fn json(&self, place: &str, policy: &str) -> String {
        let rest = report::Rest { without: self.number, promise: self.promise, needed: self.gone };
        report::without_json(place, policy, &rest, self.conclusion().name())
    }
}
