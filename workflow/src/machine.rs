//! The order in a worker's hand, and what to do with it next. No waiting and no I/O: whoever drives it
//! carries out each command, and tells what came of it. [`crate::worker`] is the usual driver.

use crate::apply;
use crate::belief::{Beliefs, Limits};
use crate::context::{Rules, Step};
use crate::decide;
use crate::decide::margin;
use crate::decide::reconcile;
use crate::dispatch;
use crate::order::{Handoff, Operation, Order};
use crate::policy::Policy;
use crate::ports::{Ask, Attempt, Clock, Response, StoreError, Transition};
use crate::recovery::{self, Learned};
use crate::retry;
use crate::time::{MINUTE, Micros, NEVER, SECOND};
use crate::tool::{Class, Tool};

/// What a worker has to do, and whom to tell what came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// Take an order: [`OrderMachine::claimed`].
    Claim,
    /// Wait until there may be one, then claim.
    Idle,
    /// Wait so long: [`OrderMachine::rested`].
    Sleep(Micros),
    /// Write the record: [`OrderMachine::committed`].
    Commit(Transition),
    /// Ask a provider: [`OrderMachine::request`], then [`OrderMachine::received`].
    Call(Tool, Ask),
}

/// What a commit is for: what follows once it is durable.
#[derive(Clone, Copy, PartialEq, Eq)]
enum AfterCommit {
    /// The order is put back.
    PutBack,
    /// On with the same order.
    GoOn,
    /// This call.
    Call(Tool, Ask),
}

/// What a nap was for.
#[derive(Clone, Copy)]
enum Rest {
    /// To claim again.
    Claim,
    /// To go on with the order in hand.
    GoOn,
    /// To try this commit again.
    Commit(Transition),
}

/// A commit in progress: how long it is tried again, and what for.
#[derive(Clone)]
struct Committing {
    then: AfterCommit,
    /// Not later than this.
    give_up: Micros,
    /// The next wait for the store.
    wait: Micros,
    conflicts: u8,
}

/// An order in hand, and what is remembered of it only as long as it is.
#[derive(Clone)]
pub struct OrderMachine<'a, C> {
    clock: C,
    rules: Rules<'a>,
    /// The record. Also the place where the next one is put.
    pub order: Order,
    /// An answer that could not be recorded.
    aside: Option<Learned>,
    /// Attempts made in a row, per tool.
    tries: [u16; Tool::COUNT],
    /// End of the short wait that is slept through with the lease in hand.
    nap: Micros,
    /// What the next commit is named for, if the record has changed since the last one.
    unwritten: Option<Tool>,
    /// The latest attempt's answer speaks for its whole generation.
    alone: bool,
    /// When the latest lookup was sent.
    asked: Micros,
    /// When the latest claim was decided.
    decided: Micros,
    commit: Committing,
    rest: Rest,
}

impl<'a, C: Clock> OrderMachine<'a, C> {
    /// Nothing in hand yet: the first command is [`Command::Claim`].
    pub fn empty(clock: C, beliefs: &'a Beliefs, limits: &'a Limits, policy: &'a Policy) -> Self {
        OrderMachine {
            clock,
            rules: Rules { beliefs, limits, policy },
            order: Order::blank(),
            aside: None,
            tries: [0; Tool::COUNT],
            nap: 0,
            unwritten: None,
            alone: false,
            asked: 0,
            decided: 0,
            commit: Committing { then: AfterCommit::PutBack, give_up: NEVER, wait: SECOND, conflicts: 0 },
            rest: Rest::Claim,
        }
    }

    // ---- what came of a command

    /// An order was taken, or none was there, or the store failed.
    #[inline]
    pub fn claimed(&mut self, claimed: Result<bool, StoreError>) -> Command {
        match claimed {
            Ok(true) => self.take_up(),
            Ok(false) => Command::Idle,
            Err(error) => self.claim_again(error),
        }
    }

    fn take_up(&mut self) -> Command {
        recovery::recover(&mut self.order, self.rules.policy);
        (self.tries, self.nap, self.unwritten) = ([0; Tool::COUNT], 0, None);
        if let Some(learned) = self.aside.take() {
            learned.add_to(&mut self.order);
        }
        self.go_on()
    }

    /// The claim took longer to become durable than the margins of its decision allow for.
    #[inline]
    fn is_late(&self, tool: Tool) -> bool {
        let took = self.clock.now().saturating_sub(self.decided);
        took > margin::clocks(self.rules.limits) && self.is_timed(tool)
    }

    /// It is not sent, as if the connection had been refused; the gate is asked again (R7, R14).
    #[cold]
    fn withdraw(&mut self, tool: Tool) -> Command {
        self.received(tool, Ask::Act, &Response::Refused)
    }

