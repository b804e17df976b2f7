//! What does not matter about a minimal plan: the parameters that fail too, and, tried out, what is
//! left of the failure without each of its faults.

use crate::statistics::breaks;
use crate::told::Told;
use crate::watch::Stop;
use unacked_sim::lab::Lab;
use unacked_sim::plan::{CompiledChoice, CompiledPlan, Plan};
use unacked_sim::time::Span;
use unacked_sim::verdict::Signature;

/// What is known about one fault of a minimal plan. All of it was run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Freedom {
    /// Which parameters fail too; `None`: the fault has none.
    pub range: Option<Range>,
    /// What is left without this fault.
    pub without: Without,
}

/// Parameters that fail in the same way: both ends were run, and points between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The shortest.
    pub low: Span,
    /// The longest.
    pub high: Span,
}

/// What is left of a failure without one of its faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Without {
    /// The promise is kept.
    Kept,
    /// The promise is broken all the same, but in another way.
    Otherwise(Signature),
    /// The same failure: the plan is not minimal.
    Same,
}

/// Shortest parameter tried.
const FLOOR: u64 = 1_000;

/// A plan of more faults than this is not minimal, and trying each of them would take longer than anybody
/// waits: nothing is tried then.
const MOST: usize = 64;

/// Finds out about each fault, in the order in which the plan lists them, until `stop`; about none of too
/// many. `values`: the canonical
/// parameters of a choice; the largest one bounds what is possible.
pub fn freedoms(
    lab: &mut Lab<'_, impl Told>,
    compiled: &CompiledPlan,
    plan: &Plan,
    signature: &Signature,
    values: impl Fn(&CompiledChoice) -> Vec<u64>,
    stop: Stop<'_>,
) -> Vec<Freedom> {
    if plan.choices.len() > MOST {
        return Vec::new();
    }
    let listed = plan.choices.iter().map(|choice| choice.site.hash());
    let places = listed.filter_map(|site| compiled.choices.iter().position(|choice| choice.site == site));
    let places = places.take_while(|_| !stop());
    places.map(|at| freedom(lab, compiled, at, signature, &values(&compiled.choices[at]), stop)).collect()
}

fn freedom(
    lab: &mut Lab<'_, impl Told>,
    compiled: &CompiledPlan,
    at: usize,
    signature: &Signature,
    values: &[u64],
    stop: Stop<'_>,
) -> Freedom {
    let without = without(lab, &compiled.without(at), signature);
    let value = compiled.choices[at].value;
    let mut fails = |other: u64| {
        let mut changed = compiled.clone();
        changed.choices[at].value = other;
        !stop() && breaks(&lab.run_plan(&changed), signature)
    };
    let range = (value != 0).then(|| range(value, values, &mut fails));
    Freedom { range, without }
}

fn without(lab: &mut Lab<'_, impl Told>, rest: &CompiledPlan, signature: &Signature) -> Without {
    let outcome = lab.run_plan(rest);
    if breaks(&outcome, signature) {
        return Without::Same;
    }
    let otherwise = outcome.violations.iter().find(|v| v.promise.name == signature.promise);
    otherwise.map_or(Without::Kept, |v| Without::Otherwise(v.signature()))
}

/// The parameters around one that fails, as far as all that are tried fail.
pub fn range(value: u64, values: &[u64], fails: &mut impl FnMut(u64) -> bool) -> Range {
    let top = values.iter().copied().max().unwrap_or(value);
    let known = |from: u64, to: u64| values.iter().copied().filter(move |v| from < *v && *v < to);
    let mut down: Vec<u64> = known(FLOOR, value).chain([between(FLOOR, value), FLOOR]).filter(|v| *v < value).collect();
    down.sort_unstable_by(|a, b| b.cmp(a));
    let mut up: Vec<u64> = known(value, top).chain([between(value, top), top]).filter(|v| *v > value).collect();
    up.sort_unstable();
    Range { low: Span(reach(value, &down, fails)), high: Span(reach(value, &up, fails)) }
}

/// Goes along the points while they fail; where one does not, bisects.
fn reach(start: u64, points: &[u64], fails: &mut impl FnMut(u64) -> bool) -> u64 {
    let mut reached = start;
    for &point in points {
        if !fails(point) {
            return edge(reached, point, fails);
        }
        reached = point;
    }
    reached
}

/// The last value that fails on the way from one that does to one that does not, up to rounding.
fn edge(mut bad: u64, mut good: u64, fails: &mut impl FnMut(u64) -> bool) -> u64 {
    loop {
        let middle = between(bad, good);
        if middle == bad || middle == good {
            return bad;
        }
        if fails(middle) {
            bad = middle;
        } else {
            good = middle;
        }
    }
}

/// Somewhere between, in steps that a person would take; one of the two if there is no such step.
fn between(a: u64, b: u64) -> u64 {
    let (low, high) = (a.min(b), a.max(b));
    let middle = (u128::from(low) * u128::from(high)).isqrt() as u64;
    let step = grain(middle);
    let rounded = (middle - middle % step).max(low - low % step + step);
    if rounded < high { rounded } else { low }
}

/// The step that matters at this size, microseconds.
const fn grain(us: u64) -> u64 {
    match us {
        0..10_000 => 100,
        10_000..1_000_000 => 10_000,
        1_000_000..10_000_000 => 100_000,
        10_000_000..600_000_000 => 1_000_000,
        600_000_000..36_000_000_000 => 60_000_000,
        _ => 3_600_000_000,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(value: u64, values: &[u64], from: u64, to: u64) -> (u64, u64) {
        let range = range(value, values, &mut |v| (from..=to).contains(&v));
        (range.low.0, range.high.0)
    }

    #[test]
    fn ends_fail_and_the_next_step_beyond_does_not() {
        let (low, high) = found(3_000_000, &[3_000_000, 60_000_000], 1_234_567, 17_654_321);
        assert!((1_234_567..1_340_000).contains(&low), "{low}");
        assert!((16_600_000..=17_654_321).contains(&high), "{high}");
    }

    #[test]
    fn everything_may_fail_or_nothing_else() {
        assert_eq!(found(3_000_000, &[3_000_000, 60_000_000], 0, u64::MAX), (FLOOR, 60_000_000));
        assert_eq!(found(3_000_000, &[3_000_000], 3_000_000, 3_000_000), (3_000_000, 3_000_000));
    }

    #[test]
    fn a_gap_in_between_is_not_claimed() {
        let range = range(60_000_000, &[2_000_000, 60_000_000], &mut |v| v != 2_000_000 && v >= 1_000_000);
        assert!(range.low.0 > 2_000_000, "{range:?}");
    }
}
