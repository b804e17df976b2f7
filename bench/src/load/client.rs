//! The clients of a load world: each order is attempted as the policy says.

use super::World;
use super::provider::{Charge, Provider, Told};
use crate::bucket::Bucket;
use crate::calm;
use crate::policy::{Ambiguity, Failure, Policy};
use crate::waits::Memory;
use std::cell::RefCell;
use std::rc::Rc;
use unacked_sim::cx::{Cx, Reception};
use unacked_sim::lab::Subject;
use unacked_sim::site::{Scope, Verb};
use unacked_sim::time::{Span, Time};
use unacked_sim::world::NodeId;

/// The verb under which waits are drawn.
const WAIT: Verb = Verb(3);

/// What all clients of a run have in common.
pub(super) struct Clients<'a> {
    pub(super) world: &'a World,
    pub(super) policy: &'a Policy,
}

impl Subject for Clients<'_> {
    type World = Provider;

    /// One client: its orders arrive whatever becomes of those before.
    async fn run<'w>(&'w self, cx: Cx<'w, Provider>, node: NodeId) {
        let bucket = Rc::new(RefCell::new(Bucket::of(self.policy.budget)));
        let mut from = 0;
        while let Some((order, at)) = cx.world(|provider| provider.next(node.0, from)) {
            cx.sleep(at.since(cx.now())).await;
            cx.spawn(self.order(cx, order, Rc::clone(&bucket)));
            from = usize::from(order) + 1;
        }
        cx.sleep(Span::NEVER).await;
    }
}

/// Why an attempt was not the last.
fn failure(got: Reception<Told>) -> Option<Failure> {
    match got {
        Reception::Reply(Told::Charged) => None,
        Reception::Reply(Told::Failed) => Some(Failure::ServerError),
        Reception::Silence | Reception::Garbled => Some(Failure::Timeout),
        Reception::Refused => Some(Failure::Transport),
    }
}

impl Clients<'_> {
    async fn order(&self, cx: Cx<'_, Provider>, order: u16, bucket: Rc<RefCell<Bucket>>) {
        let (begun, mut memory) = (cx.now(), Memory::default());
        bucket.borrow_mut().start();
        for attempt in 1.. {
            let Some(failure) = failure(self.attempt(cx, order, attempt).await) else {
                return bucket.borrow_mut().success(attempt);
            };
            bucket.borrow_mut().failure();
            if !self.may_go_on(cx.now(), begun, attempt, failure) {
                return;
            }
            if !bucket.borrow_mut().take(failure) {
                return cx.world(|provider| provider.denied.set(provider.denied.get() + 1));
            }
            let u = calm::fraction(cx.jitter(Scope(order), WAIT, calm::FINE));
            let wait = self.policy.waits().wait(attempt, u, false, &mut memory).unwrap_or(Span::ZERO);
            if wait > Span::ZERO {
                cx.sleep(wait).await;
            }
        }
    }

    async fn attempt(&self, cx: Cx<'_, Provider>, order: u16, attempt: u32) -> Reception<Told> {
        let key = if self.policy.ambiguity == Ambiguity::NewKey { attempt } else { 1 };
        let timeout = self.policy.attempt_timeout.or(self.world.timeout).map_or(Span::NEVER, |length| length.0);
        cx.call(Charge { order, key }).timeout(timeout).await
    }

    fn may_go_on(&self, now: Time, begun: Time, attempt: u32, failure: Failure) -> bool {
        let in_time = self.policy.deadline.is_none_or(|deadline| now < begun + deadline.0);
        let stops = failure == Failure::Timeout && self.policy.ambiguity == Ambiguity::Stop;
        in_time && !stops && self.policy.retries.contains(&failure) && self.policy.attempts.allow(attempt + 1)
    }
}
