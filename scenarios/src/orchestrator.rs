//! The built-in orchestrator as a subject: the workflow's ports on the simulator.

use crate::books::Guard;
use crate::shop::Shop;
use crate::words::Words;
use std::cell::Cell;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use unacked_mock_providers::message::{Ask as Asked, Op, Reply as Answered, Request, Says};
use unacked_sim::cx::{self, Cx, Reception as Got, StoreFault};
use unacked_sim::kind::STALE_READ;
use unacked_sim::lab::Subject;
use unacked_sim::site::Stage;
use unacked_sim::time::Span;
use unacked_sim::world::NodeId;
use unacked_workflow::belief::{Beliefs, Limits};
use unacked_workflow::order::{Course, Money, Order, OrderId, Reference, Status};
use unacked_workflow::policy::Policy;
use unacked_workflow::ports::{Answer, Ask, Call, Idle, Ports, Reception, Reply, StoreError, Transition};
use unacked_workflow::time::{Micros, NEVER};
use unacked_workflow::tool::Tool;
use unacked_workflow::worker;

/// Structural mistakes: not what is decided, but how the records are kept. The model answer makes none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Structure {
    /// When a dispatch is recorded.
    pub persist: Persist,
    /// How the store guards writes and claims.
    pub guard: Guard,
}

/// When a dispatch is recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Persist {
    /// Before the first byte leaves (R3).
    BeforeDispatch,
    /// Only once there is an answer to record.
    AfterAnswer,
}

impl Structure {
    /// No mistake.
    pub const SOUND: Structure = Structure { persist: Persist::BeforeDispatch, guard: Guard::FULL };
}

/// The built-in orchestrator under a policy.
#[derive(Clone, Debug)]
pub struct Orchestrator {
    /// What it believes of its providers.
    pub beliefs: Beliefs,
    /// The scenario's horizons.
    pub limits: Limits,
    /// How it decides.
    pub policy: Policy,
    /// How it keeps its records.
    pub structure: Structure,
}

impl Subject for Orchestrator {
    type World = Shop;

    async fn run<'w>(&'w self, cx: Cx<'w, Shop>, _node: NodeId) {
        let ports = ShopPorts {
            cx,
            words: cx.world(|shop| shop.words),
            lease: cx.world(|shop| shop.lease),
            structure: self.structure,
            version: Cell::new(0),
        };
        worker::run(&ports, &self.beliefs, &self.limits, &self.policy).await;
    }
}

/// The workflow's ports on the simulator.
struct ShopPorts<'w> {
    cx: Cx<'w, Shop>,
    words: Words,
    lease: Span,
    structure: Structure,
    /// The desk version of the record in hand.
    version: Cell<u32>,
}

/// How long a worker that saw nothing due (perhaps wrongly) waits before it looks again.
const LOOK_AGAIN: Span = Span::secs(1);

impl Ports for ShopPorts<'_> {
    fn now(&self) -> Micros {
        self.cx.now().0
    }

    fn jitter(&self, order: OrderId, tool: Tool, _nth: u16, cap: Micros) -> Micros {
        self.cx.jitter(self.words.order(order.0), self.words.jitter(tool), cap)
    }

    // The futures below are the engine's own, with their results put into the workflow's words: an
    // `async fn` around them would keep, and move, a second copy of what it is given.
    #[inline]
    fn sleep(&self, span: Micros) -> impl Future<Output = ()> {
        self.cx.sleep(Span(span))
    }

    #[inline]
    fn call(&self, call: Call) -> impl Future<Output = Reception> {
        Calling(self.cx.call(request(&call)).timeout(Span(call.timeout)))
    }

    #[inline]
    fn claim(&self, into: &mut Order) -> impl Future<Output = Result<bool, StoreError>> {
        let (node, guard, lease) = (self.cx.node(), self.structure.guard, self.lease);
        let next = self.cx.read(|books, now| books.claimable(node, now, lease, guard));
        let write = next.map(|id| {
            self.cx.write(self.words.order(id), self.words.claimed, move |books, now, facts| {
                let version = books.claim(into, id, node, now, lease, guard, facts);
                self.version.set(version.unwrap_or(0));
                Ok(version.is_some())
            })
        });
        Writing { write, otherwise: false }
    }

    #[inline]
    fn commit(&self, order: &mut Order, what: Transition) -> impl Future<Output = Result<(), StoreError>> {
        let write = (!self.skips(order, what)).then(|| {
            let (node, guard, lease, version) = (self.cx.node(), self.structure.guard, self.lease, self.version.get());
            let (scope, verb) = (self.words.order(order.id.0), self.words.write(order, what));
            // "Due" matters once the lease is given up, and is compared with the store's clock: a node's
            // own reading is translated, not copied.
            let due = if order.lease.until == 0 { self.on_store_clock(order.due) } else { order.due };
            self.cx.write(scope, verb, move |books, now, facts| {
                let own = std::mem::replace(&mut order.due, due);
                let written = books.commit(node, order, version, what, now, lease, guard, facts);
                order.due = own;
                written
            })
        });
        Writing { write, otherwise: () }
    }

    #[inline]
    fn idle(&self) -> impl Future<Output = Idle> {
        let (node, guard, lease) = (self.cx.node(), self.structure.guard, self.lease);
        let over = self.cx.read(|books, _| books.all_ended());
        Idling((!over).then(|| {
            let opening = self.cx.read(|books, now| books.next_opening(node, lease, guard).map(|at| at.since(now)));
            self.cx.watch(if self.reads_stale() { Some(LOOK_AGAIN) } else { opening })
        }))
    }
}

