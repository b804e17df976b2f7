//! Ctrl-C: long work stops at the next good place, the summary is printed, and the exit code is 130.

use std::sync::atomic::{AtomicBool, Ordering};

static CAME: AtomicBool = AtomicBool::new(false);

/// Listens from now on. The second Ctrl-C ends the program at once.
pub(super) fn listen() {
    let handler = || {
        if CAME.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    };
    // Without a handler Ctrl-C still ends the program, only without a summary.
    let _ = ctrlc::set_handler(handler);
}

/// Whether it came.
pub(super) fn came() -> bool {
    CAME.load(Ordering::Relaxed)
}
