//! From a scenario file to a world: services resolved, beliefs derived, menus and routes made.

use crate::believe::believe;
use crate::books::Books;
use crate::filter::{Filter, nearest};
use crate::menus::MenuMaker;
use crate::orchestrator::Orchestrator;
use crate::policy::PolicyFile;
use crate::promises::case::{MAX_NODES, op_of};
use crate::promises::{Promises, Terms};
use crate::scenario::{Rates, Scenario};
use crate::shop::{Party, Shop};
use crate::words::Words;
use std::collections::BTreeMap;
use unacked_mock_providers::approval_desk::{ApprovalDesk, Habits};
use unacked_mock_providers::catalog;
use unacked_mock_providers::contract::Contract;
use unacked_mock_providers::fulfillment::Fulfillment;
use unacked_mock_providers::inventory::{Inventory, Stock};
use unacked_mock_providers::kinds::PROVIDER_KINDS;
use unacked_mock_providers::mail::Mail;
use unacked_mock_providers::message::{Ask, Op};
use unacked_mock_providers::operator_desk::{OperatorDesk, Shift};
use unacked_mock_providers::payments::Payments;
use unacked_mock_providers::service::Service;
use unacked_sim::door::Door;
use unacked_sim::kind::Kinds;
use unacked_sim::lab::{Lab, with_lab};
use unacked_sim::law::Law;
use unacked_sim::mix::hash_name;
use unacked_sim::time::{Span, Time};
use unacked_sim::world::{Actor, Setting};
use unacked_workflow::belief::{Belief, Beliefs, Dedup, Limits, Lookup};
use unacked_workflow::order::Intent;
use unacked_workflow::policy::{Policy, Retry};
use unacked_workflow::tool::Tool;

/// Fetches the text of a contract file named in a scenario. The library itself opens no files.
pub type Fetch<'a> = &'a dyn Fn(&str) -> Result<String, String>;

/// A scenario, resolved: everything that a run needs but the world itself.
#[derive(Clone, Debug)]
pub struct Model {
    /// Its name, or the path of its file.
    pub name: String,
    /// The file as read.
    pub scenario: Scenario,
    /// The file's text.
    pub text: String,
    /// Hash of it.
    pub hash: u64,
    /// Texts of the contract files it names.
    pub files: BTreeMap<String, String>,
    /// Contract of each operation.
    pub contracts: Vec<Contract>,
    /// The five services by role.
    pub services: Vec<(&'static str, Service)>,
    /// Beliefs and horizons that follow.
    pub beliefs: Beliefs,
    /// Horizons.
    pub limits: Limits,
}

/// All kinds that a shop knows.
pub fn kinds() -> Kinds {
    Kinds::with(&[PROVIDER_KINDS])
}

impl Model {
    /// Reads and resolves a scenario.
    ///
    /// # Errors
    /// One sentence that names the place and the fix.
    pub fn read(name: &str, text: &str, fetch: Fetch<'_>) -> Result<Model, String> {
        let scenario: Scenario = toml::from_str(text).map_err(|e| format!("{name}: {}", e.to_string().trim_end()))?;
        check(name, &scenario)?;
        let (services, files) = services(name, &scenario, fetch)?;
        let contracts = contracts(name, &services)?;
        let beliefs = Beliefs { tools: Tool::ALL.map(|t| belief(&contracts[op_of(t) as usize], t)) };
        let limits = limits(&scenario);
        Ok(Model {
            name: name.into(),
            text: text.into(),
            hash: hash_name(text),
            files,
            scenario,
            contracts,
            services,
            beliefs,
            limits,
        })
    }

    /// The same world without faults: every gate at zero.
    pub fn calm(&self) -> Model {
        let mut model = self.clone();
        model.scenario.rates = Rates::NONE;
        model
    }

    /// How the built-in orchestrator behaves here under a policy.
    pub fn orchestrator(&self, policy: &PolicyFile) -> Orchestrator {
        let base = Policy { retry: self.retry(), ..Policy::reference() };
        let (policy, structure) = policy.apply(base);
        Orchestrator { beliefs: self.beliefs, limits: self.limits, policy, structure }
    }