/// A call whose answer is put into the workflow's words.
struct Calling<'w>(cx::Call<'w, Shop>);

impl Future for Calling<'_> {
    type Output = Reception;

    #[inline(always)]
    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Reception> {
        Pin::new(&mut self.0).poll(context).map(received)
    }
}

/// A write whose faults are put into the workflow's words.
struct Writing<W, T> {
    /// `None`: there is nothing to write.
    write: Option<W>,
    /// What comes of it then.
    otherwise: T,
}

impl<W, T> Future for Writing<W, T>
where
    W: Future<Output = Result<Result<T, StoreError>, StoreFault>> + Unpin,
    T: Copy + Unpin,
{
    type Output = Result<T, StoreError>;

    #[inline]
    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        match &mut self.write {
            None => Poll::Ready(Ok(self.otherwise)),
            Some(write) => Pin::new(write).poll(context).map(|written| written.map_err(store_error)?),
        }
    }
}

/// A wait for the next order; `None`: there will be none.
struct Idling<'w>(Option<cx::Sleep<'w, Shop>>);

impl Future for Idling<'_> {
    type Output = Idle;

    #[inline]
    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Idle> {
        match &mut self.0 {
            None => Poll::Ready(Idle::Over),
            Some(watch) => Pin::new(watch).poll(context).map(|()| Idle::Awake),
        }
    }
}

impl ShopPorts<'_> {
    /// The mistake of recording a dispatch only once there is something to record.
    fn skips(&self, order: &Order, what: Transition) -> bool {
        let Transition::Operation(tool) = what else { return false };
        self.structure.persist == Persist::AfterAnswer && order.op(tool).status == Status::Dispatched
    }

    fn on_store_clock(&self, due: Micros) -> Micros {
        if due == NEVER {
            return due;
        }
        let ahead = self.cx.read(|_, now| self.now() as i64 - now.0 as i64);
        due.saturating_add_signed(-ahead)
    }

    fn reads_stale(&self) -> bool {
        let menu = self.cx.world(|shop| shop.read_menu);
        let worker = self.words.worker(self.cx.node().0);
        self.cx.choose(worker, self.words.due, Stage::Store, menu).kind == STALE_READ
    }
}

fn store_error(fault: StoreFault) -> StoreError {
    match fault {
        StoreFault::Conflict => StoreError::Conflict,
        StoreFault::Unavailable => StoreError::Unavailable,
        StoreFault::Unacknowledged => StoreError::Unacknowledged,
    }
}

/// The request on the wire. Its taint is the order's own card, address and lot.
#[inline]
fn request(call: &Call) -> Request {
    Request {
        op: op(call.tool),
        ask: match call.ask {
            Ask::Act => Asked::Act,
            Ask::Lookup => Asked::Lookup,
        },
        taint: call.order.0,
        key: call.key.0,
        reference: call.reference.0,
        amount: call.money.minor,
        currency: call.money.currency,
        sku: 0,
        quantity: call.quantity,
        content: content(call),
    }
}

/// A mail's content is what it tells; everything else is about the order's content.
fn content(call: &Call) -> u64 {
    match (call.tool, call.course) {
        (Tool::Notify, Course::Cancelling(cause)) => call.content ^ (cause as u64 + 1),
        _ => call.content,
    }
}

const fn op(tool: Tool) -> Op {
    crate::promises::case::op_of(tool)
}

#[inline]
fn received(got: Got<Answered>) -> Reception {
    match got {
        Got::Reply(reply) => Reception::Answer(answer(&reply)),
        Got::Garbled => Reception::Garbled,
        Got::Refused => Reception::Refused,
        Got::Silence => Reception::Silence,
    }
}

fn answer(reply: &Answered) -> Answer {
    let kind = match reply.says {
        Says::Done => Reply::Done,
        Says::Pending => Reply::Pending,
        Says::Declined => Reply::Declined,
        Says::Duplicate => Reply::Duplicate,
        Says::InProgress => Reply::InProgress,
        Says::Mismatch => Reply::Mismatch,
        Says::Throttled => Reply::Throttled,
        Says::ServerError => Reply::ServerError,
        Says::NotFound => Reply::NotFound,
    };
    Answer {
        kind,
        reference: Reference(reply.reference),
        money: Money { minor: reply.amount, currency: reply.currency },
        value: reply.value,
    }
}
