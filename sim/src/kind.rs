//! Kinds of choices: what can go wrong (or merely differently), by name.

pub mod engine;
mod row;

pub use engine::*;
pub use row::{Fate, Lasts, Numbers};

use crate::time::Span;
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
#[derive(Clone, Copy, Debug)]
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
    /// Where it happens: the name of the group that it stands in.
    pub place: &'static str,
    /// Canonical parameters in a world of these numbers (at most four). Empty: it has no parameter.
    pub values: fn(&Numbers) -> Vec<Span>,
    /// How long it strains a run.
    pub lasts: Lasts,
}

/// Names are unique in a world.
impl PartialEq for Kind {
    fn eq(&self, other: &Kind) -> bool {
        self.name == other.name
    }
}

impl Eq for Kind {}

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
