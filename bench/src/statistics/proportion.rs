//! How often something happened in n seeds, with the exact interval for it.

use std::fmt;

/// So many of so many seeds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Proportion {
    /// Seeds in which it happened.
    pub events: u64,
    /// Seeds in all.
    pub of: u64,
}

/// An interval for a probability.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// Halvings of 0..1: more than a double can tell apart.
const HALVINGS: u32 = 60;

impl Proportion {
    /// The share; 0 of none.
    pub fn share(self) -> f64 {
        if self.of == 0 { 0.0 } else { self.events as f64 / self.of as f64 }
    }

    /// The exact two-sided interval of Clopper and Pearson at this level (0.95); everything if there are no seeds.
    pub fn exact(self, level: f64) -> Rate {
        let tail = (1.0 - level) / 2.0;
        let low = if self.events == 0 { 0.0 } else { bisect(|p| 1.0 - self.at_most(self.events - 1, p) < tail) };
        let high = if self.events >= self.of { 1.0 } else { bisect(|p| self.at_most(self.events, p) > tail) };
        Rate { low, high }
    }

    /// Wilson's approximate interval at 95 %.
    pub fn wilson(self) -> Rate {
        const Z: f64 = 1.959_963_984_540_054;
        if self.of == 0 {
            return Rate { low: 0.0, high: 1.0 };
        }
        let (n, p) = (self.of as f64, self.share());
        let scale = 1.0 + Z * Z / n;
        let centre = (p + Z * Z / (2.0 * n)) / scale;
        let half = Z * libm::sqrt(p * (1.0 - p) / n + Z * Z / (4.0 * n * n)) / scale;
        Rate { low: (centre - half).max(0.0), high: (centre + half).min(1.0) }
    }

    /// With no event at all: the one-sided upper bound 1 - (1 - level)^(1/n). `None` if there was an event.
    pub fn bound_of_none(self, level: f64) -> Option<f64> {
        let n = self.of as f64;
        (self.events == 0 && self.of > 0).then(|| 1.0 - libm::pow(1.0 - level, 1.0 / n))
    }

    /// The probability of at most `k` events in as many seeds, if each has probability `p`.
    fn at_most(self, k: u64, p: f64) -> f64 {
        if p <= 0.0 || p >= 1.0 {
            return if p <= 0.0 || k >= self.of { 1.0 } else { 0.0 };
        }
        let n = self.of as f64;
        let (log_p, log_q) = (libm::log(p), libm::log1p(-p));
        let whole = libm::lgamma(n + 1.0);
        let term = |i: u64| {
            let i = i as f64;
            let ways = whole - libm::lgamma(i + 1.0) - libm::lgamma(n - i + 1.0);
            libm::exp(ways + i * log_p + (n - i) * log_q)
        };
        (0..=k.min(self.of)).map(term).sum::<f64>().min(1.0)
    }
}

/// `0 in 100 seeds (95 %: at most 2.95 %)`, `73 of 100 seeds, 73.0 % (95 %: 63.2 % to 81.4 %)`.
impl fmt::Display for Proportion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(bound) = self.bound_of_none(0.95) {
            return write!(f, "0 in {} seeds (95 %: at most {:.2} %)", self.of, 100.0 * bound);
        }
        let Rate { low, high } = self.exact(0.95);
        let share = 100.0 * self.share();
        let (low, high) = (100.0 * low, 100.0 * high);
        write!(f, "{} of {} seeds, {share:.1} % (95 %: {low:.1} % to {high:.1} %)", self.events, self.of)
    }
}

/// The point up to which `below` holds.
fn bisect(below: impl Fn(f64) -> bool) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..HALVINGS {
        let middle = (low + high) / 2.0;
        if below(middle) { low = middle } else { high = middle }
    }
    (low + high) / 2.0
}
