//! The event store: one stream per order, appended to under a fence and at a position.

use crate::order::state::{Entry, State};
use unacked::prelude::*;

/// All streams.
#[derive(Clone, Debug, Default)]
pub(crate) struct Streams {
    streams: Vec<Vec<Recorded>>,
}

/// One event, as it was recorded.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Recorded {
    event: Event,
    /// By whom, under which claim.
    claim: Claim,
    /// When it was decided on, on the worker's clock: tells it from all others of its claim.
    sent: Time,
    /// When it was recorded, on the store's clock.
    at: Time,
}

/// What can happen in a stream.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Event {
    /// A worker takes the order.
    Claimed,
    /// It lets it go: nothing is to be done before this time.
    Parked(Time),
    /// Something happened to the order itself.
    Entry(Entry),
}

/// Where a stream stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen {
    /// The order.
    pub(crate) state: State,
    /// How many events there are.
    pub(crate) position: usize,
    /// The newest claim.
    pub(crate) claim: Option<Claim>,
    /// The latest event: while its writer has the lease, it counts from here.
    pub(crate) latest: Time,
    /// Let go until then.
    pub(crate) parked: Option<Time>,
}

/// What is to be appended, and on which conditions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Append {
    pub(crate) order: u32,
    /// The position up to which the worker has read.
    pub(crate) position: usize,
    pub(crate) claim: Claim,
    pub(crate) event: Event,
    /// When it was decided on: a write that is made again keeps it.
    pub(crate) sent: Time,
    /// Whether the store refuses what comes under an old claim.
    pub(crate) fenced: bool,
}

impl Streams {
    /// Where an order stands.
    pub(crate) fn seen(&self, order: u32) -> Seen {
        let start =
            Seen { state: State::default(), position: 0, claim: None, latest: Time::ZERO, parked: Some(Time::ZERO) };
        self.streams.get(order as usize).into_iter().flatten().fold(start, Seen::after)
    }

    /// Appends an event. Returns whether it is there, now or since an earlier try.
    pub(crate) fn append(&mut self, append: Append, now: Time) -> bool {
        let newest = self.seen(append.order).claim;
        let Some(stream) = self.streams.get_mut(append.order as usize) else { return false };
        let is_next = match append.event {
            Event::Claimed => newest.is_none_or(|newest| newest.fence < append.claim.fence),
            _ => newest == Some(append.claim),
        };
        let is_next = is_next && stream.len() == append.position;
        let recorded = append.recorded(now);
        let there = |r: &Recorded| (r.claim, r.sent) == (recorded.claim, recorded.sent);
        if is_next || !append.fenced && !stream.iter().any(there) {
            stream.push(recorded);
            return true;
        }
        !append.fenced || stream.get(append.position).is_some_and(there)
    }
}

impl Append {
    /// What is about to leave is dated by the store.
    fn recorded(&self, now: Time) -> Recorded {
        let event = match self.event {
            Event::Entry(Entry::Sending { op, key, about, .. }) => {
                Event::Entry(Entry::Sending { op, key, about, at: now })
            }
            event => event,
        };
        Recorded { event, claim: self.claim, sent: self.sent, at: now }
    }
}

impl Seen {
    fn after(mut self, recorded: &Recorded) -> Seen {
        self.position += 1;
        self.latest = recorded.at;
        self.parked = None;
        match &recorded.event {
            Event::Claimed => self.claim = Some(recorded.claim),
            Event::Parked(until) => self.parked = Some(*until),
            Event::Entry(entry) => self.state = self.state.after(entry),
        }
        self
    }

    /// The number of the next claim.
    pub(crate) fn next_fence(&self) -> u32 {
        self.claim.map_or(1, |claim| claim.fence + 1)
    }

    /// When a worker may take the order: at once if it is its own, else when it was let go or its lease is over.
    pub(crate) fn free_at(&self, node: NodeId, lease: Span) -> Time {
        match (self.parked, self.claim) {
            (Some(until), _) => until,
            (None, Some(claim)) if claim.node != node => self.latest + lease,
            _ => Time::ZERO,
        }
    }
}

impl Records for Streams {
    fn reset(&mut self, intents: &[Intent], _workers: u8) {
        self.streams.resize_with(intents.len(), Vec::new);
        self.streams.iter_mut().for_each(Vec::clear);
    }

    fn project(&self, order: u32) -> Projection {
        let seen = self.seen(order);
        Projection { owner: seen.claim, ..seen.state.project() }
    }
}
