//! `status`: what a node may believe about an operation, from the evidence it has. One function.
//!
//! Evidence is what was delivered to the acting incarnation, or was durable before it. Each piece
//! is a bit mask over nodes, with one more bit for "durable"; a crash clears the node's bit.

use unacked_sim::time::{Span, Time};
use unacked_sim::world::NodeId;

/// What a node may believe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Knowledge {
    /// No attempt has left that is not known to have done nothing.
    NotSent,
    /// Established as ended without effect.
    Rejected,
    /// Established as done.
    Committed,
    /// The contract names a state that is not final.
    Pending,
    /// Unknown.
    Open,
}

impl Knowledge {
    /// Whether nothing may be built on either outcome.
    pub fn is_unsettled(self) -> bool {
        matches!(self, Knowledge::Open | Knowledge::Pending)
    }

    /// The word used in output.
    pub fn name(self) -> &'static str {
        match self {
            Knowledge::NotSent => "not sent",
            Knowledge::Rejected => "rejected",
            Knowledge::Committed => "committed",
            Knowledge::Pending => "pending",
            Knowledge::Open => "unknown",
        }
    }
}

/// The bit that stands for "durable".
const DURABLE: u32 = 1 << 31;

/// Evidence about one operation of one intent, for its current generation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    committed: u32,
    rejected: u32,
    pending: u32,
    /// Attempts claimed or sent.
    pub attempts: u16,
    /// Attempts known to have done nothing (refused before any byte, throttled).
    pub void: u16,
    /// Latest durable claim (or send, where there is none).
    pub last_claim: Time,
    /// First durable claim (or send).
    pub first_claim: Option<Time>,
    /// First send.
    pub first_send: Option<Time>,
}

/// What a contract documents about the end of uncertainty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Horizon {
    /// A negative lookup is final this long after the last possible arrival; `None` = never.
    pub absent_after: Option<Span>,
    /// It says nothing any more once the key may be this old: what it reads forgets; `None` = it does not.
    pub forgets_after: Option<Span>,
    /// The longest travel, plus skew.
    pub travel: Span,
    /// Longest pause between a claim and its send, plus the longest travel, plus skew.
    pub arrival: Span,
}

/// What an answer establishes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// The effect exists.
    Committed,
    /// It does not, and cannot come any more.
    Rejected,
    /// A non-final state that the contract names.
    Pending,
}

/// The status of an operation for a node.
pub fn status(evidence: &Evidence, node: NodeId) -> Knowledge {
    let mine = DURABLE | 1 << node.0;
    if evidence.committed & mine != 0 {
        Knowledge::Committed
    } else if evidence.rejected & mine != 0 {
        Knowledge::Rejected
    } else if evidence.attempts == evidence.void {
        Knowledge::NotSent
    } else if evidence.pending & mine != 0 {
        Knowledge::Pending
    } else {
        Knowledge::Open
    }
}

impl Evidence {
    /// An answer reached a node.
    pub fn learn(&mut self, node: NodeId, proof: Proof) {
        *self.mask(proof) |= 1 << node.0;
    }

    /// A node recorded what it knew, or a desk wrote it.
    pub fn record(&mut self, proof: Proof) {
        *self.mask(proof) |= DURABLE;
    }

    /// A node forgot what it had not recorded.
    pub fn forget(&mut self, node: NodeId) {
        let others = !(1 << node.0);
        self.committed &= others;
        self.rejected &= others;
        self.pending &= others;
    }

    fn mask(&mut self, proof: Proof) -> &mut u32 {
        match proof {
            Proof::Committed => &mut self.committed,
            Proof::Rejected => &mut self.rejected,
            Proof::Pending => &mut self.pending,
        }
    }

    /// Whether a "not found" answered to a lookup sent at `asked` is final.
    pub fn absence_is_final(&self, asked: Time, horizon: &Horizon) -> bool {
        let Some(bound) = horizon.absent_after else { return false };
        let remembered = horizon
            .forgets_after
            .is_none_or(|window| self.first_send.is_none_or(|first| asked + horizon.travel < first + window));
        remembered && asked > self.last_claim + horizon.arrival + bound
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ME: NodeId = NodeId(0);
    const OTHER: NodeId = NodeId(1);

    fn sent(attempts: u16, void: u16) -> Evidence {
        Evidence { attempts, void, ..Evidence::default() }
    }

    #[test]
    fn nothing_sent_or_all_refused_is_not_sent() {
        assert_eq!(status(&sent(0, 0), ME), Knowledge::NotSent);
        assert_eq!(status(&sent(2, 2), ME), Knowledge::NotSent);
        assert_eq!(status(&sent(2, 1), ME), Knowledge::Open);
    }

    #[test]
    fn an_answer_is_known_to_its_receiver_until_it_crashes_and_to_all_once_durable() {
        let mut e = sent(1, 0);
        e.learn(ME, Proof::Committed);
        assert_eq!((status(&e, ME), status(&e, OTHER)), (Knowledge::Committed, Knowledge::Open));
        let mut crashed = e;
        crashed.forget(ME);
        assert_eq!(status(&crashed, ME), Knowledge::Open);
        e.record(Proof::Committed);
        e.forget(ME);
        assert_eq!((status(&e, ME), status(&e, OTHER)), (Knowledge::Committed, Knowledge::Committed));
    }

    #[test]
    fn pending_is_not_settled_and_a_later_success_wins() {
        let mut e = sent(1, 0);
        e.learn(ME, Proof::Pending);
        assert!(status(&e, ME).is_unsettled());
        e.learn(ME, Proof::Committed);
        assert_eq!(status(&e, ME), Knowledge::Committed);
    }

    #[test]
    fn an_empty_lookup_is_final_only_past_documented_bounds() {
        let e = Evidence { last_claim: Time(100), ..sent(1, 0) };
        let horizon = |absent_after| Horizon { absent_after, forgets_after: None, arrival: Span(10), travel: Span(3) };
        assert!(!e.absence_is_final(Time(1_000_000), &horizon(None)));
        assert!(!e.absence_is_final(Time(115), &horizon(Some(Span(5)))));
        assert!(e.absence_is_final(Time(116), &horizon(Some(Span(5)))));
    }

    #[test]
    fn an_empty_lookup_in_a_store_of_keys_says_nothing_once_the_key_may_be_forgotten() {
        let e = Evidence { last_claim: Time(100), first_send: Some(Time(90)), ..sent(1, 0) };
        let forgets = |after| Horizon {
            absent_after: Some(Span(5)),
            forgets_after: Some(Span(after)),
            arrival: Span(10),
            travel: Span(3),
        };
        assert!(e.absence_is_final(Time(120), &forgets(34)));
        assert!(!e.absence_is_final(Time(120), &forgets(33)), "the key is 33 old when the lookup may arrive");
    }
}
