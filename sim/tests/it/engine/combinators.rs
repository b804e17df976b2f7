//! Combinators written by hand, with the standard library only: join, select, an unordered set whose
//! children have wakers of their own, and futures that move between tasks.

use crate::engine::tiny::{Job, Setup, Tiny, charge, job, say};
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};
use unacked_sim::cx::Cx;
use unacked_sim::time::Span;
use unacked_sim::world::NodeId;

/// Both, polled together.
async fn join<A, B>(a: impl Future<Output = A>, b: impl Future<Output = B>) -> (A, B) {
    let (mut a, mut b) = (pin!(a), pin!(b));
    let (mut left, mut right) = (None, None);
    poll_fn(move |c| {
        left = left.take().or_else(|| ready(a.as_mut().poll(c)));
        right = right.take().or_else(|| ready(b.as_mut().poll(c)));
        match (left.take(), right.take()) {
            (Some(l), Some(r)) => Poll::Ready((l, r)),
            (l, r) => {
                (left, right) = (l, r);
                Poll::Pending
            }
        }
    })
    .await
}

/// Whichever is first; the other is dropped.
async fn select<T>(a: impl Future<Output = T>, b: impl Future<Output = T>) -> T {
    let (mut a, mut b) = (pin!(a), pin!(b));
    poll_fn(|c| match a.as_mut().poll(c) {
        Poll::Ready(value) => Poll::Ready(value),
        Poll::Pending => b.as_mut().poll(c),
    })
    .await
}

fn ready<T>(polled: Poll<T>) -> Option<T> {
    match polled {
        Poll::Ready(value) => Some(value),
        Poll::Pending => None,
    }
}

/// Who woke whom: a child's waker marks the child and wakes the parent.
struct Mark {
    woken: AtomicBool,
    parent: Mutex<Option<Waker>>,
}

impl Wake for Mark {
    fn wake(self: Arc<Self>) {
        self.woken.store(true, Ordering::Relaxed);
        if let Some(parent) = self.parent.lock().expect("one thread").as_ref() {
            parent.wake_by_ref();
        }
    }
}

type Child<'a, T> = (Option<Pin<Box<dyn Future<Output = T> + 'a>>>, Arc<Mark>);

/// Polls only the children that were woken, as `FuturesUnordered` does.
struct Unordered<'a, T>(Vec<Child<'a, T>>);

impl<'a, T> Unordered<'a, T> {
    fn add(&mut self, child: impl Future<Output = T> + 'a) {
        let mark = Arc::new(Mark { woken: AtomicBool::new(true), parent: Mutex::new(None) });
        self.0.push((Some(Box::pin(child)), mark));
    }

    /// The next result; `None` when all children are done.
    async fn next(&mut self) -> Option<T> {
        poll_fn(|c| self.poll_next(c)).await
    }

    fn poll_next(&mut self, c: &mut Context<'_>) -> Poll<Option<T>> {
        for (child, mark) in &mut self.0 {
            *mark.parent.lock().expect("one thread") = Some(c.waker().clone());
            let Some(future) = child else { continue };
            if !mark.woken.swap(false, Ordering::Relaxed) {
                continue;
            }
            let waker = Waker::from(mark.clone());
            if let Poll::Ready(out) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
                *child = None;
                return Poll::Ready(Some(out));
            }
        }
        if self.0.iter().all(|(child, _)| child.is_none()) { Poll::Ready(None) } else { Poll::Pending }
    }
}

#[test]
fn two_calls_joined() {
    let code = job(|cx, _| {
        Box::pin(async move {
            let (one, two) = join(charge(cx, 1), charge(cx, 2)).await;
            say(cx, format!("{one}, {two}"));
        })
    });
    let check = |plan: &str, said: &str, effects: &str| {
        let seen = Setup::wild(0.0).run(code, plan);
        assert_eq!((seen.said, seen.effects.as_str()), (vec![said.to_string()], effects), "{plan}");
    };
    check("", "0.020s w1 charged 1, charged 1", "1:1 2:1");
    check("order-1 charge #1 reply: reply-late(2s)", "2.020s w1 charged 1, charged 1", "1:1 2:1");
    check("order-1 charge #2 request: request-lost", "5.000s w1 charged 1, silence", "1:1");
    check("order-1 charge #1 request: request-refused", "0.020s w1 refused, charged 1", "2:1");
}

#[test]
fn a_node_that_dies_in_one_half_of_a_join_does_not_send_the_other() {
    let code = job(|cx, _| {
        Box::pin(async move {
            let life = u64::from(cx.incarnation());
            join(charge(cx, 10 * life), charge(cx, 10 * life + 1)).await;
        })
    });
    let seen = Setup::wild(0.0).run(code, "order-1 charge #1 after: crash(1m)");
    assert_eq!(seen.effects, "10:1 20:1 21:1");
}

#[test]
fn a_node_that_stands_still_in_one_half_of_a_join_does_not_send_the_other() {
    let code = job(|cx, _| {
        Box::pin(async move {
            join(charge(cx, 1), charge(cx, 2)).await;
        })
    });
    let seen = Setup::wild(0.0).run(code, "order-1 charge #1 after: pause(1m)");
    assert_eq!(seen.arrivals, ["0.010s order-1 charge #1 provider", "60.010s order-1 charge #2 provider"]);
}

