//! What can happen to an order, and where it stands after that.

use unacked::prelude::*;

/// Something that has happened to an order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Entry {
    /// A request is about to leave, under this key and about this earlier effect (a refund's charge).
    Sending { op: Op, key: u64, about: u64, at: Time },
    /// The latest request did nothing: it never left, or was turned away unread.
    Unsent { op: Op },
    /// The effect exists and is not final: a person thinks it over, money is on its way.
    Pending { op: Op },
    /// It has been established how an operation ended.
    Settled { op: Op, outcome: Outcome },
    /// An operation was handed to a person.
    HandedOff { op: Op },
    /// Whether the customer was told cannot be known any more.
    Untold,
    /// The order is over.
    Ended(End),
}

/// How an operation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The effect exists, under the provider's reference. A hold and a yes are good until a time.
    Done { reference: u64, until: Time },
    /// The provider, or a person, said no.
    Refused,
    /// It never took effect and cannot any more: it may be begun again, under a key of its own.
    Absent,
}

/// Where one operation stands: its latest generation.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Step {
    /// Counts from 0.
    pub(crate) generation: u64,
    /// Requests that were about to leave.
    pub(crate) tries: u16,
    /// Those that may have left.
    pub(crate) sends: u16,
    /// Under this key.
    pub(crate) key: u64,
    /// About this earlier effect.
    pub(crate) about: u64,
    /// When the first may have left.
    pub(crate) first: Time,
    /// When the latest may have left.
    pub(crate) last: Time,
    /// It exists and is not final.
    pub(crate) pending: bool,
    /// It waits for a person.
    pub(crate) handed_off: bool,
    /// How it ended, if it did.
    pub(crate) outcome: Option<Outcome>,
}

/// Where an order stands: the sum of what has happened to it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct State {
    steps: [Step; Op::COUNT],
    /// How much has happened.
    pub(crate) len: usize,
    /// Until when a person's yes may be used. It is for one shipment: if that came to nothing, it is void.
    pub(crate) approved_until: Time,
    /// Nobody knows whether the customer was told.
    pub(crate) untold: bool,
    /// How it ended.
    pub(crate) end: Option<End>,
}

impl State {
    /// The same after one more thing has happened.
    pub(crate) fn after(mut self, entry: &Entry) -> State {
        self.len += 1;
        match *entry {
            Entry::Sending { op, key, about, at } => {
                let step = self.step(op).at_hand();
                let first = if step.sends > 0 { step.first } else { at };
                let (tries, sends) = (step.tries + 1, step.sends + 1);
                self.steps[op as usize] = Step { tries, sends, key, about, first, last: at, ..step };
            }
            Entry::Unsent { op } => {
                let step = &mut self.steps[op as usize];
                step.sends = step.sends.saturating_sub(1);
            }
            Entry::Pending { op } => self.steps[op as usize].pending = true,
            Entry::Settled { op, outcome } => self.settle(op, outcome),
            Entry::HandedOff { op } => self.steps[op as usize].handed_off = true,
            Entry::Untold => self.untold = true,
            Entry::Ended(end) => self.end = Some(end),
        }
        self
    }

    fn settle(&mut self, op: Op, outcome: Outcome) {
        let step = self.steps[op as usize];
        self.steps[op as usize] = Step { outcome: Some(outcome), pending: false, handed_off: false, ..step };
        match op {
            Op::Approve => self.approved_until = outcome.until(),
            Op::Fulfill => self.approved_until = Time::ZERO,
            _ => {}
        }
    }

    /// Where an operation stands.
    pub(crate) fn step(&self, op: Op) -> Step {
        self.steps[op as usize]
    }

    /// Until when the goods are held.
    pub(crate) fn held_until(&self) -> Time {
        self.step(Op::Reserve).until().max(self.step(Op::Renew).until())
    }

    /// The provider's reference of what was done.
    pub(crate) fn reference(&self, op: Op) -> u64 {
        match self.step(op).outcome {
            Some(Outcome::Done { reference, .. }) => reference,
            _ => 0,
        }
    }

    /// Whether an operation has taken effect.
    pub(crate) fn is_done(&self, op: Op) -> bool {
        matches!(self.step(op).outcome, Some(Outcome::Done { .. }))
    }

    /// The operation that waits for a person.
    pub(crate) fn handed_off(&self) -> Option<Op> {
        Op::ALL.into_iter().find(|&op| self.step(op).handed_off)
    }

    /// Why the order cannot be served, if it cannot.
    pub(crate) fn refused(&self) -> Option<Cause> {
        let causes = [
            (Op::Reserve, Cause::NoStock),
            (Op::Charge, Cause::Declined),
            (Op::Approve, Cause::NotApproved),
            (Op::Fulfill, Cause::CannotShip),
        ];
        causes.into_iter().find(|(op, _)| self.step(*op).outcome == Some(Outcome::Refused)).map(|(_, cause)| cause)
    }

    /// Whether the customer has been told as well as can be.
    pub(crate) fn is_told(&self) -> bool {
        self.untold || self.step(Op::Notify).outcome.is_some()
    }

    /// What this means in the words of the promises about records.
    pub(crate) fn project(&self) -> Projection {
        let mut says = Projection {
            approval_used: self.step(Op::Fulfill).tries > 0,
            notification_unknown: self.untold,
            handoff: self.handed_off().map(|op| (op, self.step(op).key)),
            end: self.end,
            ..Projection::default()
        };
        for op in Op::ALL {
            let step = self.step(op);
            *says.op_mut(op) = Projected {
                status: step.status(),
                generation: step.generation as u16 + u16::from(step.tries > 0),
                claims: step.tries,
                key: step.key,
                reference: self.reference(op),
            };
        }
        says
    }
}

impl Outcome {
    fn until(&self) -> Time {
        if let Outcome::Done { until, .. } = *self { until } else { Time::ZERO }
    }
}

impl Step {
    /// The generation at hand: a fresh one after one that is settled.
    pub(crate) fn at_hand(self) -> Step {
        match self.outcome {
            Some(_) => Step { generation: self.generation + 1, ..Step::default() },
            None => self,
        }
    }

    /// Whether the latest generation may have had effect, or was refused: nothing is to be done for a new one.
    pub(crate) fn is_on_its_way(&self) -> bool {
        self.outcome.map_or(self.sends > 0, |outcome| outcome != Outcome::Absent)
    }

    fn until(&self) -> Time {
        self.outcome.map_or(Time::ZERO, |outcome| outcome.until())
    }

    fn status(&self) -> Status {
        match self.outcome {
            Some(Outcome::Done { .. }) => Status::Completed,
            Some(Outcome::Refused | Outcome::Absent) => Status::Rejected,
            None if self.pending => Status::Pending,
            None if self.sends > 0 => Status::Dispatched,
            None => Status::Planned,
        }
    }
}
