//! Where keys come from: the durable step, before dispatch (R3).

use crate::order::{Key, Order, Status};
use crate::policy::{KeySource, Policy};
use crate::tool::Tool;

/// Tenant and environment, which are part of every key: two of them that share an account at a provider
/// never take each other's keys for their own (R3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Namespace(u64);

impl Namespace {
    /// The namespace of an environment (production, staging, …) of a tenant.
    pub const fn of(tenant: &str, environment: &str) -> Namespace {
        let hash = absorb(absorb(0, tenant.as_bytes()), environment.as_bytes());
        Namespace(mix(hash))
    }
}

/// Text into a hash, its length last: "ab", "c" and "a", "bc" differ.
const fn absorb(mut hash: u64, text: &[u8]) -> u64 {
    let mut at = 0;
    while at < text.len() {
        hash = mix(hash ^ (text[at] as u64 + 1));
        at += 1;
    }
    mix(hash ^ (text.len() as u64) << 32)
}

/// The key under which the operation's current attempt is sent. It is chosen at the first attempt
/// of a generation and then read back from the record.
pub(crate) fn choose(policy: &Policy, order: &Order, tool: Tool) -> Key {
    let op = order.op(tool);
    match source(policy, tool) {
        KeySource::Operation if op.attempts > 1 => op.key,
        source => derive(policy.namespace, source, order, tool, op.generation, op.attempts),
    }
}

/// The key of the generation that is dispatched next, or is being dispatched: what an approval
/// must be bound to before that generation exists (R14).
pub fn upcoming(policy: &Policy, order: &Order, tool: Tool) -> Key {
    let op = order.op(tool);
    if op.attempts > 0 && op.status != Status::Rejected {
        return op.key;
    }
    derive(policy.namespace, source(policy, tool), order, tool, op.generation.saturating_add(1), 1)
}

/// Fulfillment has no idempotency key: its client reference plays that part.
fn source(policy: &Policy, tool: Tool) -> KeySource {
    match tool {
        Tool::Fulfill => policy.reference,
        _ => policy.key,
    }
}

/// Distinct operations get distinct keys: the fields are packed without overlap and mixed by a
/// bijection; which namespace they are of only turns bits over.
fn derive(space: Namespace, source: KeySource, order: &Order, tool: Tool, generation: u16, attempt: u16) -> Key {
    let counted = match source {
        KeySource::Operation => 0,
        KeySource::Attempt => attempt,
        KeySource::Arguments => return of_arguments(space, order, tool),
    };
    let packed = u64::from(order.id.0) << 32
        | (tool as u64) << 28
        | u64::from(generation & 0x3fff) << 14
        | u64::from(counted & 0x3fff);
    Key((mix(packed) ^ space.0).max(1))
}

/// What a client does that takes equal arguments for equal intent (R4 says they are not).
fn of_arguments(space: Namespace, order: &Order, tool: Tool) -> Key {
    let intent = &order.intent;
    let words = [
        u64::from(intent.customer) << 32 | u64::from(intent.sku),
        intent.amount.minor.cast_unsigned(),
        u64::from(intent.quantity) << 32 | u64::from(intent.destination),
        tool as u64 + 1,
    ];
    Key(words.iter().fold(space.0, |sum, word| mix(sum ^ word)).max(1))
}

/// The finaliser of SplitMix64: a bijection on 64 bits.
const fn mix(word: u64) -> u64 {
    let word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}
