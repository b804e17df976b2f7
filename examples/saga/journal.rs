//! The saga's durable state: a page per order, appended to and never changed, and what a page means.

use unacked::prelude::*;

/// All pages.
#[derive(Clone, Debug, Default)]
pub(crate) struct Journal {
    pages: Vec<Page>,
}

/// What has happened to one order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Page {
    entries: Vec<Entry>,
}

/// One line of a page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Entry {
    /// A request is about to leave, under this key and about this earlier effect (a refund's charge).
    Sending { op: Op, key: u64, about: u64, at: Time },
    /// The effect exists and is not final: a person thinks it over, money is on its way.
    Pending { op: Op },
    /// The latest request did nothing: it never left, or was turned away unread.
    Unsent { op: Op },
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

/// Where one operation stands, by its page: its latest generation.
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
    /// When the first may have left, and the latest, on this worker's clock.
    pub(crate) first: Time,
    pub(crate) last: Time,
    /// It exists and is not final.
    pub(crate) pending: bool,
    /// It waits for a person.
    pub(crate) handed_off: bool,
    /// How it ended, if it did.
    pub(crate) outcome: Option<Outcome>,
}

impl Journal {
    /// A copy of an order's page.
    pub(crate) fn page(&self, order: u32) -> Page {
        self.pages.get(order as usize).cloned().unwrap_or_default()
    }

    /// Appends to a page that had this many entries when it was read. Returns whether the entry is there,
    /// now or since an earlier try.
    pub(crate) fn append(&mut self, order: u32, seen: usize, entry: Entry) -> bool {
        let Some(page) = self.pages.get_mut(order as usize) else { return false };
        if page.entries.len() == seen {
            page.entries.push(entry);
        }
        page.entries.get(seen) == Some(&entry)
    }
}

impl Page {
    /// How many entries it has.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Where an operation stands.
    pub(crate) fn step(&self, op: Op) -> Step {
        self.entries.iter().fold(Step::default(), |step, entry| step.after(op, entry))
    }

    /// Until when the goods are held.
    pub(crate) fn held_until(&self) -> Time {
        self.step(Op::Reserve).until().max(self.step(Op::Renew).until())
    }

    /// Until when a person's yes may be used. It is for one shipment: if that came to nothing, it is void.
    pub(crate) fn approved_until(&self) -> Time {
        self.entries.iter().fold(Time::ZERO, |until, entry| match *entry {
            Entry::Settled { op: Op::Approve, outcome } => outcome.until(),
            Entry::Settled { op: Op::Fulfill, .. } => Time::ZERO,
            _ => until,
        })
    }

    /// The provider's reference of what was done.
    pub(crate) fn reference(&self, op: Op) -> u64 {
        match self.step(op).outcome {
            Some(Outcome::Done { reference, .. }) => reference,
            _ => 0,
        }
    }

    /// The operation that waits for a person.
    pub(crate) fn handed_off(&self) -> Option<Op> {
        Op::ALL.into_iter().find(|&op| self.step(op).handed_off)
    }

    /// How the order ended.
    pub(crate) fn end(&self) -> Option<End> {
        self.entries.iter().find_map(|entry| if let Entry::Ended(end) = entry { Some(*end) } else { None })
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

    /// Whether nobody knows if the customer was told.
    pub(crate) fn is_untold(&self) -> bool {
        self.entries.contains(&Entry::Untold)
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

    fn after(self, op: Op, entry: &Entry) -> Step {
        match *entry {
            Entry::Sending { op: of, key, about, at } if of == op => self.at_hand().sending(key, about, at),
            Entry::Pending { op: of } if of == op => Step { pending: true, ..self },
            Entry::Unsent { op: of } if of == op => Step { sends: self.sends - 1, ..self },
            Entry::Settled { op: of, outcome } if of == op => {
                Step { outcome: Some(outcome), pending: false, handed_off: false, ..self }
            }
            Entry::HandedOff { op: of } if of == op => Step { handed_off: true, ..self },
            _ => self,
        }
    }

    fn sending(self, key: u64, about: u64, at: Time) -> Step {
        let first = if self.sends > 0 { self.first } else { at };
        Step { tries: self.tries + 1, sends: self.sends + 1, key, about, first, last: at, ..self }
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

impl Records for Journal {
    fn reset(&mut self, intents: &[Intent], _workers: u8) {
        self.pages.resize_with(intents.len(), Page::default);
        self.pages.iter_mut().for_each(|page| page.entries.clear());
    }

    fn project(&self, order: u32) -> Projection {
        let Some(page) = self.pages.get(order as usize) else { return Projection::default() };
        let handoff = page.handed_off().map(|op| (op, page.step(op).key));
        let mut says = Projection {
            approval_used: page.step(Op::Fulfill).tries > 0,
            notification_unknown: page.is_untold(),
            handoff,
            end: page.end(),
            ..Projection::default()
        };
        for op in Op::ALL {
            let step = page.step(op);
            *says.op_mut(op) = Projected {
                status: step.status(),
                generation: step.generation as u16 + u16::from(step.tries > 0),
                claims: step.tries,
                key: step.key,
                reference: page.reference(op),
            };
        }
        says
    }
}
