//! What "k in n" allows: the exact (Clopper-Pearson) upper bound on a rate, one-sided, 95 %.

/// The highest rate at which k or fewer failing runs in n are still as likely as 5 %.
pub fn upper(failing: u64, runs: u64) -> f64 {
    if failing >= runs {
        return 1.0;
    }
    if failing == 0 {
        return -libm::expm1(libm::log(0.05) / runs as f64);
    }
    let (mut lo, mut hi) = (failing as f64 / runs as f64, 1.0);
    for _ in 0..100 {
        let mid = (lo + hi) / 2.0;
        if at_most(failing, runs, mid) > 0.05 { lo = mid } else { hi = mid }
    }
    hi
}

/// The lowest rate at which k or more in n are still as likely as 5 %.
pub fn lower(failing: u64, runs: u64) -> f64 {
    if failing == 0 { 0.0 } else { 1.0 - upper(runs.saturating_sub(failing), runs) }
}

/// Probability of at most k in n at rate p: the regularised incomplete beta function I(1-p; n-k, k+1).
fn at_most(k: u64, n: u64, p: f64) -> f64 {
    let (a, b, x) = ((n - k) as f64, k as f64 + 1.0, 1.0 - p);
    if x <= 0.0 {
        return 0.0;
    }
    let front =
        libm::exp(libm::lgamma(a + b) - libm::lgamma(a) - libm::lgamma(b) + a * libm::log(x) + b * libm::log1p(-x));
    if x < (a + 1.0) / (a + b + 2.0) { front * fraction(a, b, x) / a } else { 1.0 - front * fraction(b, a, p) / b }
}

/// The continued fraction of the incomplete beta function (modified Lentz).
fn fraction(a: f64, b: f64, x: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let away = |v: f64| if libm::fabs(v) < TINY { TINY } else { v };
    let mut c = 1.0;
    let mut d = 1.0 / away(1.0 - (a + b) * x / (a + 1.0));
    let mut h = d;
    for m in 1..100_000 {
        let m = f64::from(m);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        d = 1.0 / away(1.0 + even * d);
        c = away(1.0 + even / c);
        h *= d * c;
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / away(1.0 + odd * d);
        c = away(1.0 + odd / c);
        h *= d * c;
        if libm::fabs(d * c - 1.0) < 1e-13 {
            break;
        }
    }
    h
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(failing: u64, runs: u64, expected: f64) {
        let found = upper(failing, runs);
        assert!((found / expected - 1.0).abs() < 1e-4, "{failing} in {runs}: {found}, expected {expected}");
    }

    #[test]
    fn known_bounds() {
        check(0, 20_000, 1.4978e-4);
        check(0, 1, 0.95);
        check(1, 10, 0.394_163);
        check(5, 100, 0.102_253);
        check(50, 100, 0.586_378);
        check(10, 10, 1.0);
    }

    #[test]
    fn the_bound_is_above_the_rate_and_falls_with_more_runs() {
        for k in [0, 1, 7, 300] {
            for n in [1_000, 10_000, 1_000_000] {
                assert!(upper(k, n) > k as f64 / n as f64);
                assert!(upper(k, n * 10) < upper(k, n));
            }
        }
    }
}
