//! Menus of a scenario: which options at which stage, how likely, with which parameters.
//!
//! Canonical parameters are computed from the world: just over a timeout, within and over the lease,
//! over the key window. A scenario may state its own.

use crate::filter::Filter;
use crate::known::ops::{op_of, tool_of};
use crate::model::Model;
use crate::shop::Party;
use crate::units::Takes;
use crate::words::Words;
use unacked_mock_providers::kinds as theirs;
use unacked_mock_providers::menus::Menus;
use unacked_mock_providers::message::{Ask, Op};
use unacked_mock_providers::possible::{human, operator, possible, pruning};
use unacked_sim::distribution::Distribution;
use unacked_sim::door::Door;
use unacked_sim::kind::{
    CLOCK_AHEAD, CLOCK_BEHIND, CRASH, HOLD, KindId, PAUSE, REPLY_DUPLICATED, REPLY_LATE, REPLY_LOST, REPLY_UNDECODABLE,
    REQUEST_DUPLICATED, REQUEST_LATE, REQUEST_LOST, REQUEST_REFUSED, STALE_READ, STORE_UNAVAILABLE, WRITE_CONFLICT,
    WRITE_LOST, WRITE_UNACKNOWLEDGED,
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
        let held: &[KindId] = if workers > 1 { &[CRASH, PAUSE, HOLD] } else { &[CRASH, PAUSE] };
        let mut strike = |rate: f64| self.menu(rate, held, Tool::Charge);
        let (before_write, after_write) = (strike(rates.before_write), strike(rates.after_write));
        let (before_send, after_send) = (strike(rates.before_send), strike(rates.after_send));
        let faults = [WRITE_UNACKNOWLEDGED, WRITE_LOST, WRITE_CONFLICT, STORE_UNAVAILABLE];
        let store = self.menu(rates.store, &faults, Tool::Charge);
        let read = self.menu(rates.read, &[STALE_READ], Tool::Charge);
        let clock = self.menu(rates.clock, &[CLOCK_AHEAD, CLOCK_BEHIND], Tool::Charge);
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
            budget: time.budget,
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
        let dedups = ask == Ask::Act && (op == Op::ReadStock || contract.dedups());
        let out: &[KindId] = if dedups {
            &[REQUEST_REFUSED, REQUEST_LOST, REQUEST_LATE, REQUEST_DUPLICATED]
        } else {
            &[REQUEST_REFUSED, REQUEST_LOST, REQUEST_LATE]
        };
        let takes = self.takes(if ask == Ask::Act { op.name() } else { "lookup" });
        let max = scenario.time.d_max.0;
        Route {
            verb: if ask == Ask::Act { words.call(op) } else { words.lookup(op) },
            to: Party::of(op).actor(scenario.workers),
            request: self.menu(rates.request, out, tool),
            reply: self.menu(rates.reply, &[REPLY_LOST, REPLY_LATE, REPLY_DUPLICATED, REPLY_UNDECODABLE], tool),
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
            let act = possible(&contract, op, Ask::Act);
            let lookup = possible(&contract, op, Ask::Lookup);
            menus.act[op as usize] = self.menu(rates.provider, &act, tool_of(op));
            menus.lookup[op as usize] = self.menu(rates.lookup, &lookup, tool_of(op));
        }
        let prunes = Op::ALL.into_iter().flat_map(|op| pruning(&self.model.contract(op))).next();
        menus.pruning = self.menu(rates.pruning, prunes.as_slice(), Tool::Charge);
        let people = if self.model.scenario.approval.immediate { Vec::new() } else { human() };
        menus.human = self.menu(rates.human, &people, Tool::Approve);
        menus
    }

    /// What the operator does besides resolving in time.
    pub(crate) fn operator(&mut self) -> MenuId {
        let people = if self.model.scenario.operator.present { operator() } else { Vec::new() };
        self.menu(self.model.scenario.rates.human, &people, Tool::Approve)
    }

    fn takes(&self, what: &str) -> Takes {
        self.model.scenario.latency.get(what).copied().unwrap_or_else(|| usual(what))
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
        let named = scenario.weights.contains_key(what.name);
        if scenario.without.iter().any(|w| w == what.name) || !self.filter.allows(what.name, what.class, named) {
            return None;
        }
        let weight = scenario.weights.get(what.name).copied().unwrap_or(1.0);
        let values = match scenario.values.get(what.name) {
            Some(given) => given.iter().map(|l| l.0.0).collect(),
            None => self.canonical(kind, tool).into_iter().map(|s| s.0).collect(),
        };
        Some(Entry::with_values(kind, what.name, weight, values, None))
    }

    /// Parameters that matter in this world: just over the timeout, within and over the lease, over the window.
    fn canonical(&self, kind: KindId, tool: Tool) -> Vec<Span> {
        let scenario = &self.model.scenario;
        let time = &scenario.time;
        let (lease, d_max, p_max) = (time.lease.0, time.d_max.0, time.p_max.0);
        let over_timeout = self.model.timeout(tool) + Span::secs(1);
        let late = vec![over_timeout.min(d_max), d_max];
        match kind {
            CRASH => vec![Span::millis(10), Span(lease.0 / 2), lease + Span::secs(30), Span::hours(25)],
            PAUSE => vec![(lease + Span::secs(30)).min(p_max), p_max],
            REQUEST_LATE | REPLY_LATE => late,
            STORE_UNAVAILABLE => vec![Span::secs(30), Span::mins(2)],
            CLOCK_AHEAD | CLOCK_BEHIND => vec![time.skew.0],
            theirs::COMMIT_LATE => self.commit_late(tool, over_timeout),
            theirs::ERROR_THEN_EFFECT => vec![Span::mins(1), Span::hours(24)],
            theirs::LOOKUP_BEHIND => vec![Span::mins(1), Span::hours(1)],
            theirs::OUTAGE => vec![Span::mins(10), Span::hours(3)],
            theirs::REFUND_PENDING => vec![Span::days(1), Span::days(5)],
            theirs::ACCEPT_LATE => vec![Span::mins(30), Span::hours(6)],
            theirs::APPROVAL_LATE => vec![Span::hours(14), Span::hours(64)],
            theirs::APPROVAL_DOUBLED => vec![Span::secs(1), Span::hours(1)],
            theirs::EFFECT_LOST => vec![Span::mins(10)],
            theirs::OPERATOR_SLOW => vec![Span::days(3)],
            _ => Vec::new(),
        }
    }

    /// Within the declared bound, where there is one.
    fn commit_late(&self, tool: Tool, over_timeout: Span) -> Vec<Span> {
        let bound = self.model.contract(op_of(tool)).late_commit.unwrap_or(Span::mins(15));
        if bound == Span::ZERO { vec![Span::secs(1)] } else { vec![over_timeout.min(bound), bound] }
    }
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