#[test]
fn whichever_is_first_is_selected_and_the_other_forgotten() {
    let code = job(|cx, _| {
        Box::pin(async move {
            let pause = async {
                cx.sleep(Span::secs(1)).await;
                "too slow".to_string()
            };
            say(cx, select(charge(cx, 1), pause).await);
            say(cx, charge(cx, 2).await);
        })
    });
    let check = |plan: &str, said: [&str; 2]| assert_eq!(Setup::wild(0.0).run(code, plan).said, said, "{plan}");
    check("", ["0.020s w1 charged 1", "0.040s w1 charged 1"]);
    // The late answer arrives while the second call, which may use the same slot, is on its way.
    check("order-1 charge #1 reply: reply-late(980ms)", ["1.000s w1 too slow", "1.020s w1 charged 1"]);
    check(
        "order-1 charge #1 reply: reply-late(2s); order-1 charge #2 reply: reply-late(9s)",
        ["1.000s w1 too slow", "6.000s w1 silence"],
    );
}

fn unordered(cx: Cx<'_, Tiny>, _: NodeId) -> Job<'_> {
    Box::pin(async move {
        let mut set = Unordered(Vec::new());
        for key in 1..=3 {
            set.add(async move { format!("{key}: {}", charge(cx, key).await) });
        }
        while let Some(line) = set.next().await {
            say(cx, line);
        }
        say(cx, "all");
    })
}

#[test]
fn an_unordered_set_with_wakers_of_its_own() {
    let check = |plan: &str, said: &[&str]| assert_eq!(Setup::wild(0.0).run(unordered, plan).said, said, "{plan}");
    check("", &["0.020s w1 1: charged 1", "0.020s w1 2: charged 1", "0.020s w1 3: charged 1", "0.020s w1 all"]);
    check(
        "order-1 charge #1 reply: reply-late(2s); order-1 charge #2 request: request-refused",
        &["0.000s w1 2: refused", "0.020s w1 3: charged 1", "2.020s w1 1: charged 1", "2.020s w1 all"],
    );
    check(
        "order-1 charge #3 after: pause(1m)",
        &["60.000s w1 1: charged 1", "60.000s w1 2: charged 1", "60.000s w1 3: charged 1", "60.000s w1 all"],
    );
}

#[test]
fn a_child_that_was_paused_before_its_send_goes_on() {
    let code = job(|cx, _| {
        Box::pin(async move {
            let mut set = Unordered(Vec::new());
            for key in 1..=2 {
                set.add(async move {
                    cx.sleep(Span::millis(15 * (key - 1))).await;
                    format!("{key}: {}", charge(cx, key).await)
                });
            }
            while let Some(line) = set.next().await {
                say(cx, line);
            }
        })
    });
    let seen = Setup::wild(0.0).run(code, "order-1 charge #2 before: pause(1m)");
    assert_eq!(seen.said, ["60.015s w1 1: charged 1", "60.035s w1 2: charged 1"]);
}

#[test]
fn a_future_that_moves_to_another_task_wakes_that_task() {
    let code = job(|cx, _| {
        Box::pin(async move {
            let mut call = Box::pin(charge(cx, 1));
            poll_fn(|c| Poll::Ready(call.as_mut().poll(c).is_ready())).await;
            cx.spawn(async move { say(cx, call.await) });
            cx.sleep(Span::mins(1)).await;
        })
    });
    let seen = Setup::wild(0.0).run(code, "");
    assert_eq!((seen.said.as_slice(), seen.broken().len()), (["0.020s w1 charged 1".to_string()].as_slice(), 0));
}

#[test]
fn spawned_tasks_run_beside_the_main_one() {
    let code = job(|cx, _| {
        Box::pin(async move {
            let done = std::rc::Rc::new(std::cell::Cell::new(0));
            for key in 1..=3 {
                let done = done.clone();
                cx.spawn(async move {
                    cx.sleep(Span::secs(key)).await;
                    say(cx, charge(cx, key).await);
                    done.set(done.get() + 1);
                });
            }
            while done.get() < 3 {
                cx.sleep(Span::millis(500)).await;
            }
            say(cx, "all");
        })
    });
    let seen = Setup::wild(0.0).run(code, "order-1 charge #2 reply: reply-lost");
    let expected = ["1.020s w1 charged 1", "3.020s w1 charged 1", "7.000s w1 silence", "7.000s w1 all"];
    assert_eq!((seen.said.as_slice(), seen.broken().len()), (expected.map(String::from).as_slice(), 0));
}

#[test]
fn spawned_tasks_start_in_the_order_in_which_they_were_spawned() {
    let code = job(|cx, _| {
        Box::pin(async move {
            for name in ["first", "second", "third"] {
                cx.spawn(async move { say(cx, name) });
            }
            cx.sleep(Span::secs(1)).await;
        })
    });
    let seen = Setup::wild(0.0).run(code, "");
    assert_eq!(seen.said, ["0.000s w1 first", "0.000s w1 second", "0.000s w1 third"]);
}
