//! For each clause the shortest way to break it by hand, what is said of that, and that nothing else of
//! its promise says so. A clause without a row fails.

use super::trial::Trial;
use crate::clause::Needs;
use crate::client;
use crate::fact::{Fact, Written};
use crate::intent::Decided;
use crate::promises::clauses;
use unacked_mock_providers::fact::{Fact as Effect, What};
use unacked_mock_providers::message::{Request, Says, UNTAINTED};
use unacked_sim::time::{Span, Time};
use unacked_sim::world::NodeId;
use unacked_workflow::order::{Cause, End, Status};
use unacked_workflow::tool::Tool;

/// Clause, whether records are seen, what happens, what is said.
type Row = (&'static str, bool, fn(&mut Trial), &'static str);

const SEEN: bool = true;
const UNSEEN: bool = false;

const ROWS: &[Row] = &[
    ("charged-once/surplus", UNSEEN, |t| (0..2).for_each(|_| t.effect(What::Captured, 4999)), "was charged twice"),
    ("charged-once/currency", UNSEEN, |t| t.effect_of(Effect { currency: *b"USD", ..captured(0) }), "was charged once"),
    ("charged-once/stray", UNSEEN, |t| t.effect_of(captured(UNTAINTED)), "captured for no order"),
    ("shipped-once/requested", UNSEEN, |t| (0..2).for_each(|_| t.effect(What::ShipmentRequested, 1)), "shipped twice"),
    ("shipped-once/accepted", UNSEEN, |t| t.effect(What::ShipmentAccepted, 2), "is being shipped twice"),
    ("shipped-once/stray", UNSEEN, |t| stray(t, What::ShipmentAccepted), "shipment accepted for no order"),
    ("paid-before-shipped/dispatch", UNSEEN, |t| fulfill(t, 4), "requested while its charge was not sent"),
    ("paid-before-shipped/acceptance", UNSEEN, |t| t.effect(What::ShipmentAccepted, 1), "without being paid"),
    ("refund-justified/charge", UNSEEN, |t| refund(t, 1, 6), "the charge was not sent"),
    (
        "refund-justified/fulfillment",
        UNSEEN,
        |t| {
            refusable(t);
            fulfill(t, 4);
            refund(t, 1, 6)
        },
        "the fulfillment was unknown",
    ),
    (
        "refund-justified/decision",
        UNSEEN,
        |t| {
            t.paid();
            refund(t, 1, 6)
        },
        "nobody had decided",
    ),
    (
        "refund-justified/amount",
        UNSEEN,
        |t| {
            refusable(t);
            give_back(t, 1)
        },
        "0.01 EUR for a charge of 49.99 EUR",
    ),
    (
        "refund-justified/reference",
        UNSEEN,
        |t| {
            refusable(t);
            refund(t, 9, 6)
        },
        "ch_9 is no charge of this order",
    ),
    (
        "refund-justified/keyless",
        UNSEEN,
        |t| {
            refusable(t);
            refund(t, 1, 0)
        },
        "it has no key",
    ),
    (
        "refund-justified/shared-key",
        UNSEEN,
        |t| {
            refusable(t);
            refund(t, 1, 2)
        },
        "the key of the charge",
    ),
    (
        "refund-justified/surplus",
        UNSEEN,
        |t| {
            t.paid();
            t.effect(What::RefundPending, 5000)
        },
        "more than it was charged",
    ),
    ("refund-justified/stray", UNSEEN, |t| stray(t, What::Refunded), "refunded for no order"),
    (
        "stock-conserved/release",
        UNSEEN,
        |t| {
            charge(t, 2);
            t.send(client::release(&t.intent, 0, 1), 7)
        },
        "released while its charge was unknown",
    ),
    ("stock-conserved/lasting", SEEN, |t| t.claim(Tool::Fulfill, 4), "without a hold that lasts"),
    ("stock-conserved/dispatch", UNSEEN, |t| fulfill(t, 4), "without a hold that lasts"),
    ("stock-conserved/unheld", UNSEEN, |t| t.effect(What::ShipmentAccepted, 1), "units that nobody holds"),
    ("stock-conserved/oversold", UNSEEN, oversell, "2 unit(s) were shipped of 1"),
    (
        "stock-conserved/left",
        SEEN,
        |t| {
            t.held(0, Time::NEVER);
            t.end(End::Refused(Cause::NoStock));
            t.finish()
        },
        "stay held",
    ),
    ("notified-once/twice", UNSEEN, |t| (0..2).for_each(|_| t.effect(What::Mailed, 1)), "was told twice"),
    (
        "notified-once/never",
        SEEN,
        |t| {
            t.end(End::Delivered);
            t.finish()
        },
        "was never told",
    ),
    ("notified-once/stray", UNSEEN, |t| stray(t, What::Mailed), "mail accepted for no order"),
    (
        "told-true/words",
        UNSEEN,
        |t| t.send(Request { content: 9, ..client::notify(&t.intent, 0) }, 5),
        "something else",
    ),
    ("told-true/shipped", UNSEEN, |t| tell(t, End::Delivered), "\"delivered\" although the fulfillment was not sent"),
    (
        "told-true/refused",
        UNSEEN,
        |t| {
            fulfill(t, 4);
            tell(t, End::Refused(Cause::Declined))
        },
        "the fulfillment was unknown",
    ),
    ("told-true/cause", UNSEEN, |t| tell(t, End::Refused(Cause::NoStock)), "(out of stock)\" although that had not"),
    (
        "told-true/later",
        UNSEEN,
        |t| {
            mailed(t);
            t.finish()
        },
        "\"delivered\", and it is not so",
    ),
    ("approved-only/asked", UNSEEN, |t| fulfill(t, 4), "nobody had approved it"),
    ("approved-only/denied", UNSEEN, |t| decided(t, |d| d.granted = false), "a person had said no"),
    ("approved-only/content", UNSEEN, |t| decided(t, |d| d.content += 1), "of other content"),
    ("approved-only/goods", UNSEEN, |t| approved(t, |r| r.quantity = 2), "other goods"),
    ("approved-only/address", UNSEEN, |t| approved(t, |r| r.destination += 1), "another address"),
    ("approved-only/operation", UNSEEN, |t| decided(t, |d| d.operation = 77), "for another operation"),
    ("approved-only/expired", UNSEEN, |t| decided(t, |d| d.expires = 0), "had expired"),
    (
        "approved-only/used",
        UNSEEN,
        |t| {
            decided(t, |_| {});
            fulfill(t, 5)
        },
        "had been used already",
    ),
    (
        "approved-only/consumed",
        SEEN,
        |t| {
            let yes = t.yes();
            t.decide(yes);
            t.claim(Tool::Fulfill, 4)
        },
        "did not use the approval up",
    ),
    ("key-durable/unclaimed", SEEN, |t| charge(t, 2), "left before its key was durable"),
    (
        "key-durable/other-key",
        SEEN,
        |t| {
            t.claim(Tool::Charge, 2);
            charge(t, 3)
        },
        "left before its key was durable",
    ),
    (
        "key-stable/rotated",
        UNSEEN,
        |t| {
            charge(t, 2);
            charge(t, 3)
        },
        "under a new key while the old one was unknown",
    ),
    (
        "key-stable/payload",
        UNSEEN,
        |t| {
            charge(t, 2);
            t.send(Request { amount: 1, ..client::charge(&t.intent, 0) }, 2)
        },
        "with other arguments",
    ),
    (
        "key-stable/retried",
        UNSEEN,
        |t| {
            declined(t);
            charge(t, 3)
        },
        "tried again under a new key",
    ),
    (
        "key-stable/shared",
        UNSEEN,
        |t| {
            charge(t, 2);
            t.send(client::charge(&t.intent, 1), 2)
        },
        "charge of order 2 was sent under the key of order 1",
    ),
    (
        "key-window/claim",
        SEEN,
        |t| {
            first(t);
            t.wait(Span::hours(24));
            again(t)
        },
        "may have forgotten",
    ),
    (
        "key-window/send",
        UNSEEN,
        |t| {
            charge(t, 2);
            t.wait(Span::hours(24));
            charge(t, 2)
        },
        "may have forgotten",
    ),
    (
        "record-true/completed",
        SEEN,
        |t| {
            first(t);
            settle(t, Tool::Charge, Status::Completed)
        },
        "as completed while it is unknown",
    ),
    (
        "record-true/rejected",
        SEEN,
        |t| {
            first(t);
            settle(t, Tool::Charge, Status::Rejected)
        },
        "as rejected while it is unknown",
    ),
    (
        "record-true/pending",
        SEEN,
        |t| {
            first(t);
            settle(t, Tool::Charge, Status::Pending)
        },
        "as pending while it is unknown",
    ),
    ("record-true/charge", SEEN, false_charge, "charge completed, nothing captured"),
    ("record-true/fulfillment", SEEN, false_fulfillment, "fulfillment completed, nothing accepted"),
    (
        "record-true/cause",
        SEEN,
        |t| {
            t.effect(What::ChargeDeclined, 0);
            t.end(End::Refused(Cause::NoStock));
            t.finish()
        },
        "ended as refused (out of stock)",
    ),
    (
        "record-true/end",
        SEEN,
        |t| {
            t.end(End::Delivered);
            t.finish()
        },
        "ended as delivered",
    ),
    (
        "owner-only/send",
        SEEN,
        |t| {
            t.fact(Fact::Claimed { node: NodeId(1), order: 0, fence: 1 });
            charge(t, 2)
        },
        "no longer owns order 1 sent charge",
    ),
    (
        "owner-only/write",
        SEEN,
        |t| {
            let w = t.written();
            t.fact(Fact::Written(Written { stale: true, ..w }))
        },
        "no longer owns order 1 wrote",
    ),
    (
        "intent-honoured/false-end",
        SEEN,
        |t| {
            t.end(End::Delivered);
            t.finish()
        },
        "ended as delivered but is not",
    ),
    ("intent-honoured/lost", UNSEEN, Trial::finish, "was lost"),
    ("handoff-justified/unsent", SEEN, |t| t.hand_off(Tool::Charge), "nothing of its charge had been sent"),
    (
        "handoff-justified/replayable",
        SEEN,
        |t| {
            charge(t, 2);
            t.hand_off(Tool::Charge)
        },
        "could still be replayed",
    ),
    (
        "handoff-justified/lookup",
        SEEN,
        |t| {
            failed(t);
            t.hand_off(Tool::Charge)
        },
        "could still be looked up",
    ),
    (
        "handoff-visible/blocks",
        UNSEEN,
        |t| {
            charge(t, 2);
            t.hand_off(Tool::Charge);
            t.wait(Span::hours(1));
            refund(t, 1, 6)
        },
        "although it waits for an operator",
    ),
    (
        "handoff-visible/unresolved",
        SEEN,
        |t| {
            first(t);
            t.finish()
        },
        "stayed unresolved, and no operator was told",
    ),
    ("bounded-attempts/cap", UNSEEN, |t| (0..41).for_each(|_| charge(t, 2)), "was attempted 41 times"),
    (
        "bounded-attempts/sent",
        UNSEEN,
        |t| {
            charge(t, 2);
            charge(t, 3)
        },
        "under a new key while the old one was unknown",
    ),
    (
        "bounded-attempts/begun",
        SEEN,
        |t| {
            first(t);
            t.write(Tool::Charge, 3, (Status::Dispatched, 2, 1), (Status::Dispatched, 1, 1))
        },
        "opened a new charge while the old one was unknown",
    ),
    (
        "finishes/never",
        UNSEEN,
        |t| {
            t.effect(What::Captured, 4999);
            t.finish()
        },
        "did not reach a legal end",
    ),
    ("finishes/late", UNSEEN, late, "did not reach a legal end in time"),
];

