//! A saga: one worker, a journal of its own, compensations when an order cannot be served.
//!
//! ```text
//! cargo run --release --example saga [SCENARIO] [SEEDS | exhaust] [undeclared]
//! ```
//!
//! # How it works
//!
//! Each order has a *page* in the [`Journal`](journal::Journal), and the page is all the saga knows: nothing
//! that matters is kept in memory across an `await`. Before a request leaves, an entry says so, under which
//! generation (and so under which key); when an answer proves something, another entry says what. A page is
//! only ever appended to, and only at the length that was read: a read that was behind is found out by the
//! write that builds on it, and a write whose acknowledgement was lost may simply be made again.
//!
//! The saga goes through its steps in order: hold the goods, charge, ask a person, ship, tell. Each step is
//! one operation that is *settled* before the next begins (`settle.rs`): repeated under the same key where the
//! contract covers that, looked up where it can be, and handed to a person where nothing else is left. If a
//! step is refused, what was done before is undone in reverse: refund, release, tell.
//!
//! What it decides by is in `../order/rules.rs`, as pure functions: where a key comes from, what an answer proves, when
//! to repeat, when to stop. Read that file first; the rest follows from it.
//!
//! # Copying it
//!
//! Take this folder and `../order`. `journal.rs` is the durable state: any `Clone` type will do. `project` says
//! what it means, so that the promises about records can be judged; leave that out of the check (without
//! `sees_store`) and everything else is judged just the same. `saga.rs` is the subject.

#[path = "../order/command.rs"]
mod command;
mod journal;
#[path = "../order/mod.rs"]
mod order;
mod saga;
mod settle;

use order::rules::Right;
use saga::Saga;
use std::process::ExitCode;

fn main() -> ExitCode {
    command::run(&Saga(Right), 1, "checkout")
}
