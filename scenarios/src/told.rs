//! What searching must know of the shop: how orders end, and what its events are to a reader.

use crate::records::Records;
use crate::shop::{Party, Shop};
use unacked_search::told::{Role, Told};
use unacked_sim::trace::{Mark, TraceEvent};
use unacked_workflow::order::End;

/// Number of the count of orders that were handed to a person.
pub const HANDED_OFF: usize = 0;

/// Number of the count of orders recorded as delivered.
pub const DELIVERED: usize = 1;

/// Number of the count of orders recorded as refused.
pub const REFUSED: usize = 2;

/// Number of the count of orders that ended by themselves, and later than the scenario demands of most.
pub const SLOW: usize = 3;

impl<R: Records> Told for Shop<R> {
    const ENDS: &'static [&'static str] = &["handed off", "delivered", "refused", "slow"];

    fn count_ends(&self, counts: &mut [u64]) {
        for order in &self.promises.orders {
            counts[HANDED_OFF] += u64::from(order.handed_off);
            counts[SLOW] += u64::from(!order.handed_off && order.took() > self.prompt);
            match order.end {
                Some((End::Delivered, _)) => counts[DELIVERED] += 1,
                Some((End::Refused(_), _)) => counts[REFUSED] += 1,
                None => {}
            }
        }
    }

    fn role(&self, event: &TraceEvent) -> Role {
        let of_store = event.mark == Mark::Fact && event.actor == Party::Store.actor(self.workers);
        let bookkeeping = event.mark == Mark::Write && event.text.starts_with("order.");
        if bookkeeping || of_store && !is_turn(&event.text) { Role::Note } else { role_of(&event.text) }
    }

    fn gist(text: &str) -> &str {
        text.split(", key ").next().unwrap_or(text)
    }
}

fn role_of(text: &str) -> Role {
    if text.contains("renew") {
        Role::Upkeep
    } else if ["look up", "read-stock"].iter().any(|start| text.starts_with(start)) {
        Role::Question
    } else {
        Role::Deed
    }
}

/// Whether the records say here that an order turns: to a person, or to its end.
fn is_turn(text: &str) -> bool {
    ["handed to the operator", "turns to cancelling", "ended"].iter().any(|turn| text.ends_with(turn))
}