fn captured(taint: u32) -> Effect {
    Effect { what: What::Captured, taint, reference: 1, amount: 4999, currency: *b"EUR", value: 0 }
}

fn stray(t: &mut Trial, what: What) {
    t.effect_of(Effect { what, ..captured(UNTAINTED) });
}

fn charge(t: &mut Trial, key: u64) {
    t.send(client::charge(&t.intent, 0), key);
}

fn fulfill(t: &mut Trial, key: u64) {
    t.send(client::fulfill(&t.intent, 0), key);
}

fn refund(t: &mut Trial, of: u64, key: u64) {
    t.send(client::refund(&t.intent, 0, of), key);
}

fn give_back(t: &mut Trial, amount: i64) {
    t.send(Request { amount, ..client::refund(&t.intent, 0, 1) }, 6);
}

fn tell(t: &mut Trial, end: End) {
    t.send(client::tell(&t.intent, 0, end), 5);
}

/// Paid, and there is a cause to refuse.
fn refusable(t: &mut Trial) {
    t.paid();
    t.effect(What::ShipmentRejected, 0);
}

fn mailed(t: &mut Trial) {
    t.effect_of(Effect { what: What::Mailed, value: t.intent.content, ..captured(0) });
}

fn oversell(t: &mut Trial) {
    for taint in [0, 1] {
        t.held(taint, Time::NEVER);
        t.effect_of(Effect { what: What::ShipmentAccepted, amount: 1, ..captured(taint) });
    }
}

