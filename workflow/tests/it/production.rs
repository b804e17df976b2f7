//! The workflow on tokio, with ports in memory: what runs in the simulator could run in production.

use crate::shop::{Crash, Fault, Person, Shop, Truth};
use unacked_workflow::belief::{Belief, Beliefs, Dedup, Duplicate, Limits, Lookup};
use unacked_workflow::order::{Cause, Decision, End, Reference, Statement};
use unacked_workflow::policy::{Absence, Compensation, KeySource, MailRule, OnConflict, OnUnknown, Policy, Recovery};
use unacked_workflow::ports::{Ask, StoreError, Transition};
use unacked_workflow::time::{DAY, HOUR, MINUTE, NEVER, SECOND};
use unacked_workflow::tool::Tool;
use unacked_workflow::worker;

fn beliefs() -> Beliefs {
    let belief = Belief {
        dedup: Dedup::Keyed(DAY),
        stores_failures: false,
        decline_binds: true,
        declines_duplicates: false,
        declines_reexecute: false,
        duplicate: Duplicate::Final,
        lookup: Lookup::ByReference,
        absent_after: None,
        found_within: NEVER,
    };
    Beliefs { tools: [belief; Tool::COUNT] }
}

fn limits() -> Limits {
    Limits {
        p_max: 10 * MINUTE,
        d_max: MINUTE,
        skew: 3 * SECOND,
        handoff: [4 * HOUR; Tool::COUNT],
        handoff_covered: [20 * HOUR; Tool::COUNT],
        pending: 6 * DAY,
        attempts: [60; Tool::COUNT],
        approval_deadline: 72 * HOUR,
        approve_with_charge: false,
        renew_before: 12 * HOUR,
    }
}

/// Runs one shop to its end, restarting the worker whenever its node dies.
fn run_with(open: impl Fn(&mut Shop), beliefs: &Beliefs, limits: &Limits, policy: &Policy) -> Shop {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    let runtime = builder.enable_time().start_paused(true).build().expect("a runtime");
    runtime.block_on(async {
        let mut shop = Shop::new(1);
        open(&mut shop);
        loop {
            tokio::select! {
                () = worker::run(&shop, beliefs, limits, policy) => break,
                () = shop.death() => {}
            }
        }
        shop
    })
}

fn run(open: impl Fn(&mut Shop)) -> Shop {
    run_with(open, &beliefs(), &limits(), &Policy::reference())
}

fn truth(shop: &Shop) -> Truth {
    shop.truth.borrow()[0]
}

/// The legal ends L1 and L2, by what is true.
fn legal(shop: &Shop, context: &str) {
    let truth = truth(shop);
    let net = truth.charged - truth.refunded;
    let found = (net, truth.shipped, truth.mails, truth.held);
    match shop.end(0) {
        Some(End::Delivered) => assert_eq!(found, (1, 1, 1, false), "{context}"),
        Some(End::Refused(_)) => assert_eq!(found, (0, 0, 1, false), "{context}"),
        None => panic!("not ended: {context}: {:?}", shop.orders.borrow()[0]),
    }
    assert!(truth.charged <= 1 && truth.refunded <= 1, "{context}: {truth:?}");
}

#[test]
fn the_happy_path_takes_six_writes() {
    let shop = run(|_| {});
    legal(&shop, "nothing strikes");
    // An outcome rides on the claim of the next step.
    let claims = [Tool::Reserve, Tool::Charge, Tool::Approve, Tool::Fulfill, Tool::Notify];
    let mut expected = claims.map(Transition::Operation).to_vec();
    expected.push(Transition::Ended);
    assert_eq!(*shop.commits.borrow(), expected, "and one more for the claim");
}

#[test]
fn one_worker_carries_many_orders() {
    let shop = run(|shop| *shop = Shop::new(20));
    assert!(shop.orders.borrow().iter().all(|order| order.end == Some(End::Delivered)));
    assert!(shop.truth.borrow().iter().all(|t| (t.charged, t.shipped, t.mails) == (1, 1, 1)));
}

const FAULTS: [Fault; 9] = [
    Fault::LoseReply,
    Fault::LoseRequest,
    Fault::FailAfter,
    Fault::FailBefore,
    Fault::Garble,
    Fault::Throttle,
    Fault::Refuse,
    Fault::Decline,
    Fault::Delay,
];

