//! The providers beside payments: stock, fulfillment, mail, approval desk, operators.

use crate::fixture::{Fixture, Planned, act, lookup, preset};
use unacked_mock_providers::approval_desk::{ApprovalDesk, Habits};
use unacked_mock_providers::fact::What;
use unacked_mock_providers::fulfillment::Fulfillment;
use unacked_mock_providers::inventory::{Inventory, Stock};
use unacked_mock_providers::kinds::*;
use unacked_mock_providers::mail::Mail;
use unacked_mock_providers::message::{Op, Request, Says};
use unacked_mock_providers::operator_desk::{OperatorDesk, Shift};
use unacked_mock_providers::truth::{Question, Truth};
use unacked_sim::distribution::Distribution;
use unacked_sim::door::Door;
use unacked_sim::site::Stage;
use unacked_sim::time::{Span, Time};

const P: Stage = Stage::Provider;
const H: Stage = Stage::Human;

fn inventory(units: i64, planned: &[Planned]) -> Fixture<Inventory> {
    let stock = Stock { units: vec![units], ttl: Span::mins(15) };
    Fixture::new(
        |m, d| Inventory::new(&preset("inventory_house"), m, d, &stock).unwrap_or_else(|e| panic!("{e}")),
        planned,
    )
}

fn conserved(fixture: &Fixture<Inventory>) -> bool {
    let shop = &fixture.provider;
    shop.available(0) + shop.held(0) + shop.consumed(0) == shop.initial(0)
}

#[test]
fn a_hold_lives_until_it_expires_is_released_or_consumed() {
    let mut fixture = inventory(3, &[]);
    let hold = fixture.ask(act(Op::Reserve, 1, 0));
    assert_eq!((hold.says, hold.reference, hold.value), (Says::Done, 1, Span::mins(15).0));
    assert_eq!(fixture.ask(act(Op::Reserve, 1, 0)), hold, "one hold per reference");
    fixture.ask(act(Op::Reserve, 2, 0));
    fixture.ask(Request { taint: 1, ..act(Op::Reserve, 3, 0) });
    assert_eq!(fixture.says(act(Op::Reserve, 4, 0)), Says::Declined);
    assert_eq!(fixture.ask(act(Op::ReadStock, 0, 0)).value, 0);
    assert_eq!((fixture.says(act(Op::Release, 5, 2)), fixture.says(act(Op::Release, 6, 2))), (Says::Done, Says::Done));
    fixture.now = Time::ZERO + Span::mins(14);
    assert_eq!(fixture.ask(act(Op::Renew, 7, 1)).value, Span::mins(29).0);
    fixture.now = Time::ZERO + Span::mins(15);
    assert_eq!(fixture.says(act(Op::Renew, 8, 3)), Says::Declined, "lapsed");
    assert_eq!(fixture.says(act(Op::Release, 9, 3)), Says::Declined, "expired already");
    assert!(fixture.provider.consume(0, 1, fixture.now, &mut fixture.facts));
    assert!(!fixture.provider.consume(1, 1, fixture.now, &mut fixture.facts), "no live hold");
    assert_eq!((fixture.provider.consumed(0), fixture.provider.held(0)), (2, 0));
    assert_eq!(
        (fixture.count(What::Released), fixture.count(What::HoldExpired), fixture.count(What::StockRefused)),
        (1, 1, 1)
    );
    assert!(conserved(&fixture));
}

#[test]
fn a_late_reservation_is_set_aside_and_held_when_it_commits() {
    let mut fixture = inventory(1, &[(1, P, COMMIT_LATE, Span::secs(30))]);
    let answer = fixture.call(act(Op::Reserve, 1, 0));
    assert_eq!((fixture.provider.held(0), fixture.says(act(Op::Reserve, 2, 0))), (0, Says::Declined));
    fixture.pass(Span::secs(30));
    assert_eq!(fixture.provider.held(0), 1);
    assert_eq!(answer.reply.map(|r| r.value), Some((fixture.now + Span::mins(15)).0));
    assert!(conserved(&fixture));
}

#[test]
fn expiry_is_settled_at_the_end_and_reset_fills_the_shelves() {
    let mut fixture = inventory(2, &[]);
    fixture.ask(act(Op::Reserve, 1, 0));
    fixture.provider.settle(Time::ZERO + Span::hours(1), &mut fixture.facts);
    assert_eq!((fixture.count(What::HoldExpired), fixture.provider.available(0)), (1, 2));
    fixture.provider.reset();
    assert_eq!((fixture.provider.available(0), fixture.provider.ledger().effects().len()), (2, 0));
}