/// Fulfillment leaves under a decision that is not quite a yes.
fn decided(t: &mut Trial, but: fn(&mut Decided)) {
    let mut decided = t.yes();
    but(&mut decided);
    t.decide(decided);
    fulfill(t, 4);
}

/// A request that is not quite what was approved.
fn approved(t: &mut Trial, but: fn(&mut Request)) {
    let yes = t.yes();
    t.decide(yes);
    let mut request = client::fulfill(&t.intent, 0);
    but(&mut request);
    t.send(request, 4);
}

fn declined(t: &mut Trial) {
    charge(t, 2);
    t.effect(What::ChargeDeclined, 0);
    t.answer(client::charge(&t.intent, 0), 2, Says::Declined);
}

fn failed(t: &mut Trial) {
    charge(t, 2);
    t.answer(client::charge(&t.intent, 0), 2, Says::ServerError);
}

/// A charge is claimed and sent.
fn first(t: &mut Trial) {
    t.claim(Tool::Charge, 2);
    charge(t, 2);
}

fn again(t: &mut Trial) {
    t.write(Tool::Charge, 2, (Status::Dispatched, 1, 2), (Status::Unknown, 1, 1));
}

fn settle(t: &mut Trial, tool: Tool, status: Status) {
    t.write(tool, 2, (status, 1, 1), (Status::Dispatched, 1, 1));
}

