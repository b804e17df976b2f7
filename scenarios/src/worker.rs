//! A worker on the simulator: the workflow's machine, its acts carried out in the shop. It is plain data
//! between two polls, so that runs can branch off in the middle.

use crate::shop::Shop;
use crate::structure::{Persist, Structure};
use crate::translate::{received, request, store_error};
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use unacked_sim::cx::{Call, Cx, Passage, Peek, Sleep};
use unacked_sim::kind::{Fate, ReadFate};
use unacked_sim::site::Stage;
use unacked_sim::time::Span;
use unacked_workflow::belief::{Beliefs, Limits};
use unacked_workflow::machine::{Command, OrderMachine};
use unacked_workflow::order::{OrderId, Status};
use unacked_workflow::policy::Policy;
use unacked_workflow::ports::{Ask, Clock, StoreError, Transition};
use unacked_workflow::time::{Micros, NEVER};
use unacked_workflow::tool::Tool;

/// A worker, from its node's start to the end of all orders.
#[derive(Clone)]
pub(crate) struct Worker<'w> {
    place: Place<'w>,
    machine: OrderMachine<'w, Place<'w>>,
    /// The desk version of the record in machine.
    version: u32,
    command: Command,
    // What is on its way, for the command it belongs to.
    claim: Option<Claim<'w>>,
    commit: Option<Commit<'w>>,
    call: Option<Call<'w, Shop>>,
    rest: Option<Sleep<'w, Shop>>,
}

/// A claim of this order. Its result: the record's desk version, if there was one to take.
#[derive(Clone)]
struct Claim<'w> {
    order: u32,
    passage: Passage<'w, Shop, Option<u32>>,
}

/// A write of the record.
#[derive(Clone)]
struct Commit<'w> {
    /// When the order is due, on the store's clock.
    due: Micros,
    passage: Passage<'w, Shop, Result<(), StoreError>>,
}

/// How long a worker that saw nothing due (perhaps wrongly) waits before it looks again.
const LOOK_AGAIN: Span = Span::secs(1);

impl<'w> Worker<'w> {
    pub(crate) fn new(
        cx: Cx<'w, Shop>,
        structure: Structure,
        beliefs: &'w Beliefs,
        limits: &'w Limits,
        policy: &'w Policy,
    ) -> Self {
        let place = Place { cx, lease: cx.world(|shop| shop.lease), structure };
        let machine = OrderMachine::empty(place, beliefs, limits, policy);
        Worker {
            place,
            machine,
            version: 0,
            command: Command::Claim,
            claim: None,
            commit: None,
            call: None,
            rest: None,
        }
    }
}

impl Future for Worker<'_> {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let me = self.get_mut();
        loop {
            match me.carry_out(context) {
                Poll::Ready(Some(command)) => me.command = command,
                Poll::Ready(None) => return Poll::Ready(()),
                Poll::Pending if me.place.cx.turn_again() => {}
                Poll::Pending => return Poll::Pending,
            }
        }
    }
}

impl<'w> Worker<'w> {
    /// The next command, once this one is carried out; `None`: there will be nothing more to do.
    #[inline]
    fn carry_out(&mut self, context: &mut Context<'_>) -> Poll<Option<Command>> {
        match self.command {
            Command::Claim => self.claim(context).map(Some),
            Command::Idle => self.idle(context),
            Command::Sleep(span) => self.sleep(Span(span), context).map(Some),
            Command::Commit(what) => self.commit(what, context).map(Some),
            Command::Call(tool, ask) => self.call(tool, ask, context).map(Some),
        }
    }

    #[inline]
    fn claim(&mut self, context: &mut Context<'_>) -> Poll<Command> {
        let Place { cx, lease, structure: Structure { guard, .. } } = self.place;
        let node = cx.node();
        if self.claim.is_none() {
            let Some(order) = cx.peek(|books, now| books.claimable(node, now, lease, guard)) else {
                return Poll::Ready(self.machine.claimed(Ok(false)));
            };
            let (scope, verb) = cx.world(|shop| (shop.words.order(order), shop.words.claimed));
            self.claim = Some(Claim { order, passage: cx.passage(scope, verb) });
        }
        let Some(Claim { order, passage }) = &mut self.claim else { return Poll::Pending };
        let into = &mut self.machine.order;
        let polled =
            passage.poll_with(context, |books, now, facts| books.claim(into, *order, node, now, lease, guard, facts));
        let claimed = ready!(polled);
        self.claim = None;
        let claimed = claimed.map_err(store_error).map(|version| {
            self.version = version.unwrap_or(0);
            version.is_some()
        });
        Poll::Ready(self.machine.claimed(claimed))
    }

