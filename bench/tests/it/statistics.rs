//! The statistics, against published and worked-out values.

use unacked_bench::statistics::{Histogram, Proportion, Quantile, Rate, Resampling, holm, paired};
use unacked_sim::draw::DrawKey;
use unacked_sim::time::Span;

fn near(found: Rate, low: f64, high: f64) {
    assert!((found.low - low).abs() < 6e-6 && (found.high - high).abs() < 6e-6, "{found:?}: {low} to {high}");
}

#[test]
fn exact_intervals() {
    let exact = |events, of| Proportion { events, of }.exact(0.95);
    near(exact(73, 100), 0.63198, 0.81393);
    near(exact(0, 100), 0.0, 0.03622);
    near(exact(100, 100), 1.0 - 0.03622, 1.0);
    near(exact(1, 1000), 0.000_025_3, 0.005_559);
    near(exact(5, 10), 0.18709, 0.81291);
    near(exact(0, 0), 0.0, 1.0);
}

#[test]
fn wilson_intervals() {
    let wilson = |events, of| Proportion { events, of }.wilson();
    near(wilson(73, 100), 0.63568, 0.80730);
    near(wilson(0, 100), 0.0, 0.03699);
    near(wilson(1, 1000), 0.000_177, 0.005_643);
    near(wilson(5, 10), 0.23659, 0.76341);
}

#[test]
fn nothing_seen_is_never_called_safe() {
    let bound = |of| Proportion { events: 0, of }.bound_of_none(0.95).expect("no event");
    assert_eq!([100, 1000, 10_000].map(|n| (bound(n) * 1e5).round()), [2951.0, 299.0, 30.0]);
    assert_eq!(Proportion { events: 1, of: 100 }.bound_of_none(0.95), None);
    assert_eq!(Proportion { events: 0, of: 100 }.to_string(), "0 in 100 seeds (95 %: at most 2.95 %)");
    let some = Proportion { events: 73, of: 100 }.to_string();
    assert_eq!(some, "73 of 100 seeds, 73.0 % (95 %: 63.2 % to 81.4 %)");
}

#[test]
fn holm_steps_down_and_never_decreases() {
    assert_eq!(holm(&[0.01, 0.04, 0.03, 0.005]), [0.03, 0.06, 0.06, 0.02]);
    assert_eq!(holm(&[0.5, 0.9]), [1.0, 1.0]);
    assert_eq!(holm(&[]), [0.0; 0]);
}

/// Noise around 0, the same for the same seed.
fn noise(seed: u64, name: u64) -> f64 {
    DrawKey::from_seed(seed).draw(1, name) as f64 / u64::MAX as f64 - 0.5
}

#[test]
fn what_two_policies_share_cancels_out() {
    let left: Vec<f64> = (0..200).map(|s| 10.0 * noise(s, 1) + 0.1 + 0.2 * noise(s, 2)).collect();
    let right: Vec<f64> = (0..200).map(|s| 10.0 * noise(s, 1)).collect();
    let alike = paired(&left, &right, Resampling::default()).expect("200 pairs");
    assert!(alike.is_clear() && alike.low < 0.1 && 0.1 < alike.high, "{alike:?}");
    assert!(alike.correlation > 0.99 && alike.gain > 1000.0 && alike.p < 0.001, "{alike:?}");
    let shuffled: Vec<f64> = (0..200).map(|s| 10.0 * noise(s + 1000, 1)).collect();
    let other = paired(&left, &shuffled, Resampling::default()).expect("200 pairs");
    assert!(!other.is_clear() && other.p > 0.05 && other.gain < 2.0, "independent seeds show nothing: {other:?}");
}

#[test]
fn bootstrap_intervals_hold_what_they_promise() {
    let how = |seed| Resampling { resamples: 400, seed, level: 0.9 };
    let trial = |t: u64| {
        let left: Vec<f64> = (0..60).map(|s| noise(1000 * t + s, 3)).collect();
        paired(&left, &[0.0; 60], how(t)).expect("60 pairs")
    };
    let held = (0..300).map(trial).filter(|d| d.low <= 0.0 && d.high >= 0.0).count();
    assert!((250..=285).contains(&held), "90 % intervals hold the truth in {held} of 300 trials");
}

#[test]
fn a_bootstrap_is_made_from_its_seed_alone() {
    let (left, right) = ([1.0, 2.0, 4.0, 8.0], [1.5, 1.0, 3.0, 2.0]);
    let by = |seed| paired(&left, &right, Resampling { seed, ..Resampling::default() }).expect("pairs");
    assert_eq!(by(7), by(7));
    assert!(paired(&left, &right[1..], Resampling::default()).expect_err("unequal").contains("the same seeds"));
    assert!(paired(&[1.0], &[1.0], Resampling::default()).expect_err("one").contains("two seeds"));
}

#[test]
fn orders_that_never_end_are_the_slowest() {
    let mut times = Histogram::default();
    assert_eq!(times.quantile(1, 2), Quantile::Nothing);
    (1..=90).for_each(|ms| times.finished(Span(ms)));
    (0..10).for_each(|_| times.unfinished());
    assert_eq!(times.quantile(1, 2), Quantile::Within(Span(50)));
    assert_eq!(times.quantile(90, 100), Quantile::Within(Span(90)));
    assert_eq!(times.quantile(91, 100), Quantile::Beyond);
    assert_eq!(times.quantile(91, 100).to_string(), "> horizon");
}

#[test]
fn buckets_lose_less_than_one_part_in_a_hundred() {
    for value in [0, 1, 127, 255, 256, 1000, 123_456_789, u64::MAX / 3, u64::MAX] {
        let mut times = Histogram::default();
        times.finished(Span(value));
        let Quantile::Within(Span(told)) = times.quantile(1, 1) else { panic!("one order") };
        assert!(told >= value && told - value <= value / 128, "{value} is told as {told}");
    }
}

#[test]
fn merging_is_the_same_in_any_order_and_in_any_parts() {
    let all: Vec<u64> = (0..5000).map(|i| DrawKey::from_seed(3).draw(i, 0) >> (i % 60)).collect();
    let of = |values: &[u64]| {
        let mut h = Histogram::default();
        values.iter().for_each(|&v| if v % 7 == 0 { h.unfinished() } else { h.finished(Span(v)) });
        h
    };
    let (mut forward, mut backward) = (Histogram::default(), Histogram::default());
    all.chunks(700).for_each(|part| forward.merge(&of(part)));
    all.chunks(300).rev().for_each(|part| backward.merge(&of(part)));
    assert_eq!(forward, backward);
    assert_eq!(forward, of(&all));
}
