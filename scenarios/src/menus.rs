//! Menus of a scenario: which options at which stage, how likely, with which parameters.
//!
//! Canonical parameters are computed from the world's numbers by each kind's row. A scenario may state its own.

use crate::filter::Filter;
use crate::known::ops::{op_of, tool_of};
use crate::model::{Model, ROLES, role};
use crate::scenario::Rates;
use crate::shop::Party;
use crate::units::Takes;
use crate::words::Words;
use std::collections::BTreeMap;
use unacked_mock_providers::kinds::{ActFate, ApproverFate, MemoryFate, OperatorFate, People};
use unacked_mock_providers::menus::{Menus, acts, lookups};
use unacked_mock_providers::message::{Ask, Op};
use unacked_sim::distribution::Distribution;
use unacked_sim::door::Door;
use unacked_sim::kind::{
    Around, ClockFate, Fate, KindId, Numbers, ReadFate, ReplyFate, RequestFate, StoreFate, StrikeFate,
};
use unacked_sim::menu::{Entry, Menu, MenuId};
use unacked_sim::time::Span;
use unacked_sim::world::{Route, Setting};
use unacked_workflow::tool::Tool;

/// Makes the menus of one world and enters them into its door.
pub(crate) struct MenuMaker<'a> {
    model: &'a Model,
    filter: &'a Filter,
    door: &'a mut Door,
}

impl<'a> MenuMaker<'a> {
    pub(crate) fn new(model: &'a Model, filter: &'a Filter, door: &'a mut Door) -> Self {
        MenuMaker { model, filter, door }
    }

    /// Strike points, store and clocks.
    pub(crate) fn setting(&mut self, words: &Words) -> Setting {
        let scenario = &self.model.scenario;
        let (time, rates) = (&scenario.time, &scenario.rates);
        let workers = scenario.workers;
        let around = self.around(false);
        let mut strike = |rate: f64| self.menu(rate, &StrikeFate::offered(&around), Tool::Charge);
        let (before_write, after_write) = (strike(rates.before_write), strike(rates.after_write));
        let (before_send, after_send) = (strike(rates.before_send), strike(rates.after_send));
        let store = self.menu(rates.store, &StoreFate::offered(&around), Tool::Charge);
        let read = self.menu(rates.read, &ReadFate::offered(&around), Tool::Charge);
        let clock = self.menu(rates.clock, &ClockFate::offered(&around), Tool::Charge);
        Setting {
            nodes: (0..workers).map(|n| words.worker(n)).collect(),
            store_actor: Party::Store.actor(workers),
            before_write,
            after_write,
            before_send,
            after_send,
            store,
            read,
            replica: false,
            store_distribution: self.takes("store").distribution(1.0, Span::secs(1)),
            store_timeout: time.store_timeout.0,
            clock,
            clock_verb: words.clock,
            clock_distribution: Distribution::Uniform { lo: 0, hi: (time.drift.0 * 2).0 },
            hold_max: time.p_max.0,
            restart: time.restart.0,
            budget: scenario.budget(),
            horizon: self.model.horizon(),
        }
    }

    /// How requests of one kind travel, and what may happen to them on the way.
    pub(crate) fn route(&mut self, words: &Words, op: Op, ask: Ask) -> Route {
        let scenario = &self.model.scenario;
        let rates = &scenario.rates;
        let contract = self.model.contract(op);
        let tool = tool_of(op);
        // Duplicated only where the receiver deduplicates (no-win-1).
        let around = self.around(ask == Ask::Act && (op == Op::ReadStock || contract.dedups()));
        // Where the provider's own time is known, the rest is the way there and back.
        let travels = contract.service.is_some() && !scenario.latency.contains_key(op.name());
        let takes = self.takes(if ask == Ask::Act && !travels { op.name() } else { "lookup" });
        let max = scenario.time.d_max.0;
        Route {
            verb: if ask == Ask::Act { words.call(op) } else { words.lookup(op) },
            to: Party::of(op).actor(scenario.workers),
            request: self.menu(rates.request, &RequestFate::offered(&around), tool),
            reply: self.menu(rates.reply, &ReplyFate::offered(&around), tool),
            out: takes.distribution(0.5, max),
            back: takes.distribution(0.5, max),
        }
    }

    /// What providers do besides the benign.
    pub(crate) fn provider_menus(&mut self) -> Menus {
        let rates = &self.model.scenario.rates;
        let mut menus = Menus::default();
        for op in Op::ALL {
            let contract = self.model.contract(op);
            menus.act[op as usize] = self.menu(rates.provider, &acts(&contract, op), tool_of(op));
            menus.fresh[op as usize] = self.fresh(rates, &acts(&contract, op), op);
            menus.lookup[op as usize] = self.menu(rates.lookup, &lookups(&contract, op), tool_of(op));
        }
        let prunes = Op::ALL.into_iter().flat_map(|op| MemoryFate::offered(&self.model.contract(op))).next();
        menus.pruning = self.menu(rates.pruning, prunes.as_slice(), Tool::Charge);
        let approval = &self.model.scenario.approval;
        let people = People { present: !approval.immediate, careless: approval.careless };
        menus.human = self.menu(rates.human, &ApproverFate::offered(&people), Tool::Approve);
        menus
    }

    /// What the operator does besides resolving in time.
    pub(crate) fn operator(&mut self) -> MenuId {
        let people = People { present: self.model.scenario.operator.present, careless: false };
        self.menu(self.model.scenario.rates.human, &OperatorFate::offered(&people), Tool::Approve)
    }

    fn around(&self, deduplicates: bool) -> Around {
        Around { nodes: self.model.scenario.workers, deduplicates }
    }

