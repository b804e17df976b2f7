//! Kinds of choices: what can go wrong (or merely differently), by name.

use std::fmt;

/// What a choice says about who is to blame if it matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// An ordinary misfortune that a correct workflow survives.
    Fault,
    /// A legal schedule: who runs when.
    Schedule,
    /// A person acts late, oddly or not at all.
    Human,
    /// The model proposes something odd.
    Model,
    /// The provider does something its contract leaves open.
    Undocumented,
    /// The provider breaks its contract.
    Breach,
}

impl Class {
    /// The word used in output.
    pub const fn name(self) -> &'static str {
        match self {
            Class::Fault => "fault",
            Class::Schedule => "schedule",
            Class::Human => "human",
            Class::Model => "model",
            Class::Undocumented => "undocumented",
            Class::Breach => "breach",
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A kind of choice that is not benign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// Its name in plans, files and output.
    pub name: &'static str,
    /// Former names, still read from plans.
    pub aliases: &'static [&'static str],
    /// What it is.
    pub class: Class,
    /// One sentence on what happens.
    pub about: &'static str,
    /// The rules it tests, `R10 R12`.
    pub rules: &'static str,
}

impl Kind {
    /// Its name, then its former names.
    fn names(&self) -> impl Iterator<Item = &'static str> + '_ {
        std::iter::once(self.name).chain(self.aliases.iter().copied())
    }
}

/// Index of a kind in the world's registry; 0 is "benign".
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct KindId(pub u8);

impl KindId {
    /// Nothing special happens.
    pub const BENIGN: KindId = KindId(0);

    /// Whether nothing special happens.
    #[inline]
    pub const fn is_benign(self) -> bool {
        self.0 == 0
    }
}

/// Declares numbered kinds as constants plus one table, so that number and text cannot drift apart.
#[macro_export]
macro_rules! kinds {
    ($(#[$doc:meta])* $vis:vis $table:ident from $first:expr; $($name:ident = $text:literal, $class:ident, $rules:literal, $about:literal;)*) => {
        $crate::kinds!(@number [$vis] $first; $($name $about,)*);
        $(#[$doc])*
        $vis const $table: &[$crate::kind::Kind] = &[$($crate::kind::Kind {
            name: $text,
            aliases: &[],
            class: $crate::kind::Class::$class,
            about: $about,
            rules: $rules,
        }),*];
    };
    (@number [$vis:vis] $at:expr; $name:ident $about:literal, $($rest:tt)*) => {
        #[doc = $about]
        $vis const $name: $crate::kind::KindId = $crate::kind::KindId($at);
        $crate::kinds!(@number [$vis] $at + 1; $($rest)*);
    };
    (@number [$vis:vis] $at:expr;) => {};
}

kinds! {
    /// The kinds that the engine itself knows: wire, nodes, store, clocks.
    pub ENGINE_KINDS from 1;
    REQUEST_REFUSED = "request-refused", Fault, "R1 R10", "the connection is refused before any byte leaves";
    REQUEST_LOST = "request-lost", Fault, "R1 R10", "the request never arrives, and nobody is told";
    REQUEST_LATE = "request-late", Fault, "R10 R12", "the request arrives later than usual, at most d_max after it was sent";
    REQUEST_DUPLICATED = "request-duplicated", Fault, "R7 R8", "a second copy of the request arrives (only where the receiver deduplicates)";
    REPLY_LOST = "reply-lost", Fault, "R1 R10", "the answer never arrives: the effect may have happened";
    REPLY_LATE = "reply-late", Fault, "R10 R22", "the answer arrives later than usual, perhaps after the caller gave up";
    REPLY_DUPLICATED = "reply-duplicated", Fault, "R22", "a second copy of the answer arrives";
    REPLY_UNDECODABLE = "reply-undecodable", Fault, "R1 R21", "the answer arrives and cannot be decoded";
    CRASH = "crash", Fault, "R3 R16", "the node loses everything in memory and starts again later";
    PAUSE = "pause", Schedule, "R6", "the node stands still and goes on later as if nothing had happened (a zombie)";
    HOLD = "hold", Schedule, "R6", "the node is held back until another node's next durable write";
    WRITE_UNACKNOWLEDGED = "write-unacknowledged", Fault, "R8 R16", "the durable write happens, its acknowledgement is lost";
    WRITE_LOST = "write-lost", Fault, "R8 R16", "the durable write does not happen, and nobody is told";
    WRITE_CONFLICT = "write-conflict", Fault, "R6 R8", "the transaction is aborted by a conflict";
    STORE_UNAVAILABLE = "store-unavailable", Fault, "R16 R25", "the store cannot be reached for a while";
    STALE_READ = "stale-read", Fault, "R6 R9", "a read sees the store as it was before the latest write";
    CLOCK_AHEAD = "clock-ahead", Fault, "R7", "a node's clock is ahead";
    CLOCK_BEHIND = "clock-behind", Fault, "R7", "a node's clock is behind";
}

/// Number of the first kind that is not the engine's.
pub const FIRST_OTHER: u8 = ENGINE_KINDS.len() as u8 + 1;

/// All kinds a world knows, in the order of their numbers.
#[derive(Clone, Debug)]
pub struct Kinds(Vec<&'static Kind>);

impl Kinds {
    /// The engine's kinds, then these.
    ///
    /// # Panics
    /// If there are more than 255 or two share a name or former name: a bug in the world.
    pub fn with(tables: &[&'static [Kind]]) -> Kinds {
        let mut all: Vec<&'static Kind> = ENGINE_KINDS.iter().collect();
        all.extend(tables.iter().flat_map(|t| t.iter()));
        assert!(all.len() < 256, "at most 255 kinds");
        for (i, kind) in all.iter().enumerate() {
            for name in kind.names() {
                assert!(all[..i].iter().all(|k| k.names().all(|n| n != name)), "two kinds named `{name}`");
            }
        }
        Kinds(all)
    }

    /// How many there are, "benign" not counted.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The kind of this number; `None` for benign.
    pub fn get(&self, id: KindId) -> Option<&'static Kind> {
        self.0.get(usize::from(id.0).checked_sub(1)?).copied()
    }

    /// The word for it.
    pub fn name(&self, id: KindId) -> &'static str {
        self.get(id).map_or("benign", |k| k.name)
    }

    /// The kind of this name or former name.
    pub fn named(&self, name: &str) -> Option<KindId> {
        let at = self.0.iter().position(|k| k.name == name || k.aliases.contains(&name))?;
        Some(KindId(at as u8 + 1))
    }

    /// All of them with their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (KindId, &'static Kind)> + '_ {
        self.0.iter().enumerate().map(|(i, k)| (KindId(i as u8 + 1), *k))
    }
}
