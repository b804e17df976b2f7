//! Event-sourced: two workers, one stream of events per order, leases and fencing.
//!
//! ```text
//! cargo run --release --example event_sourced [SCENARIO] [SEEDS] [undeclared]
//! ```
//!
//! # How it works
//!
//! An order *is* its stream of events (`events.rs`). Where it stands is what the events add up to; what comes
//! next is a pure function of that (`decide.rs`): one command at a time, send, look up, wait, end. A worker
//! (`worker.rs`) carries the command out and appends what came of it.
//!
//! Two workers share all orders. A worker that wants to work on an order appends a claim, which gives it a
//! lease and a *fence*, the number of the claim. Every event is appended under a fence and at the position up
//! to which the worker had read: the store refuses it if there has been another claim, or any event, since. So
//! the lease is only politeness. What protects the order when a worker stands still for ten minutes and then
//! goes on, as if nothing had happened, is the fence: it may finish the one send that it had written down, and
//! then finds that it can write nothing any more.
//!
//! Time: the store's clock, which all workers share, is read where events are appended; a worker's own clock
//! may be off, and is good enough to decide when to look again.
//!
//! # Copying it
//!
//! Take this folder and `../order`, where the rules are that do not depend on the architecture. `Streams` in
//! `events.rs` is the durable state; its `project` adds the claim to what the events mean, so that the
//! promises about owners can be judged.

mod decide;
mod events;
#[path = "../order/mod.rs"]
mod order;
mod worker;

use order::rules::Right;
use std::process::ExitCode;
use unacked::prelude::*;
use worker::Workers;

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let scenario = words.next().unwrap_or_else(|| "two-workers".into());
    let seeds = words.next().map_or(Ok(2_000), |n| n.parse());
    let declared = words.next().is_none_or(|word| word != "undeclared");
    let Ok(seeds) = seeds else {
        eprintln!("error: the number of seeds is a number: cargo run --example event_sourced two-workers 2000");
        return ExitCode::from(2);
    };
    let subject = Workers { rules: Right, fenced: true, leased: true };
    let check = Check::new(&subject, &scenario).map(|check| check.seeds(0..seeds));
    let check = if declared { check.map(Check::sees_store) } else { check };
    match check.and_then(Check::run) {
        Ok(report) => {
            print!("{report}");
            ExitCode::from(u8::from(!report.is_kept()))
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
