//! What a scenario file must not say, though it is well-formed: names, counts, numbers.

use super::kinds;
use crate::filter::nearest;
use crate::promises::case::MAX_NODES;
use crate::scenario::Scenario;
use unacked_sim::time::Span;

/// One sentence that names the place and the fix, if something is wrong.
pub(super) fn check(name: &str, scenario: &Scenario) -> Result<(), String> {
    let known = kinds();
    let kinds_named =
        scenario.weights.keys().chain(scenario.values.keys()).chain(&scenario.without).chain(&scenario.reach.except);
    for kind in kinds_named {
        if known.named(kind).is_none() {
            let hint = nearest(kind, known.iter().map(|(_, k)| k.name));
            return Err(format!("{name}: there is no fault named `{kind}`{hint}; `list faults` shows them all"));
        }
    }
    if scenario.order.is_empty() || scenario.order.len() > 1_000 {
        return Err(format!("{name}: write one to 1,000 [[order]] tables; there are {}", scenario.order.len()));
    }
    if !(1..=MAX_NODES as u8).contains(&scenario.workers) {
        return Err(format!("{name}: workers = {} is not possible; write 1 to {MAX_NODES}", scenario.workers));
    }
    check_numbers(name, scenario)
}

fn check_numbers(name: &str, scenario: &Scenario) -> Result<(), String> {
    let r = &scenario.rates;
    let rates = [
        ("request", r.request),
        ("provider", r.provider),
        ("lookup", r.lookup),
        ("reply", r.reply),
        ("store", r.store),
        ("read", r.read),
        ("before_write", r.before_write),
        ("after_write", r.after_write),
        ("before_send", r.before_send),
        ("after_send", r.after_send),
        ("human", r.human),
        ("clock", r.clock),
        ("pruning", r.pruning),
    ];
    if let Some((key, rate)) = rates.into_iter().find(|(_, rate)| !(0.0..=1.0).contains(rate)) {
        return Err(format!("{name}: rates.{key} = {rate} is not a probability; write a number from 0 to 1"));
    }
    if let Some((kind, weight)) = scenario.weights.iter().find(|(_, w)| !(0.0..=1e9).contains(*w)) {
        return Err(format!("{name}: weights.{kind} = {weight} is not a weight; write 0 or a positive number"));
    }
    if let Some((kind, values)) = scenario.values.iter().find(|(_, v)| v.is_empty() || v.len() > 4) {
        return Err(format!("{name}: values.{kind} has {} entries; write one to four", values.len()));
    }
    if scenario.order.iter().any(|o| o.quantity == 0) {
        return Err(format!("{name}: quantity = 0 orders nothing; write 1 or more"));
    }
    if scenario.time.lease.0 < Span::secs(1) && scenario.workers > 1 {
        return Err(format!("{name}: time.lease must be at least 1s where several workers share the orders"));
    }
    Ok(())
}
