//! How long to wait before each retry: a law of growth, a law of jitter, and which of jitter and cap comes first.

use serde::Deserialize;
use unacked_scenarios::units::Length;
use unacked_sim::time::Span;

/// What waits are kept within.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Bounds {
    /// The first wait, if it is another than the law's; it is neither spread nor capped.
    #[serde(default)]
    pub first: Option<Length>,
    /// The longest wait.
    #[serde(default)]
    pub cap: Option<Length>,
    /// What is capped: the wait before it is spread, or after.
    #[serde(default)]
    pub capped: Capped,
    /// The shortest wait, applied last.
    #[serde(default)]
    pub least: Option<Length>,
    /// What replaces the base after a throttled attempt.
    #[serde(default)]
    pub base_throttled: Option<Length>,
}

/// How waits grow from retry to retry. Retries are counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(tag = "law", rename_all = "kebab-case", rename_all_fields = "kebab-case", deny_unknown_fields)]
pub enum Law {
    /// No wait.
    None,
    /// Whatever the caller gives: reckoned as one second.
    Caller,
    /// Whatever a server of the library decides: not known.
    Runtime,
    /// Always the base.
    Constant {
        /// The wait.
        base: Length,
    },
    /// base * factor^(k-1).
    Exponential {
        /// The first wait.
        base: Length,
        /// The factor.
        factor: f64,
    },
    /// base * (2^k - 1).
    Doubled {
        /// The first wait.
        base: Length,
    },
    /// base * (k - behind)^power + plus.
    Power {
        /// One unit.
        base: Length,
        /// The exponent.
        power: u32,
        /// What is subtracted from the retry's number.
        behind: u32,
        /// What is added.
        plus: Length,
    },
    /// Uniform between the base and `factor` times the wait before.
    Decorrelated {
        /// The shortest wait, and the wait before the first.
        base: Length,
        /// The factor.
        factor: f64,
    },
    /// base / 1.4 * (g(t) - g(t before)), g(t) = 2^t * tanh(sqrt(4t)), t = k - 1 + u.
    Smooth {
        /// Median of the first wait, roughly.
        base: Length,
    },
}

/// What is capped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Capped {
    /// The wait, and then it is spread: jitter is left at the cap.
    #[default]
    BeforeJitter,
    /// The spread wait: at the cap clients fall into step again.
    AfterJitter,
}

/// How a wait is spread by a uniform draw u in 0..1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(tag = "law", rename_all = "kebab-case", rename_all_fields = "kebab-case", deny_unknown_fields)]
pub enum Jitter {
    /// Not at all.
    #[default]
    None,
    /// Times something between `low` and `high`. Full jitter is 0 to 1, equal jitter 0.5 to 1.
    Times {
        /// At u = 0.
        low: f64,
        /// At u = 1.
        high: f64,
    },
    /// Plus something below a fixed length, in whole units.
    Plus {
        /// One unit.
        unit: Length,
        /// How many values there are: 0 to one less.
        values: u32,
    },
    /// The same with `values` more of them for each retry.
    PlusGrowing {
        /// One unit.
        unit: Length,
        /// How many values there are for the first retry.
        values: u32,
    },
    /// A whole number of units from none to the wait.
    Whole {
        /// One unit.
        unit: Length,
    },
}

/// What the waits of one call remember of those before.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Memory {
    /// The wait before, or g(t) of the smooth law, in microseconds or as a number.
    before: Option<f64>,
}

/// The waits of a policy: a law of growth, its bounds and its jitter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Waits {
    /// How they grow.
    pub delay: Law,
    /// What they are kept within.
    pub bounds: Bounds,
    /// How they are spread.
    pub jitter: Jitter,
}

