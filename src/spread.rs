//! Spreads work over threads: the only place that starts any.
//!
//! Work is handed out in numbered pieces by one counter, so that all pieces below the last one taken
//! are taken too; what comes back is merged by operations that commute.

use std::sync::atomic::{AtomicU64, Ordering};

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

/// Runs `work` on so many threads, each of which takes pieces until there are none left.
pub fn spread<T: Send>(jobs: usize, queue: &Queue<'_>, work: impl Fn(&Queue<'_>) -> T + Sync) -> Vec<T> {
    if jobs <= 1 { vec![work(queue)] } else { on_threads(jobs, queue, &work) }
}

#[expect(clippy::disallowed_methods, reason = "the one place that spreads work; results are merged in any order")]
fn on_threads<T: Send>(jobs: usize, queue: &Queue<'_>, work: &(impl Fn(&Queue<'_>) -> T + Sync)) -> Vec<T> {
    std::thread::scope(|scope| {
        let hands: Vec<_> = (0..jobs).map(|_| scope.spawn(move || work(queue))).collect();
        let finished = hands.into_iter().map(|hand| hand.join());
        finished.map(|done| done.unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
    })
}
