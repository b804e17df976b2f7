//! Effects: what exists at a provider, with enough history to answer a lookup as of a while ago.

use crate::fact::{Fact, What};
use crate::message::{Op, Reply, Request, Says, Taint};
use unacked_sim::time::Time;

/// The state of an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It exists and is not final.
    Pending,
    /// It is final: captured, refunded, accepted, mailed, approved.
    Done,
    /// It was refused for good: declined, rejected, not approved.
    Rejected,
    /// It was cancelled before acceptance.
    Cancelled,
    /// Units are held.
    Held,
    /// Held units went back.
    Released,
    /// Held units went back because nobody came.
    Expired,
    /// Held units were shipped.
    Consumed,
}

/// Something that exists at a provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effect {
    /// Number within its operation, from 1.
    pub reference: u64,
    /// The operation that made it.
    pub op: Op,
    /// Whose intent it belongs to.
    pub taint: Taint,
    /// Key or reference that the client sent; 0 = none.
    pub key: u64,
    /// The charge that a refund belongs to; 0 = none.
    pub of: u64,
    /// Money in minor units.
    pub amount: i64,
    /// Its currency.
    pub currency: [u8; 3],
    /// Stock-keeping unit.
    pub sku: u32,
    /// Units.
    pub units: i64,
    /// Hash of the rest of the payload.
    pub content: u64,
    /// Expiry of a hold, end of an approval (microseconds).
    pub value: u64,
    /// When it came into being.
    pub at: Time,
    /// Its state then.
    pub first: State,
    /// When it last changed.
    pub changed_at: Time,
    /// Its state now.
    pub state: State,
}

impl Effect {
    /// What a request makes.
    #[inline]
    pub fn of_request(request: &Request, reference: u64, at: Time, state: State) -> Effect {
        Effect {
            reference,
            op: request.op,
            taint: request.taint,
            key: request.key,
            of: 0,
            amount: request.amount,
            currency: request.currency,
            sku: request.sku,
            units: i64::from(request.quantity),
            content: request.content,
            value: 0,
            at,
            first: state,
            changed_at: at,
            state,
        }
    }

    /// Its state at an earlier time, or `None` if it did not exist. Only the last change is
    /// remembered: before it, the effect counts as new.
    pub fn state_at(&self, time: Time) -> Option<State> {
        match time {
            t if t >= self.changed_at => Some(self.state),
            t if t >= self.at => Some(self.first),
            _ => None,
        }
    }

    /// What an answer about it says, as of a time; `op` is what was asked (a release asks about a hold).
    pub fn reply_at(&self, op: Op, time: Time) -> Reply {
        let Some(state) = self.state_at(time) else { return Reply::bare(Says::NotFound) };
        match says(op, state) {
            Says::NotFound => Reply::bare(Says::NotFound),
            Says::Pending => Reply { value: 0, ..self.reply(Says::Pending) },
            says => self.reply(says),
        }
    }

    /// An answer that names it.
    pub fn reply(&self, says: Says) -> Reply {
        let value = if self.op == Op::Fulfill { self.units.unsigned_abs() } else { self.value };
        Reply { says, reference: self.reference, amount: self.amount, currency: self.currency, value }
    }

    /// The fact that something happened to it.
    #[inline]
    pub fn fact(&self, what: What) -> Fact {
        Fact {
            what,
            taint: self.taint,
            reference: self.reference,
            amount: if is_money(self.op) { self.amount } else { self.units },
            currency: self.currency,
            value: self.fact_value(what),
        }
    }

    #[inline]
    fn fact_value(&self, what: What) -> u64 {
        match what {
            What::Held | What::Renewed | What::Released | What::HoldExpired | What::Approved => self.value,
            What::Mailed | What::ApprovalAsked | What::NotApproved => self.content,
            _ => self.key,
        }
    }
}

fn is_money(op: Op) -> bool {
    matches!(op, Op::Charge | Op::Refund)
}

fn says(op: Op, state: State) -> Says {
    match (op, state) {
        (Op::Release, State::Released) | (Op::CancelFulfillment, State::Cancelled) => Says::Done,
        (Op::Release, State::Held) | (Op::CancelFulfillment, State::Pending) => Says::NotFound,
        (Op::Release | Op::CancelFulfillment, _) => Says::Declined,
        (_, State::Pending) => Says::Pending,
        (_, State::Rejected | State::Cancelled) => Says::Declined,
        _ => Says::Done,
    }
}

/// The operation whose effects an operation makes or changes: a release changes a hold.
pub(crate) const fn effect_op(op: Op) -> Op {
    match op {
        Op::Renew | Op::Release => Op::Reserve,
        Op::CancelFulfillment => Op::Fulfill,
        _ => op,
    }
}

/// Whether an operation makes an effect of its own.
pub(crate) const fn makes(op: Op) -> bool {
    !matches!(op, Op::ReadStock | Op::Renew | Op::Release | Op::CancelFulfillment)
}

/// A reference as output shows it: `ch_1`, `re_1`, `sh_1`, `hold_1`; `none` for 0.
pub fn reference_name(op: Op, reference: u64) -> String {
    if reference == 0 {
        return "none".into();
    }
    format!("{}_{reference}", prefix(op))
}

const fn prefix(op: Op) -> &'static str {
    match effect_op(op) {
        Op::Charge => "ch",
        Op::Refund => "re",
        Op::Fulfill => "sh",
        Op::Reserve => "hold",
        Op::Notify => "mail",
        Op::Approve => "appr",
        _ => "read",
    }
}
