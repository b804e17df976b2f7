//! What a scenario file must not say, though it is well-formed: names, counts, numbers.

use super::ROLES;
use super::kinds;
use crate::catalog;
use crate::filter::nearest;
use crate::known::op_state::MAX_NODES;
use crate::scenario::Scenario;
use crate::units::Length;
use crate::wrong::Wrong;
use unacked_mock_providers::message::Op;
use unacked_sim::time::Span;
use unacked_workflow::tool::Tool;

type Checked = Result<(), Wrong>;

/// No clock is off by more.
const MOST_SKEW: Span = Span::days(1_000);

/// In the smallest unit of the currency; sums of many orders stay far below what a number holds.
const MOST_MONEY: i64 = 1_000_000_000_000_000;

/// What is wrong, if something is.
pub(super) fn check(scenario: &Scenario) -> Checked {
    check_policy(scenario)?;
    check_kinds(scenario)?;
    check_tools(scenario)?;
    check_orders(scenario)?;
    check_rates(scenario)?;
    check_limits(scenario)?;
    check_times(scenario)
}

/// A policy is named, or its file; whoever opens files looks for that.
fn check_policy(scenario: &Scenario) -> Checked {
    let Some(policy) = scenario.policy.as_deref().filter(|policy| !policy.ends_with(".toml")) else { return Ok(()) };
    if catalog::policy(policy).is_some() {
        return Ok(());
    }
    let hint = nearest(policy, catalog::POLICIES.iter().map(|(name, _)| *name));
    Err(Wrong::at("policy", format!("there is no policy named `{policy}`{hint}; `list policies` shows them all")))
}

fn check_kinds(scenario: &Scenario) -> Checked {
    let keys = |table: &'static str, kinds: Vec<&String>| {
        kinds.into_iter().try_for_each(|kind| check_kind(at_service(kind), format!("{table}.{kind}")))
    };
    keys("weights", scenario.weights.keys().collect())?;
    keys("values", scenario.values.keys().collect())?;
    check_kind_list(&scenario.without, "without")?;
    check_kind_list(&scenario.reach.except, "reach.except")
}

/// The kind of `payments.outage`.
fn at_service(key: &str) -> &str {
    match key.split_once('.') {
        Some((service, kind)) if ROLES.contains(&service) => kind,
        _ => key,
    }
}

fn check_kind_list(list: &[String], path: &str) -> Checked {
    for (at, kind) in list.iter().enumerate() {
        check_kind(kind, format!("{path}.{at}"))?;
    }
    check_twice(list, path)
}

/// Nothing is named twice.
pub(crate) fn check_twice(list: &[String], path: &str) -> Checked {
    match list.iter().enumerate().find(|(at, name)| list[..*at].contains(name)) {
        None => Ok(()),
        Some((at, name)) => Err(Wrong::at(format!("{path}.{at}"), format!("`{name}` is named twice; name it once"))),
    }
}

fn check_kind(kind: &str, path: String) -> Checked {
    let known = kinds();
    if known.named(kind).is_some() {
        return Ok(());
    }
    let hint = nearest(kind, known.iter().map(|(_, k)| k.name));
    Err(Wrong::at(path, format!("there is no fault named `{kind}`{hint}; `list faults` shows them all")))
}

fn check_tools(scenario: &Scenario) -> Checked {
    let tools = Tool::ALL.map(|tool| tool.name());
    let limits = &scenario.limits;
    for (table, deadlines) in [("handoff", &limits.handoff), ("handoff_covered", &limits.handoff_covered)] {
        for tool in deadlines.keys() {
            check_name(tool, &tools, format!("limits.{table}.{tool}"))?;
        }
    }
    let calls: Vec<&str> = Op::ALL.iter().map(|op| op.name()).chain(["lookup", "store"]).collect();
    scenario.latency.keys().try_for_each(|call| check_name(call, &calls, format!("latency.{call}")))
}

fn check_name(name: &str, known: &[&str], path: String) -> Checked {
    if known.contains(&name) {
        return Ok(());
    }
    let hint = nearest(name, known.iter().copied());
    Err(Wrong::at(path, format!("there is no operation named `{name}`{hint}; write one of {}", known.join(", "))))
}

