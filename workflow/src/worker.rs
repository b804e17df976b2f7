//! A worker: carries out, one after the other, what its hand wants done. All awaiting is here.
//!
//! The simulator drives the same [`Hand`] in a way of its own, and a test there holds both to do the same.

use crate::belief::{Beliefs, Limits};
use crate::hand::{Act, Hand};
use crate::policy::Policy;
use crate::ports::{Idle, Ports};

/// Works until every order has ended.
pub async fn run<P: Ports>(ports: &P, beliefs: &Beliefs, limits: &Limits, policy: &Policy) {
    let mut hand = Hand::empty(ports, beliefs, limits, policy);
    let mut act = Act::Claim;
    loop {
        act = match act {
            Act::Claim => {
                let claimed = ports.claim(&mut hand.order).await;
                hand.claimed(claimed)
            }
            Act::Idle => match ports.idle().await {
                Idle::Over => return,
                Idle::Awake => Act::Claim,
            },
            Act::Sleep(span) => {
                ports.sleep(span).await;
                hand.rested()
            }
            Act::Commit(what) => {
                let committed = ports.commit(&mut hand.order, what).await;
                hand.committed(what, committed)
            }
            Act::Call(tool, ask) => {
                let reception = ports.call(hand.call(tool, ask)).await;
                hand.received(tool, ask, &reception)
            }
        };
    }
}
