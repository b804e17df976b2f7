//! The durable store: to whom an order is offered, and who can take it.

use unacked_scenarios::books::{Books, Guard};
use unacked_sim::time::{Span, Time};
use unacked_sim::world::NodeId;
use unacked_workflow::order::{Intent, Order};

const LEASE: Span = Span::secs(30);

/// Two orders, dealt out to two workers.
fn books() -> Books {
    let mut books = Books::default();
    books.reset(&[Intent::default(), Intent::default()], 2);
    books
}

fn offered(books: &Books, node: u8, at: u64, guard: Guard) -> Option<u32> {
    books.claimable(NodeId(node), Time::ZERO + Span::secs(at), LEASE, guard)
}

fn claim(books: &mut Books, id: u32, node: u8, at: u64) -> bool {
    let now = Time::ZERO + Span::secs(at);
    books.claim(&mut Order::blank(), id, NodeId(node), now, LEASE, Guard::FULL, &mut Vec::new()).is_some()
}

#[test]
fn an_order_is_offered_to_its_owner_first_and_to_others_one_lease_later() {
    let books = books();
    let check = |node, at, order| assert_eq!(offered(&books, node, at, Guard::FULL), order, "worker {node} at {at} s");
    check(0, 0, Some(0));
    check(1, 0, Some(1));
    // A third worker owns nothing.
    check(2, 29, None);
    check(2, 30, Some(0));
    assert_eq!(books.next_opening(NodeId(2), LEASE, Guard::FULL), Some(Time::ZERO + LEASE));
}

#[test]
fn an_order_whose_lease_is_over_is_offered_to_all_at_once() {
    let mut books = books();
    assert!(claim(&mut books, 1, 1, 10));
    let first = |books: &Books, at| offered(books, 2, at, Guard::FULL);
    assert_eq!(first(&books, 30), Some(0), "due for one lease");
    assert!(claim(&mut books, 0, 0, 30));
    assert_eq!((first(&books, 39), first(&books, 40)), (None, Some(1)));
}

#[test]
fn being_offered_is_advice_and_a_lease_is_not() {
    let mut books = books();
    assert_eq!(offered(&books, 1, 0, Guard { lease: false, ..Guard::FULL }), Some(0), "without leases all is free");
    assert!(claim(&mut books, 0, 1, 0), "nobody has it");
    assert!(!claim(&mut books, 0, 0, 29), "worker 1 has it");
    assert!(claim(&mut books, 0, 0, 30), "no longer");
}
