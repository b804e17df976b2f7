//! Policies side by side on the same seeds: safety first, then what each costs against a baseline.

use crate::load::Tally;
use crate::statistics::{Difference, Histogram, Proportion, Resampling, holm, paired};

/// What one policy did, seed by seed, in the order of the seeds.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its name.
    pub policy: String,
    /// One count per seed.
    pub tallies: Vec<Tally>,
}

/// A policy's line in a comparison.
#[derive(Clone, Debug)]
pub struct Line {
    /// Its name.
    pub policy: String,
    /// Seeds in which an order was charged twice.
    pub charging_twice: Proportion,
    /// Charges beyond the first of an order, in all seeds.
    pub duplicates: u64,
    /// Orders that were charged, and whose client never learned of it.
    pub unknown: u64,
    /// Orders that arrived.
    pub orders: u64,
    /// Orders done, as a share of all.
    pub completion: f64,
    /// Requests per order.
    pub amplification: f64,
    /// Retries that a budget refused.
    pub denied: u64,
    /// From arrival to known done, over all orders.
    pub times: Histogram,
    /// Against the baseline; none for the baseline itself.
    pub versus: Option<Versus>,
}

/// A policy against the baseline, over the same seeds.
#[derive(Clone, Copy, Debug)]
pub struct Versus {
    /// Difference in completion.
    pub completion: Difference,
    /// Its p value, adjusted for all policies compared.
    pub completion_p: f64,
    /// Difference in requests per order.
    pub amplification: Difference,
    /// Its p value, adjusted.
    pub amplification_p: f64,
}

/// The level below which an adjusted p value makes a difference.
const CLEAR: f64 = 0.05;

impl Line {
    /// Whether it may be recommended at all.
    pub fn is_safe(&self) -> bool {
        self.duplicates == 0
    }
}

impl Versus {
    /// -1, 0 or 1: completes fewer orders than the baseline, cannot be told from it, completes more.
    pub fn verdict(&self) -> i8 {
        if self.completion_p >= CLEAR || !self.completion.is_clear() {
            return 0;
        }
        if self.completion.mean > 0.0 { 1 } else { -1 }
    }
}

/// Compares policies with the baseline among them.
///
/// # Errors
/// The baseline is missing, seeds differ, or there are fewer than two.
pub fn compare(records: &[Record], baseline: &str) -> Result<Vec<Line>, String> {
    let base = records.iter().find(|record| record.policy == baseline).ok_or_else(|| {
        format!("the baseline `{baseline}` is not among the policies compared: add it to --policies, or name another")
    })?;
    let mut lines: Vec<Line> = Vec::new();
    for record in records {
        let versus = if record.policy == baseline { None } else { Some(against(record, base)?) };
        lines.push(Line { versus, ..line(record) });
    }
    adjust(&mut lines);
    Ok(lines)
}

fn line(record: &Record) -> Line {
    let sum = |of: fn(&Tally) -> u64| record.tallies.iter().map(of).sum::<u64>();
    let events = record.tallies.iter().filter(|tally| tally.duplicates > 0).count() as u64;
    let (orders, mut times) = (sum(|t| t.orders), Histogram::default());
    record.tallies.iter().for_each(|tally| times.merge(&tally.times));
    let per_order = |n: u64| if orders == 0 { 0.0 } else { n as f64 / orders as f64 };
    Line {
        policy: record.policy.clone(),
        charging_twice: Proportion { events, of: record.tallies.len() as u64 },
        duplicates: sum(|t| t.duplicates),
        unknown: sum(|t| t.unknown),
        orders,
        completion: per_order(sum(|t| t.done)),
        amplification: per_order(sum(|t| t.attempts)),
        denied: sum(|t| t.denied),
        times,
        versus: None,
    }
}

fn against(record: &Record, base: &Record) -> Result<Versus, String> {
    let each = |record: &Record, of: fn(&Tally) -> f64| record.tallies.iter().map(of).collect::<Vec<_>>();
    let differ = |of| paired(&each(record, of), &each(base, of), Resampling::default());
    let (completion, amplification) = (differ(Tally::completion)?, differ(Tally::amplification)?);
    Ok(Versus { completion, completion_p: completion.p, amplification, amplification_p: amplification.p })
}

/// Holm's adjustment, for each measure over all policies.
fn adjust(lines: &mut [Line]) {
    let mut compared: Vec<&mut Versus> = lines.iter_mut().filter_map(|line| line.versus.as_mut()).collect();
    let completion = holm(&compared.iter().map(|v| v.completion.p).collect::<Vec<_>>());
    let amplification = holm(&compared.iter().map(|v| v.amplification.p).collect::<Vec<_>>());
    for (i, versus) in compared.iter_mut().enumerate() {
        (versus.completion_p, versus.amplification_p) = (completion[i], amplification[i]);
    }
}
