//! The durable store: to whom an order is offered, and who can take it.

use unacked_scenarios::books::{Books, Guard};
use unacked_sim::time::{Span, Time};
use unacked_sim::world::NodeId;
use unacked_workflow::order::{Decision, End, Intent, Order};
use unacked_workflow::ports::{StoreError, Transition};

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

#[test]
fn a_worker_does_not_overwrite_what_a_desk_has_written_since_its_claim() {
    let (mut books, mut order, mut facts) = (books(), Order::blank(), Vec::new());
    let me = NodeId(0);
    let version = books.claim(&mut order, 0, me, Time::ZERO, LEASE, Guard::FULL, &mut facts).expect("free");
    assert!(books.decide(0, true, 7, Time(99), Time(1)), "nothing was decided before");
    let parked = Transition::Parked;
    let mut commit = |books: &mut Books, version| {
        books.commit(me, &mut order, version, parked, Time(2), LEASE, Guard::FULL, &mut Vec::new())
    };
    assert_eq!(commit(&mut books, version), Err(StoreError::Conflict));
    let decided = |books: &Books| books.order(0).map(|o| (o.approval.decision, o.approval.content));
    assert_eq!(decided(&books), Some((Decision::Granted, 7)), "the decision stands");
    assert_eq!(commit(&mut books, version + 1), Ok(()), "whoever has seen it may write");
}

#[test]
fn what_is_offered_is_what_looking_at_every_order_would_find() {
    let intents = [Intent::default(); 9];
    let (mut books, mut facts) = (Books::default(), Vec::new());
    books.reset(&intents, 3);
    let mut order = Order::blank();
    for step in 0..2_000u64 {
        let (now, node) = (Time(step * 1_000_000), NodeId((step * 7 % 3) as u8));
        for guard in [Guard::FULL, Guard { lease: false, ..Guard::FULL }, Guard { rescue: false, ..Guard::FULL }] {
            let offered = |o: &&Order| is_offered(o, node, now, guard);
            let expected = books.orders().filter(offered).min_by_key(|o| o.due).map(|o| o.id.0);
            assert_eq!(books.claimable(node, now, LEASE, guard), expected, "step {step}, {guard:?}");
        }
        let Some(id) = books.claimable(node, now, LEASE, Guard::FULL) else { continue };
        let Some(version) = books.claim(&mut order, id, node, now, LEASE, Guard::FULL, &mut facts) else { continue };
        // Some are put back until later, some for ever, some end, some stay under their lease.
        (order.due, order.lease.until) = (now.0 + step * 31 % 90 * 1_000_000, 0);
        match step % 11 {
            0 => continue,
            1 => order.due = u64::MAX,
            2 if step > 1_500 => order.close(End::Delivered),
            _ => {}
        }
        _ = books.commit(node, &mut order, version, Transition::Parked, now, LEASE, Guard::FULL, &mut facts);
    }
    assert_eq!(books.all_ended(), books.orders().all(|o| o.end.is_some()));
}

/// By looking at one order: due for its owner, or for others one lease later, and under nobody's lease.
fn is_offered(order: &Order, node: NodeId, now: Time, guard: Guard) -> bool {
    let held = order.lease.until != 0;
    let own = order.lease.owner == u32::from(node.0) || !guard.lease;
    let waits = if own { 0 } else { LEASE.0 };
    let protected = !own && order.lease.until > now.0;
    order.end.is_none() && (guard.rescue || !held) && !protected && order.due.saturating_add(waits) <= now.0
}
