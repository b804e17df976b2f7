//! Distributions: quantiles against known values, order, bounds, golden samples.

use unacked_sim::distribution::{Distribution, normal_quantile, unit};

const EXPONENTIAL: Distribution = Distribution::Exponential { mean: 1_000_000.0, max: 60_000_000 };
const NORMAL: Distribution = Distribution::Normal { mean: 1_000_000.0, deviation: 100_000.0, max: 60_000_000 };
const UNIFORM: Distribution = Distribution::Uniform { lo: 10_000, hi: 30_000 };

fn log_normal() -> Distribution {
    Distribution::log_normal(20_000, 400_000, 60_000_000)
}

/// Distributions of every form, among them degenerate ones and some whose cut is met often.
fn distributions() -> Vec<Distribution> {
    vec![
        Distribution::Const(7),
        UNIFORM,
        Distribution::Uniform { lo: 5, hi: 5 },
        Distribution::Uniform { lo: 0, hi: u64::MAX },
        Distribution::Uniform { lo: 9, hi: 3 },
        EXPONENTIAL,
        Distribution::Exponential { mean: 1_000_000.0, max: 500_000 },
        Distribution::Exponential { mean: 0.0, max: 10 },
        NORMAL,
        Distribution::Normal { mean: 10.0, deviation: 1_000.0, max: 300 },
        Distribution::Normal { mean: 10.0, deviation: 0.0, max: 300 },
        log_normal(),
        Distribution::log_normal(1, 2, 3),
        Distribution::log_normal(20_000, 400_000, 100_000),
        Distribution::log_normal(20_000, 20_000, 60_000_000),
        Distribution::log_normal(20_000, 10, 5),
        Distribution::log_normal(0, 10, 100),
    ]
}

/// The bits whose quantile is `p`.
fn bits(p: f64) -> u64 {
    (p * 18_446_744_073_709_551_616.0) as u64
}

/// Bits at both ends, around the joints of the normal quantile's approximation, and all over.
fn probes() -> Vec<u64> {
    let mut all: Vec<u64> = (0..20_000).map(|i| i * (u64::MAX / 20_000)).collect();
    for centre in [bits(0.024_25), bits(0.5), bits(1.0 - 0.024_25)] {
        all.extend((0..64).flat_map(|i| [centre + (i << 11), centre - (i << 11)]));
    }
    all.extend((0..64).flat_map(|i| [1 << i, u64::MAX >> i, !(u64::MAX >> i)]));
    all.sort_unstable();
    all
}

#[test]
fn quantiles_are_those_of_the_books() {
    // Samples are cut to whole numbers and the normal quantile is good to 1.2e-9: one off is right.
    let check = |distribution: Distribution, p: f64, value: u64| {
        let got = distribution.at(bits(p));
        assert!(got.abs_diff(value) <= 1, "{distribution:?} at {p}: {got} instead of {value}");
    };
    check(Distribution::Const(7), 0.3, 7);
    check(UNIFORM, 0.0, 10_000);
    check(UNIFORM, 0.25, 15_000);
    check(UNIFORM, 0.5, 20_000);
    check(UNIFORM, 0.999_999, 30_000);
    // -ln(1 - p) times the mean.
    check(EXPONENTIAL, 0.1, 105_360);
    check(EXPONENTIAL, 0.5, 693_147);
    check(EXPONENTIAL, 0.9, 2_302_585);
    check(EXPONENTIAL, 0.99, 4_605_170);
    check(NORMAL, 0.025, 804_003);
    check(NORMAL, 0.5, 1_000_000);
    check(NORMAL, 0.9, 1_128_155);
    check(NORMAL, 0.975, 1_195_996);
    check(NORMAL, 0.999, 1_309_023);
    check(log_normal(), 0.5, 20_000);
    check(log_normal(), 0.99, 400_000);
    // By symmetry of the logarithm: 20,000² / 400,000.
    check(log_normal(), 0.01, 1_000);
    // 20,000 × 20^(1.281551565545 / 2.326347874041).
    check(log_normal(), 0.9, 104_171);
}

#[test]
fn the_median_is_the_sample_in_the_middle() {
    for distribution in distributions() {
        let (median, middle) = (distribution.median(), distribution.at(1 << 63));
        assert!(median.abs_diff(middle) <= 1, "{distribution:?}: {median} and {middle}");
    }
}

