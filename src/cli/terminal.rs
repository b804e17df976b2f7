//! What surrounds the program: the terminal, and who started it.

use crate::report::Paint;
use std::env::var_os;
use std::io::{IsTerminal, stdout};

/// Colour only on a terminal, and only if nobody minds (`NO_COLOR`).
pub(super) fn paint() -> Paint {
    let minds = var_os("NO_COLOR").is_some_and(|v| !v.is_empty()) || var_os("TERM").is_some_and(|v| v == "dumb");
    Paint(stdout().is_terminal() && !minds)
}

/// How a reproduce command begins: cargo says so when it started us.
pub(super) fn program() -> &'static str {
    if var_os("CARGO").is_some() { "cargo run --release -- " } else { "unacked " }
}
