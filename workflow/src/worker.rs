//! A worker: carries out, one after the other, what its machine wants done. All awaiting is here.
//!
//! The simulator drives the same [`OrderMachine`] in a way of its own, and a test there holds both to do the same.

use crate::belief::{Beliefs, Limits};
use crate::machine::{Command, OrderMachine};
use crate::policy::Policy;
use crate::ports::{Idle, Ports};

/// Works until every order has ended.
pub async fn run<P: Ports>(ports: &P, beliefs: &Beliefs, limits: &Limits, policy: &Policy) {
    let mut machine = OrderMachine::empty(ports, beliefs, limits, policy);
    let mut command = Command::Claim;
    loop {
        command = match command {
            Command::Claim => {
                let claimed = ports.claim(&mut machine.order).await;
                machine.claimed(claimed)
            }
            Command::Idle => match ports.idle().await {
                Idle::Over => return,
                Idle::Awake => Command::Claim,
            },
            Command::Sleep(span) => {
                ports.sleep(span).await;
                machine.rested()
            }
            Command::Commit(what) => {
                let committed = ports.commit(&mut machine.order, what).await;
                machine.committed(what, committed)
            }
            Command::Call(tool, ask) => {
                let response = ports.call(machine.request(tool, ask)).await;
                machine.received(tool, ask, &response)
            }
        };
    }
}
