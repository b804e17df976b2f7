//! A subject that panics, loops for ever or leaks a task is a violation; the run and the lab go on.

use crate::engine::tiny::{Job, Seen, Setup, Tiny, charge, compile, job, note, say};
use std::future::poll_fn;
use std::task::Poll;
use unacked_sim::cx::{Cx, Peek};
use unacked_sim::plan::CompiledPlan;
use unacked_sim::time::Span;
use unacked_sim::world::NodeId;

async fn yield_now() {
    let mut yielded = false;
    poll_fn(|c| {
        if std::mem::replace(&mut yielded, true) {
            return Poll::Ready(());
        }
        c.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

/// Panics unless the charge succeeds.
fn unwraps(cx: Cx<'_, Tiny>, node: NodeId) -> Job<'_> {
    Box::pin(async move {
        cx.sleep(Span::millis(u64::from(node.0))).await;
        let got = charge(cx, 1 + u64::from(node.0)).await;
        assert_eq!(got, "charged 1", "cannot happen");
        say(cx, "done");
    })
}

#[test]
fn a_panic_is_a_violation_and_the_other_nodes_go_on() {
    Setup { nodes: 2, ..Setup::wild(0.0) }.lab(unwraps, |lab| {
        let calm = lab.run_plan(&CompiledPlan::default());
        assert!(calm.violations.is_empty());
        let outcome = lab.run_plan(&compile("order-1 charge #1 reply: reply-undecodable"));
        let [violation] = outcome.violations.as_slice() else { panic!("{:?}", outcome.violations) };
        assert_eq!((violation.promise.name, violation.at.to_string().as_str()), ("no-panic", "0.020s"));
        assert!(violation.found.contains("cannot happen"), "{}", violation.found);
        assert!(violation.headline.starts_with("worker-1: panicked"), "{}", violation.headline);
        let seen = Seen::of(lab, outcome);
        assert_eq!((seen.said.as_slice(), seen.effects.as_str()), (["0.021s w2 done".into()].as_slice(), "1:1 2:1"));
        // The lab is as good as new.
        assert_eq!(lab.run_plan(&CompiledPlan::default()).digest, calm.digest);
    });
}

#[test]
fn a_panic_inside_a_spawned_task_takes_its_node_down() {
    let code = job(|cx, _| {
        Box::pin(async move {
            cx.spawn(async move {
                cx.sleep(Span::secs(1)).await;
                panic!("spawned");
            });
            cx.sleep(Span::secs(2)).await;
            say(cx, "main lives");
        })
    });
    let seen = Setup::calm().run(code, "");
    assert_eq!((seen.said.len(), seen.broken()), (0, vec!["no-panic"]));
    assert_eq!(seen.outcome.violations[0].found, "panicked: spawned");
}

#[test]
fn a_panic_inside_a_write_or_a_read_is_one_like_any_other() {
    let check = |code: fn(Cx<'_, Tiny>, NodeId) -> Job<'_>| {
        Setup::calm().lab(code, |lab| {
            for _ in 0..2 {
                let outcome = lab.run_plan(&CompiledPlan::default());
                assert_eq!(outcome.violations.iter().map(|v| v.promise.name).collect::<Vec<_>>(), ["no-panic"]);
            }
        });
    };
    check(|cx, _| Box::pin(async move { cx.peek(|_, _| panic!("in a read")) }));
    check(|cx, _| {
        Box::pin(async move {
            let write = cx.write(crate::engine::tiny::ORDER, crate::engine::tiny::NOTE, |_, _, _| panic!("in a write"));
            let _: Result<(), _> = write.await;
        })
    });
}

#[test]
fn a_panic_in_a_drop_guard_of_a_crashed_node_is_a_violation_too() {
    struct Strict;
    impl Drop for Strict {
        fn drop(&mut self) {
            panic!("dropped before it was finished");
        }
    }
    let code = job(|cx, _| {
        Box::pin(async move {
            let strict = (cx.incarnation() == 1).then_some(Strict);
            charge(cx, 1).await;
            std::mem::forget(strict);
        })
    });
    assert_eq!(Setup::wild(0.0).run(code, "order-1 charge #1 after: crash").broken(), ["no-panic"]);
}

#[test]
fn a_subject_that_never_rests_is_a_livelock() {
    let check = |code: fn(Cx<'_, Tiny>, NodeId) -> Job<'_>| {
        Setup { nodes: 2, dedup: true, ..Setup::calm() }.lab(code, |lab| {
            let outcomes = [(); 3].map(|()| lab.run_plan(&CompiledPlan::default()));
            for outcome in &outcomes {
                assert_eq!(outcome.violations.iter().map(|v| v.promise.name).collect::<Vec<_>>(), ["no-livelock"]);
                assert_eq!(outcome.digest, outcomes[0].digest);
            }
        });
    };
    // Over leaves that are ready at once, over time that does not pass, over another's notices.
    check(|cx, _| {
        Box::pin(async move {
            loop {
                let _ = note(cx, "again").await;
            }
        })
    });
    check(|cx, _| {
        Box::pin(async move {
            loop {
                cx.sleep(Span::ZERO).await;
            }
        })
    });
    check(|cx, _| {
        Box::pin(async move {
            loop {
                charge(cx, 1).await;
            }
        })
    });
}

#[test]
fn a_task_that_only_wakes_itself_is_a_livelock() {
    let code = job(|_, _| {
        Box::pin(async {
            loop {
                yield_now().await;
            }
        })
    });
    assert_eq!(Setup::calm().run(code, "").broken(), ["no-livelock"]);
}

#[test]
fn a_task_may_yield() {
    let code = job(|cx, _| {
        Box::pin(async move {
            for _ in 0..100 {
                yield_now().await;
            }
            say(cx, charge(cx, 1).await);
        })
    });
    let seen = Setup::calm().run(code, "");
    assert_eq!((seen.said.as_slice(), seen.broken().len()), (["0.020s w1 charged 1".into()].as_slice(), 0));
}

#[test]
fn a_wake_that_was_not_followed_up_does_not_reach_the_next_run() {
    let code = job(|cx, _| {
        Box::pin(async move {
            poll_fn(|c| {
                c.waker().wake_by_ref();
                Poll::Ready(())
            })
            .await;
            loop {
                let _ = note(cx, "again").await;
            }
        })
    });
    Setup { nodes: 1, ..Setup::calm() }.lab(code, |lab| {
        let events = [(); 3].map(|()| lab.run_plan(&CompiledPlan::default()).events);
        assert_eq!(events, [events[0]; 3]);
    });
}

#[test]
fn a_task_that_outlives_the_run_is_a_leak() {
    let check = |code: fn(Cx<'_, Tiny>, NodeId) -> Job<'_>, broken: &[&str]| {
        let seen = Setup::calm().run(code, "");
        assert_eq!(seen.broken(), broken);
    };
    check(
        |cx, _| {
            Box::pin(async move {
                cx.spawn(std::future::pending());
            })
        },
        &["no-leak"],
    );
    // Beyond the horizon.
    check(
        |cx, _| {
            Box::pin(async move {
                cx.spawn(async move { cx.sleep(Span::hours(2)).await });
            })
        },
        &["no-leak"],
    );
    check(
        |cx, _| {
            Box::pin(async move {
                cx.spawn(async move { cx.sleep(Span::secs(2)).await });
            })
        },
        &[],
    );
    // A main future may wait for ever.
    check(|_, _| Box::pin(std::future::pending()), &[]);
}

#[test]
fn the_run_goes_on_after_a_violation_and_keeps_the_first_of_each() {
    let code = job(|cx, node| {
        Box::pin(async move {
            for _ in 0..3 {
                cx.sleep(Span::secs(1 + u64::from(node.0))).await;
                charge(cx, 7).await;
            }
            assert_eq!(node.0, 9, "panics on every node");
        })
    });
    let seen = Setup { nodes: 2, ..Setup::calm() }.run(code, "");
    assert_eq!((seen.effects.as_str(), seen.broken()), ("7:6", vec!["once", "no-panic"]));
    let [once, panic] = seen.outcome.violations.as_slice() else { panic!("two") };
    assert_eq!((once.at.to_string(), panic.at.to_string()), ("2.010s".into(), "3.060s".into()));
    assert!(panic.headline.starts_with("worker-1"), "{}", panic.headline);
}
