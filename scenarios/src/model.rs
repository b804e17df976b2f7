//! A scenario, resolved: services found, beliefs and horizons derived.

mod check;

pub(crate) use check::{check_twice, check_waits};

use crate::believe::believe;
use crate::known::ops::op_of;
use crate::scenario::{Rates, Scenario};
use crate::shop::Party;
use crate::wrong::Wrong;
use std::collections::BTreeMap;
use unacked_mock_providers::catalog;
use unacked_mock_providers::contract::Contract;
use unacked_mock_providers::kinds::PROVIDER_KINDS;
use unacked_mock_providers::message::Op;
use unacked_mock_providers::service::Service;
use unacked_sim::draw::hash_name;
use unacked_sim::kind::Kinds;
use unacked_sim::time::{Span, Time};
use unacked_workflow::belief::{Belief, Beliefs, Dedup, Duplicate, Limits, Lookup};
use unacked_workflow::order::Intent;
use unacked_workflow::policy::Retry;
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
        check::check(&scenario).map_err(|wrong| wrong.in_file(name, text))?;
        let (services, files) = services(&scenario, fetch).map_err(|wrong| wrong.in_file(name, text))?;
        let contracts = contracts(&services).map_err(|wrong| wrong.in_file(name, text))?;
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
        self.scenario.order.iter().flat_map(|line| std::iter::repeat_n(intent(line), line.count as usize)).collect()
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
            ("money on its way", Span(self.limits.pending)),
        ]
    }

    /// When a run is over at the latest.
    pub(crate) fn horizon(&self) -> Time {
        let time = &self.scenario.time;
        Time::ZERO + time.chaos.0 + self.finish_bound() + time.drain.0
    }

    /// How often and how long the orchestrator tries here, under the reference policy.
    pub(crate) fn retry(&self) -> Retry {
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
}

/// What a person approves: everything that changes cost or reversibility.
fn content(line: &crate::scenario::OrderLine) -> u64 {
    let text = format!("{:?} {} {}", line.amount.0, line.quantity, line.customer);
    hash_name(&text)
}

/// The services, as scenarios name them.
pub(crate) const ROLES: [&str; 5] = ["payments", "fulfillment", "inventory", "mail", "approval"];

/// Services by role, and the texts of the contract files they were read from.
type Chosen = (Vec<(&'static str, Service)>, BTreeMap<String, String>);

fn services(scenario: &Scenario, fetch: Fetch<'_>) -> Result<Chosen, Wrong> {
    let s = &scenario.services;
    let mut files = BTreeMap::new();
    let mut service = |role: &'static str, chosen: &String| -> Result<(&'static str, Service), Wrong> {
        let found = if chosen.ends_with(".toml") {
            fetch(chosen).and_then(|text| {
                let service = catalog::parse(&text, chosen).map_err(|e| e.to_string());
                files.insert(chosen.clone(), text);
                service
            })
        } else {
            catalog::preset(chosen).map_err(|e| e.to_string())
        };
        Ok((role, found.map_err(|e| Wrong::at(format!("services.{role}"), e))?))
    };
    let chosen = [&s.payments, &s.fulfillment, &s.inventory, &s.mail, &s.approval];
    let services: Result<Vec<_>, Wrong> =
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

fn contracts(services: &[(&'static str, Service)]) -> Result<Vec<Contract>, Wrong> {
    let contract = |op: Op| -> Result<Contract, Wrong> {
        let (role, service) = &services[role(op)];
        match service.op(op) {
            Some(contract) => Ok(*contract),
            None if op == Op::CancelFulfillment => Ok(Contract::BARE),
            None => {
                let says = format!("`{}` has no contract for `{}`; choose another service", service.name, op.name());
                Err(Wrong::at(format!("services.{role}"), says))
            }
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
            declines_reexecute: true,
            duplicate: Duplicate::Final,
            lookup: Lookup::None,
            absent_after: None,
            found_within: u64::MAX,
        };
    }
    believe(contract, tool)
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
        skew: (time.skew.0 * 2 + time.drift.0 * 2).0,
        handoff: Tool::ALL.map(|t| deadline(&table.handoff, t, uncovered(t))),
        handoff_covered: Tool::ALL.map(|t| deadline(&table.handoff_covered, t, covered(t))),
        pending: table.pending.0.0,
        attempts: [table.attempts; Tool::COUNT],
        approval_deadline: scenario.approval.deadline.0.0,
        approve_with_charge: scenario.approval.with_charge,
        renew_before: table.renew_before.0.0,
    }
}
