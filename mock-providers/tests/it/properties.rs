//! Under any contract that promises so, the same request is never executed twice, whatever happens.
//!
//! The model is nothing but the facts: it knows no table, no record, no pipeline.

use crate::fixture::{Fixture, Planned, charge};
use proptest::prelude::*;
use unacked_mock_providers::contract::*;
use unacked_mock_providers::fact::{Fact, What};
use unacked_mock_providers::kinds::*;
use unacked_mock_providers::message::{Op, Says};
use unacked_mock_providers::payments::Payments;
use unacked_mock_providers::service::{Confidence, Service};
use unacked_mock_providers::totals::Totals;
use unacked_sim::kind::KindId;
use unacked_sim::site::Stage;
use unacked_sim::time::{Span, Time};

/// Ordinary faults: none of them excuses a second effect.
const FAULTS: [KindId; 8] =
    [ERROR_BEFORE_EFFECT, ERROR_AFTER_EFFECT, ERROR_THEN_EFFECT, THROTTLED, DECLINED, COMMIT_LATE, OUTAGE, KEY_PRUNED];

fn on_failed() -> impl Strategy<Value = Cell<OnFailed>> {
    prop_oneof![Just(OnFailed::Replay), Just(OnFailed::Reexecute), Just(OnFailed::Burn)].prop_map(Cell::documented)
}

fn on_done() -> impl Strategy<Value = Cell<OnDone>> {
    use OnDone::*;
    prop_oneof![Just(Snapshot), Just(Current), Just(ConflictRef), Just(ConflictBare), Just(Decline), Just(Ack)]
        .prop_map(Cell::documented)
}

prop_compose! {
    fn contract()(
        natural in any::<bool>(),
        from in prop_oneof![Just(Since::FirstSeen), Just(Since::Completed)],
        min in 1u64..200,
        more in 0u64..200,
        on_done in on_done(),
        on_declined in on_failed(),
        on_server_error in on_failed(),
        wait in any::<bool>(),
        later in any::<bool>(),
    ) -> Contract {
        let delay = Delay { p50: Span::secs(5), p99: Span::secs(50), max: Span::secs(500) };
        Contract {
            identity: Cell::documented(if natural { Identity::NaturalRef } else { Identity::Key }),
            window: Cell::documented(Window { min: Span::secs(min), max: Span::secs(min + more), from }),
            on_done,
            on_declined,
            on_server_error,
            in_flight: Cell::documented(if wait { InFlight::Wait } else { InFlight::Reject }),
            late_effect: Cell::documented(LateEffect::May),
            commit: Cell::documented(if later { Commit::Async(delay) } else { Commit::Sync }),
            ..Contract::BARE
        }
    }
}

prop_compose! {
    /// Calls as (key, seconds since the one before), and faults by call.
    fn calls()(
        calls in prop::collection::vec((1u64..4, 0u64..40), 1..20),
        faults in prop::collection::vec((1u32..20, 0usize..FAULTS.len(), 0u64..60), 0..8),
    ) -> (Vec<(u64, u64)>, Vec<Planned>) {
        let mut planned: Vec<Planned> = faults.into_iter().map(|(call, kind, secs)| {
            let stage = if FAULTS[kind] == KEY_PRUNED { Stage::Store } else { Stage::Provider };
            (call, stage, FAULTS[kind], Span::secs(secs))
        }).collect();
        planned.sort_by_key(|p| (p.0, p.1));
        planned.dedup_by_key(|p| (p.0, p.1));
        (calls, planned)
    }
}

fn payments(contract: Contract, planned: &[Planned]) -> Fixture<Payments> {
    let mut ops = [None; Op::COUNT];
    (ops[Op::Charge as usize], ops[Op::Refund as usize]) = (Some(contract), Some(contract));
    let text = String::new;
    let service = Service {
        name: text(),
        about: text(),
        source: text(),
        checked_on: text(),
        confidence: Confidence::Assumed,
        ops,
    };
    Fixture::new(|m, d| Payments::new(&service, m, d).unwrap_or_else(|e| panic!("{e}")), planned)
}

/// Effects under a key, from the facts alone: a capture's fact carries the key.
fn effects(facts: &[Fact], key: u64) -> usize {
    facts.iter().filter(|f| f.what == What::Captured && f.value == key).count()
}

proptest! {
    #[test]
    fn a_covered_repetition_makes_no_second_effect(contract in contract(), (calls, planned) in calls()) {
        let mut fixture = payments(contract, &planned);
        let mut first = [None; 4];
        let mut covered = [true; 4];
        let mut told = Vec::new();
        for (key, gap) in calls {
            fixture.pass(Span::secs(gap));
            let since = fixture.now.since(*first[key as usize].get_or_insert(fixture.now));
            covered[key as usize] &= since < contract.window.value.min;
            let answer = fixture.call(charge(key));
            if let Some(reply) = answer.reply {
                told.push((key, reply.says, fixture.now + answer.after));
            }
            if answer.reply.is_some_and(|r| r.says == Says::Declined) && contract.on_done.value != OnDone::Decline {
                prop_assert_eq!(covered[key as usize] as usize * effects(&fixture.facts, key), 0, "declined, yet it exists");
            }
        }
        let mut end = fixture.now;
        while let Some(due) = fixture.provider.next_due() {
            end = end.max(due);
            fixture.pass(end.since(fixture.now));
        }
        for key in 1..4u64 {
            let (made, is_covered) = (effects(&fixture.facts, key), covered[key as usize]);
            prop_assert!(!is_covered || made <= 1, "{made} effects under key {key}");
            let promised = told.iter().any(|t| t.0 == key && matches!(t.1, Says::Done | Says::Pending));
            prop_assert!(!promised || made >= 1, "said done under key {key}, and nothing exists");
        }
    }

    #[test]
    fn what_is_said_to_be_done_is_done_by_then(contract in contract(), (calls, planned) in calls()) {
        let contract = Contract { commit: Cell::documented(Commit::Sync), ..contract };
        let mut fixture = payments(contract, &planned);
        for (key, gap) in calls {
            fixture.pass(Span::secs(gap));
            let answer = fixture.call(charge(key));
            if answer.reply.is_some_and(|r| r.says == Says::Done) {
                let by = fixture.now + answer.after;
                let exists = fixture.provider.ledger().effects().iter().any(|e| e.key == key && e.at <= by);
                prop_assert!(exists || answer.after > Span::ZERO);
                prop_assert!(answer.after == Span::ZERO || fixture.provider.next_due().is_some_and(|d| d <= by));
            }
        }
    }

    #[test]
    fn totals_are_the_sum_of_the_facts(contract in contract(), (calls, planned) in calls()) {
        let mut fixture = payments(contract, &planned);
        for (key, gap) in calls {
            fixture.pass(Span::secs(gap));
            fixture.call(charge(key));
        }
        let captured = fixture.facts.iter().filter(|f| f.what == What::Captured).map(|f| f.amount).sum();
        let declines = fixture.facts.iter().filter(|f| f.what == What::ChargeDeclined).count() as i64;
        let expected = Totals { captured, declines, ..Totals::default() };
        prop_assert_eq!(*fixture.provider.ledger().totals(0), expected);
        fixture.provider.reset();
        prop_assert_eq!(fixture.provider.next_due(), None::<Time>);
    }
}
