//! Every knob does what it says.

use crate::fixture::{Fixture, Planned, act, charge, lookup, preset, service};
use unacked_mock_providers::fact::What;
use unacked_mock_providers::kinds::*;
use unacked_mock_providers::message::{Op, Request, Says};
use unacked_mock_providers::payments::Payments;
use unacked_mock_providers::service::Service;
use unacked_sim::site::Stage;
use unacked_sim::time::Span;

const P: Stage = Stage::Provider;

fn payments(service: &Service, planned: &[Planned]) -> Fixture<Payments> {
    Fixture::new(|menus, door| Payments::new(service, menus, door).unwrap_or_else(|e| panic!("{e}")), planned)
}

fn keyed(more: &str) -> Service {
    service(&format!(
        "[ops.charge]\nidentity = \"key\"\nwindow = {{ min = \"1h\", max = \"3h\" }}\n{more}\n[ops.refund]\nidentity = \"key\"\n"
    ))
}

#[test]
fn without_identity_every_request_runs() {
    let mut fixture = payments(&service("[ops.charge]\n[ops.refund]"), &[]);
    assert_eq!((fixture.says(charge(1)), fixture.says(charge(1))), (Says::Done, Says::Done));
    assert_eq!(fixture.provider.ledger().totals(0).captured, 1000);
}

#[test]
fn an_optional_key_may_be_missing_and_a_required_one_may_not() {
    let mut fixture = payments(&preset("stripe_v1"), &[]);
    assert_eq!((fixture.says(charge(0)), fixture.says(charge(0))), (Says::Done, Says::Done));
    let required = service("[ops.charge]\nidentity = \"required-key\"\n[ops.refund]");
    let mut fixture = payments(&required, &[]);
    assert_eq!(fixture.says(charge(0)), Says::Declined);
    assert!(fixture.facts.is_empty());
}

#[test]
fn a_key_is_kept_below_min_forgotten_from_max_and_in_between_asked_about_once() {
    let mut fixture = payments(&keyed(""), &[(3, Stage::Store, KEY_PRUNED, Span::ZERO)]);
    fixture.ask(charge(1));
    fixture.ask(charge(2));
    fixture.pass(Span::hours(2));
    fixture.ask(charge(1)); // asked: forgotten
    fixture.ask(charge(2)); // asked: kept
    fixture.ask(charge(2)); // not asked again
    assert_eq!(fixture.count(What::Captured), 3);
    fixture.pass(Span::hours(1));
    fixture.ask(charge(2)); // past max, kept or not
    fixture.ask(charge(1)); // counted anew from its second use
    assert_eq!(fixture.count(What::Captured), 4);
}

#[test]
fn a_younger_key_is_never_asked_about() {
    let mut fixture = payments(&keyed(""), &[(2, Stage::Store, KEY_PRUNED, Span::ZERO)]);
    fixture.ask(charge(1));
    fixture.pass(Span::mins(59));
    fixture.ask(charge(1));
    assert_eq!(fixture.count(What::Captured), 1);
}

#[test]
fn what_a_repetition_of_a_success_is_answered_with() {
    let answers = [
        ("snapshot", Says::Done, 1),
        ("current", Says::Done, 1),
        ("conflict-ref", Says::Duplicate, 1),
        ("conflict-bare", Says::Duplicate, 0),
        ("decline", Says::Declined, 0),
        ("ack", Says::Done, 0),
    ];
    for (word, says, reference) in answers {
        let mut fixture = payments(&keyed(&format!("on_done = \"{word}\"")), &[]);
        fixture.ask(charge(1));
        let again = fixture.ask(charge(1));
        assert_eq!((again.says, again.reference), (says, reference), "{word}");
        assert_eq!(fixture.count(What::Captured), 1, "{word}");
    }
}

#[test]
fn what_a_repetition_of_a_failure_meets() {
    for (word, says, declines) in
        [("replay", Says::Declined, 1), ("reexecute", Says::Declined, 2), ("burn", Says::Duplicate, 1)]
    {
        let mut fixture = payments(&keyed(&format!("on_declined = \"{word}\"")), &[(1, P, DECLINED, Span::ZERO)]);
        assert_eq!(fixture.says(charge(1)), Says::Declined);
        assert_eq!(fixture.says(charge(1)), says, "{word}");
        assert_eq!(fixture.count(What::ChargeDeclined), declines, "{word}");
        assert_eq!(fixture.count(What::Captured), 0, "{word}");
    }
}

