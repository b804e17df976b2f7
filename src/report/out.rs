//! Where text leaves the program.

use std::io::Write;

/// Prints to standard output. A reader that has gone away (`| head`) is no error.
pub fn out(text: &str) {
    let _ = std::io::stdout().write_all(text.as_bytes());
}

/// Prints an error.
pub fn complain(text: &str) {
    let _ = writeln!(std::io::stderr(), "error: {text}");
}

/// Prints what belongs to this run only, never to its report: speed, progress.
pub fn remark(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}
