//! Which order is due next, per owner, without looking at all orders.

use unacked_workflow::order::Order;
use unacked_workflow::time::NEVER;

/// The orders of a world by when they are due.
#[derive(Clone, Debug, Default)]
pub(crate) struct DueOrders {
    /// Per owner: the orders that nobody has a lease on.
    free: Vec<Earliest>,
    /// The orders under a lease, perhaps one that is over: few, one per worker at a time.
    leased: Vec<u32>,
    /// Where each order is.
    places: Vec<Place>,
    open: usize,
}

/// Where an order is.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    owner: u32,
    leased: bool,
    ended: bool,
}

impl DueOrders {
    /// No orders yet, of so many to come, dealt out to so many workers.
    pub(crate) fn reset(&mut self, orders: usize, workers: usize) {
        self.free.resize_with(workers, Earliest::default);
        self.free.iter_mut().for_each(|free| free.reset(orders));
        self.leased.clear();
        self.places.clear();
        self.places.resize(orders, Place::default());
        self.open = orders;
    }

    /// Whether every order has ended.
    pub(crate) fn all_ended(&self) -> bool {
        self.open == 0
    }

    /// An order is new, or its record was written.
    pub(crate) fn note(&mut self, order: &Order) {
        let id = order.id.0;
        let place = &mut self.places[id as usize];
        let was = *place;
        let ended = order.end.is_some();
        let leased = !ended && order.lease.until != 0;
        *place = Place { owner: order.lease.owner, leased, ended };
        // A store that refuses no old owner's write may see an order reopened.
        self.open = self.open + usize::from(was.ended) - usize::from(ended);
        if leased != was.leased {
            self.lease(id, leased);
        }
        if was.owner != order.lease.owner {
            self.set(was.owner, id, NEVER);
        }
        self.set(order.lease.owner, id, if leased || ended { NEVER } else { order.due });
    }

    fn lease(&mut self, id: u32, leased: bool) {
        if leased {
            self.leased.push(id);
        } else {
            self.leased.retain(|&other| other != id);
        }
    }

    fn set(&mut self, owner: u32, id: u32, due: u64) {
        let orders = self.places.len();
        while self.free.len() <= owner as usize {
            self.free.push(Earliest::of(orders));
        }
        self.free[owner as usize].set(id as usize, due);
    }

    /// As it was in `to`.
    pub(crate) fn rewind(&mut self, to: &DueOrders) {
        let DueOrders { free, leased, places, open } = to;
        self.free.resize_with(free.len(), Earliest::default);
        self.free.iter_mut().zip(free).for_each(|(mine, theirs)| mine.least.clone_from(&theirs.least));
        self.leased.clone_from(leased);
        self.places.clone_from(places);
        self.open = *open;
    }

    /// Per owner: the order that is due first of those without a lease.
    pub(crate) fn free(&self) -> impl Iterator<Item = u32> + '_ {
        self.free.iter().filter_map(Earliest::first).map(|(id, _)| id)
    }

    /// The orders under a lease.
    pub(crate) fn leased(&self) -> impl Iterator<Item = u32> + '_ {
        self.leased.iter().copied()
    }
}

/// The earliest of many times: a tree of minima over all of them, changed and asked in a few steps.
#[derive(Clone, Debug, Default)]
struct Earliest {
    /// Node n has the children 2n and 2n + 1; the second half are the times themselves.
    least: Vec<u64>,
}

impl Earliest {
    fn of(times: usize) -> Earliest {
        let mut earliest = Earliest::default();
        earliest.reset(times);
        earliest
    }

    fn reset(&mut self, times: usize) {
        self.least.clear();
        self.least.resize(times.next_power_of_two() * 2, NEVER);
    }

    fn set(&mut self, index: usize, time: u64) {
        let mut at = self.least.len() / 2 + index;
        self.least[at] = time;
        while at > 1 {
            at /= 2;
            let least = self.least[2 * at].min(self.least[2 * at + 1]);
            if self.least[at] == least {
                return;
            }
            self.least[at] = least;
        }
    }

    /// The first of the earliest times, with its index; none if all are never.
    fn first(&self) -> Option<(u32, u64)> {
        let least = self.least.get(1).copied().filter(|&least| least != NEVER)?;
        let leaves = self.least.len() / 2;
        let mut at = 1;
        while at < leaves {
            at = if self.least[2 * at] == least { 2 * at } else { 2 * at + 1 };
        }
        Some(((at - leaves) as u32, least))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_the_earliest_is_found_whatever_changes() {
        for n in [1usize, 2, 3, 100] {
            let mut tree = Earliest::of(n);
            let mut times = vec![NEVER; n];
            for step in 0..500usize {
                let (index, time) = (step * 31 % n, (step * 7_919 % 13) as u64);
                let time = if time > 10 { NEVER } else { time };
                (times[index], _) = (time, tree.set(index, time));
                let expected = times.iter().enumerate().filter(|t| *t.1 != NEVER).min_by_key(|t| *t.1);
                assert_eq!(tree.first(), expected.map(|(i, &t)| (i as u32, t)), "{n} times, step {step}");
            }
        }
    }
}