/// Every fault at every call of an order that is delivered, or refused by a person.
#[test]
fn every_single_fault_ends_legally() {
    for decision in [Decision::Granted, Decision::Denied] {
        for (tool, fault) in strikes() {
            let shop = run(|shop| {
                shop.person = Person::After(HOUR, decision);
                shop.faults = vec![(tool, 1, fault)];
            });
            end_legally(&shop, &[(tool, fault)], &format!("{tool:?} {fault:?} {decision:?}"));
        }
    }
}

/// A fault, then another at the second attempt of the same tool, and a third series lost.
#[test]
fn two_faults_in_a_row_end_legally() {
    for (tool, first) in strikes() {
        for second in FAULTS {
            let shop = run(|shop| shop.faults = vec![(tool, 1, first), (tool, 2, second)]);
            end_legally(&shop, &[(tool, first), (tool, second)], &format!("{tool:?} {first:?} {second:?}"));
        }
    }
}

/// A crash before and after each commit, alone and together with every fault.
#[test]
fn a_crash_at_every_write_ends_legally() {
    for (tool, fault) in strikes() {
        for commit in 1..=24 {
            for after in [false, true] {
                let shop = run(|shop| {
                    shop.person = Person::After(HOUR, Decision::Granted);
                    shop.crash.set(Some(Crash { commit, after }));
                    shop.faults = vec![(tool, 1, fault)];
                });
                let context = format!("{tool:?} {fault:?}, crash at {commit} {after}");
                end_legally(&shop, &[(tool, fault)], &context);
            }
        }
    }
}

/// A write that fails, or whose acknowledgement is lost, at every commit.
#[test]
fn a_store_error_at_every_write_ends_legally() {
    let errors = [
        (StoreError::Conflict, false),
        (StoreError::Unavailable, false),
        (StoreError::Unacknowledged, false),
        (StoreError::Unacknowledged, true),
    ];
    for (error, written) in errors {
        for commit in 1..=12 {
            let shop = run(|shop| shop.broken = Some((commit, error, written)));
            legal(&shop, &format!("{error:?} at {commit}, written: {written}"));
        }
    }
}

fn strikes() -> impl Iterator<Item = (Tool, Fault)> {
    Tool::ALL.into_iter().flat_map(|tool| FAULTS.into_iter().map(move |fault| (tool, fault)))
}

/// A refused mail or refund cannot end in L1 or L2: it is made visible, or handed off (R19).
fn end_legally(shop: &Shop, faults: &[(Tool, Fault)], context: &str) {
    let declined = |tool| faults.contains(&(tool, Fault::Decline));
    let order = shop.orders.borrow()[0];
    if declined(Tool::Refund) && order.handoff.is_some() {
        return;
    }
    if declined(Tool::Notify) && order.notification_unknown {
        return;
    }
    if declined(Tool::Release) && truth(shop).held {
        return;
    }
    legal(shop, context);
}

#[test]
fn a_long_outage_is_replayed_inside_the_window() {
    let lost = |n| (1..=n).map(|nth| (Tool::Charge, nth, Fault::LoseReply)).collect::<Vec<_>>();
    let shop = run(|shop| shop.faults = lost(20));
    legal(&shop, "twenty lost replies");
    assert_eq!(shop.count(Tool::Charge, Ask::Act), 21);
}

#[test]
fn without_dedup_a_lookup_finds_the_charge() {
    let mut beliefs = beliefs();
    beliefs.tools[Tool::Charge as usize].dedup = Dedup::None;
    let lost = |shop: &mut Shop| {
        shop.remembers = false;
        shop.faults = vec![(Tool::Charge, 1, Fault::LoseReply)];
    };
    let shop = run_with(lost, &beliefs, &limits(), &Policy::reference());
    legal(&shop, "found");
    assert_eq!(shop.count(Tool::Charge, Ask::Act), 1);
}

