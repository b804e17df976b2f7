//! A small shop in memory: providers that deduplicate by key, a store with leases, two desks.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::future::{pending, poll_fn};
use std::task::{Poll, Waker};
use std::time::Duration;

use unacked_workflow::order::{Decision, End, Intent, Key, Money, Order, OrderId, Reference, Statement};
use unacked_workflow::ports::{Answer, Ask, Attempt, Clock, Idle, Ports, Reply, Response, StoreError, Transition};
use unacked_workflow::time::{DAY, HOUR, MINUTE, Micros, NEVER, SECOND};
use unacked_workflow::tool::Tool;

/// What strikes one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Executed, but nobody hears of it.
    LoseReply,
    /// Never arrives.
    LoseRequest,
    /// Executed, and answered with 500.
    FailAfter,
    /// Not executed, and answered with 500.
    FailBefore,
    /// Executed, and answered in an unreadable way.
    Garble,
    /// Not looked at.
    Throttle,
    /// No connection.
    Refuse,
    /// Definitely refused.
    Decline,
    /// Executed, but final only when looked up.
    Delay,
    /// Executed, and answered as if another attempt were still at it.
    Conflict,
}

/// How the approval desk behaves.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Person {
    AtOnce,
    After(Micros, Decision),
}

/// Where the node dies: before or after its nth commit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Crash {
    pub(crate) commit: u32,
    pub(crate) after: bool,
}

/// What is true about one order, whatever any record says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Truth {
    pub(crate) charged: i32,
    pub(crate) refunded: i32,
    pub(crate) shipped: i32,
    pub(crate) mails: i32,
    pub(crate) held: bool,
    expiry: Micros,
}

pub(crate) struct Shop {
    pub(crate) orders: RefCell<Vec<Order>>,
    pub(crate) truth: RefCell<Vec<Truth>>,
    pub(crate) faults: Vec<(Tool, u32, Fault)>,
    pub(crate) crash: Cell<Option<Crash>>,
    /// The nth commit fails so, with or without effect.
    pub(crate) broken: Option<(u32, StoreError, bool)>,
    pub(crate) person: Person,
    pub(crate) operator: Option<Statement>,
    pub(crate) remembers: bool,
    pub(crate) hold: Micros,
    pub(crate) commits: RefCell<Vec<Transition>>,
    pub(crate) calls: RefCell<Vec<(Tool, Ask)>>,
    answers: RefCell<BTreeMap<(Tool, Key), Answer>>,
    decisions: RefCell<Vec<(Micros, usize, Decision)>>,
    node: Cell<u32>,
    crashed: Cell<bool>,
    waker: RefCell<Option<Waker>>,
    start: tokio::time::Instant,
}

impl Shop {
    pub(crate) fn new(orders: u32) -> Self {
        let intent = Intent {
            customer: 1,
            amount: Money { minor: 1999, currency: *b"EUR" },
            sku: 3,
            quantity: 2,
            destination: 9,
            content: 77,
        };
        Shop {
            orders: RefCell::new((0..orders).map(|n| Order::new(OrderId(n), intent)).collect()),
            truth: RefCell::new(vec![Truth::default(); orders as usize]),
            faults: Vec::new(),
            crash: Cell::new(None),
            broken: None,
            person: Person::AtOnce,
            operator: None,
            remembers: true,
            hold: DAY,
            commits: RefCell::default(),
            calls: RefCell::default(),
            answers: RefCell::default(),
            decisions: RefCell::default(),
            node: Cell::new(1),
            crashed: Cell::new(false),
            waker: RefCell::default(),
            start: tokio::time::Instant::now(),
        }
    }