#[test]
fn the_mean_of_many_samples_is_the_mean() {
    let check = |distribution: Distribution, mean: f64| {
        let n = 100_000u64;
        let sum: f64 = (0..n).map(|i| distribution.at(i * (u64::MAX / n) + u64::MAX / n / 2) as f64).sum();
        let got = sum / n as f64;
        assert!((got - mean).abs() < mean * 1e-3, "{distribution:?}: {got} instead of {mean}");
    };
    check(UNIFORM, 20_000.0);
    check(EXPONENTIAL, 1_000_000.0);
    check(NORMAL, 1_000_000.0);
    // exp(mu + sigma² / 2) with sigma = ln(20) / z(0.99) = 1.287740.
    check(log_normal(), 45_827.0);
}

#[test]
fn samples_rise_with_their_bits_and_stay_below_the_maximum() {
    for distribution in distributions() {
        let mut last = (0, 0);
        for bits in probes() {
            let value = distribution.at(bits);
            assert!(value >= last.1, "{distribution:?}: {value} at {bits:#x} after {} at {:#x}", last.1, last.0);
            assert!(value <= distribution.max(), "{distribution:?}: {value} at {bits:#x}");
            last = (bits, value);
        }
        assert!(distribution.median() <= distribution.max(), "{distribution:?}");
    }
}

#[test]
fn unit_is_open_even_and_symmetric() {
    for bits in probes() {
        let u = unit(bits);
        assert!(u > 0.0 && u < 1.0, "{bits:#x}: {u}");
        assert_eq!(unit(!bits), 1.0 - u, "{bits:#x}");
    }
    assert_eq!(unit(0).log2(), -53.0);
    assert!((unit(bits(0.3)) - 0.3).abs() < 1e-15);
}

#[test]
fn the_normal_quantile_is_accurate_and_symmetric() {
    let check = |p: f64, z: f64| {
        let got = normal_quantile(p);
        assert!((got - z).abs() <= z.abs() * 1.2e-9, "z({p}) = {z}, not {got}");
    };
    check(0.5, 0.0);
    check(0.6, 0.253_347_103_135_799_8);
    check(0.75, 0.674_489_750_196_081_7);
    check(0.9, 1.281_551_565_544_600_4);
    check(0.95, 1.644_853_626_951_472_2);
    check(0.975, 1.959_963_984_540_054);
    check(0.99, 2.326_347_874_040_841);
    check(0.995, 2.575_829_303_548_900_4);
    check(0.999, 3.090_232_306_167_813);
    check(0.999_9, 3.719_016_485_455_709);
    check(0.999_999, 4.753_424_308_822_899);
    check(0.1, -1.281_551_565_544_600_4);
    check(0.025, -1.959_963_984_540_054);
    check(0.001, -3.090_232_306_167_813);
    check(1e-9, -5.997_807_015_007_686);
    for i in 1..1_000 {
        // Dyadic, so that 1 - p is exact.
        let p = f64::from(i) / 2_048.0;
        assert_eq!(normal_quantile(1.0 - p), -normal_quantile(p), "{p}");
    }
}

#[test]
fn the_outermost_samples_are_finite_and_far_out() {
    assert!((normal_quantile(unit(u64::MAX)) - 8.2).abs() < 0.1);
    assert_eq!(normal_quantile(unit(0)), -normal_quantile(unit(u64::MAX)));
    for distribution in [EXPONENTIAL, NORMAL, log_normal()] {
        assert!(distribution.at(u64::MAX) > 1_700_000, "{distribution:?}: {}", distribution.at(u64::MAX));
    }
    assert_eq!(EXPONENTIAL.at(0), 0);
}

// What a noise key means. A change invalidates recorded plans with noise: bump `draw::VERSION`.
#[test]
fn golden_samples() {
    const BITS: [u64; 8] =
        [0, 1 << 32, 1 << 56, 0x0123_4567_89ab_cdef, 1 << 62, 0xc0ff_ee00_dead_beef, 0xfedc_ba98_7654_3210, u64::MAX];
    let check = |distribution: Distribution, samples: [u64; 8]| {
        assert_eq!(BITS.map(|b| distribution.at(b)), samples, "{distribution:?}")
    };
    check(UNIFORM, [10_000, 10_000, 10_078, 10_088, 15_000, 25_078, 29_912, 30_000]);
    check(Distribution::Uniform { lo: 0, hi: u64::MAX }, BITS);
    check(EXPONENTIAL, [0, 0, 3_913, 4_454, 287_682, 1_402_038, 5_416_100, 36_736_800]);
    check(NORMAL, [179_046, 376_973, 733_993, 738_370, 932_551, 1_068_683, 1_261_629, 1_820_953]);
    check(log_normal(), [0, 6, 650, 688, 8_391, 48_433, 581_054, 60_000_000]);
    check(Distribution::log_normal(20_000, 400_000, 100_000), [0, 6, 650, 688, 8_391, 48_433, 100_000, 100_000]);
}