fn fulfillment(name: &str, planned: &[Planned]) -> Fixture<Fulfillment> {
    Fixture::new(|m, d| Fulfillment::new(&preset(name), m, d).unwrap_or_else(|e| panic!("{e}")), planned)
}

#[test]
fn a_request_is_cancellable_until_it_is_accepted() {
    let mut fixture = fulfillment("amazon_mcf", &[]);
    assert_eq!(fixture.says(act(Op::Fulfill, 1, 0)), Says::Pending);
    assert_eq!(fixture.says(act(Op::Fulfill, 1, 0)), Says::Declined, "not unique");
    assert_eq!(fixture.says(lookup(Op::Fulfill, 1, 0)), Says::Pending);
    assert_eq!(fixture.says(act(Op::CancelFulfillment, 1, 0)), Says::Done);
    fixture.pass(Span::hours(1));
    assert_eq!((fixture.count(What::ShipmentAccepted), fixture.says(lookup(Op::Fulfill, 1, 0))), (0, Says::Declined));
    fixture.ask(act(Op::Fulfill, 2, 0));
    fixture.pass(Span::mins(2));
    assert_eq!((fixture.count(What::ShipmentAccepted), fixture.says(lookup(Op::Fulfill, 2, 0))), (1, Says::Done));
    assert_eq!(fixture.says(act(Op::CancelFulfillment, 2, 0)), Says::Declined, "too late");
    let totals = fixture.provider.ledger().totals(0);
    assert_eq!((totals.requested, totals.cancelled, totals.accepted), (0, 1, 1));
}

#[test]
fn a_carrier_may_reject_or_take_long() {
    let mut fixture =
        fulfillment("amazon_mcf", &[(1, P, CANNOT_SHIP, Span::ZERO), (2, P, ACCEPT_LATE, Span::hours(9))]);
    assert_eq!(
        (fixture.says(act(Op::Fulfill, 1, 0)), fixture.says(act(Op::Fulfill, 2, 0))),
        (Says::Pending, Says::Pending)
    );
    fixture.pass(Span::hours(8));
    assert_eq!(
        (fixture.says(lookup(Op::Fulfill, 1, 0)), fixture.says(lookup(Op::Fulfill, 2, 0))),
        (Says::Declined, Says::Pending)
    );
    fixture.pass(Span::hours(1));
    assert_eq!(fixture.says(lookup(Op::Fulfill, 2, 0)), Says::Done);
    let mut fixture = fulfillment("easypost_buy", &[(1, P, CANNOT_SHIP, Span::ZERO)]);
    assert_eq!((fixture.says(act(Op::Fulfill, 1, 0)), fixture.count(What::ShipmentRejected)), (Says::Declined, 1));
    // A copy of the request comes to the same goods and the same address.
    assert_eq!((fixture.says(act(Op::Fulfill, 1, 0)), fixture.count(What::ShipmentAccepted)), (Says::Declined, 0));
}

#[test]
fn mail_without_identity_is_sent_as_often_as_asked() {
    for (name, sent) in [("mail_plain", 2), ("mail_keyed", 1)] {
        let mut fixture = Fixture::new(|m, d| Mail::new(&preset(name), m, d).unwrap_or_else(|e| panic!("{e}")), &[]);
        fixture.ask(act(Op::Notify, 1, 0));
        fixture.ask(act(Op::Notify, 1, 0));
        assert_eq!((fixture.count(What::Mailed), fixture.facts[0].value), (sent, 7), "{name}");
    }
}

fn desk(immediate: bool, planned: &[Planned]) -> Fixture<ApprovalDesk> {
    let habits = Habits {
        decides: Distribution::Const(Span::mins(12).0),
        deadline: Span::hours(72),
        valid: Span::hours(24),
        immediate,
    };
    Fixture::new(
        |m, d| ApprovalDesk::new(&preset("approval_house"), m, d, habits).unwrap_or_else(|e| panic!("{e}")),
        planned,
    )
}

