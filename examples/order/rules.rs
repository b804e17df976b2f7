//! What is decided by: where a key comes from, what an answer proves, when to go on and when to stop.
//!
//! Each rule is a function without side effects, and [`Right`] obeys all of them as they stand here. The
//! tests try what happens if one of them is broken: a mistake is a type that overrides one rule.

use super::state::{Entry, Outcome, State, Step};
use unacked::prelude::*;

/// What is known about the tools and the time they take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terms {
    /// What the contract of the operation at hand documents.
    pub(crate) tool: Belief,
    /// The scenario's horizons.
    pub(crate) limits: Limits,
    /// Its deadlines: when a person is called, with and without a covered repetition left.
    pub(crate) deadlines: [Span; 2],
    /// How often it may be tried.
    pub(crate) attempts: u16,
}

impl Terms {
    /// What is known about the tool behind an operation.
    pub(crate) fn of<R: Records>(cx: Cx<'_, Shop<R>>, op: Op) -> Terms {
        cx.world(|shop| Terms {
            tool: *shop.documented(op),
            limits: *shop.limits(),
            deadlines: [shop.deadline(op, true), shop.deadline(op, false)],
            attempts: shop.attempts(op),
        })
    }

    /// The longest time from a decision to a request's arrival: the node may stand still before its claim is
    /// durable and again after it, the store may make it try again, and clocks differ.
    pub(crate) fn travel(&self) -> Span {
        Span(2 * self.limits.p_max + self.limits.d_max + self.limits.skew) + Span::mins(2)
    }
}

/// What to do next about an operation that is not settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// Send it, for the first time or again.
    Send,
    /// Ask what has become of it.
    Look,
    /// Call a person.
    HandOff,
}

/// What has been heard about an operation since this worker began to look after it. Memory: all of it may be
/// forgotten.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Heard {
    /// Whether anything has been tried yet.
    pub(crate) tried: bool,
    /// The latest thing done about it was a send.
    pub(crate) just_sent: bool,
    /// Under which key it is in the operator queue.
    pub(crate) queued: Option<u64>,
    /// It was refused, and only a person can go on from there.
    pub(crate) refused: bool,
    /// A repetition would only be answered with the same failure.
    pub(crate) failed: bool,
}

/// The rules of the house.
pub(crate) trait Rules {
    /// The key of an operation: from what is durable (the order, the operation, its generation), so that it is
    /// the same after a crash and at the tenth try, and another one for every other operation.
    fn key(&self, order: u32, op: Op, step: &Step) -> u64 {
        1_000_000 * (u64::from(order) + 1) + 100 * step.generation + op as u64 + 1
    }

    /// The request as it leaves.
    fn request(&self, request: Request, _step: &Step) -> Request {
        request
    }

    /// The key under which it leaves: the one that was written down.
    fn on_the_wire(&self, _op: Op, key: u64) -> u64 {
        key
    }

    /// The cause that is written down and told.
    fn cause(&self, cause: Cause) -> Cause {
        cause
    }

    /// Whether nothing new is begun for this order: a person looks into it.
    fn rests(&self, state: &State) -> bool {
        state.handed_off().is_some()
    }

    /// Whether an entry says so before the request leaves.
    fn writes_ahead(&self, _op: Op) -> bool {
        true
    }

    /// Whether this step is taken at all, on the way to delivery.
    fn takes(&self, _op: Op) -> bool {
        true
    }

    /// Whether the customer hears of it before the carrier has been asked.
    fn tells_early(&self) -> bool {
        false
    }

    /// What to do next about an operation.
    fn next(&self, op: Op, step: &Step, heard: &Heard, now: Time, terms: &Terms) -> Next {
        usual(self, op, step, heard, now, terms)
    }

    /// Whether a repetition under the same key has no second effect, when it arrives (and for how long that is
    /// documented).
    fn covers(&self, step: &Step, now: Time, terms: &Terms) -> bool {
        let Dedup::Keyed(window) = terms.tool.dedup else { return false };
        let in_time = window == u64::MAX || now + terms.travel() < step.first + Span(window);
        in_time && step.tries < terms.attempts
    }

    /// Whether it can be asked for by our own key.
    fn looks(&self, terms: &Terms) -> bool {
        terms.tool.lookup == Lookup::ByReference
    }

    /// How long after the first send a person is called. An extension of a hold is nobody's business: the hold
    /// runs out, and is taken again.
    fn deadline(&self, op: Op, covered: bool, terms: &Terms) -> Span {
        if op == Op::Renew { Span::NEVER } else { terms.deadlines[usize::from(!covered)] }
    }

