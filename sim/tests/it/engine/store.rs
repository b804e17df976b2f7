//! The durable store: what is written, and what the writer learns.

use crate::engine::tiny::{Job, NOTE, ORDER, Setup, Tiny, charge, job, note, say};
use unacked_sim::cx::{Cx, Peek};
use unacked_sim::distribution::Distribution;
use unacked_sim::time::Span;
use unacked_sim::world::NodeId;

/// Charges, so that something has happened, then writes twice.
fn two_notes(cx: Cx<'_, Tiny>, _: NodeId) -> Job<'_> {
    Box::pin(async move {
        charge(cx, 1).await;
        for text in ["a", "b"] {
            let wrote = note(cx, text).await;
            say(cx, format!("{wrote:?}"));
        }
    })
}

#[test]
fn a_write_under_every_fault() {
    let check = |plan: &str, said: [&str; 2], diary: &[&str]| {
        let seen = Setup::wild(0.0).run(two_notes, plan);
        assert_eq!(seen.said, said, "{plan}");
        assert_eq!(seen.diary, diary, "{plan}");
    };
    let on = |what: &str| format!("order-1 note #1 store: {what}");
    check("", ["0.020s w1 Ok(1)", "0.020s w1 Ok(2)"], &["0.020s a", "0.020s b"]);
    check(&on("write-conflict"), ["0.020s w1 Err(Conflict)", "0.020s w1 Ok(1)"], &["0.020s b"]);
    // The writer cannot tell these two apart.
    let unsure = ["5.020s w1 Err(Unacknowledged)", "5.020s w1 Ok(2)"];
    check(&on("write-unacknowledged"), unsure, &["0.020s a", "5.020s b"]);
    let unsure = ["5.020s w1 Err(Unacknowledged)", "5.020s w1 Ok(1)"];
    check(&on("write-lost"), unsure, &["5.020s b"]);
    check(&on("store-unavailable(3s)"), ["0.020s w1 Err(Unavailable)", "0.020s w1 Err(Unavailable)"], &[]);
}

#[test]
fn an_unavailable_store_is_unavailable_to_every_node_until_it_is_back() {
    let code = job(|cx, node| {
        Box::pin(async move {
            cx.sleep(Span::millis(1 + u64::from(node.0))).await;
            while note(cx, "x").await.is_err() {
                say(cx, "down");
                cx.sleep(Span::millis(1_400)).await;
            }
            say(cx, "wrote");
        })
    });
    let check = |nodes: usize, said: &[&str]| {
        let setup = Setup { nodes, ..Setup::wild(0.0) };
        assert_eq!(setup.run(code, "order-1 note #1 store: store-unavailable(3s)").said, said);
    };
    check(1, &["0.001s w1 down", "1.401s w1 down", "2.801s w1 down", "4.201s w1 wrote"]);
    check(
        2,
        &[
            "0.001s w1 down",
            "0.002s w2 down",
            "1.401s w1 down",
            "1.402s w2 down",
            "2.801s w1 down",
            "2.802s w2 down",
            "4.201s w1 wrote",
            "4.202s w2 wrote",
        ],
    );
}

#[test]
fn a_write_takes_its_time_and_counts_when_it_arrives() {
    let setup = Setup { store_distribution: Distribution::Const(300_000), ..Setup::wild(0.0) };
    let seen = setup.run(two_notes, "");
    assert_eq!(seen.said, ["0.320s w1 Ok(1)", "0.620s w1 Ok(2)"]);
    assert_eq!(seen.diary, ["0.320s a", "0.620s b"]);
    let seen = setup.run(two_notes, "order-1 note #2 store: write-unacknowledged");
    assert_eq!(seen.said, ["0.320s w1 Ok(1)", "5.620s w1 Err(Unacknowledged)"]);
    assert_eq!(seen.diary, ["0.320s a", "0.620s b"]);
}

#[test]
fn watchers_hear_of_another_nodes_write_or_give_up() {
    let code = job(|cx, node| {
        Box::pin(async move {
            if node.0 == 0 {
                cx.sleep(Span::secs(1)).await;
                note(cx, "news").await.expect("a calm store");
                return;
            }
            cx.watch(Some(Span::mins(1))).await;
            say(cx, cx.peek(|diary, now| format!("{} at {now}", diary.0.len())));
            cx.watch(Some(Span::secs(7))).await;
            say(cx, "gives up");
            cx.watch(None).await;
            say(cx, "never");
        })
    });
    let seen = Setup { nodes: 2, ..Setup::calm() }.run(code, "");
    assert_eq!(seen.said, ["1.000s w2 1 at 1.000s", "8.000s w2 gives up"]);
}

/// Reads at once, and again after a write of its own.
fn two_reads(cx: Cx<'_, Tiny>, _: NodeId) -> Job<'_> {
    Box::pin(async move {
        for text in ["a", "b"] {
            note(cx, text).await.expect("a calm store");
            let read = cx.load(ORDER, NOTE, |_, diary| diary.0.len()).await;
            say(cx, format!("{read:?}"));
        }
    })
}

#[test]
fn a_read_takes_its_time_may_be_behind_and_may_fail() {
    let setup = Setup { store_distribution: Distribution::Const(300_000), ..Setup::wild(0.0) };
    assert_eq!(setup.run(two_reads, "").said, ["0.600s w1 Ok(1)", "1.200s w1 Ok(2)"]);
    let behind = setup.run(two_reads, "order-1 note #4 store: stale-read");
    assert_eq!(behind.said, ["0.600s w1 Ok(1)", "1.200s w1 Ok(1)"], "without the latest write");
    let code = job(|cx, _| {
        Box::pin(async move {
            let wrote = note(cx, "a").await;
            let read = cx.load(ORDER, NOTE, |_, diary| diary.0.len()).await;
            say(cx, format!("{wrote:?} {read:?}"));
        })
    });
    let down = setup.run(code, "order-1 note #1 store: store-unavailable(3s)");
    assert_eq!(down.said, ["0.600s w1 Err(Unavailable) Err(Unavailable)"]);
}

#[test]
fn a_loop_that_only_reads_comes_to_an_end() {
    let code = job(|cx, _| {
        Box::pin(async move { while cx.load(ORDER, NOTE, |_, diary| diary.0.is_empty()).await == Ok(true) {} })
    });
    let seen = Setup { store_distribution: Distribution::Const(0), ..Setup::calm() }.run(code, "");
    assert_eq!(seen.broken(), ["no-livelock"]);
}
