//! A progress bar on stderr, only on a terminal.

use super::interrupt;
use crate::report::{counted, remark};
use crate::watch::Watch;
use indicatif::{ProgressBar, ProgressStyle};

/// Runs `work` under a bar; `over` says when to stop before the end.
pub(super) fn under_bar<T>(
    what: &str,
    total: Option<u64>,
    over: &(dyn Fn() -> bool + Sync),
    work: impl FnOnce(Watch<'_>) -> T,
) -> T {
    let bar = total.map_or_else(ProgressBar::no_length, ProgressBar::new).with_style(style(total.is_some()));
    bar.set_prefix(what.to_string());
    let shrinking = |at, of| bar.set_message(format!("shrinking {at} of {of}"));
    let stop = || interrupt::came() || over();
    let fewer = |missing| {
        bar.suspend(|| remark(&format!("warning: {} could not be started", counted(missing as u64, "thread"))))
    };
    let step = |runs| bar.inc(runs);
    let out = work(Watch { stop: &stop, step: &step, shrinking: &shrinking, fewer: &fewer, found: None });
    bar.finish_and_clear();
    out
}

fn style(bounded: bool) -> ProgressStyle {
    let template = if bounded {
        "{prefix} {bar:40} {human_pos}/{human_len} {per_sec} {eta} {msg}"
    } else {
        "{prefix} {spinner} {human_pos} {per_sec} {elapsed} {msg}"
    };
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
