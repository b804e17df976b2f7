//! From a resolved scenario to its world: menus and routes made, providers set up, orchestrator placed.

use crate::books::Books;
use crate::clause::Needs;
use crate::filter::Filter;
use crate::known::documented::{Documented, reliable};
use crate::menus::MenuMaker;
use crate::model::{Model, kinds, role};
use crate::orchestrator::Orchestrator;
use crate::policy::PolicyFile;
use crate::promises::Promises;
use crate::queue::OperatorQueue;
use crate::records::{Known, Records};
use crate::shop::Shop;
use crate::words::Words;
use unacked_mock_providers::approval_desk::{ApprovalDesk, Habits};
use unacked_mock_providers::fulfillment::Fulfillment;
use unacked_mock_providers::inventory::{Inventory, Stock};
use unacked_mock_providers::mail::Mail;
use unacked_mock_providers::message::{Ask, Op};
use unacked_mock_providers::operator_desk::{OperatorDesk, Shift};
use unacked_mock_providers::payments::Payments;
use unacked_mock_providers::service::Service;
use unacked_sim::distribution::Distribution;
use unacked_sim::door::Door;
use unacked_sim::lab::{Lab, with_lab};
use unacked_sim::time::Span;
use unacked_sim::world::Setting;
use unacked_workflow::policy::Policy;
use unacked_workflow::tool::Tool;

impl Model {
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
        let (world, store, door, setting) = self.world::<Books>(filter, true);
        with_lab(world, store, door, setting, &subject, work)
    }

    /// The world, its empty books, its door and its setting. `sees_store`: the subject keeps its
    /// records through our ledger port, so that they can be judged.
    pub fn world<R: Records>(&self, filter: &Filter, sees_store: bool) -> (Shop<R>, R, Door, Setting) {
        let scenario = &self.scenario;
        let mut door = Door::new(kinds());
        let words = Words::new(&mut door.names, scenario.orders() as u16, u16::from(scenario.workers));
        let mut maker = MenuMaker::new(self, filter, &mut door);
        let setting = Setting { replica: !R::REPORTS, ..maker.setting(&words) };
        let act = Op::ALL.map(|op| maker.route(&words, op, Ask::Act));
        let lookup = Op::ALL.map(|op| maker.route(&words, op, Ask::Lookup));
        let menus = maker.provider_menus();
        let operator_menu = maker.operator();
        door.set_chaos(scenario.time.chaos.0);
        let intents = self.intents();
        let documented = Documented {
            tools: reliable(&self.contracts),
            limits: self.limits,
            layers: 1,
            sees: Needs::seen(sees_store),
            finish_bound: self.finish_bound(),
        };
        let scopes = (0..intents.len() as u32).map(|i| words.order(i)).collect();
        let shop = Shop {
            promises: Promises::new(documented, scopes, i64::from(scenario.units())),
            words,
            lease: scenario.time.lease.0,
            read_menu: setting.read,
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
            prompt: scenario.expect.p99.map_or(Span::NEVER, |p99| p99.0),
            drain: scenario.time.drain.0,
            beliefs: self.beliefs,
            timeouts: Tool::ALL.map(|tool| self.timeout(tool)),
            queue: OperatorQueue::default(),
            known: Known::new(),
            intents,
        };
        (shop, R::default(), door, setting)
    }

    fn service(&self, op: Op) -> &Service {
        &self.services[role(op)].1
    }

    fn stock(&self) -> Stock {
        Stock { units: vec![i64::from(self.scenario.units())], ttl: self.scenario.stock.hold.0 }
    }

    fn habits(&self) -> Habits {
        let approval = &self.scenario.approval;
        Habits {
            decides: approval.takes.distribution(1.0, approval.deadline.0),
            deadline: approval.deadline.0,
            valid: approval.valid.0,
            immediate: approval.immediate,
        }
    }

    fn shift(&self) -> Shift {
        Shift {
            picks_up: Distribution::Const(0),
            resolves: self.scenario.operator.takes.distribution(1.0, Span::days(7)),
        }
    }
}

/// A provider of a model whose services were checked when it was read.
fn made<T, E: std::fmt::Display>(provider: Result<T, E>) -> T {
    provider.unwrap_or_else(|e| panic!("a model's services offer what their roles need, but {e}"))
}
