//! Event-sourced: two workers, one stream of events per order, leases and fencing.
//!
//! ```text
//! cargo run --release --example event_sourced [SCENARIO] [SEEDS | exhaust] [undeclared]
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

#[path = "../order/command.rs"]
mod command;
mod decide;
mod events;
#[path = "../order/mod.rs"]
mod order;
mod worker;

use order::rules::Right;
use std::process::ExitCode;
use worker::Workers;

fn main() -> ExitCode {
    command::run(&Workers { rules: Right, fenced: true, leased: true }, 2, "two-workers")
}
