//! Who is to blame for what has come about: the workflow, if it did anything to the order that it was not entitled
//! to; else the gravest thing that happened to the order. A misfortune that a provider may cause at any time is no
//! excuse.

use crate::promises::stock_conserved;
use unacked_sim::door::Door;
use unacked_sim::kind::Class;
use unacked_sim::site::Scope;
use unacked_sim::verdict::{Blame, Verdicts};

/// Blames somebody for the violations after the first so many. `outcome`: something came about; else the workflow
/// did something, which is its own fault unless it was judged by what is true on the shelves.
#[cold]
pub(super) fn judged(known: usize, outcome: bool, door: &Door, verdicts: &mut Verdicts) {
    verdicts.blame(known, |broken, before| {
        // What is taken from the shelves for one order is missing for another.
        let shelves = broken.promise.name == stock_conserved::PROMISE.name;
        let acted = before.iter().any(|v| v.scope == broken.scope && v.blame == Blame::Workflow);
        match outcome || shelves {
            true if !acted => gravest(door, if shelves { None } else { Some(broken.scope) }),
            _ => Blame::Workflow,
        }
    });
}

/// The gravest thing that has happened to an order, or to any.
fn gravest(door: &Door, scope: Option<Scope>) -> Blame {
    let concerns = |of: Scope| scope.is_none_or(|scope| scope == of);
    let of_order = door.landed().iter().filter(|landed| concerns(landed.site.occasion.scope));
    let classes = of_order.filter_map(|landed| door.kinds.get(landed.kind)).map(|kind| kind.class);
    classes.map(blame).max().unwrap_or(Blame::Workflow)
}

fn blame(class: Class) -> Blame {
    match class {
        Class::Breach => Blame::Breach,
        Class::Undocumented => Blame::Undocumented,
        Class::Fault | Class::Schedule | Class::Human | Class::Model => Blame::Workflow,
    }
}
