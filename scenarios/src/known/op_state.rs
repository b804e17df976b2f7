//! What is known about one operation of one order: its evidence, its sends and its record.

use crate::status::{Evidence, Knowledge, status};
use unacked_sim::time::Time;
use unacked_sim::world::NodeId;
use unacked_workflow::order::Status as Recorded;

/// Most nodes a scenario may have: claims are counted per node.
pub const MAX_NODES: usize = 8;

/// One operation of one order.
#[derive(Clone, Copy, Debug, Default)]
pub struct OpState {
    /// Evidence of the current generation.
    pub evidence: Evidence,
    /// Key on the wire; 0 = nothing sent yet.
    pub key: u64,
    /// Payload under that key.
    pub payload: u64,
    /// Attempts sent under that key.
    pub sends: u16,
    /// Generation as recorded.
    pub generation: u16,
    /// Status as recorded.
    pub written: Recorded,
    /// Key as recorded with the latest claim, and with the one before it.
    pub claimed: [u64; 2],
    /// Durable claims of this generation.
    pub claims: u16,
    /// Claims per node that have not been followed by their send.
    pub unsent: [u8; MAX_NODES],
    /// When the latest lookup left.
    pub asked: Time,
    /// A stored failure came back: a replay under the key would only repeat it.
    pub stored_failure: bool,
    /// Event of the latest send.
    pub sent_event: u32,
    /// Who sends it: its latest claim is of this node, or its latest send where claims are not seen.
    pub sender: Option<NodeId>,
    /// Another node has looked for it since, and was told that there is nothing.
    pub missed: bool,
    /// It came about after that, with nothing claimed in between.
    pub surfaced: bool,
}

impl OpState {
    /// What a node may believe about it.
    pub fn status(&self, node: NodeId) -> Knowledge {
        status(&self.evidence, node)
    }

    /// Whether this key belongs to the generation before the current one.
    pub fn is_leftover(&self, key: u64) -> bool {
        let [latest, before] = self.claimed;
        latest != key && before == key
    }

    /// Whether a request under this key is the first of its generation.
    pub fn is_first(&self, key: u64) -> bool {
        self.sends == 0 || self.key != key
    }

    /// A new generation begins: what is known concerns the old one.
    pub fn renew(&mut self) {
        self.evidence = Evidence::default();
        self.claims = 0;
        if self.claimed[0] != 0 {
            self.claimed = [0, self.claimed[0]];
        }
        self.sends = 0;
        self.key = 0;
        self.stored_failure = false;
    }

    /// Whether this node has claimed an attempt that it has not sent yet.
    pub fn has_claim(&self, node: NodeId) -> bool {
        self.unsent.get(usize::from(node.0)).is_some_and(|&n| n > 0)
    }

    /// Whether what is written under this key was sent before anything was: it is no claim.
    pub fn is_late(&self, key: u64) -> bool {
        self.claims == 0 && self.sends > 0 && self.key == key
    }

    /// Written down only after it was sent.
    pub fn note_late(&mut self, key: u64) {
        self.claimed[0] = key;
        self.evidence.first_claim = self.evidence.first_claim.or(self.evidence.first_send);
    }

    /// An attempt is this node's.
    pub fn sent_by(&mut self, node: NodeId) {
        (self.sender, self.missed) = (Some(node), false);
    }

    /// A lookup of this node found nothing.
    pub fn miss(&mut self, node: NodeId) {
        self.missed |= self.sender.is_some_and(|sender| sender != node);
    }

    /// A claimed attempt has left.
    pub fn use_claim(&mut self, node: NodeId) {
        if let Some(unsent) = self.unsent.get_mut(usize::from(node.0)) {
            *unsent = unsent.saturating_sub(1);
        }
    }

    /// A durable claim under this key: its send may leave from now on.
    pub fn claim(&mut self, node: NodeId, key: u64, now: Time) {
        self.claimed = [key, if self.claimed[0] == 0 { self.claimed[1] } else { self.claimed[0] }];
        self.claims += 1;
        self.evidence.attempts = self.evidence.attempts.max(self.claims);
        self.evidence.last_claim = now;
        self.evidence.first_claim.get_or_insert(now);
        if let Some(unsent) = self.unsent.get_mut(usize::from(node.0)) {
            *unsent = 1;
        }
    }

    /// An attempt leaves. Where claims are not seen, the send stands for its claim.
    pub fn send(&mut self, key: u64, payload: u64, now: Time, event: u32, claims_seen: bool) {
        if self.key == 0 {
            self.key = key;
            self.payload = payload;
        }
        self.sends += 1;
        self.sent_event = event;
        self.evidence.first_send.get_or_insert(now);
        self.evidence.attempts = self.evidence.attempts.max(self.sends);
        if !claims_seen {
            self.evidence.last_claim = now;
            self.evidence.first_claim.get_or_insert(now);
        }
    }

    /// Another key goes on the wire.
    pub fn rotate(&mut self, key: u64) {
        if self.claimed[0] != key {
            self.renew();
        }
        self.key = 0;
        self.sends = 0;
    }
}
