//! The wire: what the caller receives, and how many effects there are.

use crate::engine::tiny::{Charge, Job, Setup, Tiny, charge, job, say};
use unacked_sim::cx::{Cx, Reception};
use unacked_sim::time::Span;
use unacked_sim::world::NodeId;

fn one_call(cx: Cx<'_, Tiny>, _: NodeId) -> Job<'_> {
    Box::pin(async move {
        let got = charge(cx, 7).await;
        say(cx, got);
    })
}

fn two_calls(cx: Cx<'_, Tiny>, _: NodeId) -> Job<'_> {
    Box::pin(async move {
        for _ in 0..2 {
            let got = charge(cx, 7).await;
            say(cx, got);
        }
    })
}

#[test]
fn one_call_under_every_fault() {
    let check = |plan: &str, said: &str, effects: &str, ended: &[&str]| {
        let seen = Setup::wild(0.0).run(one_call, plan);
        assert_eq!(seen.said, [said], "{plan}");
        assert_eq!((seen.effects.as_str(), seen.ended.as_slice()), (effects, ended), "{plan}");
    };
    let on = |what: &str| format!("order-1 charge #1 {what}");
    check("", "0.020s w1 charged 1", "7:1", &["sent", "reply"]);
    // Nothing left: nobody saw a byte of it.
    check(&on("request: request-refused"), "0.000s w1 refused", "", &["refused"]);
    check(&on("request: request-lost"), "5.000s w1 silence", "", &["sent", "silence"]);
    check(&on("request: request-late(2s)"), "2.020s w1 charged 1", "7:1", &["sent", "reply"]);
    // Later than the caller waits: the effect comes all the same.
    check(&on("request: request-late(9s)"), "5.000s w1 silence", "7:1", &["sent", "silence"]);
    // Just in time, and just not: at the same moment the deadline, set earlier, comes first.
    check(&on("request: request-late(4.979999s)"), "4.999s w1 charged 1", "7:1", &["sent", "reply"]);
    check(&on("request: request-late(4.98s)"), "5.000s w1 silence", "7:1", &["sent", "silence"]);
    check(&on("request: request-duplicated"), "0.020s w1 charged 1", "7:2", &["sent", "reply"]);
    check(&on("reply: reply-lost"), "5.000s w1 silence", "7:1", &["sent", "silence"]);
    check(&on("reply: reply-late(2s)"), "2.020s w1 charged 1", "7:1", &["sent", "reply"]);
    check(&on("reply: reply-late(9s)"), "5.000s w1 silence", "7:1", &["sent", "silence"]);
    check(&on("reply: reply-duplicated"), "0.020s w1 charged 1", "7:1", &["sent", "reply"]);
    check(&on("reply: reply-undecodable"), "0.020s w1 garbled", "7:1", &["sent", "garbled"]);
}

#[test]
fn a_late_or_second_answer_finds_nobody_not_even_the_next_call() {
    let check = |plan: &str, said: &[&str]| {
        let seen = Setup::wild(0.0).run(two_calls, plan);
        assert_eq!(seen.said, said, "{plan}");
    };
    check("", &["0.020s w1 charged 1", "0.040s w1 charged 2"]);
    // Arrives at 9.020s, while nobody waits; and at 6s, while the next call does.
    check("order-1 charge #1 reply: reply-late(9s)", &["5.000s w1 silence", "5.020s w1 charged 2"]);
    check(
        "order-1 charge #1 reply: reply-late(5.98s); order-1 charge #2 reply: reply-late(2s)",
        &["5.000s w1 silence", "7.020s w1 charged 2"],
    );
    check("order-1 charge #1 reply: reply-duplicated", &["0.020s w1 charged 1", "0.040s w1 charged 2"]);
    // The second copy of an undecodable answer, the answer to a second copy of a request.
    check("order-1 charge #1 request: request-duplicated", &["0.020s w1 charged 1", "0.040s w1 charged 3"]);
}

#[test]
fn a_second_copy_of_a_request_has_sites_of_its_own() {
    let seen = Setup::wild(0.0).run(one_call, "order-1 charge #1 request: request-duplicated");
    assert_eq!(seen.arrivals, ["0.010s order-1 charge #1 provider", "0.020s order-1 charge #1.1 provider"]);
    // The first copy's answer is lost, the second's arrives.
    let plan = "order-1 charge #1 request: request-duplicated; order-1 charge #1 reply: reply-lost";
    let seen = Setup { dedup: true, ..Setup::wild(0.0) }.run(one_call, plan);
    assert_eq!((seen.said, seen.effects.as_str()), (vec!["0.030s w1 charged 1".to_string()], "7:1"));
    let plan = format!("{plan}; order-1 charge #1.1 reply: reply-lost");
    let seen = Setup { dedup: true, ..Setup::wild(0.0) }.run(one_call, &plan);
    assert_eq!(seen.said, ["5.000s w1 silence"]);
}

#[test]
fn without_a_timeout_a_lost_answer_is_waited_for_for_ever() {
    let code = job(|cx, _| {
        Box::pin(async move {
            let got = cx.call(Charge(1)).await;
            say(cx, matches!(got, Reception::Reply(_)));
        })
    });
    assert_eq!(Setup::wild(0.0).run(code, "").said, ["0.020s w1 true"]);
    let seen = Setup::wild(0.0).run(code, "order-1 charge #1 reply: reply-lost");
    // Nothing is left to happen: the run is over, and that is no violation of the engine's.
    assert_eq!((seen.said.len(), seen.broken().len()), (0, 0));
}

#[test]
fn a_call_that_is_dropped_was_sent_and_is_waited_for_by_nobody() {
    let seen = Setup::wild(0.0).run(
        |cx, _| {
            Box::pin(async move {
                drop(cx.call(Charge(1)));
                let mut call = Box::pin(cx.call(Charge(2)).timeout(Span::secs(5)));
                std::future::poll_fn(|c| std::task::Poll::Ready(call.as_mut().poll(c).is_ready())).await;
                drop(call);
                cx.sleep(Span::secs(1)).await;
                say(cx, "rested");
            })
        },
        "",
    );
    assert_eq!((seen.effects.as_str(), seen.said), ("2:1", vec!["1.000s w1 rested".to_string()]));
}