    /// After any error the record in memory is stale: forget it and claim again (R6).
    #[cold]
    fn claim_again(&mut self, error: StoreError) -> Command {
        match error {
            StoreError::Unavailable => self.sleep(SECOND, Rest::Claim),
            _ => Command::Claim,
        }
    }

    /// A wait is over.
    #[inline]
    pub fn rested(&mut self) -> Command {
        match self.rest {
            Rest::Claim => Command::Claim,
            Rest::GoOn => self.go_on(),
            Rest::Commit(what) => Command::Commit(what),
        }
    }

    /// The record was written, or not.
    #[inline]
    pub fn committed(&mut self, what: Transition, committed: Result<(), StoreError>) -> Command {
        match committed {
            Ok(()) => self.written(),
            Err(error) => self.commit_again(what, error),
        }
    }

    #[inline]
    fn written(&mut self) -> Command {
        match self.commit.then {
            AfterCommit::PutBack => Command::Claim,
            AfterCommit::GoOn => self.go_on(),
            AfterCommit::Call(tool, ask) => {
                self.unwritten = None;
                if ask == Ask::Act && self.is_late(tool) { self.withdraw(tool) } else { self.send(tool, ask) }
            }
        }
    }

    /// What was learned exists only in memory until it is written, so as long as nobody else has the
    /// order and what was decided still holds, a failed write is tried again: it is the same record
    /// under the same fence.
    #[cold]
    fn commit_again(&mut self, what: Transition, error: StoreError) -> Command {
        let hopeless = error == StoreError::Fenced || self.commit.conflicts >= 3;
        if hopeless || self.clock.now() >= self.commit.give_up {
            return self.lose(error);
        }
        match error {
            StoreError::Unavailable => {
                let wait = self.commit.wait;
                self.commit.wait = (wait * 2).min(MINUTE);
                return self.sleep(wait, Rest::Commit(what));
            }
            // Lost to another transaction, or to a desk that wrote: the latter conflicts again.
            StoreError::Conflict => self.commit.conflicts += 1,
            StoreError::Unacknowledged | StoreError::Fenced => {}
        }
        Command::Commit(what)
    }

    /// The order is out of hand; what could not be recorded is put aside.
    fn lose(&mut self, error: StoreError) -> Command {
        self.aside = self.unwritten.and_then(|tool| Learned::of(&self.order, tool));
        self.claim_again(error)
    }

    /// A call has ended: record what it established.
    #[inline]
    pub fn received(&mut self, tool: Tool, ask: Ask, response: &Response) -> Command {
        match ask {
            Ask::Act => self.answered(tool, response),
            Ask::Lookup => self.looked_up(tool, response),
        }
        self.unwritten = Some(tool);
        self.go_on()
    }

    fn answered(&mut self, tool: Tool, response: &Response) {
        let Rules { policy, beliefs, .. } = self.rules;
        let asked_wait = apply::record(&mut self.order, tool, beliefs.of(tool), policy, self.alone, response);
        if !self.order.op(tool).is_settled() {
            self.schedule(tool, asked_wait);
        }
    }

    fn looked_up(&mut self, tool: Tool, response: &Response) {
        apply::learn(&mut self.order, &self.rules, tool, self.asked, response);
        let wait = retry::reconcile(&self.rules.policy.retry, self.order.op(tool));
        self.try_again(tool, self.clock.now(), wait);
    }

    /// When to go on with an open operation: soon and with the lease in hand, or later.
    fn schedule(&mut self, tool: Tool, asked_wait: Micros) {
        let retry = &self.rules.policy.retry;
        let now = self.clock.now();
        let tries = &mut self.tries[tool as usize];
        *tries += 1;
        let op = self.order.op(tool);
        let wait = if !reconcile::replays(&self.rules.ctx(&self.order, now), tool) {
            retry::reconcile(retry, op)
        } else if *tries < retry.inline_attempts && asked_wait <= retry.inline_cap {
            let cap = retry::inline_cap(retry, *tries);
            let drawn = self.clock.jitter(self.order.id, tool, op.attempts, cap);
            let wait = drawn.max(asked_wait);
            self.nap = now.saturating_add(wait);
            wait
        } else {
            retry::durable(retry, op).max(asked_wait)
        };
        self.try_again(tool, now, wait);
    }

    /// After so long, but in time; and what will be a question by then need not wait like a repetition.
    fn try_again(&mut self, tool: Tool, now: Micros, wait: Micros) {
        let ctx = self.rules.ctx(&self.order, now);
        let (at, last) = (margin::in_time(&ctx, tool, now.saturating_add(wait)), margin::last_replay(&ctx, tool));
        let question = now.saturating_add(retry::reconcile(&self.rules.policy.retry, ctx.op(tool)));
        let at = if at > last { at.min(question.max(last + 1)) } else { at };
        self.order.op_mut(tool).retry_at = at;
    }

    // ---- what to do next

