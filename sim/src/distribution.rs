//! Distributions of random quantities (latencies, human delays), as quantile functions of 64 uniform bits.
//!
//! Only additions, multiplications, divisions and `libm` are used, so that a sample is the same on
//! every platform and under every version of `rand`.

/// A distribution over microseconds (or any other whole number).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Distribution {
    /// Always this.
    Const(u64),
    /// Every whole number from `lo` to `hi`, both included; `hi < lo` counts as `lo`.
    Uniform {
        /// Smallest value.
        lo: u64,
        /// Largest value.
        hi: u64,
    },
    /// Exponential with this mean, cut at `max`.
    Exponential {
        /// Mean before the cut.
        mean: f64,
        /// Largest value.
        max: u64,
    },
    /// Normal, cut to `0..=max`.
    Normal {
        /// Mean before the cut.
        mean: f64,
        /// Standard deviation before the cut.
        deviation: f64,
        /// Largest value.
        max: u64,
    },
    /// exp(Normal(mu, sigma)), cut at `max`.
    LogNormal {
        /// Logarithm of the median.
        mu: f64,
        /// Spread of the logarithm.
        sigma: f64,
        /// Largest value.
        max: u64,
        /// The median itself: what noise-free runs use.
        median: u64,
    },
}

/// Standard normal quantile of 0.99.
const Z99: f64 = 2.326_347_874_040_841;

impl Distribution {
    /// The lognormal through a median and a 99th percentile, cut at `max`. `p99 < p50` counts as `p50`.
    pub fn log_normal(p50: u64, p99: u64, max: u64) -> Distribution {
        if p50 == 0 {
            return Distribution::Const(0);
        }
        let mu = libm::log(p50 as f64);
        let sigma = (libm::log(p99.max(p50) as f64) - mu) / Z99;
        Distribution::LogNormal { mu, sigma, max: max.max(p50), median: p50 }
    }

    /// The value at these uniform bits (their quantile).
    #[inline]
    pub fn at(&self, bits: u64) -> u64 {
        match *self {
            Distribution::Const(value) => value,
            Distribution::Uniform { lo, hi } => lo + scale(bits, hi.saturating_sub(lo)),
            _ => self.curved_at(bits),
        }
    }

    fn curved_at(&self, bits: u64) -> u64 {
        match *self {
            Distribution::Const(_) | Distribution::Uniform { .. } => 0,
            // `!bits`: 1 - u, so that more bits mean a larger value here too.
            Distribution::Exponential { mean, max } => cut(-mean * libm::log(unit(!bits)), max),
            Distribution::Normal { mean, deviation, max } => cut(mean + deviation * normal_quantile(unit(bits)), max),
            Distribution::LogNormal { mu, sigma, max, .. } => cut(exp(mu + sigma * normal_quantile(unit(bits))), max),
        }
    }

    /// The median: what every sample is while noise is off.
    #[inline]
    pub fn median(&self) -> u64 {
        match *self {
            Distribution::Const(value) => value,
            Distribution::Uniform { lo, hi } => lo + hi.saturating_sub(lo) / 2,
            Distribution::Exponential { mean, max } => cut(mean * core::f64::consts::LN_2, max),
            Distribution::Normal { mean, max, .. } => cut(mean, max),
            Distribution::LogNormal { median, .. } => median,
        }
    }

    /// The largest value it can take.
    pub fn max(&self) -> u64 {
        match *self {
            Distribution::Const(value) => value,
            Distribution::Uniform { lo, hi } => hi.max(lo),
            Distribution::Exponential { max, .. }
            | Distribution::Normal { max, .. }
            | Distribution::LogNormal { max, .. } => max,
        }
    }
}

/// Uniform in `0..=width`, by multiplication (bias below 2^-64 relative).
#[inline]
fn scale(bits: u64, width: u64) -> u64 {
    ((u128::from(bits) * (u128::from(width) + 1)) >> 64) as u64
}

/// Uniform in the open interval (0, 1): odd multiples of 2^-53, all exact, so that `unit(!bits)` is
/// `1.0 - unit(bits)` to the last bit.
#[inline]
pub fn unit(bits: u64) -> f64 {
    ((bits >> 12) as f64 + 0.5) * (1.0 / 4_503_599_627_370_496.0)
}

#[inline]
fn cut(value: f64, max: u64) -> u64 {
    // `as` saturates: negative values become 0.
    (value as u64).min(max)
}

