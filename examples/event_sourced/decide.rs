//! What comes next for an order: a pure function of where it stands, what was heard, and the time.

use crate::order::rules::{Heard, Next, Rules, Terms};
use crate::order::state::State;
use unacked::prelude::*;

/// One thing to do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Command {
    /// Send a request.
    Send(Op),
    /// Ask what has become of it.
    Look(Op),
    /// Hand it to a person.
    HandOff(Op),
    /// See what the person has stated.
    Ask(Op),
    /// Give up knowing whether the customer was told.
    Untold,
    /// Close the order.
    End(End),
    /// Nothing before this time.
    Wait(Time),
}

/// What a decision is made from.
pub(crate) struct Context<'a, R> {
    pub(crate) rules: &'a R,
    pub(crate) state: State,
    /// What this worker has heard, by operation.
    pub(crate) heard: &'a [Memory; Op::COUNT],
    pub(crate) terms: &'a [Terms; Op::COUNT],
    pub(crate) now: Time,
}

/// What a worker remembers of an operation; all of it may be forgotten, and is when the next generation begins.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Memory {
    generation: u64,
    pub(crate) heard: Heard,
    /// How often something was tried, and when the next try is due.
    pub(crate) rounds: u32,
    pub(crate) due: Time,
}

impl Memory {
    /// What was heard of an earlier generation says nothing about this one.
    pub(crate) fn of(self, generation: u64) -> Memory {
        if self.generation == generation { self } else { Memory { generation, ..Memory::default() } }
    }
}

impl<R: Rules> Context<'_, R> {
    /// The next command.
    pub(crate) fn decide(&self) -> Command {
        let state = &self.state;
        if let Some(op) = state.handed_off() {
            let ask = self.when_due(op, Command::Ask(op));
            return if self.rules.rests(state) { ask } else { self.tended(ask) };
        }
        match state.refused() {
            Some(cause) => self.refuse(cause),
            None => self.deliver(),
        }
    }

    fn deliver(&self) -> Command {
        let state = &self.state;
        if state.is_done(Op::Fulfill) {
            return self.close(End::Delivered);
        }
        if state.step(Op::Fulfill).is_on_its_way() {
            return self.tended(self.settle(Op::Fulfill));
        }
        if !state.is_done(Op::Charge) && state.step(Op::Charge).is_on_its_way() {
            return self.settle(Op::Charge);
        }
        if let Some(command) = self.awaited_yes() {
            return command;
        }
        if let Some(command) = self.hold() {
            return command;
        }
        if !state.is_done(Op::Charge) {
            return self.settle(Op::Charge);
        }
        if self.rules.tells_early() && !state.is_told() {
            return self.settle(Op::Notify);
        }
        if self.rules.may_ship(state, self.now, self.terms(Op::Fulfill)) {
            return if self.renews() { self.settle(Op::Renew) } else { self.settle(Op::Fulfill) };
        }
        self.settle(Op::Approve)
    }

    /// While a person thinks it over, the hold is kept alive and nothing else is done.
    fn awaited_yes(&self) -> Option<Command> {
        let asked = self.state.step(Op::Approve);
        (asked.sends > 0 && asked.outcome.is_none()).then(|| self.tended(self.settle(Op::Approve)))
    }

    /// What is needed for a hold that outlives what comes next; one that ran out is taken again.
    fn hold(&self) -> Option<Command> {
        let margin = self.terms(Op::Reserve).travel();
        if self.rules.holds(&self.state, self.now + margin) {
            return None;
        }
        let live = self.state.reference(Op::Reserve) != 0 && self.rules.holds(&self.state, self.now);
        Some(self.settle(if live && self.is_renewable() { Op::Renew } else { Op::Reserve }))
    }

    /// What is to be done, and the hold that is needed meanwhile.
    fn tended(&self, command: Command) -> Command {
        match (command, self.settle(Op::Renew)) {
            (Command::Wait(until), renewal) if self.renews() => match renewal {
                Command::Wait(other) => Command::Wait(until.min(other)),
                renewal => renewal,
            },
            (command, _) => command,
        }
    }

    /// Whether there is a hold that is to be renewed now.
    fn renews(&self) -> bool {
        let held = self.state.reference(Op::Reserve) != 0;
        held && self.is_renewable() && self.rules.renews(&self.state, self.now, self.terms(Op::Renew))
    }

    /// Whether the current hold has not been said to be gone.
    fn is_renewable(&self) -> bool {
        let renewal = self.state.step(Op::Renew);
        let refused = renewal.outcome.is_some() && !self.state.is_done(Op::Renew);
        !(refused && renewal.about == self.state.reference(Op::Reserve))
    }

    fn refuse(&self, cause: Cause) -> Command {
        match self.rules.undoes(&self.state, self.now) {
            Some(op) => self.settle(op),
            None => self.close(End::Refused(self.rules.cause(cause))),
        }
    }

    fn close(&self, end: End) -> Command {
        match self.state.end {
            Some(_) => Command::Wait(Time::NEVER),
            None if !self.rules.takes(Op::Notify) || self.state.is_told() => Command::End(end),
            None => self.settle(Op::Notify),
        }
    }

    /// The next thing to do about one operation.
    fn settle(&self, op: Op) -> Command {
        let step = self.state.step(op).at_hand();
        let terms = self.terms(op);
        let heard = self.heard[op as usize].heard;
        let held = op != Op::Fulfill || self.rules.holds(&self.state, self.now + terms.travel());
        let heard = Heard { failed: heard.failed || !held, ..heard };
        let command = match self.rules.next(op, &step, &heard, self.now, terms) {
            Next::Send => Command::Send(op),
            Next::Look => Command::Look(op),
            Next::HandOff if op == Op::Notify => Command::Untold,
            Next::HandOff => Command::HandOff(op),
        };
        self.when_due(op, command)
    }

    fn when_due(&self, op: Op, command: Command) -> Command {
        let due = self.heard[op as usize].due;
        if self.now < due { Command::Wait(due) } else { command }
    }

    fn terms(&self, op: Op) -> &Terms {
        &self.terms[op as usize]
    }
}