    /// Takes the order as far as it goes without waiting.
    fn go_on(&mut self) -> Command {
        loop {
            let now = self.clock.now();
            match decide::of(&self.rules.ctx(&self.order, now)) {
                Step::Begin(tool) => {
                    dispatch::begin(&mut self.order, tool, self.rules.policy);
                    return self.attempt(tool, now);
                }
                Step::Replay(tool) => return self.attempt(tool, now),
                Step::Lookup(tool) => return self.look_up(tool),
                Step::Wait(until) if until == self.nap => return self.sleep(until.saturating_sub(now), Rest::GoOn),
                Step::Wait(until) => return self.park(until),
                Step::HandOff(tool) => return self.hand_off(tool, now),
                Step::Resolve => {
                    if let Some(tool) = apply::resolve(&mut self.order, now) {
                        return self.write(Transition::Resolved(tool), AfterCommit::GoOn, NEVER);
                    }
                }
                Step::Granted => {
                    apply::grant(&mut self.order);
                    self.unwritten = Some(Tool::Approve);
                }
                Step::Assume(tool, status) => {
                    apply::assume(&mut self.order, tool, status);
                    return self.write(Transition::Operation(tool), AfterCommit::GoOn, NEVER);
                }
                Step::Cancel(cause) => {
                    apply::cancel(&mut self.order, cause);
                    return self.write(Transition::Cancelling, AfterCommit::GoOn, NEVER);
                }
                Step::Untold => self.order.notification_unknown = true,
                Step::End(end) => {
                    self.order.close(end);
                    self.order.lease.until = 0;
                    return self.write(Transition::Ended, AfterCommit::PutBack, NEVER);
                }
            }
        }
    }

    /// Claim durably, then send once. A read changes nothing: it needs no claim.
    #[inline]
    fn attempt(&mut self, tool: Tool, now: Micros) -> Command {
        self.alone = dispatch::claim(&mut self.order, tool, self.rules.policy, now);
        if tool.class() == Class::ReadOnly {
            return self.send(tool, Ask::Act);
        }
        self.decided = now;
        let give_up = self.claim_by(tool, now);
        self.write(Transition::Operation(tool), AfterCommit::Call(tool, Ask::Act), give_up)
    }

    /// Until when a claim may become durable: the gate's margins for hold, approval and key window
    /// allow for one slow commit. Where it looked at no clock, the claim has all the time it needs.
    fn claim_by(&self, tool: Tool, now: Micros) -> Micros {
        if self.is_timed(tool) { now.saturating_add(margin::COMMIT / 2) } else { NEVER }
    }

    /// Whether it was decided by a clock: that of a hold, an approval or a key.
    fn is_timed(&self, tool: Tool) -> bool {
        matches!(tool, Tool::Charge | Tool::Fulfill) || self.order.op(tool).attempts > 1
    }

    /// Ask what became of it. A lookup claims nothing. An outcome rides on the next commit (the claim
    /// of the next step, a park, a hand-off or the end): only here it is committed by itself.
    fn look_up(&mut self, tool: Tool) -> Command {
        match self.unwritten.filter(|&tool| self.order.op(tool).is_settled()) {
            Some(settled) => self.write(Transition::Operation(settled), AfterCommit::Call(tool, Ask::Lookup), NEVER),
            None => self.send(tool, Ask::Lookup),
        }
    }

    #[inline]
    fn send(&mut self, tool: Tool, ask: Ask) -> Command {
        self.asked = self.clock.now();
        Command::Call(tool, ask)
    }

    /// The call itself.
    #[inline]
    pub fn request(&self, tool: Tool, ask: Ask) -> Attempt {
        dispatch::attempt(&self.order, tool, ask, self.rules.policy)
    }

    fn park(&mut self, until: Micros) -> Command {
        self.order.due = until;
        self.order.lease.until = 0;
        let what = self.unwritten.map_or(Transition::Parked, Transition::Operation);
        self.write(what, AfterCommit::PutBack, NEVER)
    }

    /// Visible, with references, and nothing goes on without it (R20).
    fn hand_off(&mut self, tool: Tool, now: Micros) -> Command {
        let Operation { generation, key, .. } = *self.order.op(tool);
        self.order.handoff = Some(Handoff { tool, generation, key, since: now, statement: None });
        self.order.due = NEVER;
        self.order.lease.until = 0;
        self.write(Transition::HandedOff, AfterCommit::PutBack, NEVER)
    }

    /// Begins a commit, which is worth trying until `give_up`.
    #[inline]
    fn write(&mut self, what: Transition, then: AfterCommit, give_up: Micros) -> Command {
        self.commit = Committing { then, give_up, wait: SECOND, conflicts: 0 };
        Command::Commit(what)
    }

    fn sleep(&mut self, span: Micros, rest: Rest) -> Command {
        self.rest = rest;
        Command::Sleep(span)
    }
}
