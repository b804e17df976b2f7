//! The command line: what was typed becomes a request, a request becomes data, data becomes text.

mod args;
mod bench;
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

use crate::conclusion::Conclusion;
use crate::input_error::InputError;
use crate::report;
use args::{Args, Command};
use clap::Parser;
use std::process::ExitCode;

/// What a command came to.
type Done = Result<Conclusion, InputError>;

/// Reads the arguments, runs the command, returns the exit code.
pub fn main() -> ExitCode {
    interrupt::listen();
    let done = match Args::parse().command {
        Command::Check(check) => check::run(&check),
        Command::Replay(replay) => replay::run(&replay),
        Command::Exhaust(exhaust) => exhaust::run(&exhaust),
        Command::Bench(bench) => bench::run(&bench),
        Command::List(list) => show::list(&list),
        Command::Explain(explain) => show::explain(&explain),
    };
    let conclusion = done.unwrap_or_else(|error| {
        report::complain(&error.to_string());
        Conclusion::Error
    });
    let stopped = interrupt::came() && conclusion != Conclusion::Error;
    ExitCode::from(if stopped { 130 } else { conclusion.code() })
}