    /// Waits for the node to die, then starts the next one.
    pub(crate) async fn death(&self) {
        poll_fn(|cx| {
            *self.waker.borrow_mut() = Some(cx.waker().clone());
            if self.crashed.get() { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
        self.crashed.set(false);
        self.node.set(self.node.get() + 1);
    }

    pub(crate) fn end(&self, order: usize) -> Option<End> {
        self.orders.borrow()[order].end
    }

    pub(crate) fn count(&self, tool: Tool, ask: Ask) -> usize {
        self.calls.borrow().iter().filter(|call| **call == (tool, ask)).count()
    }

    async fn strike(&self, after: bool) {
        let Some(crash) = self.crash.get() else {
            return;
        };
        let number = self.commits.borrow().len() as u32;
        if crash.commit == number && crash.after == after {
            self.crash.set(None);
            self.crashed.set(true);
            if let Some(waker) = self.waker.borrow_mut().take() {
                waker.wake();
            }
            pending::<()>().await;
        }
    }

    /// Approval desk and operator desk write into the store on their own.
    fn people(&self) {
        let now = self.now();
        let mut orders = self.orders.borrow_mut();
        self.decisions.borrow_mut().retain(|(at, order, decision)| {
            if *at <= now {
                let order = &mut orders[*order];
                order.approval.decision = *decision;
                order.approval.expires = now + DAY;
                order.due = now;
            }
            *at > now
        });
        for order in orders.iter_mut().filter(|order| order.end.is_none()) {
            if let (Some(handoff), Some(statement)) = (&mut order.handoff, self.operator) {
                handoff.statement = Some(statement);
                order.due = now;
            }
        }
    }

    fn strikes(&self, attempt: &Attempt) -> Option<Fault> {
        self.calls.borrow_mut().push((attempt.tool, attempt.ask));
        let nth = self.count(attempt.tool, attempt.ask) as u32;
        let fault = self.faults.iter().find(|fault| (fault.0, fault.1) == (attempt.tool, nth));
        fault.filter(|_| attempt.ask == Ask::Act).map(|fault| fault.2)
    }

    fn perform(&self, attempt: &Attempt) -> Answer {
        let known = self.answers.borrow().get(&(attempt.tool, attempt.key)).copied();
        if let Some(answer) = known.filter(|_| self.remembers) {
            return answer;
        }
        let answer = self.execute(attempt);
        self.answers.borrow_mut().insert((attempt.tool, attempt.key), answer);
        answer
    }

    fn execute(&self, attempt: &Attempt) -> Answer {
        let now = self.now();
        let mut truth = self.truth.borrow_mut();
        let truth = &mut truth[attempt.order.0 as usize];
        let alive = truth.held && now < truth.expiry;
        let mut answer = said(Reply::Done, attempt);
        match attempt.tool {
            Tool::ReadStock => answer.value = 10,
            Tool::Reserve => (truth.held, truth.expiry) = (true, now + self.hold),
            Tool::Charge => truth.charged += 1,
            Tool::Approve => answer.kind = self.ask_person(attempt.order, now),
            Tool::Fulfill if alive => (truth.shipped, truth.held) = (truth.shipped + 1, false),
            Tool::Notify => truth.mails += 1,
            Tool::Renew if alive => truth.expiry = now + self.hold,
            Tool::Refund => truth.refunded += 1,
            Tool::Release if alive => truth.held = false,
            Tool::Fulfill | Tool::Renew | Tool::Release => answer.kind = Reply::Declined,
        }
        if matches!(attempt.tool, Tool::Reserve | Tool::Renew) {
            answer.value = truth.expiry;
        }
        answer
    }

    fn ask_person(&self, order: OrderId, now: Micros) -> Reply {
        match self.person {
            Person::AtOnce => Reply::Done,
            Person::After(wait, decision) => {
                self.decisions.borrow_mut().push((now + wait, order.0 as usize, decision));
                Reply::Pending
            }
        }
    }

    fn look_up(&self, attempt: &Attempt) -> Answer {
        let known = self.answers.borrow().get(&(attempt.tool, attempt.key)).copied();
        known.unwrap_or_else(|| said(Reply::NotFound, attempt))
    }

    fn next_event(&self) -> Option<Micros> {
        let orders = self.orders.borrow();
        let live = orders.iter().filter(|order| order.end.is_none());
        let dues = live.map(|order| order.due.max(order.lease.until));
        let decisions = self.decisions.borrow();
        let dues = dues.chain(decisions.iter().map(|decision| decision.0));
        dues.filter(|due| *due != NEVER).min()
    }
}

impl Clock for Shop {
    fn now(&self) -> Micros {
        HOUR + self.start.elapsed().as_micros() as Micros
    }

    fn jitter(&self, _: OrderId, _: Tool, _: u16, cap: Micros) -> Micros {
        cap / 2
    }
}

impl Ports for Shop {
    async fn sleep(&self, span: Micros) {
        tokio::time::sleep(Duration::from_micros(span)).await;
    }

    async fn call(&self, attempt: Attempt) -> Response {
        self.sleep(SECOND).await;
        let fault = self.strikes(&attempt);
        let answer = match (attempt.ask, fault) {
            (Ask::Lookup, _) => return Response::Answer(self.look_up(&attempt)),
            (_, Some(Fault::LoseRequest)) => return Response::Silence,
            (_, Some(Fault::Refuse)) => return Response::Refused,
            (_, Some(Fault::Throttle)) => return Response::Answer(said(Reply::Throttled, &attempt)),
            (_, Some(Fault::FailBefore)) => {
                return Response::Answer(said(Reply::ServerError, &attempt));
            }
            (_, Some(Fault::Decline)) => {
                let answer = said(Reply::Declined, &attempt);
                *self.answers.borrow_mut().entry((attempt.tool, attempt.key)).or_insert(answer)
            }
            _ => self.perform(&attempt),
        };
        match fault {
            Some(Fault::LoseReply) => Response::Silence,
            Some(Fault::Garble) => Response::Garbled,
            Some(Fault::FailAfter) => Response::Answer(said(Reply::ServerError, &attempt)),
            Some(Fault::Conflict) => Response::Answer(said(Reply::InProgress, &attempt)),
            Some(Fault::Delay) => Response::Answer(Answer { kind: Reply::Pending, ..answer }),
            _ => Response::Answer(answer),
        }
    }

    async fn claim(&self, into: &mut Order) -> Result<bool, StoreError> {
        self.people();
        let (now, node) = (self.now(), self.node.get());
        let mut orders = self.orders.borrow_mut();
        let free = |order: &&mut Order| order.lease.until <= now || order.lease.owner == node;
        let mut live = orders.iter_mut().filter(|order| order.end.is_none() && order.due <= now);
        let Some(order) = live.find(free) else { return Ok(false) };
        order.lease.owner = node;
        order.lease.fence += 1;
        order.lease.until = now + MINUTE;
        *into = *order;
        Ok(true)
    }

    async fn commit(&self, order: &mut Order, what: Transition) -> Result<(), StoreError> {
        self.commits.borrow_mut().push(what);
        self.strike(false).await;
        let number = self.commits.borrow().len() as u32;
        let broken = self.broken.filter(|broken| broken.0 == number);
        if let Some((_, error, false)) = broken {
            return Err(error);
        }
        {
            let mut orders = self.orders.borrow_mut();
            let stored = &mut orders[order.id.0 as usize];
            if stored.lease.fence != order.lease.fence {
                return Err(StoreError::Fenced);
            }
            if order.lease.until != 0 {
                order.lease.until = self.now() + MINUTE;
            }
            *stored = *order;
        }
        self.strike(true).await;
        broken.map_or(Ok(()), |(_, error, _)| Err(error))
    }

    async fn idle(&self) -> Idle {
        if self.orders.borrow().iter().all(|order| order.end.is_some()) {
            return Idle::Over;
        }
        let Some(event) = self.next_event() else {
            return Idle::Over;
        };
        self.sleep(event.saturating_sub(self.now()).max(SECOND)).await;
        Idle::Awake
    }
}

fn said(kind: Reply, attempt: &Attempt) -> Answer {
    let reference = Reference(attempt.key.0 | 1);
    Answer { kind, reference, money: attempt.money, value: 0 }
}
