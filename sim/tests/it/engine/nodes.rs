//! Nodes: crash, pause, hold, restart, clocks, and where they strike.

use crate::engine::tiny::{Charge, Job, ORDER, OWN, Setup, Tiny, charge, compile, in_words, job, note, say};
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Waker};
use unacked_sim::cx::{Cx, Peek};
use unacked_sim::plan::CompiledPlan;
use unacked_sim::site::Stage;
use unacked_sim::time::Span;
use unacked_sim::world::NodeId;

/// Charges under the key of its incarnation, then notes it, then says so.
fn charge_then_note(cx: Cx<'_, Tiny>, _: NodeId) -> Job<'_> {
    Box::pin(async move {
        let key = u64::from(cx.incarnation());
        say(cx, format!("life {key}, {} noted", cx.peek(|diary, _| diary.0.len())));
        charge(cx, key).await;
        if note(cx, "charged").await.is_ok() {
            say(cx, "done");
        }
    })
}

#[test]
fn a_crash_at_every_strike_point() {
    let check = |at: &str, said: &[&str], effects: &str, notes: usize| {
        let seen = Setup::wild(0.0).run(charge_then_note, &format!("order-1 {at}: crash(1m)"));
        assert_eq!(seen.said, said, "{at}");
        assert_eq!((seen.effects.as_str(), seen.diary.len()), (effects, notes), "{at}");
    };
    check(
        "charge #1 after",
        &["0.000s w1 life 1, 0 noted", "w1 crashes", "60.000s w1 life 2, 0 noted", "60.020s w1 done"],
        "1:1 2:1", // what was sent is on its way
        1,
    );
    check(
        "note #1 before",
        &["0.000s w1 life 1, 0 noted", "w1 crashes", "60.020s w1 life 2, 0 noted", "60.040s w1 done"],
        "1:1 2:1",
        1,
    );
    check(
        "note #1 after",
        &["0.000s w1 life 1, 0 noted", "w1 crashes", "60.020s w1 life 2, 1 noted", "60.040s w1 done"],
        "1:1 2:1",
        2,
    );
}

#[test]
fn the_first_strike_point_of_every_node_is_asked() {
    let check = |nodes: usize, at: &str| {
        let setup = Setup { nodes, ..Setup::wild(0.0) };
        let seen = setup.run(charge_then_note, &format!("order-1 charge {at} before: crash(1m)"));
        assert_eq!(seen.effects.matches("1:").count(), usize::from(nodes > 1), "nothing was sent in life 1: {at}");
    };
    check(2, "#2");
    check(1, "#1");
}

#[test]
fn a_crash_without_a_length_takes_the_usual_restart_time() {
    let seen = Setup::wild(0.0).run(charge_then_note, "order-1 charge #1 after: crash");
    assert_eq!(seen.said[2], "1.000s w1 life 2, 0 noted");
}

#[test]
fn only_the_node_that_crashes_loses_its_memory() {
    let setup = Setup { nodes: 2, ..Setup::wild(0.0) };
    let seen = setup.run(charge_then_note, "order-1 charge #2 after: crash(1s)");
    let expected = [
        "0.000s w1 life 1, 0 noted",
        "0.000s w2 life 1, 0 noted",
        "w2 crashes",
        "0.020s w1 done",
        "1.000s w2 life 2, 1 noted",
        "1.020s w2 done",
    ];
    assert_eq!(seen.said, expected);
}

#[test]
fn a_crash_takes_every_task_of_the_node_with_it() {
    let code = job(|cx, _| {
        Box::pin(async move {
            let life = cx.incarnation();
            if life == 1 {
                cx.spawn(async move {
                    cx.sleep(Span::secs(2)).await;
                    say(cx, "the spawned task lives");
                });
                cx.spawn(async move {
                    cx.sleep(Span::millis(1)).await;
                    charge(cx, 1).await; // crashes here
                });
            }
            cx.sleep(Span::secs(3)).await;
            say(cx, format!("life {life} rests"));
        })
    });
    let check = |plan: &str, said: &[&str]| {
        let seen = Setup::wild(0.0).run(code, plan);
        assert_eq!(seen.said, said);
        assert!(seen.broken().is_empty(), "{:?}", seen.broken());
    };
    check("", &["2.000s w1 the spawned task lives", "3.000s w1 life 1 rests"]);
    check("order-1 charge #1 after: crash(1s)", &["w1 crashes", "4.001s w1 life 2 rests"]);
}

/// On drop: tries to send, write, spawn, choose, and to draw.
struct Guard<'w>(Cx<'w, Tiny>);

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        let cx = self.0;
        say(cx, "guard");
        let mut context = Context::from_waker(Waker::noop());
        assert!(pin!(cx.call(Charge(666))).poll(&mut context).is_pending());
        assert!(pin!(note(cx, "from the grave")).poll(&mut context).is_pending());
        assert!(pin!(cx.sleep(Span::secs(1))).poll(&mut context).is_pending());
        cx.spawn(async move { say(cx, "risen") });
        assert!(cx.choose(ORDER, OWN, Stage::Store, unacked_sim::menu::MenuId(1)).kind.is_benign());
    }
}

