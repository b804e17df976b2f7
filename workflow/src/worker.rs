//! A worker: takes a due order and carries it on until it waits, has ended or is lost.

use crate::belief::{Beliefs, Limits};
use crate::decide::{self, Case, Step};
use crate::dispatch;
use crate::gate;
use crate::order::{Course, Handoff, Operation, Order, OrderId, Status};
use crate::policy::{Policy, Recovery};
use crate::ports::{Ask, Idle, Ports, StoreError, Transition};
use crate::reconcile;
use crate::retry;
use crate::time::{MINUTE, Micros, NEVER, SECOND};
use crate::tool::{Class, Tool};

/// Works until every order has ended.
pub async fn run<P: Ports>(ports: &P, beliefs: &Beliefs, limits: &Limits, policy: &Policy) {
    let worker = Worker { ports, rules: Rules { beliefs, limits, policy } };
    let mut order = Order::blank();
    let mut aside = None;
    loop {
        let outcome = match ports.claim(&mut order).await {
            Ok(true) => worker.shift(&mut order, &mut aside).await,
            Ok(false) if ports.idle().await == Idle::Over => return,
            Ok(false) => Ok(()),
            Err(error) => Err(error),
        };
        // After any error the record in memory is stale: forget it and claim again (R6).
        if outcome == Err(StoreError::Unavailable) {
            ports.sleep(SECOND).await;
        }
    }
}

/// What every decision is made by.
#[derive(Clone, Copy)]
pub(crate) struct Rules<'a> {
    pub(crate) beliefs: &'a Beliefs,
    pub(crate) limits: &'a Limits,
    pub(crate) policy: &'a Policy,
}

impl<'a> Rules<'a> {
    fn case(&self, order: &'a Order, now: Micros) -> Case<'a> {
        let Rules { beliefs, limits, policy } = *self;
        Case { order, beliefs, limits, policy, now }
    }
}

struct Worker<'a, P> {
    ports: &'a P,
    rules: Rules<'a>,
}

/// What a worker remembers of an order only as long as it holds it.
#[derive(Default)]
struct Shift {
    /// Attempts made in a row, per tool.
    tries: [u16; Tool::COUNT],
    /// End of the short wait that is slept through with the lease in hand.
    nap: Micros,
    /// What the next commit is named for, if the record has changed since the last one.
    unwritten: Option<Tool>,
}

/// An answer that could not be recorded, since the record had changed hands: what it established is
/// established all the same, and goes into the record when this worker next holds it.
#[derive(Clone, Copy)]
struct Learned {
    order: OrderId,
    tool: Tool,
    op: Operation,
}

impl Learned {
    fn of(order: &Order, tool: Tool) -> Option<Learned> {
        let op = *order.op(tool);
        let tells = is_settled(&op) || op.status == Status::Pending;
        tells.then_some(Learned { order: order.id, tool, op })
    }

    /// Facts move forward only: it fills in what is still open in the same generation (R22).
    fn add_to(self, order: &mut Order) {
        let op = *order.op(self.tool);
        let same = order.id == self.order && op.generation == self.op.generation && op.key == self.op.key;
        let newer = same && op.status.is_open() && op.status != Status::Pending;
        // A hold's expiry and a person's decision are part of their answers: ask for them again.
        if newer && !matches!(self.tool, Tool::Approve | Tool::Renew) {
            *order.op_mut(self.tool) = Operation { attempts: op.attempts.max(self.op.attempts), ..self.op };
        }
    }
}