    #[inline]
    fn commit(&mut self, what: Transition, context: &mut Context<'_>) -> Poll<Command> {
        let Place { cx, lease, structure: Structure { guard, .. } } = self.place;
        if self.commit.is_none() {
            if self.skips(what) {
                return Poll::Ready(self.machine.committed(what, Ok(())));
            }
            self.commit = Some(self.begin_commit(what));
        }
        let Some(Commit { due, passage }) = &mut self.commit else { return Poll::Pending };
        let (order, version) = (&mut self.machine.order, self.version);
        let committed = ready!(passage.poll_with(context, |books, now, facts| {
            let own = std::mem::replace(&mut order.due, *due);
            let written = books.commit(cx.node(), order, version, what, now, lease, guard, facts);
            order.due = own;
            written
        }));
        self.commit = None;
        Poll::Ready(self.machine.committed(what, committed.unwrap_or_else(|fault| Err(store_error(fault)))))
    }

    #[inline]
    fn begin_commit(&self, what: Transition) -> Commit<'w> {
        let (cx, order) = (self.place.cx, &self.machine.order);
        // "Due" matters once the lease is given up, and is compared with the store's clock: a node's
        // own reading is translated, not copied.
        let due = if order.lease.until == 0 { self.place.on_store_clock(order.due) } else { order.due };
        let (scope, verb) = cx.world(|shop| (shop.words.order(order.id.0), shop.words.write(order, what)));
        Commit { due, passage: cx.passage(scope, verb) }
    }

    /// The mistake of recording a dispatch only once there is something to record.
    fn skips(&self, what: Transition) -> bool {
        let Transition::Operation(tool) = what else { return false };
        let late = self.place.structure.persist == Persist::AfterAnswer;
        late && self.machine.order.op(tool).status == Status::Dispatched
    }

    #[inline]
    fn call(&mut self, tool: Tool, ask: Ask, context: &mut Context<'_>) -> Poll<Command> {
        let call = self.call.get_or_insert_with(|| {
            let call = self.machine.request(tool, ask);
            self.place.cx.call(request(&call)).timeout(Span(call.timeout))
        });
        let got = ready!(Pin::new(call).poll(context));
        self.call = None;
        Poll::Ready(self.machine.received(tool, ask, &received(got)))
    }

    #[inline]
    fn sleep(&mut self, span: Span, context: &mut Context<'_>) -> Poll<Command> {
        let rest = self.rest.get_or_insert_with(|| self.place.cx.sleep(span));
        ready!(Pin::new(rest).poll(context));
        self.rest = None;
        Poll::Ready(self.machine.rested())
    }

    /// Waits until there may be something to claim.
    #[inline]
    fn idle(&mut self, context: &mut Context<'_>) -> Poll<Option<Command>> {
        if self.rest.is_none() && self.place.cx.peek(|books, _| books.all_ended()) {
            return Poll::Ready(None);
        }
        let rest = self.rest.get_or_insert_with(|| self.place.watch());
        ready!(Pin::new(rest).poll(context));
        self.rest = None;
        Poll::Ready(Some(Command::Claim))
    }
}

/// Where a worker works, and how it keeps its records.
#[derive(Clone, Copy)]
struct Place<'w> {
    cx: Cx<'w, Shop>,
    lease: Span,
    structure: Structure,
}

impl Clock for Place<'_> {
    fn now(&self) -> Micros {
        self.cx.now().0
    }

    fn jitter(&self, order: OrderId, tool: Tool, _nth: u16, cap: Micros) -> Micros {
        let (scope, verb) = self.cx.world(|shop| (shop.words.order(order.0), shop.words.jitter(tool)));
        self.cx.jitter(scope, verb, cap)
    }
}

impl<'w> Place<'w> {
    fn on_store_clock(&self, due: Micros) -> Micros {
        if due == NEVER {
            return due;
        }
        let ahead = self.cx.peek(|_, now| self.now() as i64 - now.0 as i64);
        due.saturating_add_signed(ahead.saturating_neg())
    }

    /// A wait for the next order, as far as this worker sees.
    fn watch(&self) -> Sleep<'w, Shop> {
        let (node, guard) = (self.cx.node(), self.structure.guard);
        let opening = self.cx.peek(|books, now| books.next_opening(node, self.lease, guard).map(|at| at.since(now)));
        self.cx.watch(match self.read_fate() {
            None => opening,
            Some(fate @ ReadFate::Stale) => {
                self.cx.felt(fate);
                Some(LOOK_AGAIN)
            }
        })
    }

    fn read_fate(&self) -> Option<ReadFate> {
        let node = self.cx.node().0;
        let (worker, due, menu) = self.cx.world(|shop| (shop.words.worker(node), shop.words.due, shop.read_menu));
        ReadFate::of(self.cx.choose(worker, due, Stage::Store, menu).kind)
    }
}

#[cfg(test)]
mod tests;