#[test]
fn absence_is_established_only_past_the_documented_bounds() {
    let mut beliefs = beliefs();
    beliefs.tools[Tool::Charge as usize].dedup = Dedup::None;
    beliefs.tools[Tool::Charge as usize].absent_after = Some(HOUR);
    let lost = |shop: &mut Shop| shop.faults = vec![(Tool::Charge, 1, Fault::LoseRequest)];
    let shop = run_with(lost, &beliefs, &limits(), &Policy::reference());
    legal(&shop, "one new generation");
    let charge = *shop.orders.borrow()[0].op(Tool::Charge);
    assert_eq!(charge.generation, 2);
    assert!(charge.first_claim > Some(2 * HOUR + 11 * MINUTE));

    let hasty = Policy { absence: Absence::AtOnce, ..Policy::reference() };
    let shop = run_with(lost, &beliefs, &limits(), &hasty);
    assert!(shop.orders.borrow()[0].op(Tool::Charge).first_claim < Some(HOUR + MINUTE));
}

#[test]
fn an_operator_settles_what_nothing_else_can() {
    let mut beliefs = beliefs();
    for tool in [Tool::Charge, Tool::Fulfill] {
        beliefs.tools[tool as usize].dedup = Dedup::None;
        beliefs.tools[tool as usize].lookup = Lookup::None;
    }
    for tool in [Tool::Charge, Tool::Fulfill] {
        for (fault, statement) in
            [(Fault::LoseReply, Statement::Committed(Reference(5))), (Fault::LoseRequest, Statement::Absent)]
        {
            let open = |shop: &mut Shop| {
                shop.remembers = false;
                shop.operator = Some(statement);
                shop.faults = vec![(tool, 1, fault)];
            };
            let shop = run_with(open, &beliefs, &limits(), &Policy::reference());
            legal(&shop, &format!("{tool:?} {statement:?}"));
            assert!(shop.commits.borrow().contains(&Transition::HandedOff));
            assert!(shop.commits.borrow().contains(&Transition::Resolved(tool)));
            assert_eq!(shop.end(0), Some(End::Delivered));
        }
    }
}

#[test]
fn without_an_operator_the_order_stays_visible() {
    let mut beliefs = beliefs();
    beliefs.tools[Tool::Charge as usize].dedup = Dedup::None;
    beliefs.tools[Tool::Charge as usize].lookup = Lookup::None;
    let lost = |shop: &mut Shop| shop.faults = vec![(Tool::Charge, 1, Fault::LoseReply)];
    let shop = run_with(lost, &beliefs, &limits(), &Policy::reference());
    let order = shop.orders.borrow()[0];
    assert_eq!(order.handoff.map(|handoff| handoff.key), Some(order.op(Tool::Charge).key));
    assert_eq!((order.end, truth(&shop).refunded), (None, 0));
}

#[test]
fn a_person_may_take_days_while_the_hold_is_kept() {
    for hold in [30 * MINUTE, HOUR, DAY] {
        let shop = run(|shop| {
            shop.hold = hold;
            shop.person = Person::After(50 * HOUR, Decision::Granted);
        });
        legal(&shop, &format!("hold of {hold}"));
        assert!(shop.count(Tool::Renew, Ask::Act) > 0);
    }
}

#[test]
fn a_no_refunds_and_releases() {
    let shop = run(|shop| shop.person = Person::After(HOUR, Decision::Denied));
    legal(&shop, "denied");
    assert_eq!(shop.end(0), Some(End::Refused(Cause::NotApproved)));
}

#[test]
fn a_lapsed_hold_is_taken_again() {
    let shop = run(|shop| {
        shop.hold = 30 * MINUTE;
        shop.person = Person::After(3 * HOUR, Decision::Granted);
        shop.faults = (1..=12).map(|nth| (Tool::Renew, nth, Fault::LoseRequest)).collect();
    });
    legal(&shop, "lapsed");
    assert_eq!(shop.orders.borrow()[0].op(Tool::Reserve).generation, 2);
}

#[test]
fn the_approval_may_be_asked_for_while_the_charge_is_open() {
    let limits = Limits { approve_with_charge: true, ..limits() };
    for decision in [Decision::Granted, Decision::Denied] {
        let open = |shop: &mut Shop| {
            shop.person = Person::After(MINUTE, decision);
            shop.faults = (1..=9).map(|nth| (Tool::Charge, nth, Fault::LoseReply)).collect();
        };
        let shop = run_with(open, &beliefs(), &limits, &Policy::reference());
        legal(&shop, &format!("{decision:?}"));
        let calls = shop.calls.borrow();
        let asked = calls.iter().position(|call| call.0 == Tool::Approve);
        let charges = calls.iter().take(asked.expect("asked")).filter(|c| c.0 == Tool::Charge);
        assert_eq!(charges.count(), 1, "asked after the first attempt");
    }
}