    /// Runs `work` in a lab with the built-in orchestrator under a policy.
    pub fn with_orchestrator<R>(
        &self,
        policy: &PolicyFile,
        filter: &Filter,
        work: impl FnOnce(&mut Lab<'_, Shop>) -> R,
    ) -> R {
        let subject = self.orchestrator(policy);
        let (world, store, door, setting) = self.world(filter, true);
        with_lab(world, store, door, setting, &subject, work)
    }

    /// The world, its empty books, its door and its setting. `sees_store`: the subject keeps its
    /// records through our ledger port, so that they can be judged.
    pub fn world(&self, filter: &Filter, sees_store: bool) -> (Shop, Books, Door, Setting) {
        let scenario = &self.scenario;
        let mut door = Door::new(kinds());
        let words = Words::new(&mut door.names, scenario.order.len() as u16, u16::from(scenario.workers));
        let mut maker = MenuMaker::new(self, filter, &mut door);
        let setting = maker.setting(&words);
        let act = Op::ALL.map(|op| maker.route(&words, op, Ask::Act));
        let lookup = Op::ALL.map(|op| maker.route(&words, op, Ask::Lookup));
        let menus = maker.provider_menus();
        let operator_menu = maker.operator();
        let read_menu = maker.read();
        door.set_chaos(scenario.time.chaos.0);
        let intents = self.intents();
        let terms = Terms {
            documented: self.beliefs,
            limits: self.limits,
            layers: 1,
            sees_store,
            finish_bound: self.finish_bound(),
        };
        let scopes = (0..intents.len() as u32).map(|i| words.order(i)).collect();
        let shop = Shop {
            promises: Promises::new(terms, scopes),
            words,
            lease: scenario.time.lease.0,
            read_menu,
            workers: scenario.workers,
            act,
            lookup,
            inventory: made(Inventory::new(self.service(Op::Reserve), &menus, &door, &self.stock())),
            payments: made(Payments::new(self.service(Op::Charge), &menus, &door)),
            carrier: made(Fulfillment::new(self.service(Op::Fulfill), &menus, &door)),
            mail: made(Mail::new(self.service(Op::Notify), &menus, &door)),
            approver: made(ApprovalDesk::new(self.service(Op::Approve), &menus, &door, self.habits())),
            operator: scenario.operator.present.then(|| OperatorDesk::new(operator_menu, &door, self.shift())),
            effects: Vec::new(),
            asked_for: vec![0; intents.len()],
            drain: scenario.time.drain.0,
            intents,
        };
        (shop, Books::default(), door, setting)
    }

    /// The contract of an operation.
    pub fn contract(&self, op: Op) -> Contract {
        self.contracts[op as usize]
    }

    /// What was ordered.
    pub fn intents(&self) -> Vec<Intent> {
        let intent = |line: &crate::scenario::OrderLine| Intent {
            customer: line.customer,
            amount: line.amount.0,
            sku: 0,
            quantity: line.quantity,
            destination: line.customer,
            content: content(line),
        };
        self.scenario.order.iter().map(intent).collect()
    }

    /// The bound within which every order must have ended once the faults stopped.
    pub fn finish_bound(&self) -> Span {
        self.bound_parts().into_iter().fold(Span::ZERO, |sum, (_, part)| sum + part)
    }

    /// The parts of that bound, for people.
    pub fn bound_parts(&self) -> Vec<(&'static str, Span)> {
        let time = &self.scenario.time;
        let people = self.scenario.approval.deadline.0;
        let deadline =
            |tool: Tool| Span(self.limits.handoff_covered[tool as usize].max(self.limits.handoff[tool as usize]));
        vec![
            ("requests in flight", time.d_max.0 + time.d_max.0),
            ("restart", time.restart.0),
            ("a claim that protects a dead worker", time.lease.0),
            ("the longest pause", time.p_max.0),
            ("reserving and renewing", deadline(Tool::Reserve) + deadline(Tool::Renew)),
            ("settling the charge", deadline(Tool::Charge)),
            ("the approval, asked twice at most", people + people + self.scenario.approval.valid.0),
            ("settling the fulfillment", deadline(Tool::Fulfill)),
            ("settling refund and release", deadline(Tool::Refund) + deadline(Tool::Release)),
            ("telling the customer", deadline(Tool::Notify)),
            ("late refunds and commits", Span::days(6)),
        ]
    }

    fn retry(&self) -> Retry {
        let table = &self.scenario.retry;
        let mut retry = Retry::reference();
        if let Some(timeout) = table.timeout {
            retry.timeout = [timeout.0.0; Tool::COUNT];
            retry.lookup_timeout = timeout.0.0;
        }
        let spans = |list: &Vec<crate::units::Length>| list.iter().map(|l| l.0.0).collect();
        retry.inline_attempts = table.inline_attempts.unwrap_or(retry.inline_attempts);
        retry.inline_base = table.inline_base.map_or(retry.inline_base, |l| l.0.0);
        retry.inline_cap = table.inline_cap.map_or(retry.inline_cap, |l| l.0.0);
        retry.durable = table.durable.as_ref().map_or(retry.durable, spans);
        retry.reconcile = table.reconcile.as_ref().map_or(retry.reconcile, spans);
        retry
    }

    /// Timeout of one attempt at a tool, under the reference policy.
    pub(crate) fn timeout(&self, tool: Tool) -> Span {
        Span(self.retry().timeout[tool as usize])
    }

    fn service(&self, op: Op) -> &Service {
        &self.services[role(op)].1
    }

    fn stock(&self) -> Stock {
        Stock { units: vec![i64::from(self.scenario.stock.units)], ttl: self.scenario.stock.hold.0 }
    }

    fn habits(&self) -> Habits {
        let approval = &self.scenario.approval;
        Habits {
            decides: approval.takes.law(1.0, approval.deadline.0),
            deadline: approval.deadline.0,
            valid: approval.valid.0,
            immediate: approval.immediate,
        }
    }

    fn shift(&self) -> Shift {
        Shift { picks_up: Law::Const(0), resolves: self.scenario.operator.takes.law(1.0, Span::days(7)) }
    }
}

/// A provider of a model whose services were checked when it was read.
fn made<T, E: std::fmt::Display>(provider: Result<T, E>) -> T {
    provider.unwrap_or_else(|e| panic!("a model's services offer what their roles need, but {e}"))
}

/// What a person approves: everything that changes cost or reversibility.
fn content(line: &crate::scenario::OrderLine) -> u64 {
    let text = format!("{:?} {} {}", line.amount.0, line.quantity, line.customer);
    hash_name(&text)
}

fn check(name: &str, scenario: &Scenario) -> Result<(), String> {
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

const ROLES: [&str; 5] = ["payments", "fulfillment", "inventory", "mail", "approval"];

/// Services by role, and the texts of the contract files they were read from.
type Chosen = (Vec<(&'static str, Service)>, BTreeMap<String, String>);

fn services(name: &str, scenario: &Scenario, fetch: Fetch<'_>) -> Result<Chosen, String> {
    let s = &scenario.services;
    let mut files = BTreeMap::new();
    let mut service = |role: &'static str, chosen: &String| -> Result<(&'static str, Service), String> {
        let found = if chosen.ends_with(".toml") {
            fetch(chosen).and_then(|text| {
                let service = catalog::parse(&text, chosen).map_err(|e| e.to_string());
                files.insert(chosen.clone(), text);
                service
            })
        } else {
            catalog::preset(chosen).map_err(|e| e.to_string())
        };
        Ok((role, found.map_err(|e| format!("{name}: services.{role}: {e}"))?))
    };
    let chosen = [&s.payments, &s.fulfillment, &s.inventory, &s.mail, &s.approval];
    let services: Result<Vec<_>, String> =
        ROLES.into_iter().zip(chosen).map(|(role, chosen)| service(role, chosen)).collect();
    Ok((services?, files))
}

/// Which role performs an operation.
pub(crate) const fn role(op: Op) -> usize {
    match Party::of(op) {
        Party::Payments => 0,
        Party::Carrier => 1,
        Party::Mail => 3,
        Party::Approver => 4,
        _ => 2,
    }
}

fn contracts(name: &str, services: &[(&'static str, Service)]) -> Result<Vec<Contract>, String> {
    let contract = |op: Op| -> Result<Contract, String> {
        let (role, service) = &services[role(op)];
        match service.op(op) {
            Some(contract) => Ok(*contract),
            None if op == Op::CancelFulfillment => Ok(Contract::BARE),
            None => Err(format!(
                "{name}: services.{role} = `{}` has no contract for `{}`; choose another service",
                service.name,
                op.name()
            )),
        }
    };
    Op::ALL.into_iter().map(contract).collect()
}

/// A read changes nothing: it may be repeated under any contract.
fn belief(contract: &Contract, tool: Tool) -> Belief {
    if tool == Tool::ReadStock {
        return Belief {
            dedup: Dedup::Keyed(u64::MAX),
            stores_failures: false,
            decline_binds: true,
            declines_duplicates: false,
            duplicate_proves: true,
            lookup: Lookup::None,
            absent_after: None,
        };
    }
    believe(contract)
}

fn limits(scenario: &Scenario) -> Limits {
    let time = &scenario.time;
    let table = &scenario.limits;
    let deadline = |given: &BTreeMap<String, crate::units::Length>, tool: Tool, usual: Span| {
        given.get(tool.name()).map_or(usual.0, |l| l.0.0)
    };
    let uncovered = |tool: Tool| match tool {
        Tool::Fulfill => Span::hours(24),
        _ => Span::hours(4),
    };
    let covered = |tool: Tool| match tool {
        Tool::Fulfill => Span::hours(24),
        _ => Span::hours(20),
    };
    Limits {
        p_max: time.p_max.0.0,
        d_max: time.d_max.0.0,
        skew: time.skew.0.0 * 2 + time.drift.0.0 * 2,
        handoff: Tool::ALL.map(|t| deadline(&table.handoff, t, uncovered(t))),
        handoff_covered: Tool::ALL.map(|t| deadline(&table.handoff_covered, t, covered(t))),
        attempts: [table.attempts; Tool::COUNT],
        approval_deadline: scenario.approval.deadline.0.0,
        approve_with_charge: scenario.approval.with_charge,
        renew_before: table.renew_before.0.0,
    }
}

/// A column of the timeline.
pub(crate) fn actor(workers: u8, party: Party) -> Actor {
    Actor(workers + party as u8)
}

/// When a run is over at the latest.
pub(crate) fn horizon(model: &Model) -> Time {
    let time = &model.scenario.time;
    Time::ZERO + time.chaos.0 + model.finish_bound() + time.drain.0
}
