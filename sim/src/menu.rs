//! Menus: what may happen at a site. Gate, then race.
//!
//! One gate rate per menu decides *whether* anything strikes (one draw per site); only then each
//! option gets its own draw, keyed by its name and weighted, and the smallest wins. A new option
//! moves only the sites that it wins.

use crate::distribution::{Distribution, unit};
use crate::draw::{DrawKey, hash_name, threshold};
use crate::kind::KindId;

/// Index of a menu in the door's book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MenuId(pub u16);

/// One thing that may happen instead of the benign one.
#[derive(Clone, Debug)]
pub struct Entry {
    /// What it is.
    pub kind: KindId,
    /// Relative weight once the gate has opened; 0 = only enumeration and plans reach it.
    pub weight: f64,
    /// Canonical parameter values (at most four; equal ones are merged). Empty: no parameter.
    pub values: Vec<u64>,
    /// Where random runs draw the parameter from; `None`: from the canonical values.
    pub distribution: Option<Distribution>,
    hash: u64,
}

impl Entry {
    /// An option without a parameter.
    pub fn plain(kind: KindId, name: &str, weight: f64) -> Entry {
        Entry::with_values(kind, name, weight, Vec::new(), None)
    }

    /// An option with canonical values, and a distribution for random runs if they should draw others.
    pub fn with_values(
        kind: KindId,
        name: &str,
        weight: f64,
        mut values: Vec<u64>,
        distribution: Option<Distribution>,
    ) -> Entry {
        values.sort_unstable();
        values.dedup();
        Entry { kind, weight, values, distribution, hash: hash_name(name) }
    }

    /// How many placements it stands for at one site.
    pub fn placements(&self) -> usize {
        self.values.len().max(1)
    }
}

/// What may happen at a site.
#[derive(Clone, Debug, Default)]
pub struct Menu {
    gate: u64,
    /// The options besides the benign one.
    pub entries: Vec<Entry>,
}

/// What was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pick {
    /// Which kind; [`KindId::BENIGN`] for option 0.
    pub kind: KindId,
    /// Its parameter, 0 if it has none.
    pub value: u64,
}

impl Pick {
    /// Nothing special.
    pub const BENIGN: Pick = Pick { kind: KindId::BENIGN, value: 0 };
}

const GATE: u64 = hash_name("gate");
const VALUE: u64 = hash_name("value");

impl Menu {
    /// A menu whose gate opens with this probability per site.
    pub fn new(rate: f64, entries: Vec<Entry>) -> Menu {
        let gate = if entries.is_empty() { 0 } else { threshold(rate) };
        Menu { gate, entries }
    }

    /// Whether random runs can ever draw from it.
    #[inline]
    pub fn is_closed(&self) -> bool {
        self.gate == 0
    }

    /// Draws whether the gate opens at a site.
    #[inline]
    pub(crate) fn opens(&self, key: DrawKey, site: u64) -> bool {
        self.gate != 0 && key.draw(site, GATE) < self.gate
    }

    /// The gate has opened: the race among the allowed options.
    pub(crate) fn race(&self, key: DrawKey, site: u64, allowed: u32) -> Pick {
        let mut best = (f64::INFINITY, None);
        for (_, entry) in self.allowed(allowed).filter(|(_, e)| e.weight > 0.0) {
            let time = -libm::log(unit(key.draw(site, entry.hash))) / entry.weight;
            if time < best.0 {
                best = (time, Some(entry));
            }
        }
        best.1.map_or(Pick::BENIGN, |e| Pick { kind: e.kind, value: e.value(key, site) })
    }

    /// The options allowed by a bit mask (bit n = entry n).
    pub fn allowed(&self, mask: u32) -> impl Iterator<Item = (usize, &Entry)> {
        self.entries.iter().enumerate().filter(move |(i, _)| mask >> i & 1 == 1)
    }

    /// Whether it has this kind.
    pub fn has(&self, kind: KindId) -> bool {
        self.entries.iter().any(|e| e.kind == kind)
    }
}

impl Entry {
    fn value(&self, key: DrawKey, site: u64) -> u64 {
        let bits = key.draw(site ^ VALUE, self.hash);
        match self.distribution {
            Some(distribution) => distribution.at(bits),
            None if self.values.is_empty() => 0,
            None => self.values[((u128::from(bits) * self.values.len() as u128) >> 64) as usize],
        }
    }
}
