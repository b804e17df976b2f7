//! The point of no return: from which event on even a correct worker cannot reach a legal end.

use crate::line::line;
use crate::told::Told;
use crate::watch::Stop;
use unacked_sim::lab::Lab;
use unacked_sim::plan::CompiledPlan;
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

/// At most so many events of a long run are tried in a first pass.
const LOOKS: usize = 200;

/// Lets `reference` take over at one event after the other, all calm from there, until that does not
/// help any more. A long run is tried at evenly spaced events first, and between two of them at each:
/// what nobody can save at one event, nobody can save later. After `stop` the answer means nothing.
pub fn point_of_no_return(lab: &mut Lab<'_, impl Told>, compiled: &CompiledPlan, stop: Stop<'_>) -> NoReturn {
    if lab.rescue(compiled, u32::MAX).is_none() {
        return NoReturn::Unknown;
    }
    let (_, events) = lab.trace_plan(compiled);
    let mut is_lost =
        |at: usize| stop() || lab.rescue(compiled, events[at].number).is_some_and(|outcome| !outcome.legal);
    let stride = events.len().div_ceil(LOOKS).max(1);
    let Some(lost) =
        (stride - 1..events.len()).step_by(stride).chain(events.len().checked_sub(1)).find(|&at| is_lost(at))
    else {
        return NoReturn::Never;
    };
    let first = (lost.saturating_sub(stride - 1)..lost).find(|&at| is_lost(at)).unwrap_or(lost);
    let event = &events[first];
    NoReturn::From { event: event.number, at: event.at, text: line(lab, event) }
}
