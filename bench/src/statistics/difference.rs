//! Paired differences: the same seeds under two policies.

use unacked_sim::draw::{DrawKey, Expander};

/// How a bootstrap is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resampling {
    /// How many resamples.
    pub resamples: u32,
    /// What the draws are made from.
    pub seed: u64,
    /// Level of the interval: 0.95.
    pub level: f64,
}

impl Default for Resampling {
    fn default() -> Resampling {
        Resampling { resamples: 10_000, seed: 1, level: 0.95 }
    }
}

/// The difference of two policies on the same seeds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// Mean of the differences, seed by seed.
    pub mean: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// Two-sided: how probable resamples on the other side of zero are. Not adjusted.
    pub p: f64,
    /// Correlation of the two policies over the seeds; 0 where one of them never varies. Below zero, pairing hurts.
    pub correlation: f64,
    /// Variance of the difference with independent seeds, over that with the same ones.
    pub gain: f64,
}

impl Difference {
    /// Whether the interval leaves zero out: only then one of the two may be called better.
    pub fn is_clear(&self) -> bool {
        self.low > 0.0 || self.high < 0.0
    }
}

/// The difference `left - right`, seed by seed, with a bootstrap interval over seeds (percentiles).
///
/// # Errors
/// The two are not of the same seeds, or there are fewer than two.
pub fn paired(left: &[f64], right: &[f64], how: Resampling) -> Result<Difference, String> {
    if left.len() != right.len() {
        return Err(format!("{} seeds cannot be paired with {}: run both on the same seeds", left.len(), right.len()));
    }
    if left.len() < 2 {
        return Err("a difference needs two seeds or more".into());
    }
    let each: Vec<f64> = left.iter().zip(right).map(|(l, r)| l - r).collect();
    let means = resampled(&each, how);
    let (var_left, var_right, var) = (variance(left), variance(right), variance(&each));
    let spread = libm::sqrt(var_left * var_right);
    Ok(Difference {
        mean: mean(&each),
        low: at(&means, (1.0 - how.level) / 2.0),
        high: at(&means, (1.0 + how.level) / 2.0),
        p: beyond_zero(&means),
        correlation: if spread > 0.0 { (var_left + var_right - var) / (2.0 * spread) } else { 0.0 },
        gain: if var > 0.0 { (var_left + var_right) / var } else { f64::INFINITY },
    })
}

/// Means of resamples, sorted.
fn resampled(each: &[f64], how: Resampling) -> Vec<f64> {
    let key = Expander::default().key(how.seed);
    let mut means: Vec<f64> = (0..how.resamples.max(1)).map(|round| resample(each, key, round)).collect();
    means.sort_by(f64::total_cmp);
    means
}

fn resample(each: &[f64], key: DrawKey, round: u32) -> f64 {
    let n = each.len() as u64;
    let pick = |i: u64| ((u128::from(key.draw(u64::from(round), i)) * u128::from(n)) >> 64) as usize;
    (0..n).map(|i| each[pick(i)]).sum::<f64>() / n as f64
}

fn at(sorted: &[f64], quantile: f64) -> f64 {
    let last = sorted.len() - 1;
    sorted[(libm::floor(quantile * last as f64 + 0.5) as usize).min(last)]
}

fn beyond_zero(means: &[f64]) -> f64 {
    let share = |count: usize| (count + 1) as f64 / (means.len() + 1) as f64;
    let below = share(means.iter().filter(|m| **m <= 0.0).count());
    let above = share(means.iter().filter(|m| **m >= 0.0).count());
    (2.0 * below.min(above)).min(1.0)
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn variance(values: &[f64]) -> f64 {
    let middle = mean(values);
    values.iter().map(|v| (v - middle) * (v - middle)).sum::<f64>() / (values.len() - 1) as f64
}

/// Holm's adjustment of several p values, in their order.
pub fn holm(raw: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..raw.len()).collect();
    order.sort_by(|&a, &b| raw[a].total_cmp(&raw[b]));
    let mut adjusted = vec![0.0; raw.len()];
    let mut highest = 0.0f64;
    for (rank, &which) in order.iter().enumerate() {
        highest = highest.max((raw.len() - rank) as f64 * raw[which]).min(1.0);
        adjusted[which] = highest;
    }
    adjusted
}