    fn takes(&self, what: &str) -> Takes {
        self.model.scenario.latency.get(what).copied().unwrap_or_else(|| usual(what))
    }

    /// What may become of an operation that would be executed. Beside what strikes anybody there are cards that are
    /// declined and refunds that take days, each with a rate of its own.
    fn fresh(&mut self, rates: &Rates, kinds: &[KindId], op: Op) -> MenuId {
        let mut entries: Vec<Entry> = kinds.iter().filter_map(|&kind| self.entry(kind, tool_of(op))).collect();
        if entries.is_empty() {
            return Door::EMPTY;
        }
        let mut rate = rates.provider;
        let own = [(ActFate::Declined, rates.declined), (ActFate::RefundPending, rates.refund_pending)];
        for (fate, share) in own {
            rate = weigh(&mut entries, fate.kind(), share, rate);
        }
        self.door.menu(Menu::new(rate, entries))
    }

    fn menu(&mut self, rate: f64, kinds: &[KindId], tool: Tool) -> MenuId {
        let entries: Vec<Entry> = kinds.iter().filter_map(|&kind| self.entry(kind, tool)).collect();
        if entries.is_empty() {
            return Door::EMPTY;
        }
        self.door.menu(Menu::new(rate, entries))
    }

    fn entry(&self, kind: KindId, tool: Tool) -> Option<Entry> {
        let scenario = &self.model.scenario;
        let what = self.door.kinds.get(kind)?;
        let weight = of_service(&scenario.weights, tool, what.name);
        if scenario.without.iter().any(|w| w == what.name)
            || !self.filter.allows(what.name, what.class, weight.is_some())
        {
            return None;
        }
        let weight = weight.copied().unwrap_or(1.0);
        let values = match of_service(&scenario.values, tool, what.name) {
            Some(given) => given.iter().map(|l| l.0.0).collect(),
            None => (what.values)(&self.numbers(tool)).into_iter().map(|s| s.0).collect(),
        };
        Some(Entry::with_values(kind, what.name, weight, values, None))
    }

    /// What canonical parameters are computed from, for the calls of one tool.
    fn numbers(&self, tool: Tool) -> Numbers {
        let time = &self.model.scenario.time;
        Numbers {
            timeout: self.model.timeout(tool),
            lease: time.lease.0,
            d_max: time.d_max.0,
            p_max: time.p_max.0,
            skew: time.skew.0,
            late_commit: self.model.contract(op_of(tool)).late_commit,
        }
    }
}

/// Gives one option a share of all sites, times its weight; the others, which strike at `rate` without it, strike at the
/// sites that are left. Returns the rate at which anything strikes then.
fn weigh(entries: &mut [Entry], kind: KindId, share: f64, rate: f64) -> f64 {
    let others: f64 = entries.iter().filter(|e| e.kind != kind).map(|e| e.weight).sum();
    let Some(entry) = entries.iter_mut().find(|e| e.kind == kind) else { return rate };
    let share = (share * entry.weight).min(1.0);
    let left = if others > 0.0 { rate * (1.0 - share) } else { 0.0 };
    entry.weight = if left > 0.0 { share * others / left } else { share };
    if left == 0.0 {
        // Nothing else is ever drawn: plans and enumeration reach it all the same.
        entries.iter_mut().filter(|e| e.kind != kind).for_each(|e| e.weight = 0.0);
    }
    share + left
}

/// How long things take, request and answer together. p50 and p99 of published figures where there
/// are some (charge, store), assumed otherwise.
fn usual(what: &str) -> Takes {
    let (p50, p99) = match what {
        "store" => (2, 20),
        "read-stock" => (8, 60),
        "reserve" | "renew" | "release" => (15, 150),
        "charge" => (800, 6_000),
        "refund" => (600, 4_000),
        "lookup" | "approve" => (80, 500),
        "fulfill" | "cancel-fulfillment" => (400, 3_000),
        "notify" => (120, 1_500),
        _ => (10, 100),
    };
    Takes::LogNormal(Span::millis(p50), Span::millis(p99))
}

/// What a scenario says of a kind: at the service behind this tool, else everywhere.
fn of_service<'a, T>(table: &'a BTreeMap<String, T>, tool: Tool, kind: &str) -> Option<&'a T> {
    let service = ROLES[role(op_of(tool))];
    table.get(&format!("{service}.{kind}")).or_else(|| table.get(kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(weights: [f64; 3]) -> Vec<Entry> {
        (0..).zip(weights).map(|(kind, weight)| Entry::plain(KindId(kind), &kind.to_string(), weight)).collect()
    }

    #[test]
    fn an_option_has_its_share_and_the_others_keep_their_rate_among_what_is_left() {
        let mut entries = entries([1.0, 1.0, 3.0]);
        let rate = weigh(&mut entries, KindId(0), 0.08, 0.04);
        let sum: f64 = entries.iter().map(|e| e.weight).sum();
        let chance = |at: usize| rate * entries[at].weight / sum;
        assert!((chance(0) - 0.08).abs() < 1e-12, "{}", chance(0));
        assert!((chance(2) - 0.92 * 0.04 * 0.75).abs() < 1e-12, "{}", chance(2));
    }

    #[test]
    fn where_nothing_else_strikes_only_the_option_does_and_a_weight_of_nothing_leaves_it_to_plans() {
        let mut alone = entries([1.0, 1.0, 1.0]);
        assert_eq!(weigh(&mut alone, KindId(0), 0.08, 0.0), 0.08);
        assert_eq!((alone[1].weight, alone[2].weight), (0.0, 0.0));
        let mut never = entries([0.0, 1.0, 1.0]);
        assert_eq!(weigh(&mut never, KindId(0), 0.08, 0.04), 0.04);
        assert_eq!(never[0].weight, 0.0);
    }
}