/// The provider said that it was done, and nothing was.
fn false_charge(t: &mut Trial) {
    first(t);
    t.answer(client::charge(&t.intent, 0), 2, Says::Done);
    settle(t, Tool::Charge, Status::Completed);
    t.finish();
}

fn false_fulfillment(t: &mut Trial) {
    t.claim(Tool::Fulfill, 4);
    fulfill(t, 4);
    t.answer(client::fulfill(&t.intent, 0), 4, Says::Done);
    settle(t, Tool::Fulfill, Status::Completed);
    t.finish();
}

/// Everything as it should be, a year from now.
fn late(t: &mut Trial) {
    t.wait(Span::days(365));
    right(t);
    t.finish();
}

/// The right course, as far as the wire and the ledgers show it.
fn right(t: &mut Trial) {
    t.held(0, Time::NEVER);
    t.paid();
    decided(t, |_| {});
    t.effect(What::ShipmentAccepted, 1);
    t.answer(client::fulfill(&t.intent, 0), 4, Says::Done);
    tell(t, End::Delivered);
    mailed(t);
}

/// What was broken in a run with these facts.
fn check(&(_, records, steps, _): &Row, muted: Option<&'static str>) -> Vec<(&'static str, String)> {
    let mut trial = Trial::new(records, muted);
    steps(&mut trial);
    trial.broken().into_iter().map(|(clause, said)| (clause, said.to_string())).collect()
}

#[test]
fn every_clause_is_broken_by_its_facts_and_said_in_its_words() {
    for clause in clauses() {
        let row = ROWS.iter().find(|row| row.0 == clause.id);
        let row = row.unwrap_or_else(|| panic!("{} has no facts that break it", clause.id));
        let broken = check(row, None);
        let said = broken.iter().find(|(id, _)| *id == clause.id).map(|(_, said)| said);
        let said = said.unwrap_or_else(|| panic!("{} is not broken, but {broken:?}", clause.id));
        assert!(said.contains(row.3), "{}: {said}", clause.id);
    }
}

#[test]
fn a_muted_clause_is_spoken_for_by_no_other_of_its_promise() {
    for row in ROWS {
        let promise = row.0.split('/').next().unwrap_or_default();
        let others: Vec<_> =
            check(row, Some(row.0)).into_iter().filter(|(id, _)| id.starts_with(&format!("{promise}/"))).collect();
        let lost = row.0 != "intent-honoured/lost";
        // Order 2 is lost in every trial that runs to its end: only that clause may say so.
        assert!(others.iter().all(|(id, _)| lost && *id == "intent-honoured/lost"), "{}: {others:?}", row.0);
    }
}

#[test]
fn what_is_not_seen_is_not_broken() {
    let hidden = clauses().filter(|clause| !clause.needs.met_by(Needs::seen(UNSEEN)));
    for (clause, row) in hidden.filter_map(|c| Some((c, ROWS.iter().find(|row| row.0 == c.id)?))) {
        let unseen = check(&(row.0, UNSEEN, row.2, row.3), None);
        assert!(unseen.iter().all(|(id, _)| *id != clause.id), "{} fires unseen", clause.id);
    }
}

#[test]
fn the_right_course_breaks_nothing() {
    let mut trial = Trial::new(UNSEEN, None);
    right(&mut trial);
    assert_eq!(trial.broken(), []);
}

#[test]
fn a_record_that_comes_after_its_send_breaks_that_promise_alone() {
    let mut trial = Trial::new(true, None);
    trial.paid();
    trial.write(Tool::Charge, 2, (Status::Completed, 1, 1), (Status::Planned, 0, 0));
    let broken: Vec<&str> = trial.broken().into_iter().map(|(clause, _)| clause).collect();
    assert_eq!(broken, ["key-durable/unclaimed"]);
}

#[test]
fn a_refused_order_that_leaves_a_hold_behind_is_not_said_to_be_lost() {
    let mut trial = Trial::new(false, None);
    trial.held(0, Time::NEVER);
    declined(&mut trial);
    trial.finish();
    let of_first: Vec<_> = trial.broken().into_iter().filter(|(_, said)| said.contains("order 1")).collect();
    assert!(of_first.iter().all(|(clause, _)| *clause != "intent-honoured/lost"), "{of_first:?}");
    assert!(of_first.iter().any(|(clause, _)| *clause == "finishes/never"), "{of_first:?}");
}