#[test]
fn a_drop_guard_cannot_act_from_the_grave() {
    let code = job(|cx, _| {
        Box::pin(async move {
            let guard = (cx.incarnation() == 1).then(|| Guard(cx));
            if guard.is_some() {
                cx.spawn(async move {
                    let _guard = Guard(cx);
                    cx.sleep(Span::hours(2)).await;
                });
            }
            cx.sleep(Span::secs(1)).await;
            charge(cx, 1).await;
            std::mem::forget(guard);
        })
    });
    let seen = Setup::wild(0.0).run(code, "order-1 charge #1 after: crash(1m)");
    assert_eq!(seen.said, ["w1 crashes", "1.000s w1 guard", "1.000s w1 guard"]);
    assert_eq!((seen.effects.as_str(), seen.diary.len()), ("1:2", 0));
    // Nor does it move what comes after: neither an occurrence nor an event.
    assert_eq!(seen.arrivals, ["1.010s order-1 charge #1 provider", "62.010s order-1 charge #2 provider"]);
}

#[test]
fn a_drop_guard_moves_no_later_draw() {
    struct Draws<'w>(Cx<'w, Tiny>);
    impl Drop for Draws<'_> {
        fn drop(&mut self) {
            self.0.jitter(ORDER, OWN, u64::MAX);
        }
    }
    let jitters = |guarded: bool| {
        let code = job(move |cx, _| {
            Box::pin(async move {
                let guard = (guarded && cx.incarnation() == 1).then(|| Draws(cx));
                charge(cx, 1).await;
                say(cx, cx.jitter(ORDER, OWN, u64::MAX));
                std::mem::forget(guard);
            })
        });
        let noisy = "noise 000000000000000100000000000000ff\norder-1 charge #1 after: crash(1m)";
        Setup::wild(0.0).run(code, noisy).said
    };
    assert_eq!(jitters(true), jitters(false));
}

