//! A run is a pure function of its plan.

use crate::engine::tiny::{Job, Setup, Tiny, charge, job, note, say};
use unacked_sim::cx::Cx;
use unacked_sim::distribution::Distribution;
use unacked_sim::draw::DrawKey;
use unacked_sim::lab::Outcome;
use unacked_sim::plan::{CompiledChoice, CompiledPlan, Noise, Plan};
use unacked_sim::time::Span;
use unacked_sim::world::NodeId;

fn setup() -> Setup {
    Setup {
        nodes: 3,
        latency: Distribution::log_normal(20_000, 400_000, 3_000_000),
        store_distribution: Distribution::Uniform { lo: 0, hi: 20_000 },
        ..Setup::wild(0.1)
    }
}

/// Charges three times, with retries, notes and a task beside.
fn busy(cx: Cx<'_, Tiny>, node: NodeId) -> Job<'_> {
    Box::pin(async move {
        if node.0 == 1 {
            cx.spawn(async move {
                for _ in 0..5 {
                    cx.watch(Some(Span::secs(4))).await;
                    say(cx, "looks");
                }
            });
        }
        for step in 0..3 {
            let key = step * 10 + u64::from(node.0);
            for _ in 0..4 {
                if charge(cx, key).await == "charged 1" {
                    break;
                }
                cx.sleep(Span::millis(100)).await;
            }
            let _ = note(cx, "step").await;
        }
    })
}

fn facts(outcome: &Outcome) -> (u64, u32, String, Vec<String>) {
    let violations = outcome.violations.iter().map(|v| format!("{v:?}")).collect();
    (outcome.digest, outcome.events, outcome.ended.to_string(), violations)
}

#[test]
fn a_seed_means_the_same_twice_traced_in_another_order_and_in_a_fresh_lab() {
    let seeds = 0..60u64;
    let first = setup().lab(busy, |lab| seeds.clone().map(|s| facts(&lab.run_seed(s))).collect::<Vec<_>>());
    assert!(first.windows(2).all(|two| two[0].0 != two[1].0), "seeds differ");
    assert!(first.iter().any(|f| !f.3.is_empty()), "some break a promise");
    setup().lab(busy, |lab| {
        for seed in seeds.clone().rev() {
            let (outcome, events) = lab.trace_seed(seed);
            assert_eq!(facts(&outcome), first[seed as usize], "seed {seed}");
            assert_eq!(events.len(), outcome.events as usize);
            assert!(events.iter().all(|e| e.cause < e.number), "causes come first");
            assert_eq!(facts(&lab.run_seed(seed)), first[seed as usize], "seed {seed}");
        }
    });
    for seed in seeds.step_by(10) {
        setup().lab(busy, |lab| assert_eq!(facts(&lab.run_seed(seed)), first[seed as usize], "seed {seed}"));
    }
}

#[test]
fn what_landed_replays_without_the_seed() {
    setup().lab(busy, |lab| {
        let mut injected = 0;
        for seed in 0..60 {
            let drawn = lab.run_seed(seed);
            let landed = lab.landed();
            injected += landed.len();
            let compiled = CompiledPlan::of(&landed, lab.noise());
            let reach = lab.door(|d| d.reach().to_vec());
            let check = |compiled: &CompiledPlan, lab: &mut unacked_sim::lab::Lab<'_, Tiny>| {
                let replayed = lab.run_plan(compiled);
                assert_eq!(facts(&replayed), facts(&drawn), "seed {seed}");
                assert_eq!((lab.missing().len(), lab.landed()), (0, landed.clone()), "seed {seed}");
                assert_eq!(lab.door(|d| d.reach().to_vec()), reach);
            };
            check(&compiled, lab);
            // Through its text, and in another order.
            let text = lab.door(|d| Plan::describe(d.landed(), d.noise(), &d.names, &d.kinds)).to_string();
            let read = text.parse::<Plan>().and_then(|p| lab.door(|d| p.compile(&d.kinds)));
            assert_eq!(read.as_ref(), Ok(&compiled));
            let mut turned = compiled;
            turned.choices.reverse();
            check(&turned, lab);
        }
        assert!(injected > 100, "{injected}");
    });
}

#[test]
fn what_is_not_planned_does_not_happen() {
    setup().lab(busy, |lab| {
        let outcome = lab.run_plan(&CompiledPlan::default());
        assert!(lab.landed().is_empty() && outcome.violations.is_empty());
        // A choice at a site that is never reached changes nothing.
        let choice = CompiledChoice { site: 12_345, kind: unacked_sim::kind::CRASH, value: 0 };
        let other = lab.run_plan(&CompiledPlan { choices: vec![choice], ..CompiledPlan::default() });
        assert_eq!((facts(&other), lab.missing()), (facts(&outcome), vec![choice]));
    });
}

#[test]
fn noise_and_pins_move_times_only_where_they_are() {
    let one = job(|cx, _| {
        Box::pin(async move {
            for key in 1..=2 {
                say(cx, charge(cx, key).await);
            }
        })
    });
    let setup = Setup { latency: Distribution::Uniform { lo: 0, hi: 20_000 }, ..Setup::calm() };
    let check = |plan: &str, said: [&str; 2]| assert_eq!(setup.run(one, plan).said, said, "{plan}");
    check("", ["0.020s w1 charged 1", "0.040s w1 charged 1"]);
    check("pin order-1 charge #2 reply = 1500000", ["0.020s w1 charged 1", "1.530s w1 charged 1"]);
    let noisy = |a, b| {
        let compiled = CompiledPlan { noise: Noise::Key(DrawKey::from_parts(a, b)), ..CompiledPlan::default() };
        setup.lab(one, |lab| lab.run_plan(&compiled).digest)
    };
    assert_eq!(noisy(1, 2), noisy(1, 2));
    assert_ne!(noisy(1, 2), noisy(1, 3));
}

#[test]
fn the_digest_covers_every_choice() {
    let codes = Setup::wild(0.0);
    let plans = [
        "",
        "order-1 charge #1 reply: reply-lost",
        "order-1 charge #1 reply: reply-duplicated",
        "order-1 charge #1 request: request-lost",
        "order-1 note #1 store: write-lost",
        "order-1 note #1 store: write-unacknowledged",
        "order-1 note #1 store: store-unavailable(3s)",
        "order-1 note #1 after: crash(1s)",
        "order-1 note #1 after: crash(1m)",
        "order-1 note #1 after: pause(1m)",
        "order-1 note #1 after: hold",
        "worker-1 clock #1 clock: clock-ahead(1m)",
    ];
    let mut digests = plans.map(|plan| codes.run(busy, plan).outcome.digest).to_vec();
    digests.sort_unstable();
    digests.dedup();
    assert_eq!(digests.len(), plans.len());
}
