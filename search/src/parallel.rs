//! Spreads work over threads: the only place that starts any.
//!
//! Work is handed out in numbered pieces by one counter, so that all pieces below the last one taken
//! are taken too; what comes back is merged by operations that commute.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::Builder;

/// Numbers pieces of work, until there are no more or somebody says stop.
pub struct Queue<'a> {
    next: AtomicU64,
    end: AtomicU64,
    stop: &'a (dyn Fn() -> bool + Sync),
}

impl<'a> Queue<'a> {
    /// Pieces `0..count`, as long as `stop` says no.
    pub fn new(count: u64, stop: &'a (dyn Fn() -> bool + Sync)) -> Queue<'a> {
        Queue { next: AtomicU64::new(0), end: AtomicU64::new(count), stop }
    }

    /// The next piece.
    pub fn take(&self) -> Option<u64> {
        if (self.stop)() {
            return None;
        }
        let end = self.end.load(Ordering::Relaxed);
        let taken = self.next.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| (n < end).then_some(n + 1));
        taken.ok()
    }

    /// Hands out nothing beyond this piece.
    pub fn stop_after(&self, piece: u64) {
        self.end.fetch_min(piece + 1, Ordering::Relaxed);
    }

    /// How many pieces were handed out.
    pub fn taken(&self) -> u64 {
        self.next.load(Ordering::Relaxed)
    }
}

/// How many threads the machine offers.
pub fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Runs `work` on so many threads, each of which takes pieces until there are none left. `fewer` is told
/// how many could not be started: the others do their work.
pub fn on_threads<T: Send>(
    jobs: usize,
    queue: &Queue<'_>,
    fewer: &dyn Fn(usize),
    work: impl Fn(&Queue<'_>) -> T + Sync,
) -> Vec<T> {
    let useful = usize::try_from(queue.end.load(Ordering::Relaxed)).unwrap_or(usize::MAX);
    let jobs = jobs.min(useful);
    let done = if jobs > 1 { scoped(jobs, queue, fewer, &work) } else { Vec::new() };
    if done.is_empty() { vec![work(queue)] } else { done }
}

#[expect(clippy::disallowed_methods, reason = "the one place that spreads work; results are merged in any order")]
fn scoped<T: Send>(
    jobs: usize,
    queue: &Queue<'_>,
    fewer: &dyn Fn(usize),
    work: &(impl Fn(&Queue<'_>) -> T + Sync),
) -> Vec<T> {
    std::thread::scope(|scope| {
        let start = |_| Builder::new().spawn_scoped(scope, move || work(queue)).ok();
        let running: Vec<_> = (0..jobs).map_while(start).collect();
        if running.len() < jobs {
            fewer(jobs - running.len());
        }
        let finished = running.into_iter().map(|thread| thread.join());
        finished.map(|done| done.unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_is_taken_once_by_no_more_threads_than_pieces() {
        for jobs in [1, 2, 3, 1_000] {
            let queue = Queue::new(3, &|| false);
            let shares =
                on_threads(jobs, &queue, &|_| {}, |queue| std::iter::from_fn(|| queue.take()).collect::<Vec<_>>());
            assert_eq!(shares.len(), jobs.min(3));
            let mut all = shares.concat();
            all.sort_unstable();
            assert_eq!(all, [0, 1, 2], "{jobs}");
        }
    }
}
