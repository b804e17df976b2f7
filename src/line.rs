//! An event in one line.

use unacked_scenarios::records::Records;
use unacked_scenarios::shop::Shop;
use unacked_sim::lab::Lab;
use unacked_sim::trace::{Mark, TraceEvent};
use unacked_sim::world::World;

/// An event in one line, for traces.
pub(crate) fn line(lab: &Lab<'_, Shop<impl Records>>, event: &TraceEvent) -> String {
    let name = |actor| lab.world(|w| w.actor(actor));
    let peer = event.peer.map_or(String::new(), |p| format!(" {} {}", arrow(event.mark), name(p)));
    let fault = event.fault.map_or(String::new(), |f| format!("  [fault {}]", f + 1));
    format!("{}{peer}: {}{fault}", name(event.actor), event.text)
}

/// Between the two ends of a message.
pub(crate) fn arrow(mark: Mark) -> &'static str {
    match mark {
        Mark::Loss => "x--",
        Mark::Arrive => "<--",
        _ => "-->",
    }
}
