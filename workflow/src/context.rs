//! What a decision is made from, and what it comes to.

use crate::belief::{Belief, Beliefs, Limits};
use crate::order::{Cause, End, Operation, Order, Status};
use crate::policy::Policy;
use crate::time::Micros;
use crate::tool::Tool;

/// The next thing to do with an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Open a new generation of the tool's operation and send it.
    Begin(Tool),
    /// Send the current generation again: same key, same payload.
    Replay(Tool),
    /// Ask the provider what became of it.
    Lookup(Tool),
    /// Nothing before this time.
    Wait(Micros),
    /// Put the operation into the operator queue (R20).
    HandOff(Tool),
    /// Take an operator's statement into the record.
    Resolve,
    /// Take the granted approval into the record.
    Granted,
    /// Write a status that nothing establishes: only wrong policies do.
    Assume(Tool, Status),
    /// Turn from delivering to refusing.
    Cancel(Cause),
    /// Mark that the customer may not have been told (no-win-13).
    Untold,
    /// The order is finished.
    End(End),
}

impl Step {
    /// The same, but with any wait cut short at `until`.
    pub(crate) fn sooner(self, until: Micros) -> Self {
        match self {
            Step::Wait(other) => Step::Wait(other.min(until)),
            step => step,
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
    pub(crate) fn ctx(&self, order: &'a Order, now: Micros) -> Context<'a> {
        let Rules { beliefs, limits, policy } = *self;
        Context { order, beliefs, limits, policy, now }
    }
}

/// What a decision is made from.
pub(crate) struct Context<'a> {
    pub(crate) order: &'a Order,
    pub(crate) beliefs: &'a Beliefs,
    pub(crate) limits: &'a Limits,
    pub(crate) policy: &'a Policy,
    pub(crate) now: Micros,
}

impl Context<'_> {
    pub(crate) fn op(&self, tool: Tool) -> &Operation {
        self.order.op(tool)
    }

    pub(crate) fn belief(&self, tool: Tool) -> &Belief {
        self.beliefs.of(tool)
    }
}
