//! Times of all accepted orders, finished or not, in whole counts: merging is adding, in any order.

use std::collections::BTreeMap;
use std::fmt;
use unacked_sim::time::Span;

/// Bits of a value that a bucket keeps: at most 1 part in 128 is lost.
const KEPT: u32 = 7;

/// How often which time was seen, and how many orders did not finish at all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Histogram {
    /// Counts by bucket: the smallest value in it.
    counts: BTreeMap<u64, u64>,
    unfinished: u64,
}

/// A quantile over all orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantile {
    /// Some order took about this long: the upper end of its bucket.
    Within(Span),
    /// So many orders did not finish that the quantile lies beyond the horizon.
    Beyond,
    /// There are no orders.
    Nothing,
}

impl Histogram {
    /// An order that took this long.
    pub fn finished(&mut self, span: Span) {
        *self.counts.entry(floor_of(span.0)).or_default() += 1;
    }

    /// An order that did not end within the run.
    pub fn unfinished(&mut self) {
        self.unfinished += 1;
    }

    /// Adds another one.
    pub fn merge(&mut self, other: &Histogram) {
        other.counts.iter().for_each(|(bucket, n)| *self.counts.entry(*bucket).or_default() += n);
        self.unfinished += other.unfinished;
    }

    /// Orders in all.
    pub fn orders(&self) -> u64 {
        self.unfinished + self.counts.values().sum::<u64>()
    }

    /// The time within which `parts` of `of` orders ended; those that never did count as the slowest.
    pub fn quantile(&self, parts: u64, of: u64) -> Quantile {
        let orders = self.orders();
        if orders == 0 {
            return Quantile::Nothing;
        }
        let rank = (u128::from(orders) * u128::from(parts)).div_ceil(u128::from(of.max(1))).max(1) as u64;
        let mut seen = 0;
        for (&bucket, &n) in &self.counts {
            seen += n;
            if seen >= rank {
                return Quantile::Within(Span(top_of(bucket)));
            }
        }
        Quantile::Beyond
    }
}

/// `1.2s`, `> horizon`, `-`.
impl fmt::Display for Quantile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Quantile::Within(span) => span.fmt(f),
            Quantile::Beyond => f.write_str("> horizon"),
            Quantile::Nothing => f.write_str("-"),
        }
    }
}

/// How many low bits a value's bucket drops.
fn dropped(value: u64) -> u32 {
    (u64::BITS - value.leading_zeros()).saturating_sub(KEPT + 1)
}

fn floor_of(value: u64) -> u64 {
    let shift = dropped(value);
    value >> shift << shift
}

fn top_of(floor: u64) -> u64 {
    floor + ((1 << dropped(floor)) - 1)
}
