//! Demands on all runs together that were not met.

use super::block::field;
use super::summary::percent;
use super::{Paint, counted, grouped};
use crate::runset::RunSet;
use serde::Serialize;
use unacked_scenarios::demand::Demand;

/// A block for each.
pub(super) fn unmet(runs: &RunSet, paint: Paint) -> String {
    runs.unmet().map(|demand| block(runs, demand, paint) + "\n").collect()
}

fn block(runs: &RunSet, demand: &Demand, paint: Paint) -> String {
    let share = percent(demand.short as f64 / demand.orders.max(1) as f64);
    let (short, of) = (grouped(demand.short), counted(demand.orders, "order"));
    let head = paint.bad(&format!("violation[{}]", demand.promise.name));
    let mut out = format!("{head}: {short} of {of} fall short ({share})\n");
    out += &format!("   --> {}, policy {}, all runs together\n\n", runs.scenario, runs.policy);
    out += &field("promise", demand.promise.says);
    out += &field("demanded", &demand.says);
    out += &field("allowed", &format!("{}, and what may be chance", percent(demand.allowed)));
    let seeds: Vec<String> = runs.seeds_of(demand).iter().map(u64::to_string).collect();
    out + &field("look at", &format!("{} {}", if seeds.len() == 1 { "seed" } else { "seeds" }, seeds.join(", ")))
}

/// A demand, for programs.
#[derive(Serialize)]
pub(super) struct Demanded<'a> {
    promise: &'static str,
    demanded: &'a str,
    orders: u64,
    short: u64,
    met: bool,
    seeds: &'a [u64],
}

impl<'a> Demanded<'a> {
    /// Of a run set.
    pub(super) fn of(runs: &'a RunSet) -> Vec<Demanded<'a>> {
        let of = |demand: &'a Demand| Demanded {
            promise: demand.promise.name,
            demanded: &demand.says,
            orders: demand.orders,
            short: demand.short,
            met: demand.is_met(),
            seeds: runs.seeds_of(demand),
        };
        runs.demands.iter().map(of).collect()
    }
}