impl Waits {
    /// The wait before retry `k` (from 1), for a uniform draw `u` in 0..1. `None`: not known.
    pub fn wait(&self, k: u32, u: f64, throttled: bool, memory: &mut Memory) -> Option<Span> {
        if let (1, Some(first)) = (k, self.bounds.first) {
            memory.before = Some(micros(first));
            return Some(first.0);
        }
        let grown = self.law_after(throttled).at(k, u, memory)?;
        let wait = match self.bounds.capped {
            Capped::BeforeJitter => self.jitter.spread(self.cut(grown), k, u),
            Capped::AfterJitter => self.cut(self.jitter.spread(grown, k, u)),
        };
        if matches!(self.delay, Law::Decorrelated { .. }) {
            memory.before = Some(wait);
        }
        Some(span(wait.max(self.bounds.least.map_or(0.0, micros))))
    }

    /// The first `n` waits of a call that is never throttled, with the same draw for each.
    pub fn first(&self, n: u32, u: f64) -> Vec<Option<Span>> {
        let mut memory = Memory::default();
        (1..=n).map(|k| self.wait(k, u, false, &mut memory)).collect()
    }

    fn cut(&self, wait: f64) -> f64 {
        self.bounds.cap.map_or(wait, |cap| wait.min(micros(cap)))
    }

    fn law_after(&self, throttled: bool) -> Law {
        match (self.delay, self.bounds.base_throttled.filter(|_| throttled)) {
            (Law::Exponential { factor, .. }, Some(base)) => Law::Exponential { base, factor },
            (law, _) => law,
        }
    }

    /// What of it contradicts itself.
    pub(crate) fn contradiction(&self) -> Option<String> {
        let random = matches!(self.delay, Law::Decorrelated { .. } | Law::Smooth { .. });
        if random && self.jitter != Jitter::None {
            return Some("this law of delay is random already: leave [jitter] out".into());
        }
        let exponential = matches!(self.delay, Law::Exponential { .. });
        if self.bounds.base_throttled.is_some() && !exponential {
            return Some("base-throttled needs the law \"exponential\"".into());
        }
        None
    }
}

impl Law {
    fn at(self, k: u32, u: f64, memory: &mut Memory) -> Option<f64> {
        Some(match self {
            Law::Runtime => return None,
            Law::None => 0.0,
            Law::Caller => 1e6,
            Law::Constant { base } => micros(base),
            Law::Exponential { base, factor } => micros(base) * raised(factor, k - 1),
            Law::Doubled { base } => micros(base) * (raised(2.0, k) - 1.0),
            Law::Power { base, power, behind, plus } => {
                micros(base) * raised(f64::from(k.saturating_sub(behind)), power) + micros(plus)
            }
            Law::Decorrelated { base, factor } => {
                let low = micros(base);
                low + u * (factor * memory.before.unwrap_or(low) - low)
            }
            Law::Smooth { base } => {
                let t = f64::from(k - 1) + u;
                let now = libm::exp2(t) * libm::tanh(libm::sqrt(4.0 * t));
                let before = memory.before.replace(now).unwrap_or(0.0);
                micros(base) * (now - before) / 1.4
            }
        })
    }
}

impl Jitter {
    fn spread(&self, wait: f64, k: u32, u: f64) -> f64 {
        match *self {
            Jitter::None => wait,
            Jitter::Times { low, high } => wait * (low + u * (high - low)),
            Jitter::Plus { unit, values } => wait + micros(unit) * libm::floor(u * f64::from(values)),
            Jitter::PlusGrowing { unit, values } => wait + micros(unit) * libm::floor(u * f64::from(values * k)),
            Jitter::Whole { unit } => micros(unit) * libm::floor(u * (wait / micros(unit) + 1.0)),
        }
    }
}

/// Multiplied out: the same on every platform.
fn raised(base: f64, power: u32) -> f64 {
    (0..power.min(1100)).fold(1.0, |product, _| product * base)
}

fn micros(length: Length) -> f64 {
    length.0.0 as f64
}

/// Rounded to whole microseconds; what no span holds is never.
fn span(micros: f64) -> Span {
    Span(libm::round(micros) as u64)
}
