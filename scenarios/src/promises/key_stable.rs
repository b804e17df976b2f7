//! key-stable: one key per operation, one payload per key.

use crate::clause::promise;
use crate::court::{Court, Wording};
use crate::known::op_state::OpState;
use crate::known::ops::tool_of;
use crate::known::order_state::OrderState;
use crate::status::Knowledge;
use unacked_mock_providers::message::{Op, Request};
use unacked_sim::draw::fold;
use unacked_sim::world::NodeId;

promise! {
    "key-stable", Always, "R3 R5 R7",
        "one key per generation, one payload per key; a key changes only once the old operation ended without effect";
    ROTATED = "rotated", Always, [Wire], "R3 R7",
        "another key is used only once the operation under the old one ended without effect";
    PAYLOAD = "payload", Always, [Wire], "R5",
        "a repetition under a key has the arguments of the first";
    RETRIED = "retried", Always, [Wire, Effects], "R3",
        "a charge that is known to be declined is not tried again under another key: that needs a new decision of the customer";
    SHARED = "shared", Always, [Wire], "R3",
        "a key is used for one order only";
}

/// What must not change under one key: everything a provider would see, but never the taint.
pub(crate) fn payload(r: &Request) -> u64 {
    let money = r.amount as u64
        ^ u64::from(r.currency[0]) << 40
        ^ u64::from(r.currency[1]) << 48
        ^ u64::from(r.currency[2]) << 56;
    let goods = u64::from(r.sku) << 32 | u64::from(r.quantity);
    fold(money ^ 0x51, goods ^ 0x7f) ^ fold(r.reference ^ u64::from(r.destination) << 24 ^ 0x33, r.content ^ 0x1d)
}

/// Whether a new key is no second chance for the old one, by what is known of that.
pub(crate) fn may_rotate(op: Op, known: Knowledge) -> bool {
    let repeats = matches!(op, Op::Renew | Op::Approve | Op::Reserve);
    matches!(known, Knowledge::Rejected | Knowledge::NotSent) || repeats && known == Knowledge::Committed
}

/// A request under another key than the one before. Where keys mean nothing, bounded-attempts judges it.
pub(crate) fn rotated(court: &mut Court<'_>, before: &OpState, node: NodeId, op: Op) {
    let known = before.status(node);
    if may_rotate(op, known) || court.documented.of(tool_of(op)).window.is_none() {
        return;
    }
    let said = Wording::rotated(court, before, known, op, "one key until the operation is known to have ended without effect");
    court.breaks(&ROTATED, op, said);
}

impl Wording {
    /// A second key while the first may still have effect.
    pub(crate) fn rotated(court: &Court<'_>, before: &OpState, known: Knowledge, op: Op, expected: &str) -> Wording {
        Wording {
            headline: format!(
                "{} of order {} was sent under a new key while the old one was {}",
                op.name(),
                court.number(),
                known.name()
            ),
            expected: expected.into(),
            found: format!("a second key; the first is {}", known.name()),
            evidence: vec![before.sent_event],
        }
    }
}

/// A charge under a key of its own, perhaps after one that was refused.
pub(crate) fn retried(court: &mut Court<'_>, state: &OrderState) {
    if !(state.registered.causes.declined && state.told_declined) {
        return;
    }
    let said = Wording {
        headline: format!("the declined charge of order {} was tried again under a new key", court.number()),
        expected: "a new decision of the customer before a declined card is charged again".into(),
        found: "a second key, and nobody asked".into(),
        evidence: vec![state.op(Op::Charge).sent_event],
    };
    court.breaks(&RETRIED, Op::Charge, said);
}

/// A request under the same key as the one before.
pub(crate) fn repeated(court: &mut Court<'_>, before: &OpState, request: &Request) {
    let keyed = court.documented.of(tool_of(request.op)).window.is_some();
    if !keyed || payload(request) == before.payload {
        return;
    }
    let said = Wording {
        headline: format!(
            "{} of order {} was repeated under its key with other arguments",
            request.op.name(),
            court.number()
        ),
        expected: "one payload per key".into(),
        found: "the same key with a different payload".into(),
        evidence: vec![before.sent_event],
    };
    court.breaks(&PAYLOAD, request.op, said);
}

/// A request leaves under a key whose first user was the order `owner`.
pub(crate) fn used(court: &mut Court<'_>, request: &Request, owner: u32) {
    if owner == request.taint || court.documented.of(tool_of(request.op)).window.is_none() {
        return;
    }
    let said = Wording {
        headline: format!(
            "{} of order {} was sent under the key of order {}",
            request.op.name(),
            court.number(),
            owner.wrapping_add(1)
        ),
        expected: "a key of its own for each order".into(),
        found: "one key for two orders: the provider takes the second for a repetition".into(),
        evidence: vec![],
    };
    court.breaks(&SHARED, request.op, said);
}
