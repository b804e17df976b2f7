//! The command line: what was typed becomes a request, a request becomes data, data becomes text.

mod args;
mod check;
mod clock;
mod exhaust;
mod interrupt;
mod picture;
mod policies;
mod progress;
mod replay;
mod replay_case;
mod sets;
mod show;
mod terminal;
mod typed;
mod without;

use crate::refusal::Refusal;
use crate::report;
use crate::verdict::Verdict;
use args::{Args, Command};
use clap::Parser;
use std::process::ExitCode;

/// What a command came to.
type Done = Result<Verdict, Refusal>;

/// Reads the arguments, runs the command, returns the exit code.
pub fn main() -> ExitCode {
    interrupt::listen();
    let done = match Args::parse().command {
        Command::Check(check) => check::run(&check),
        Command::Replay(replay) => replay::run(&replay),
        Command::Exhaust(exhaust) => exhaust::run(&exhaust),
        Command::List(list) => show::list(&list),
        Command::Explain(explain) => show::explain(&explain),
    };
    let verdict = done.unwrap_or_else(|refusal| {
        report::complain(&refusal.to_string());
        Verdict::Error
    });
    let stopped = interrupt::came() && verdict != Verdict::Error;
    ExitCode::from(if stopped { 130 } else { verdict.code() })
}