    /// What an answer to a request proves.
    fn answered(&self, _op: Op, step: &Step, reply: &Reply, terms: &Terms) -> Option<Outcome> {
        let only = step.sends == 1 && !terms.tool.declines_duplicates;
        match reply.says {
            Says::Done => Some(done(reply)),
            Says::Declined if terms.tool.decline_binds || only => Some(Outcome::Refused),
            Says::Duplicate if terms.tool.duplicate == Duplicate::Final && reply.reference != 0 => Some(done(reply)),
            _ => None,
        }
    }

    /// What a lookup that was sent at `asked` proves.
    fn looked_up(&self, _op: Op, step: &Step, reply: &Reply, asked: Time, terms: &Terms) -> Option<Outcome> {
        match reply.says {
            Says::Done => Some(done(reply)),
            Says::Declined => Some(Outcome::Refused),
            // "Nothing there" is proof only once nothing can arrive or appear any more.
            Says::NotFound if self.is_gone(step, asked, terms) => Some(Outcome::Absent),
            _ => None,
        }
    }

    /// Whether nothing that was sent can still arrive, commit or appear in the index.
    fn is_gone(&self, step: &Step, asked: Time, terms: &Terms) -> bool {
        terms.tool.absent_after.is_some_and(|after| asked > step.last + terms.travel() + Span(after))
    }

    /// What no answer at all proves.
    fn unanswered(&self, _op: Op) -> Option<Entry> {
        None
    }

    /// Whether the goods may be requested now: a yes to exactly this and a hold, both of which outlive the
    /// request's way.
    fn may_ship(&self, state: &State, now: Time, terms: &Terms) -> bool {
        let margin = terms.travel();
        self.holds(state, now + margin) && (!self.takes(Op::Approve) || state.approved_until > now + margin)
    }

    /// Whether the goods are held until then.
    fn holds(&self, state: &State, until: Time) -> bool {
        !self.takes(Op::Reserve) || state.held_until() > until
    }

    /// Whether the hold is to be renewed: when less is left than is needed, but not before half of it has passed.
    fn renews(&self, state: &State, now: Time, terms: &Terms) -> bool {
        let extended = if state.is_done(Op::Renew) { Op::Renew } else { Op::Reserve };
        let since = state.step(extended).last;
        let half = Span(state.held_until().since(since).0 / 2);
        now >= since + half && !self.holds(state, now + Span(terms.limits.renew_before).max(terms.travel()))
    }

    /// What is to be undone next when the order is refused. A charge that nobody knows of is settled first, and a
    /// release that is refused finds no hold.
    fn undoes(&self, state: &State, now: Time) -> Option<Op> {
        let charge = state.step(Op::Charge);
        if charge.sends > 0 && charge.outcome.is_none() {
            return Some(Op::Charge);
        }
        if state.is_done(Op::Charge) && !state.is_done(Op::Refund) {
            return Some(Op::Refund);
        }
        let held = state.reference(Op::Reserve) != 0 && self.holds(state, now);
        (held && state.step(Op::Release).outcome.is_none()).then_some(Op::Release)
    }

    /// How long to wait between two looks at an operation.
    fn pause(&self, op: Op, rounds: u32) -> Span {
        match op {
            Op::Approve if rounds > 12 => Span::hours(2),
            Op::Approve if rounds > 6 => Span::hours(1),
            _ if rounds > 12 => Span::hours(3),
            _ => Span::secs(5 << rounds.min(9)),
        }
    }
}

/// Repeat where that is covered, look where that is possible, in turns; call a person when nothing is left, or
/// too much time has passed.
pub(crate) fn usual<R: Rules + ?Sized>(
    rules: &R,
    op: Op,
    step: &Step,
    heard: &Heard,
    now: Time,
    terms: &Terms,
) -> Next {
    if step.sends == 0 && step.tries < terms.attempts {
        return Next::Send;
    }
    let covered = !heard.failed && rules.covers(step, now, terms);
    let looks = rules.looks(terms);
    let overdue = !step.pending && now.since(step.first) >= rules.deadline(op, covered, terms);
    if heard.refused || overdue && (heard.tried || !covered && !looks) {
        return Next::HandOff;
    }
    match (looks && (heard.just_sent || step.pending), covered) {
        (true, _) => Next::Look,
        (false, true) => Next::Send,
        (false, false) if looks => Next::Look,
        (false, false) => Next::HandOff,
    }
}

/// The effect exists.
pub(crate) fn done(reply: &Reply) -> Outcome {
    Outcome::Done { reference: reply.reference, until: Time(reply.value) }
}

/// All rules as they stand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Right;

impl Rules for Right {}
