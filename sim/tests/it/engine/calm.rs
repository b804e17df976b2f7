//! Chaos, then calm.

use crate::engine::tiny::{Job, Setup, Tiny, charge, compile, note};
use unacked_sim::cx::Cx;
use unacked_sim::time::{Span, Time};
use unacked_sim::world::NodeId;

/// A charge and a write a minute, for half an hour.
fn for_a_while(cx: Cx<'_, Tiny>, node: NodeId) -> Job<'_> {
    Box::pin(async move {
        for minute in 0..30 {
            cx.sleep(Span::mins(1)).await;
            charge(cx, minute * 10 + u64::from(node.0)).await;
            let _ = note(cx, "minute").await;
        }
    })
}

#[test]
fn calm_begins_when_the_last_faults_effect_is_over() {
    let check = |plan: &str, calm: &str| {
        Setup::wild(0.0).lab(for_a_while, |lab| {
            let outcome = lab.run_plan(&compile(plan));
            assert_eq!(lab.missing(), [], "{plan}");
            assert_eq!(outcome.calm.to_string(), calm, "{plan}");
            assert_eq!(lab.world(|w| w.finished), Some((outcome.ended, outcome.calm)));
        });
    };
    check("", "0.000s");
    check("order-1 charge #1 reply: reply-lost", "60.010s");
    check("order-1 charge #1 reply: reply-late(9s)", "69.020s");
    check("order-1 charge #1 request: request-late(2s)", "62.010s");
    check("order-1 note #1 after: crash(1m)", "120.020s");
    check("order-1 note #1 after: crash", "61.020s");
    check("order-1 note #1 before: pause(1m)", "120.020s");
    check("order-1 note #1 before: hold", "120.020s");
    check("order-1 note #1 store: store-unavailable(3s)", "63.020s");
    // The latest effect counts, not the latest fault.
    check("order-1 note #1 store: store-unavailable(10m); order-1 charge #2 reply: reply-lost", "660.020s");
}

#[test]
fn a_random_run_is_calm_from_the_end_of_chaos_on() {
    let chaos = Span::mins(10);
    let end = Time::ZERO + chaos;
    Setup { chaos, nodes: 2, ..Setup::wild(0.3) }.lab(for_a_while, |lab| {
        let mut faults = 0;
        for seed in 0..50 {
            let (outcome, events) = lab.trace_seed(seed);
            assert!(outcome.calm >= end, "seed {seed}");
            let late = events.iter().filter(|e| e.at >= end && e.fault.is_some());
            assert_eq!(late.count(), 0, "seed {seed}");
            faults += lab.landed().len();
        }
        assert!(faults > 500, "{faults}");
    });
}

#[test]
fn the_end_of_chaos_binds_neither_plans_nor_enumeration() {
    Setup { chaos: Span::mins(10), ..Setup::wild(0.3) }.lab(for_a_while, |lab| {
        let plan = compile("order-1 charge #25 reply: reply-lost");
        let outcome = lab.run_plan(&plan);
        assert_eq!((lab.missing().len(), outcome.calm), (0, Time::ZERO + Span::mins(25) + Span::millis(24 * 20 + 10)));
        lab.enumerate(&plan);
        assert!(!lab.door(|d| d.offers().is_empty()));
    });
}
