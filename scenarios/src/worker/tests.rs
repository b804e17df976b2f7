//! The workflow's own async worker, awaiting ports on the simulator, does in every run what the
//! worker as plain data does: what is proved of one holds for the other.

use super::Place;
use crate::catalog::{self, SCENARIOS};
use crate::filter::Filter;
use crate::model::Model;
use crate::orchestrator::Orchestrator;
use crate::policy::PolicyFile;
use crate::shop::Shop;
use crate::structure::Persist;
use crate::translate::{received, request, store_error};
use std::cell::Cell;
use unacked_sim::cx::{Cx, Peek};
use unacked_sim::lab::{Lab, Subject, with_lab};
use unacked_sim::time::Span;
use unacked_sim::world::NodeId;
use unacked_workflow::order::{Order, OrderId, Status};
use unacked_workflow::ports::{Attempt, Clock, Idle, Ports, Response, StoreError, Transition};
use unacked_workflow::time::Micros;
use unacked_workflow::tool::Tool;
use unacked_workflow::worker;

/// The orchestrator as production would run it.
struct Awaiting(Orchestrator);

impl Subject for Awaiting {
    type World = Shop;

    async fn run<'w>(&'w self, cx: Cx<'w, Shop>, _: NodeId) {
        let Orchestrator { beliefs, limits, policy, structure } = &self.0;
        let place = Place { cx, lease: cx.world(|shop| shop.lease), structure: *structure };
        worker::run(&Awaited { place, version: Cell::new(0) }, beliefs, limits, policy).await;
    }
}

struct Awaited<'w> {
    place: Place<'w>,
    /// The desk version of the record in hand.
    version: Cell<u32>,
}

impl Clock for Awaited<'_> {
    fn now(&self) -> Micros {
        self.place.now()
    }

    fn jitter(&self, order: OrderId, tool: Tool, nth: u16, cap: Micros) -> Micros {
        self.place.jitter(order, tool, nth, cap)
    }
}

impl Ports for Awaited<'_> {
    async fn sleep(&self, span: Micros) {
        self.place.cx.sleep(Span(span)).await;
    }

    async fn call(&self, attempt: Attempt) -> Response {
        received(self.place.cx.call(request(&attempt)).timeout(Span(attempt.timeout)).await)
    }

    async fn claim(&self, into: &mut Order) -> Result<bool, StoreError> {
        let Place { cx, lease, structure } = self.place;
        let (node, guard) = (cx.node(), structure.guard);
        let Some(id) = cx.peek(|books, now| books.claimable(node, now, lease, guard)) else { return Ok(false) };
        let (scope, verb) = cx.world(|shop| (shop.words.order(id), shop.words.claimed));
        let write = cx.write(scope, verb, |books, now, facts| books.claim(into, id, node, now, lease, guard, facts));
        let version = write.await.map_err(store_error)?;
        self.version.set(version.unwrap_or(0));
        Ok(version.is_some())
    }

    async fn commit(&self, order: &mut Order, what: Transition) -> Result<(), StoreError> {
        let Place { cx, lease, structure } = self.place;
        let sends = matches!(what, Transition::Operation(tool) if order.op(tool).status == Status::Dispatched);
        if structure.persist == Persist::AfterAnswer && sends {
            return Ok(());
        }
        let (scope, verb) = cx.world(|shop| (shop.words.order(order.id.0), shop.words.write(order, what)));
        let due = if order.lease.until == 0 { self.place.on_store_clock(order.due) } else { order.due };
        let write = cx.write(scope, verb, |books, now, facts| {
            let own = std::mem::replace(&mut order.due, due);
            let (node, version) = (cx.node(), self.version.get());
            let written = books.commit(node, order, version, what, now, lease, structure.guard, facts);
            order.due = own;
            written
        });
        write.await.map_err(store_error)?
    }

    async fn idle(&self) -> Idle {
        if self.place.cx.peek(|books, _| books.all_ended()) {
            return Idle::Over;
        }
        self.place.watch().await;
        Idle::Awake
    }
}

fn check(scene: &str, orders: &str, seeds: u64) {
    let text = catalog::scenario(scene).expect("embedded");
    let model = Model::read(scene, text, &|path| Err(format!("no file `{path}`"))).expect("valid");
    let policy = PolicyFile::read(orders, catalog::policy(orders).expect("embedded")).expect("valid");
    let digests = |lab: &mut Lab<'_, Shop>| -> Vec<u64> { (0..seeds).map(|seed| lab.run_seed(seed).digest).collect() };
    let data = model.with_orchestrator(&policy, &Filter::default(), digests);
    let (world, store, door, setting) = model.world(&Filter::default(), true);
    let awaited = with_lab(world, store, door, setting, &Awaiting(model.orchestrator(&policy)), digests);
    assert_eq!(data, awaited, "{scene} under {orders}");
}

#[test]
fn the_awaiting_worker_does_the_same() {
    for (scene, _) in SCENARIOS {
        check(scene, "reference", 300);
    }
    for orders in ["naive", "suffix-on-conflict", "lock-is-ownership"] {
        check("two-workers", orders, 300);
    }
}