#[test]
fn a_declined_card_stays_declined_under_another_key_and_others_are_not() {
    let mut fixture = payments(&keyed(""), &[(1, P, DECLINED, Span::ZERO)]);
    assert_eq!(fixture.says(charge(1)), Says::Declined);
    assert_eq!(fixture.says(charge(2)), Says::Declined);
    assert_eq!(fixture.says(Request { taint: 1, ..charge(3) }), Says::Done);
}

#[test]
fn what_did_not_validate_is_stored_only_where_the_contract_says_so() {
    let invalid = Request { amount: 0, ..charge(1) };
    for (word, says) in [("replay", Says::Declined), ("reexecute", Says::Declined), ("burn", Says::Duplicate)] {
        let mut fixture = payments(&keyed(&format!("on_client_error = \"{word}\"\nfingerprint = \"none\"")), &[]);
        assert_eq!(fixture.says(invalid), Says::Declined);
        assert_eq!(fixture.says(invalid), says, "{word}");
        let mended = if word == "reexecute" { Says::Done } else { says };
        assert_eq!(fixture.says(Request { taint: 1, ..charge(1) }), mended, "{word}: the same key, put right");
    }
}

#[test]
fn a_server_error_before_the_effect() {
    for (word, says, captured) in
        [("replay", Says::ServerError, 0), ("reexecute", Says::Done, 1), ("burn", Says::Duplicate, 0)]
    {
        let mut fixture =
            payments(&keyed(&format!("on_server_error = \"{word}\"")), &[(1, P, ERROR_BEFORE_EFFECT, Span::ZERO)]);
        assert_eq!(fixture.says(charge(1)), Says::ServerError);
        assert_eq!(fixture.says(charge(1)), says, "{word}");
        assert_eq!(fixture.count(What::Captured), captured, "{word}");
    }
}

#[test]
fn a_server_error_after_the_effect_never_makes_a_second_one() {
    for (word, says) in [("replay", Says::ServerError), ("reexecute", Says::Done), ("burn", Says::Duplicate)] {
        let mut fixture =
            payments(&keyed(&format!("on_server_error = \"{word}\"")), &[(1, P, ERROR_AFTER_EFFECT, Span::ZERO)]);
        assert_eq!(fixture.says(charge(1)), Says::ServerError);
        assert_eq!(fixture.says(charge(1)), says, "{word}");
        assert_eq!(fixture.count(What::Captured), 1, "{word}");
    }
}

#[test]
fn a_stored_error_whose_effect_comes_later() {
    let mut fixture = payments(&preset("stripe_v1"), &[(1, P, ERROR_THEN_EFFECT, Span::hours(2))]);
    assert_eq!(fixture.says(charge(1)), Says::ServerError);
    fixture.pass(Span::hours(1));
    assert_eq!(fixture.says(charge(1)), Says::ServerError);
    assert_eq!((fixture.count(What::Captured), fixture.says(lookup(Op::Charge, 1, 0))), (0, Says::NotFound));
    fixture.pass(Span::hours(1));
    assert_eq!(fixture.says(charge(1)), Says::ServerError);
    assert_eq!((fixture.count(What::Captured), fixture.says(lookup(Op::Charge, 1, 0))), (1, Says::NotFound));
    // The search's index is up to a minute behind.
    fixture.pass(Span::mins(1));
    assert_eq!(fixture.says(lookup(Op::Charge, 1, 0)), Says::Done);
}

#[test]
fn other_parameters_under_a_known_key() {
    let other = Request { amount: 600, ..charge(1) };
    let answers = [("reject", Says::Mismatch, 1), ("replay", Says::Done, 1), ("execute", Says::Done, 2)];
    for (word, says, captured) in answers {
        let mut fixture = payments(&keyed(&format!("fingerprint = \"all\"\non_mismatch = \"{word}\"")), &[]);
        fixture.ask(charge(1));
        assert_eq!(fixture.says(other), says, "{word}");
        assert_eq!(fixture.count(What::Captured), captured, "{word}");
    }
    let mut fixture = payments(&keyed("fingerprint = \"none\""), &[]);
    fixture.ask(charge(1));
    assert_eq!(fixture.ask(other).amount, 500, "the old answer");
}

#[test]
fn the_taint_is_no_parameter() {
    let mut fixture = payments(&preset("stripe_v1"), &[]);
    fixture.ask(charge(1));
    assert_eq!(fixture.says(Request { taint: 9, ..charge(1) }), Says::Done);
    assert_eq!(fixture.count(What::Captured), 1);
}