impl<P: Ports> Worker<'_, P> {
    /// Takes the order as far as it goes now; puts aside what could not be recorded.
    async fn shift(&self, order: &mut Order, aside: &mut Option<Learned>) -> Result<(), StoreError> {
        recover(order, self.rules.policy);
        let mut shift = Shift::default();
        if let Some(learned) = aside.take() {
            learned.add_to(order);
        }
        let outcome = self.drive(order, &mut shift).await;
        if outcome.is_err() {
            *aside = shift.unwritten.and_then(|tool| Learned::of(order, tool));
        }
        outcome
    }

    async fn drive(&self, order: &mut Order, shift: &mut Shift) -> Result<(), StoreError> {
        loop {
            let now = self.ports.now();
            match decide::of(&self.rules.case(order, now)) {
                Step::Begin(tool) => {
                    dispatch::begin(order, tool, self.rules.policy);
                    self.attempt(order, tool, shift).await?;
                }
                Step::Replay(tool) => self.attempt(order, tool, shift).await?,
                Step::Lookup(tool) => self.look_up(order, tool, shift).await?,
                Step::Wait(until) if until == shift.nap => {
                    self.ports.sleep(until.saturating_sub(now)).await;
                }
                Step::Wait(until) => return self.park(order, until, shift).await,
                Step::HandOff(tool) => return self.hand_off(order, tool, now).await,
                Step::Resolve => self.resolve(order, now).await?,
                Step::Granted => {
                    order.op_mut(Tool::Approve).status = Status::Completed;
                    shift.unwritten = Some(Tool::Approve);
                }
                Step::Assume(tool, status) => {
                    dispatch::assume(order, tool, status);
                    self.commit(order, Transition::Operation(tool)).await?;
                }
                Step::Cancel(cause) => {
                    dispatch::cancel(order, cause);
                    self.commit(order, Transition::Cancelling).await?;
                }
                Step::Untold => order.notification_unknown = true,
                Step::End(end) => {
                    order.close(end);
                    order.lease.until = 0;
                    return self.commit(order, Transition::Ended).await;
                }
            }
        }
    }

    /// Claim durably, send once, record what came of it. A read changes nothing: it needs no claim.
    async fn attempt(&self, order: &mut Order, tool: Tool, shift: &mut Shift) -> Result<(), StoreError> {
        let Rules { policy, beliefs, .. } = self.rules;
        let alone = dispatch::claim(order, tool, policy, self.ports.now());
        if tool.class() != Class::ReadOnly {
            let give_up = self.claim_by(order, tool);
            self.commit_until(order, Transition::Operation(tool), give_up).await?;
            shift.unwritten = None;
        }
        let reception = self.ports.call(dispatch::call(order, tool, Ask::Act, policy)).await;
        let asked_wait = dispatch::record(order, tool, beliefs.of(tool), policy, alone, &reception);
        if !is_settled(order.op(tool)) {
            self.schedule(order, tool, asked_wait, shift);
        }
        shift.unwritten = Some(tool);
        Ok(())
    }

    /// Until when a claim may become durable: the gate's margins for hold, approval and key window
    /// allow for one slow commit. Where it looked at no clock, the claim has all the time it needs.
    fn claim_by(&self, order: &Order, tool: Tool) -> Micros {
        let timed = matches!(tool, Tool::Charge | Tool::Fulfill) || order.op(tool).attempts > 1;
        if timed { self.ports.now().saturating_add(gate::COMMIT / 2) } else { NEVER }
    }

    /// Writes the record. What was learned exists only in memory until then, so as long as nobody
    /// else has the order, a failed write is tried again: it is the same record under the same fence.
    async fn commit(&self, order: &mut Order, what: Transition) -> Result<(), StoreError> {
        self.commit_until(order, what, NEVER).await
    }

    /// The same, but only for as long as what was decided still holds.
    async fn commit_until(&self, order: &mut Order, what: Transition, give_up: Micros) -> Result<(), StoreError> {
        let first = self.ports.commit(order, what).await;
        match first {
            Ok(()) | Err(StoreError::Fenced) => first,
            Err(error) => self.commit_again(order, what, give_up, error).await,
        }
    }

    #[cold]
    async fn commit_again(
        &self,
        order: &mut Order,
        what: Transition,
        give_up: Micros,
        mut last: StoreError,
    ) -> Result<(), StoreError> {
        let mut wait = SECOND;
        let mut conflicts = 0;
        while last != StoreError::Fenced && conflicts < 3 && self.ports.now() < give_up {
            match last {
                StoreError::Unavailable => {
                    self.ports.sleep(wait).await;
                    wait = (wait * 2).min(MINUTE);
                }
                // Lost to another transaction, or to a desk that wrote: the latter conflicts again.
                StoreError::Conflict => conflicts += 1,
                StoreError::Unacknowledged | StoreError::Fenced => {}
            }
            match self.ports.commit(order, what).await {
                Ok(()) => return Ok(()),
                Err(error) => last = error,
            }
        }
        Err(last)
    }

    /// Ask what became of it; a lookup claims nothing, so it is recorded only afterwards.
    async fn look_up(&self, order: &mut Order, tool: Tool, shift: &mut Shift) -> Result<(), StoreError> {
        let Rules { policy, .. } = self.rules;
        self.flush(order, shift).await?;
        let wait = retry::reconcile(&policy.retry, order.op(tool));
        let asked = self.ports.now();
        let reception = self.ports.call(dispatch::call(order, tool, Ask::Lookup, policy)).await;
        reconcile::learn(order, &self.rules, tool, asked, &reception);
        order.op_mut(tool).retry_at = self.ports.now().saturating_add(wait);
        shift.unwritten = Some(tool);
        Ok(())
    }

    /// An outcome rides on the next commit: the claim of the next step, a park, a hand-off or the
    /// end. Only where a call without a claim comes first it is committed by itself.
    async fn flush(&self, order: &mut Order, shift: &mut Shift) -> Result<(), StoreError> {
        let Some(tool) = shift.unwritten.filter(|&tool| is_settled(order.op(tool))) else { return Ok(()) };
        self.commit(order, Transition::Operation(tool)).await?;
        shift.unwritten = None;
        Ok(())
    }

    /// When to go on with an open operation: soon and with the lease in hand, or later.
    fn schedule(&self, order: &mut Order, tool: Tool, asked_wait: Micros, shift: &mut Shift) {
        let retry = &self.rules.policy.retry;
        let now = self.ports.now();
        let tries = &mut shift.tries[tool as usize];
        *tries += 1;
        let op = order.op(tool);
        let wait = if !reconcile::replays(&self.rules.case(order, now), tool) {
            retry::reconcile(retry, op)
        } else if *tries < retry.inline_attempts && asked_wait <= retry.inline_cap {
            let cap = retry::inline_cap(retry, *tries);
            let drawn = self.ports.jitter(order.id, tool, op.attempts, cap);
            let wait = drawn.max(asked_wait);
            shift.nap = now.saturating_add(wait);
            wait
        } else {
            retry::durable(retry, op).max(asked_wait)
        };
        order.op_mut(tool).retry_at = now.saturating_add(wait);
    }

    async fn park(&self, order: &mut Order, until: Micros, shift: &Shift) -> Result<(), StoreError> {
        order.due = until;
        order.lease.until = 0;
        let what = shift.unwritten.map_or(Transition::Parked, Transition::Operation);
        self.commit(order, what).await
    }

    /// Visible, with references, and nothing goes on without it (R20).
    async fn hand_off(&self, order: &mut Order, tool: Tool, now: Micros) -> Result<(), StoreError> {
        let Operation { generation, key, .. } = *order.op(tool);
        order.handoff = Some(Handoff { tool, generation, key, since: now, statement: None });
        order.due = NEVER;
        order.lease.until = 0;
        self.commit(order, Transition::HandedOff).await
    }

    async fn resolve(&self, order: &mut Order, now: Micros) -> Result<(), StoreError> {
        match reconcile::resolve(order, now) {
            Some(tool) => self.commit(order, Transition::Resolved(tool)).await,
            None => Ok(()),
        }
    }
}

fn is_settled(op: &Operation) -> bool {
    matches!(op.status, Status::Completed | Status::Rejected)
}

/// A claimed order whose record says "dispatched" had an owner who may have sent: unknown (R16).
fn recover(order: &mut Order, policy: &Policy) {
    let interrupted = Tool::ALL.into_iter().any(|tool| order.op(tool).status == Status::Dispatched);
    if !interrupted {
        return;
    }
    match policy.recovery {
        Recovery::Resume => Tool::ALL.into_iter().for_each(|tool| doubt(order, tool)),
        Recovery::Restart => restart(order),
    }
}

fn doubt(order: &mut Order, tool: Tool) {
    if order.op(tool).status == Status::Dispatched {
        order.op_mut(tool).status = Status::Unknown;
    }
}

fn restart(order: &mut Order) {
    for tool in Tool::ALL {
        let generation = order.op(tool).generation;
        *order.op_mut(tool) = Operation { generation, ..Operation::default() };
    }
    order.course = Course::Forward;
    order.approval = Default::default();
}
