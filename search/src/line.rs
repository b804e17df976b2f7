//! An event in one line.

use crate::told::Told;
use unacked_sim::lab::Lab;
use unacked_sim::trace::{Mark, TraceEvent};

/// An event in one line, for traces.
pub fn line(lab: &Lab<'_, impl Told>, event: &TraceEvent) -> String {
    let name = |actor| lab.world(|w| w.actor(actor));
    let peer = event.peer.map_or(String::new(), |p| format!(" {} {}", arrow(event.mark), name(p)));
    let fault = event.fault.map_or(String::new(), |f| format!("  [fault {}]", f + 1));
    format!("{}{peer}: {}{fault}", name(event.actor), event.text)
}

/// Between the two ends of a message.
pub fn arrow(mark: Mark) -> &'static str {
    match mark {
        Mark::Loss => "x--",
        Mark::Arrive => "<--",
        _ => "-->",
    }
}