#[test]
fn a_repetition_while_the_first_runs() {
    let late: &[Planned] = &[(1, P, COMMIT_LATE, Span::secs(20))];
    for (word, says, after, captured) in
        [("reject", Says::InProgress, 0, 1), ("wait", Says::Done, 15, 1), ("execute", Says::Done, 0, 2)]
    {
        let mut fixture = payments(&keyed(&format!("in_flight = \"{word}\"")), late);
        let first = fixture.call(charge(1));
        assert_eq!(
            (first.after, first.wake_at),
            (Span::secs(20), Some(unacked_sim::time::Time::ZERO + Span::secs(20)))
        );
        fixture.pass(Span::secs(5));
        let second = fixture.call(charge(1));
        assert_eq!((second.reply.map(|r| r.says), second.after), (Some(says), Span::secs(after)), "{word}");
        fixture.pass(Span::secs(20));
        assert_eq!(fixture.says(charge(1)), Says::Done, "{word}");
        assert_eq!(fixture.count(What::Captured), captured, "{word}");
    }
}

#[test]
fn a_lost_record_forgets_the_key_and_a_lost_effect_locks_it() {
    let lost = keyed("atomicity = \"effect-then-record\"");
    let mut fixture = payments(&lost, &[(1, P, RECORD_LOST, Span::ZERO)]);
    assert_eq!((fixture.says(charge(1)), fixture.says(charge(1))), (Says::ServerError, Says::Done));
    assert_eq!(fixture.count(What::Captured), 2);
    let locked = keyed("atomicity = \"record-then-effect\"");
    let mut fixture = payments(&locked, &[(1, P, EFFECT_LOST, Span::secs(90))]);
    assert_eq!((fixture.says(charge(1)), fixture.says(charge(1))), (Says::ServerError, Says::InProgress));
    fixture.pass(Span::secs(90));
    assert_eq!((fixture.says(charge(1)), fixture.count(What::Captured)), (Says::Done, 1));
}

#[test]
fn impossible_faults_do_not_happen() {
    let impossible = [RECORD_LOST, EFFECT_LOST, RACE_EXECUTED, DRIFT_EXECUTED, CANNOT_SHIP, REFUND_PENDING];
    for kind in impossible {
        let mut fixture = payments(&preset("stripe_v1"), &[(1, P, kind, Span::secs(1))]);
        assert_eq!((fixture.says(charge(1)), fixture.count(What::Captured)), (Says::Done, 1));
    }
    for kind in [DECLINED, ERROR_BEFORE_EFFECT, ERROR_AFTER_EFFECT, COMMIT_LATE] {
        let mut fixture = payments(&preset("stripe_v1"), &[(2, P, kind, Span::secs(1))]);
        assert_eq!((fixture.says(charge(1)), fixture.says(charge(1))), (Says::Done, Says::Done));
    }
}

#[test]
fn throttling_comes_before_everything_and_is_not_recorded() {
    let mut fixture = payments(&preset("stripe_v1"), &[(1, P, THROTTLED, Span::secs(3))]);
    let first = fixture.ask(charge(1));
    assert_eq!((first.says, first.value), (Says::Throttled, Span::secs(3).0));
    assert_eq!(fixture.says(charge(1)), Says::Done);
}

#[test]
fn in_an_outage_requests_run_and_nobody_is_told() {
    let mut fixture = payments(&preset("stripe_v1"), &[(1, P, OUTAGE, Span::mins(5))]);
    assert_eq!(fixture.call(charge(1)).reply, None);
    assert_eq!(fixture.call(lookup(Op::Charge, 1, 0)).reply, None);
    assert_eq!(fixture.count(What::Captured), 1);
    assert_eq!(fixture.door.calm_at(), fixture.now + Span::mins(5));
    fixture.pass(Span::mins(5));
    assert_eq!(fixture.says(charge(1)), Says::Done);
    assert_eq!(fixture.count(What::Captured), 1);
}

#[test]
fn lookups_may_be_behind_but_not_beyond_the_contract() {
    let behind: &[Planned] = &[(2, P, LOOKUP_BEHIND, Span::mins(5)), (4, P, LOOKUP_BEHIND, Span::days(9))];
    let mut fixture = payments(&preset("stripe_v1"), behind);
    fixture.ask(charge(1));
    fixture.pass(Span::mins(1));
    assert_eq!(fixture.says(lookup(Op::Charge, 1, 0)), Says::NotFound, "search is behind");
    assert_eq!(fixture.says(lookup(Op::Charge, 0, 1)), Says::Done, "by id");
    fixture.pass(Span::hours(1));
    assert_eq!(fixture.says(lookup(Op::Charge, 1, 0)), Says::Done, "an hour is the most");
}