/// What a policy with one knob turned does to the shop under one fault.
fn wrong(knob: impl FnOnce(&mut Policy), open: impl Fn(&mut Shop)) -> Shop {
    let mut policy = Policy::reference();
    knob(&mut policy);
    run_with(open, &beliefs(), &limits(), &policy)
}

fn struck(tool: Tool, fault: Fault) -> impl Fn(&mut Shop) {
    move |shop| shop.faults = vec![(tool, 1, fault)]
}

#[test]
fn wrong_policies_go_wrong_where_they_should() {
    let lost = |tool| struck(tool, Fault::LoseReply);
    let twice = wrong(|p| p.key = KeySource::Attempt, lost(Tool::Charge));
    assert_eq!(truth(&twice).charged, 2, "a fresh key per attempt");
    let fails = |p: &mut Policy| p.unknown[Tool::Charge as usize] = OnUnknown::AssumeFailed;
    let liar = wrong(fails, lost(Tool::Charge));
    assert_eq!((liar.end(0), truth(&liar).charged), (Some(End::Refused(Cause::Declined)), 1));
    let done = |p: &mut Policy| p.unknown[Tool::Charge as usize] = OnUnknown::AssumeDone;
    let gift = wrong(done, struck(Tool::Charge, Fault::LoseRequest));
    assert_eq!((truth(&gift).charged, truth(&gift).shipped), (0, 1));
    let silent = wrong(|p| p.mail = MailRule::Never, |_| {});
    assert_eq!(truth(&silent).mails, 0);
}

#[test]
fn a_restart_from_the_first_step_charges_twice() {
    let crash = |shop: &mut Shop| {
        shop.crash.set(Some(Crash { commit: 5, after: true }));
    };
    let shop = wrong(|p| p.recovery = Recovery::Restart, crash);
    assert_eq!(truth(&shop).charged, 2);
    assert_eq!(truth(&run(crash)).charged, 1);
}

#[test]
fn undoing_the_unknown_goes_wrong() {
    let lost = |n: u32| {
        move |shop: &mut Shop| {
            shop.faults = (1..=n).map(|nth| (Tool::Charge, nth, Fault::LoseRequest)).collect();
        }
    };
    let refunds = wrong(|p| p.compensation = Compensation::RefundUnknown, lost(3));
    assert_eq!((truth(&refunds).charged, truth(&refunds).refunded), (0, 1));
    let releases = wrong(|p| p.compensation = Compensation::ReleaseUnknown, lost(3));
    assert_eq!(releases.end(0), Some(End::Refused(Cause::Declined)));
    assert_eq!(truth(&run(lost(3))).shipped, 1);
}

#[test]
fn a_new_key_on_conflict_is_a_second_operation() {
    let policy = Policy { conflict: OnConflict::NewKey, ..Policy::reference() };
    let conflict = struck(Tool::Charge, Fault::Conflict);
    let shop = run_with(&conflict, &beliefs(), &limits(), &policy);
    assert_eq!(truth(&shop).charged, 2);
    assert_eq!(truth(&run(conflict)).charged, 1);
}

#[test]
fn an_unprotected_mail_is_sent_once_and_its_doubt_shown() {
    let mut beliefs = beliefs();
    beliefs.tools[Tool::Notify as usize].dedup = Dedup::None;
    beliefs.tools[Tool::Notify as usize].lookup = Lookup::None;
    let lost = |shop: &mut Shop| {
        shop.remembers = false;
        shop.faults = vec![(Tool::Notify, 1, Fault::LoseReply)];
    };
    let shop = run_with(lost, &beliefs, &limits(), &Policy::reference());
    assert!(shop.orders.borrow()[0].notification_unknown);
    legal(&shop, "told once");
    let again = Policy { mail: MailRule::UntilAnswered, ..Policy::reference() };
    assert_eq!(truth(&run_with(lost, &beliefs, &limits(), &again)).mails, 2);
}