#[test]
fn a_person_decides_once() {
    let mut fixture = desk(false, &[]);
    assert_eq!(
        (fixture.says(act(Op::Approve, 1, 0)), fixture.says(act(Op::Approve, 1, 0))),
        (Says::Pending, Says::Pending)
    );
    assert_eq!(fixture.says(lookup(Op::Approve, 1, 0)), Says::Pending);
    assert_eq!(fixture.provider.take_decision(), None);
    fixture.pass(Span::mins(12));
    let decision = fixture.provider.take_decision().expect("a decision");
    let until = Span::mins(12) + Span::hours(24);
    assert_eq!((decision.granted, decision.content, decision.expires), (true, 7, Time::ZERO + until));
    assert_eq!((fixture.provider.take_decision(), fixture.ask(lookup(Op::Approve, 1, 0)).value), (None, until.0));
    assert_eq!((fixture.count(What::ApprovalAsked), fixture.count(What::Approved)), (1, 1));
}

#[test]
fn people_are_late_say_no_or_nothing_or_everything_twice() {
    let days = |n| Span::days(n);
    let planned = [
        (1, H, APPROVAL_LATE, days(2)),
        (2, H, APPROVAL_LATE, days(9)),
        (3, H, APPROVAL_DENIED, Span::ZERO),
        (4, H, APPROVAL_NEVER, Span::ZERO),
        (5, H, APPROVAL_DOUBLED, Span::secs(1)),
    ];
    let mut fixture = desk(false, &planned);
    for key in 1..=5 {
        fixture.call(act(Op::Approve, key, 0));
    }
    assert_eq!(fixture.door.calm_at(), Time::ZERO + days(3));
    fixture.pass(days(9));
    let decisions: Vec<_> =
        std::iter::from_fn(|| fixture.provider.take_decision()).map(|d| (d.key, d.granted, d.at)).collect();
    let at = |span| Time::ZERO + span;
    let twelve = Span::mins(12);
    assert_eq!(
        decisions,
        [
            (3, false, at(twelve)),
            (5, true, at(twelve)),
            (5, true, at(twelve + Span::secs(1))),
            (1, true, at(days(2))),
            (2, false, at(days(3))),
            (4, false, at(days(3)))
        ]
    );
    assert_eq!((fixture.count(What::Approved), fixture.count(What::NotApproved)), (2, 3));
}

#[test]
fn a_yes_to_another_version_is_recorded_as_one() {
    let mut fixture = desk(false, &[(1, H, APPROVAL_OF_OTHER_CONTENT, Span::ZERO)]);
    for key in 1..=2 {
        fixture.call(act(Op::Approve, key, 0));
    }
    fixture.pass(Span::mins(12));
    let asked = act(Op::Approve, 1, 0).content;
    let decisions: Vec<_> = std::iter::from_fn(|| fixture.provider.take_decision()).collect();
    let told: Vec<_> = decisions.iter().map(|d| (d.key, d.granted, d.content == asked)).collect();
    assert_eq!(told, [(1, true, false), (2, true, true)]);
}

#[test]
fn an_immediate_desk_grants_in_its_answer() {
    let mut fixture = desk(true, &[]);
    let reply = fixture.ask(act(Op::Approve, 1, 0));
    assert_eq!((reply.says, reply.value), (Says::Done, Span::hours(24).0));
    assert_eq!(fixture.ask(act(Op::Approve, 1, 0)), reply);
    assert_eq!(fixture.count(What::Approved), 1);
}

#[test]
fn an_operator_says_nothing_while_anything_can_arrive() {
    let mut fixture = fulfillment("amazon_mcf", &[(1, P, ACCEPT_LATE, Span::days(9))]);
    fixture.ask(act(Op::Fulfill, 1, 0));
    let shift = Shift { picks_up: Distribution::Const(1), resolves: Distribution::Const(Span::days(1).0) };
    let mut desk = OperatorDesk::new(Door::EMPTY, &fixture.door, shift);
    let question = |key| Question { taint: 0, op: Op::Fulfill, key };
    let (scope, verb) = (fixture.door.names.scope("order-1"), fixture.door.names.verb("call"));
    for key in [1, 2] {
        let at = fixture.door.occasion(scope, verb);
        desk.open(fixture.now, at, question(key), &mut fixture.door);
    }
    fixture.pass(Span::days(2));
    assert_eq!(desk.wake(fixture.now, |q| fixture.provider.truth(q)), Some(Time::ZERO + Span::days(9)));
    let first = desk.take_statement().map(|s| (s.question.key, s.finding));
    assert_eq!((first, desk.take_statement()), (Some((2, Truth::Absent)), None));
    fixture.pass(Span::days(8));
    assert_eq!(desk.wake(fixture.now, |q| fixture.provider.truth(q)), None);
    assert_eq!(desk.take_statement().map(|s| s.finding), Some(Truth::Committed(1)));
}
