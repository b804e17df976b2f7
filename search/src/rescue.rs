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

/// At most so many events of a long run are tried in one pass.
const LOOKS: usize = 200;

/// Lets `reference` take over at one event after the other, all calm from there, until that does not
/// help any more. A long run is tried at evenly spaced events first, and between two of them more closely:
/// what nobody can save at one event, nobody can save later. After `stop` the answer means nothing.
pub fn point_of_no_return(lab: &mut Lab<'_, impl Told>, compiled: &CompiledPlan, stop: Stop<'_>) -> NoReturn {
    if lab.rescue(compiled, u32::MAX).is_none() {
        return NoReturn::Unknown;
    }
    let (_, events) = lab.trace_plan(compiled);
    let mut is_lost =
        |at: usize| stop() || lab.rescue(compiled, events[at].number).is_some_and(|outcome| !outcome.legal);
    let Some(first) = first_lost(events.len(), &mut is_lost) else { return NoReturn::Never };
    let event = &events[first];
    NoReturn::From { event: event.number, at: event.at, text: line(lab, event) }
}

/// The first of so many events at which it was too late, as closely as passes of [`LOOKS`] show it.
fn first_lost(events: usize, is_lost: &mut impl FnMut(usize) -> bool) -> Option<usize> {
    let (mut from, mut to) = (0, events);
    let mut found = None;
    loop {
        let stride = (to - from).div_ceil(LOOKS).max(1);
        let looks = (from + stride - 1..to).step_by(stride).chain(to.checked_sub(1).filter(|&last| last >= from));
        let Some(lost) = looks.into_iter().find(|&at| is_lost(at)) else { return found };
        found = Some(lost);
        (from, to) = (lost.saturating_sub(stride - 1).max(from), lost);
        if from >= to {
            return found;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_lost_event_is_found_with_few_looks_however_long_the_run() {
        for (events, lost) in [(0, 0), (1, 0), (1, 1), (150, 149), (201, 200), (5_000, 1), (1_000_000, 777_777)] {
            let mut looks = 0;
            let mut is_lost = |at: usize| {
                looks += 1;
                at >= lost
            };
            assert_eq!(first_lost(events, &mut is_lost), (lost < events).then_some(lost), "{lost} of {events}");
            assert!(looks <= 4 * (LOOKS + 1), "{looks} looks at {events} events");
        }
    }
}