fn check_orders(scenario: &Scenario) -> Checked {
    let orders = &scenario.order;
    let count = scenario.orders();
    if count == 0 || count > MOST_ORDERS {
        return Err(Wrong::at(
            "order",
            format!("write one to {MOST_ORDERS} orders in [[order]] tables; there are {count}"),
        ));
    }
    for (at, order) in orders.iter().enumerate() {
        if order.quantity == 0 {
            return Err(Wrong::at(format!("order.{at}.quantity"), "0 orders nothing; write 1 or more"));
        }
        if order.amount.0.minor > MOST_MONEY {
            let says = "more than any order is worth; write at most 10,000,000,000,000.00 without the commas";
            return Err(Wrong::at(format!("order.{at}.amount"), says));
        }
    }
    if !(1..=MAX_NODES as u8).contains(&scenario.workers) {
        let says = format!("{} is not possible; write 1 to {MAX_NODES}", scenario.workers);
        return Err(Wrong::at("workers", says));
    }
    Ok(())
}

/// More make a world too large to be of use.
const MOST_ORDERS: usize = 10_000;

fn check_rates(scenario: &Scenario) -> Checked {
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
        ("declined", r.declined),
        ("refund_pending", r.refund_pending),
    ];
    if let Some((key, rate)) = rates.into_iter().find(|(_, rate)| !(0.0..=1.0).contains(rate)) {
        return Err(Wrong::at(
            format!("rates.{key}"),
            format!("{rate} is not a probability; write a number from 0 to 1"),
        ));
    }
    if let Some((kind, weight)) = scenario.weights.iter().find(|(_, w)| !(0.0..=1e9).contains(*w)) {
        let says = format!("{weight} is not a weight; write 0 or a positive number up to 1e9");
        return Err(Wrong::at(format!("weights.{kind}"), says));
    }
    if let Some((kind, values)) = scenario.values.iter().find(|(_, v)| v.is_empty() || v.len() > 4) {
        return Err(Wrong::at(format!("values.{kind}"), format!("{} entries; write one to four", values.len())));
    }
    Ok(())
}

fn check_limits(scenario: &Scenario) -> Checked {
    if scenario.limits.attempts == 0 {
        return Err(Wrong::at("limits.attempts", "0 lets nothing be done at all; write 1 or more"));
    }
    if scenario.retry.inline_attempts == Some(0) {
        return Err(Wrong::at("retry.inline_attempts", "0 lets nothing be done at all; write 1 or more"));
    }
    if scenario.time.budget == 0 {
        return Err(Wrong::at("time.budget", "0 events are no run; write 1 or more, such as 20000"));
    }
    check_waits(scenario.retry.durable.as_deref(), scenario.retry.reconcile.as_deref(), "retry")
}

/// A wait of nothing, or none, would ask again and again at the same time. Without durable retries, though,
/// a person is asked.
pub(crate) fn check_waits(durable: Option<&[Length]>, reconcile: Option<&[Length]>, table: &str) -> Checked {
    if reconcile.is_some_and(<[Length]>::is_empty) {
        let says = "no wait at all; write one or more, such as [\"30s\", \"10m\"]";
        return Err(Wrong::at(format!("{table}.reconcile"), says));
    }
    for (key, waits) in [("durable", durable), ("reconcile", reconcile)] {
        if let Some(at) = waits.and_then(|waits| waits.iter().position(|wait| wait.0 == Span::ZERO)) {
            let says = "a wait of 0s would repeat without end; write 1ms or more";
            return Err(Wrong::at(format!("{table}.{key}.{at}"), says));
        }
    }
    Ok(())
}

fn check_times(scenario: &Scenario) -> Checked {
    let time = &scenario.time;
    if time.lease.0 < Span::secs(1) && scenario.workers > 1 {
        return Err(Wrong::at("time.lease", "write at least 1s where several workers share the orders"));
    }
    let clocks = [("skew", time.skew), ("drift", time.drift)];
    match clocks.into_iter().find(|(_, off)| off.0 > MOST_SKEW) {
        None => Ok(()),
        Some((key, off)) => {
            Err(Wrong::at(format!("time.{key}"), format!("no clock is off by {}; write at most {MOST_SKEW}", off.0)))
        }
    }
}