/// e^x, to the last bit or the one before, for |x| below 700 (further out: as there).
///
/// 2^(n/16) from a table times a Taylor polynomial of what is left: a third of the time of `libm`'s.
fn exp(x: f64) -> f64 {
    /// Adding it rounds to a whole number and leaves that in the low bits.
    const ROUND: f64 = 6_755_399_441_055_744.0;
    const PER_STEP: f64 = 23.083120654223414;
    // One step, ln 2 / 16, in two parts: the first so short that its multiples are exact.
    const STEP: f64 = 0.04332169877307024;
    const STEP_REST: f64 = 1.1926343307941173e-11;
    let x = x.clamp(-700.0, 700.0);
    let rounded = x * PER_STEP + ROUND;
    let steps = rounded.to_bits() as i32;
    let n = rounded - ROUND;
    let r = x - n * STEP - n * STEP_REST;
    let series = 1.0 + r * (1.0 + r * (1.0 / 2.0 + r * (1.0 / 6.0 + r * (1.0 / 24.0 + r * (1.0 / 120.0 + r / 720.0)))));
    let doublings = f64::from_bits(((steps >> 4) + 1023) as u64 * (1 << 52));
    SIXTEENTHS[(steps & 15) as usize] * series * doublings
}

/// 2^(n/16).
const SIXTEENTHS: [f64; 16] = [
    1.0,
    1.0442737824274138,
    1.0905077326652577,
    1.1387886347566916,
    1.189207115002721,
    1.241857812073484,
    1.2968395546510096,
    1.3542555469368927,
    core::f64::consts::SQRT_2,
    1.4768261459394993,
    1.5422108254079407,
    1.6104903319492543,
    1.681792830507429,
    1.7562521603732995,
    1.8340080864093424,
    1.9152065613971474,
];

/// Standard normal quantile by Acklam's rational approximation (relative error below 1.2e-9).
pub fn normal_quantile(p: f64) -> f64 {
    const LOW: f64 = 0.024_25;
    if p < LOW {
        tail(libm::sqrt(-2.0 * libm::log(p)))
    } else if p > 1.0 - LOW {
        -tail(libm::sqrt(-2.0 * libm::log(1.0 - p)))
    } else {
        centre(p - 0.5)
    }
}

fn centre(q: f64) -> f64 {
    const A: [f64; 6] = [
        -3.969_683_028_665_376e1,
        2.209_460_984_245_205e2,
        -2.759_285_104_469_687e2,
        1.383_577_518_672_69e2,
        -3.066_479_806_614_716e1,
        2.506_628_277_459_239,
    ];
    const B: [f64; 5] = [
        -5.447_609_879_822_406e1,
        1.615_858_368_580_409e2,
        -1.556_989_798_598_866e2,
        6.680_131_188_771_972e1,
        -1.328_068_155_288_572e1,
    ];
    let r = q * q;
    let numerator = ((((A[0] * r + A[1]) * r + A[2]) * r + A[3]) * r + A[4]) * r + A[5];
    let denominator = ((((B[0] * r + B[1]) * r + B[2]) * r + B[3]) * r + B[4]) * r + 1.0;
    numerator * q / denominator
}

fn tail(q: f64) -> f64 {
    const C: [f64; 6] = [
        -7.784_894_002_430_293e-3,
        -3.223_964_580_411_365e-1,
        -2.400_758_277_161_838,
        -2.549_732_539_343_734,
        4.374_664_141_464_968,
        2.938_163_982_698_783,
    ];
    const D: [f64; 4] =
        [7.784_695_709_041_462e-3, 3.224_671_290_700_398e-1, 2.445_134_137_142_996, 3.754_408_661_907_416];
    let numerator = ((((C[0] * q + C[1]) * q + C[2]) * q + C[3]) * q + C[4]) * q + C[5];
    let denominator = (((D[0] * q + D[1]) * q + D[2]) * q + D[3]) * q + 1.0;
    numerator / denominator
}

#[cfg(test)]
mod tests {
    use super::exp;

    #[test]
    fn the_exponential_is_that_of_libm() {
        for i in -70_000..70_000 {
            let x = f64::from(i) / 100.0 + 0.003;
            let (ours, theirs) = (exp(x), libm::exp(x));
            assert!((ours - theirs).abs() <= theirs * 1e-15, "e^{x}: {ours} {theirs}");
        }
        assert_eq!((exp(0.0), exp(1e9), exp(-1e9)), (1.0, exp(700.0), exp(-700.0)));
    }
}
