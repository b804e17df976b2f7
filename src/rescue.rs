//! The point of no return: from which event on even a correct worker cannot reach a legal end.

use crate::story::line;
use unacked_scenarios::shop::Shop;
use unacked_sim::lab::Lab;
use unacked_sim::plan::Script;
use unacked_sim::time::Time;

/// When it was too late.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoReturn {
    /// Nobody can take over: the subject's records are its own.
    Unknown,
    /// It never was: up to its end the run could be saved.
    Never,
    /// From this event on.
    From {
        /// Its number.
        event: u32,
        /// When.
        at: Time,
        /// What happened.
        text: String,
    },
}

/// Lets `reference` take over at one event after the other, all calm from there, until that does not
/// help any more.
pub fn point_of_no_return(lab: &mut Lab<'_, Shop>, script: &Script) -> NoReturn {
    if lab.rescue(script, u32::MAX).is_none() {
        return NoReturn::Unknown;
    }
    let (_, events) = lab.trace_script(script);
    for event in &events {
        if lab.rescue(script, event.number).is_some_and(|outcome| !outcome.legal) {
            return NoReturn::From { event: event.number, at: event.at, text: line(lab, event) };
        }
    }
    NoReturn::Never
}
