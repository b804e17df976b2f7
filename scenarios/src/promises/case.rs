//! What the oracles know about one order: the truth, the evidence, and the records as written.

use crate::intent::Registered;
use crate::status::{Evidence, Status, status};
use unacked_mock_providers::message::Op;
use unacked_sim::time::Time;
use unacked_sim::world::NodeId;
use unacked_workflow::order::{End, Status as Written};
use unacked_workflow::tool::Tool;

/// Most nodes a scenario may have: claims are counted per node.
pub const MAX_NODES: usize = 8;

/// One order.
#[derive(Clone, Copy, Debug, Default)]
pub struct Case {
    /// What was authorised and decided.
    pub registered: Registered,
    /// What is true.
    pub truth: Truth,
    /// Per operation: evidence and records.
    pub ops: [OpCase; Op::COUNT],
    /// Owner by the newest claim.
    pub owner: Option<NodeId>,
    /// An open entry in the operator queue: about what, since when.
    pub handoff: Option<(Op, Time)>,
    /// Whether it was ever handed off.
    pub handed_off: bool,
    /// The record shows that the customer may not have been told.
    pub notification_unknown: bool,
    /// The recorded end, and when it was written.
    pub end: Option<(End, Time)>,
    /// When the order first reached what its truth makes a legal end.
    pub legal_since: Option<Time>,
}

/// What is true about one order at the providers.
#[derive(Clone, Copy, Debug, Default)]
pub struct Truth {
    /// Captured, minor units.
    pub captured: i64,
    /// Captures.
    pub captures: u32,
    /// Refunds that exist but have not succeeded.
    pub refund_pending: i64,
    /// Refunds that succeeded.
    pub refunded: i64,
    /// Units requested and not accepted, rejected or cancelled.
    pub requested: i64,
    /// Units accepted.
    pub accepted: i64,
    /// Units held.
    pub held: i64,
    /// Expiry of the hold.
    pub held_until: Time,
    /// Mails accepted.
    pub mails: u32,
    /// Events that the findings rest on: latest capture, acceptance, mail.
    pub seen: [u32; 3],
}

impl Truth {
    /// Captured and not given back.
    pub fn net(&self) -> i64 {
        self.captured - self.refunded
    }
}

/// One operation of one order.
#[derive(Clone, Copy, Debug, Default)]
pub struct OpCase {
    /// Evidence of the current generation.
    pub evidence: Evidence,
    /// Key on the wire; 0 = nothing sent yet.
    pub key: u64,
    /// Payload under that key.
    pub payload: u64,
    /// Attempts sent under that key.
    pub sends: u16,
    /// Generation, status and key as recorded.
    pub generation: u16,
    /// Status as recorded.
    pub written: Written,
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
}

impl OpCase {
    /// What a node may believe about it.
    pub fn status(&self, node: NodeId) -> Status {
        status(&self.evidence, node)
    }

    /// Whether this key belongs to the generation before the current one.
    pub fn is_leftover(&self, key: u64) -> bool {
        let [latest, before] = self.claimed;
        latest != key && before == key
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
}

impl Case {
    /// One operation.
    pub fn op(&self, op: Op) -> &OpCase {
        &self.ops[op as usize]
    }

    /// The same, to change it.
    pub fn op_mut(&mut self, op: Op) -> &mut OpCase {
        &mut self.ops[op as usize]
    }

    /// Delivered, by truth.
    pub fn is_delivered(&self) -> bool {
        let intent = &self.registered.intent;
        self.truth.net() == intent.amount.minor
            && self.truth.refund_pending == 0
            && self.truth.accepted == i64::from(intent.quantity)
    }

    /// Refused for a true cause with nothing left behind, by truth.
    pub fn is_refused(&self, now: Time) -> bool {
        let t = &self.truth;
        let nothing_live = t.net() == 0 && t.accepted == 0 && t.requested == 0;
        nothing_live && self.registered.causes.any() && (t.held == 0 || t.held_until <= now)
    }

    /// Untouched: nothing was ever taken or sent.
    pub fn is_untouched(&self) -> bool {
        self.truth.captured == 0 && self.truth.accepted == 0 && self.truth.requested == 0
    }
}

/// The operation behind a tool.
pub const fn op_of(tool: Tool) -> Op {
    match tool {
        Tool::ReadStock => Op::ReadStock,
        Tool::Reserve => Op::Reserve,
        Tool::Charge => Op::Charge,
        Tool::Approve => Op::Approve,
        Tool::Fulfill => Op::Fulfill,
        Tool::Notify => Op::Notify,
        Tool::Renew => Op::Renew,
        Tool::Refund => Op::Refund,
        Tool::Release => Op::Release,
    }
}

/// The tool behind an operation; cancelling a fulfillment belongs to the fulfillment.
pub const fn tool_of(op: Op) -> Tool {
    match op {
        Op::ReadStock => Tool::ReadStock,
        Op::Reserve => Tool::Reserve,
        Op::Renew => Tool::Renew,
        Op::Release => Tool::Release,
        Op::Charge => Tool::Charge,
        Op::Refund => Tool::Refund,
        Op::Fulfill | Op::CancelFulfillment => Tool::Fulfill,
        Op::Notify => Tool::Notify,
        Op::Approve => Tool::Approve,
    }
}
