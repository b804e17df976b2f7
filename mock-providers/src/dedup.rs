//! The dedup table: what a provider remembers of the keys it has seen.

use crate::chains::Chains;
use crate::contract::{Contract, Fingerprint, KeyScope, OnFailed, Since, Window};
use crate::message::{Op, Reply, Request, Says};
use unacked_sim::draw::fold;
use unacked_sim::time::{Span, Time};

/// How a recorded request ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeyState {
    /// It is being executed until then.
    InFlight(Time),
    /// It took effect.
    Done,
    /// It failed, and this is what a repetition meets.
    Failed(OnFailed),
}

/// Whether a key whose age is inside the window's interval was asked about yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Memory {
    /// Not yet.
    Unasked,
    /// Asked: kept, until the window's end.
    Kept,
    /// Forgotten: as if the key had never been used.
    Gone,
}

/// What is remembered of one key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) op: Op,
    pub(crate) state: KeyState,
    pub(crate) memory: Memory,
    pub(crate) fingerprint: u64,
    pub(crate) first_seen: Time,
    pub(crate) completed_at: Time,
    /// The effect's reference; 0 = none.
    pub(crate) reference: u64,
    /// The answer that was or will be given.
    pub(crate) reply: Reply,
}

impl Entry {
    /// How old the key is, as its window counts.
    pub(crate) fn age(&self, now: Time, window: &Window) -> Span {
        match window.from {
            Since::FirstSeen => now.since(self.first_seen),
            Since::Completed => now.since(self.completed_at),
        }
    }

    /// A lock without an effect behind it has run out: that counts as a server error.
    pub(crate) fn unlock(&mut self, now: Time, on_server_error: OnFailed) {
        if matches!(self.state, KeyState::InFlight(until) if until <= now) {
            self.state = KeyState::Failed(on_server_error);
            self.reply = Reply::bare(Says::ServerError);
            self.completed_at = now;
        }
    }
}

/// All keys of one provider, per operation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dedup {
    keys: Chains,
    entries: Vec<Entry>,
}

impl Dedup {
    pub(crate) fn reset(&mut self) {
        self.keys.reset();
        self.entries.clear();
    }

    /// As it was in `to`.
    pub(crate) fn rewind(&mut self, to: &Dedup) {
        let Dedup { keys, entries } = to;
        self.keys.rewind(keys);
        self.entries.clone_from(entries);
    }

    /// The key in this scope: this operation's, or anybody's; the operation's own comes first.
    #[inline]
    pub(crate) fn find_in(&self, scope: KeyScope, op: Op, key: u64) -> Option<usize> {
        self.find(op, key).or_else(|| match scope {
            KeyScope::Operation => None,
            KeyScope::Account => self.keys.of(key).find(|&at| self.entries[at].memory != Memory::Gone),
        })
    }

    #[inline]
    pub(crate) fn find(&self, op: Op, key: u64) -> Option<usize> {
        self.keys.of(key).find(|&at| self.entries[at].op == op && self.entries[at].memory != Memory::Gone)
    }

    pub(crate) fn entry(&self, slot: usize) -> &Entry {
        &self.entries[slot]
    }

    pub(crate) fn entry_mut(&mut self, slot: usize) -> &mut Entry {
        &mut self.entries[slot]
    }

    /// Writes an entry, over the one in `slot` if there was one.
    #[inline]
    pub(crate) fn put(&mut self, slot: Option<usize>, key: u64, entry: Entry) {
        match slot {
            Some(slot) => self.entries[slot] = entry,
            None => {
                self.keys.push(key);
                self.entries.push(entry);
            }
        }
    }

    pub(crate) fn forget(&mut self, slot: usize) {
        self.entries[slot].memory = Memory::Gone;
    }
}

/// Mix of all parameters that a fingerprint compares. Taint and key are none of them.
pub(crate) fn fingerprint(request: &Request) -> u64 {
    const P: u64 = 0x9e37_79b9_7f4a_7c15;
    let [a, b, c] = request.currency.map(u64::from);
    let money = fold(request.amount as u64 ^ P, (request.op as u64) << 24 | a << 16 | b << 8 | c | 1 << 40);
    let goods =
        fold(u64::from(request.sku) << 32 ^ u64::from(request.quantity) ^ P, request.reference ^ 0x8ebc_6af0_9c88_c6e3);
    let where_to = u64::from(request.destination) << 20;
    fold(money ^ goods.rotate_left(17) ^ where_to, request.content ^ P)
}

/// The fingerprint of a request, where the contract compares parameters at all.
#[inline]
pub(crate) fn print_of(contract: &Contract, request: &Request) -> u64 {
    match contract.fingerprint.value {
        Fingerprint::All => fingerprint(request),
        Fingerprint::None => 0,
    }
}

/// Whether a known key comes with other parameters.
#[inline]
pub(crate) fn drifts(contract: &Contract, entry: &Entry, request: &Request) -> bool {
    entry.op != request.op || print_of(contract, request) != entry.fingerprint
}