/// Worker 1 claims and sends; worker 2 takes over what is not finished after 30 s.
fn claim_then_send(cx: Cx<'_, Tiny>, node: NodeId) -> Job<'_> {
    Box::pin(async move {
        if node.0 == 0 {
            note(cx, "claim 1").await.expect("a calm store");
        } else {
            cx.sleep(Span::secs(30)).await;
            if cx.peek(|diary, _| diary.0.len()) > 1 {
                return;
            }
            note(cx, "claim 2").await.expect("a calm store");
        }
        let got = charge(cx, 7).await;
        say(cx, got);
        note(cx, "sent").await.expect("a calm store");
    })
}

#[test]
fn a_paused_node_sends_later_as_if_nothing_had_happened() {
    let check = |plan: &str, said: &[&str], effects: &str, broken: &[&str]| {
        let seen = Setup { nodes: 2, ..Setup::wild(0.0) }.run(claim_then_send, plan);
        assert_eq!(seen.said, said, "{plan}");
        assert_eq!((seen.effects.as_str(), seen.broken().as_slice()), (effects, broken), "{plan}");
    };
    check("", &["0.020s w1 charged 1"], "7:1", &[]);
    // A zombie: it sends after its claim went to another.
    let zombie = &["30.020s w2 charged 1", "60.020s w1 charged 2"];
    check("order-1 note #1 after: pause(1m)", zombie, "7:2", &["once"]);
    // Sent at once, but the answer is seen only when it goes on: a timeout counts from the send, and
    // the answer was there first.
    let late = &["30.020s w2 charged 2", "60.000s w1 charged 1"];
    check("order-1 charge #1 after: pause(1m)", late, "7:2", &["once"]);
}

#[test]
fn between_a_write_and_what_follows_a_node_stands_still_once() {
    let check = |plan: &str, said: &str, missing: usize| {
        Setup { nodes: 1, ..Setup::wild(0.0) }.lab(claim_then_send, |lab| {
            lab.run_plan(&compile(plan));
            assert_eq!(lab.missing().len(), missing, "{plan}");
            assert_eq!(lab.world(|w| w.said.borrow()[0].clone()), said, "{plan}");
        });
    };
    let twice = "order-1 note #1 after: pause(1m); order-1 charge #1 before: pause(1m)";
    check(twice, "60.020s w1 charged 1", 1);
    // Before the write is another point: its claim is not durable yet.
    check("order-1 note #1 before: pause(1m); order-1 note #1 after: pause(1m)", "120.020s w1 charged 1", 0);
}

#[test]
fn a_held_node_goes_on_at_another_nodes_next_write_or_at_last() {
    let code = job(|cx, node| {
        Box::pin(async move {
            cx.sleep(Span::millis(10 + u64::from(node.0) * 2_000)).await;
            charge(cx, 1 + u64::from(node.0)).await;
            let wrote = note(cx, if node.0 == 0 { "one" } else { "two" }).await;
            say(cx, format!("{wrote:?}"));
        })
    });
    let check = |nodes: usize, plan: &str, said: &[&str], diary: &[&str]| {
        let seen = Setup { nodes, ..Setup::wild(0.0) }.run(code, plan);
        assert_eq!((seen.said, seen.diary), (strings(said), strings(diary)), "{plan}");
    };
    check(2, "", &["0.030s w1 Ok(1)", "2.030s w2 Ok(2)"], &["0.030s one", "2.030s two"]);
    check(2, "order-1 note #1 before: hold", &["2.030s w2 Ok(1)", "2.030s w1 Ok(2)"], &["2.030s two", "2.030s one"]);
    check(2, "order-1 note #1 after: hold", &["2.030s w2 Ok(2)", "2.030s w1 Ok(1)"], &["0.030s one", "2.030s two"]);
    // Nobody else writes.
    check(1, "order-1 note #1 before: hold", &["60.030s w1 Ok(1)"], &["60.030s one"]);
}

fn strings(lines: &[&str]) -> Vec<String> {
    lines.iter().map(ToString::to_string).collect()
}

#[test]
fn a_node_held_at_time_zero_goes_on() {
    let code = job(|cx, node| {
        Box::pin(async move {
            let wrote = note(cx, if node.0 == 0 { "one" } else { "two" }).await;
            say(cx, format!("{wrote:?}"));
        })
    });
    let seen = Setup { nodes: 2, ..Setup::wild(0.0) }.run(code, "order-1 note #1 after: hold");
    assert_eq!(seen.said, ["0.000s w2 Ok(2)", "0.000s w1 Ok(1)"]);
}

#[test]
fn a_node_that_stands_still_does_not_hear_its_timers() {
    let code = job(|cx, _| {
        Box::pin(async move {
            cx.spawn(async move {
                for _ in 0..2 {
                    cx.sleep(Span::secs(1)).await;
                    say(cx, "tick");
                }
            });
            cx.sleep(Span::millis(1)).await;
            charge(cx, 1).await;
            say(cx, "answer");
        })
    });
    let seen = Setup::wild(0.0).run(code, "order-1 charge #1 after: pause(1m)");
    let mut said = seen.said;
    said.sort();
    assert_eq!(said, ["60.001s w1 answer", "60.001s w1 tick", "61.001s w1 tick"]);
}

#[test]
fn clocks_are_off_by_what_the_plan_says() {
    let code = job(|cx, _| {
        Box::pin(async move {
            cx.sleep(Span::mins(3)).await;
            say(cx, cx.peek(|_, store| store));
        })
    });
    let check = |plan: &str, said: &str| assert_eq!(Setup::wild(0.0).run(code, plan).said, [said], "{plan}");
    check("", "180.000s w1 180.000s");
    check("worker-1 clock #1 clock: clock-ahead(1m)", "240.000s w1 180.000s");
    check("worker-1 clock #1 clock: clock-behind(1m)", "120.000s w1 180.000s");
}

#[test]
fn a_point_before_is_not_asked_where_nothing_happened_since_the_one_after() {
    let asked = |code: fn(Cx<'_, Tiny>, NodeId) -> Job<'_>, nodes: usize| {
        let setup = Setup { before_write: "crash".into(), before_send: "crash".into(), nodes, ..Setup::calm() };
        let setup = Setup { after_write: "crash".into(), after_send: "crash".into(), ..setup };
        setup.lab(code, |lab| {
            lab.enumerate(&CompiledPlan::default());
            let site = |o: &unacked_sim::door::Offer| lab.door(|d| d.names.describe(o.site).to_string());
            lab.door(|d| d.offers().to_vec()).iter().map(site).collect::<Vec<_>>()
        })
    };
    // Two writes in a row; a write, then a send; an answer, then a write.
    let code = job(|cx, _| {
        Box::pin(async move {
            charge(cx, 1).await;
            let _ = note(cx, "a").await;
            let _ = note(cx, "b").await;
            charge(cx, 2).await;
        })
    });
    let mut sites = asked(code, 1);
    sites.retain(|s| s.ends_with("before") || s.ends_with("after"));
    sites.retain(|s| s != "order-1 charge #1 before");
    assert_eq!(
        sites,
        [
            "order-1 charge #1 after",
            "order-1 note #1 before",
            "order-1 note #1 after",
            "order-1 note #2 after",
            "order-1 charge #2 after",
        ]
    );
    // Another node's event in between makes it another point.
    let code = job(|cx, node| {
        Box::pin(async move {
            cx.sleep(Span::millis(1 + u64::from(node.0))).await;
            let _ = note(cx, "a").await;
            cx.sleep(Span::secs(1)).await;
            let _ = note(cx, "b").await;
        })
    });
    let sites = asked(code, 2);
    for n in 2..=4 {
        assert!(sites.contains(&format!("order-1 note #{n} before")), "{sites:?}");
    }
}

#[test]
fn what_strikes_is_listed_as_it_landed() {
    Setup::wild(0.0).lab(charge_then_note, |lab| {
        let plan = "order-1 note #1 after: crash(1s); order-1 charge #1 reply: reply-late(2s)";
        lab.run_plan(&compile(plan));
        let landed = in_words(lab, &lab.landed());
        assert_eq!(landed, ["order-1 charge #1 reply: reply-late(2s)", "order-1 note #1 after: crash(1s)"]);
    });
}