#[test]
fn lookups_that_no_contract_offers_establish_nothing() {
    let mut fixture = payments(&service("[ops.charge]\n[ops.refund]"), &[]);
    fixture.ask(charge(1));
    assert_eq!(fixture.says(lookup(Op::Charge, 1, 1)), Says::ServerError);
}

#[test]
fn a_key_lookup_sees_a_running_key_and_forgets_a_forgotten_one() {
    let by_key = keyed("lookup_by_key = \"0s\"");
    let mut fixture = payments(&by_key, &[(1, P, COMMIT_LATE, Span::secs(20))]);
    fixture.call(charge(1));
    assert_eq!(fixture.says(lookup(Op::Charge, 1, 0)), Says::InProgress);
    fixture.pass(Span::secs(20));
    assert_eq!(fixture.says(lookup(Op::Charge, 1, 0)), Says::Done);
    fixture.pass(Span::hours(3));
    assert_eq!(fixture.says(lookup(Op::Charge, 1, 0)), Says::NotFound);
}

#[test]
fn refunds_are_capped_by_what_was_captured_pending_ones_included() {
    let late: &[Planned] = &[(2, P, REFUND_PENDING, Span::days(2)), (3, P, COMMIT_LATE, Span::mins(1))];
    let mut fixture = payments(&preset("stripe_v1"), late);
    fixture.ask(charge(1));
    let part = |key, amount| Request { amount, ..act(Op::Refund, key, 1) };
    assert_eq!(fixture.says(part(2, 200)), Says::Pending);
    assert_eq!(fixture.says(part(3, 250)), Says::Done);
    assert_eq!(fixture.says(part(4, 51)), Says::Declined, "50 are left");
    assert_eq!(fixture.says(Request { currency: *b"USD", ..part(5, 10) }), Says::Declined);
    assert_eq!(fixture.says(part(6, 50)), Says::Done);
    fixture.pass(Span::days(2));
    let totals = fixture.provider.ledger().totals(0);
    assert_eq!((totals.captured, totals.refunded, totals.refund_pending, totals.net()), (500, 500, 0, 0));
    assert_eq!(fixture.says(lookup(Op::Refund, 2, 0)), Says::Done);
}

#[test]
fn a_refund_is_not_found_by_its_charges_reference() {
    let mut fixture = payments(&preset("stripe_v1"), &[]);
    fixture.ask(charge(1));
    fixture.ask(act(Op::Refund, 2, 1));
    assert_eq!(fixture.ask(lookup(Op::Refund, 3, 1)).says, Says::NotFound);
    assert_eq!(fixture.ask(lookup(Op::Refund, 2, 1)).says, Says::Done);
}

#[test]
fn a_provider_that_takes_its_time_is_still_at_it_when_the_request_comes_again() {
    let stripe = unacked_mock_providers::catalog::preset("stripe_v1").expect("a preset");
    let mut fixture = payments(&stripe, &[]);
    let first = fixture.call(charge(1));
    assert!(first.after > Span::ZERO && first.reply.is_some_and(|reply| reply.says == Says::Done));
    assert_eq!((fixture.count(What::Captured), fixture.says(charge(1))), (0, Says::InProgress));
    fixture.pass(first.after);
    assert_eq!((fixture.count(What::Captured), fixture.says(charge(1))), (1, Says::Done));
}

#[test]
fn a_key_is_the_accounts_or_its_operations() {
    for (service, says) in [(preset("stripe_v1"), Says::Mismatch), (keyed(""), Says::Done)] {
        let mut fixture = payments(&service, &[]);
        fixture.ask(charge(1));
        assert_eq!(fixture.says(act(Op::Refund, 1, 1)), says, "{}", service.name);
    }
}

#[test]
fn a_refund_may_fail_in_the_end_and_the_money_may_be_given_back_again() {
    let mut fixture = payments(&preset("stripe_v1"), &[(2, P, REFUND_FAILED, Span::days(2))]);
    fixture.ask(charge(1));
    assert_eq!(fixture.says(act(Op::Refund, 2, 1)), Says::Pending);
    fixture.pass(Span::days(2));
    let totals = *fixture.provider.ledger().totals(0);
    assert_eq!((totals.refunded, totals.refund_pending, totals.net()), (0, 0, 500));
    assert_eq!(fixture.says(lookup(Op::Refund, 2, 0)), Says::Declined);
    assert_eq!(fixture.says(act(Op::Refund, 3, 1)), Says::Done);
}
