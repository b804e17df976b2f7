//! Which entries of a growing list share a key, the latest first: found without looking at all others.

use std::collections::BTreeMap;

/// Up to here looking at every key is faster.
const FEW: usize = 16;

/// No entry.
const NONE: u32 = u32::MAX;

/// The keys of a list that only grows, entry by entry.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chains {
    keys: Vec<u64>,
    /// Once there are more than a few: the entry before, under the same key.
    previous: Vec<u32>,
    latest: BTreeMap<u64, u32>,
}

impl Chains {
    /// Empty again.
    pub(crate) fn reset(&mut self) {
        self.keys.clear();
        self.previous.clear();
        self.latest.clear();
    }

    /// As they were in `to`.
    pub(crate) fn rewind(&mut self, to: &Chains) {
        let Chains { keys, previous, latest } = to;
        self.keys.clone_from(keys);
        self.previous.clone_from(previous);
        self.latest.clone_from(latest);
    }

    /// The next entry has this key.
    #[inline]
    pub(crate) fn push(&mut self, key: u64) {
        self.keys.push(key);
        if self.keys.len() > FEW {
            self.link();
        }
    }

    #[cold]
    fn link(&mut self) {
        for at in self.previous.len()..self.keys.len() {
            let before = self.latest.insert(self.keys[at], at as u32);
            self.previous.push(before.unwrap_or(NONE));
        }
    }

    /// The entries under this key, the latest first.
    #[inline]
    pub(crate) fn of(&self, key: u64) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(self.last(key), move |&at| self.before(at, key))
    }

    #[inline]
    fn last(&self, key: u64) -> Option<usize> {
        match self.keys.len() {
            n if n <= FEW => self.before(n, key),
            _ => self.latest.get(&key).map(|&at| at as usize),
        }
    }

    #[inline]
    fn before(&self, at: usize, key: u64) -> Option<usize> {
        match self.previous.get(at) {
            None => self.keys[..at].iter().rposition(|&k| k == key),
            Some(&before) => (before != NONE).then_some(before as usize),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_entries_under_a_key_come_latest_first_few_and_many() {
        for n in [0usize, 5, FEW, FEW + 1, 100] {
            let keys: Vec<u64> = (0..n as u64).map(|i| i * i % 7).collect();
            let mut chains = Chains::default();
            keys.iter().for_each(|&key| chains.push(key));
            for key in 0..8 {
                let expected: Vec<usize> = (0..n).rev().filter(|&i| keys[i] == key).collect();
                assert_eq!(chains.of(key).collect::<Vec<_>>(), expected, "key {key} of {n}");
            }
        }
    }

    #[test]
    fn reset_forgets_and_rewind_goes_back() {
        let mut chains = Chains::default();
        (0..20).for_each(|key| chains.push(key % 3));
        let earlier = chains.clone();
        (0..20).for_each(|key| chains.push(key % 2));
        chains.rewind(&earlier);
        assert_eq!(chains.of(1).next(), Some(19));
        chains.push(1);
        assert_eq!(chains.of(1).take(2).collect::<Vec<_>>(), [20, 19]);
        chains.reset();
        assert_eq!(chains.of(1).next(), None);
        chains.push(1);
        assert_eq!(chains.of(1).collect::<Vec<_>>(), [0]);
    }
}
