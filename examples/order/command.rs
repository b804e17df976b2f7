//! The command line that the examples share: where a subject is tried, and how hard.

use std::fmt::Display;
use std::process::ExitCode;
use unacked::input_error::InputError;
use unacked::prelude::*;

/// Runs a subject as the arguments say: `[SCENARIO] [SEEDS | exhaust] [undeclared]`. `workers`: how many it has;
/// where there is only one, nobody takes over while its machine is gone, and no demand on the time is made.
pub(crate) fn run<R: Records, S: Subject<World = Shop<R>> + Sync>(subject: &S, workers: u8, usual: &str) -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match tried(subject, workers, usual, &words) {
        Ok((report, kept)) => {
            print!("{report}");
            ExitCode::from(u8::from(!kept))
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

/// What came of it, and whether every promise was kept.
fn tried<R: Records, S: Subject<World = Shop<R>> + Sync>(
    subject: &S,
    workers: u8,
    usual: &str,
    words: &[String],
) -> Result<(Box<dyn Display>, bool), InputError> {
    let word = |n: usize| words.get(n).map(String::as_str);
    let check = Check::new(subject, word(0).unwrap_or(usual))?.jobs(2);
    let check = if word(2) == Some("undeclared") { check } else { check.sees_store() };
    let check = if workers > 1 { check } else { check.without_demands() };
    let how = word(1).unwrap_or("2000");
    if how == "exhaust" {
        let placed = check.exhaust(2);
        let kept = placed.is_kept();
        return Ok((Box::new(placed), kept));
    }
    let bad = |_| InputError(format!("`{how}` is no number of seeds; write for example: checkout 2000"));
    let report = check.seeds(0..how.parse().map_err(bad)?).run()?;
    let kept = report.is_kept();
    Ok((Box::new(report), kept))
}
