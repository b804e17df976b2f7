//! A set of sites, by hash: few in most runs, many in worlds of many orders.

use std::collections::BTreeSet;

/// Up to here looking at all of them is faster.
const FEW: usize = 16;

/// A set of site hashes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sites {
    few: Vec<u64>,
    many: BTreeSet<u64>,
}

impl Sites {
    /// Adds a site. Returns whether it is new.
    pub(crate) fn insert(&mut self, site: u64) -> bool {
        if self.contains(site) {
            return false;
        }
        if self.few.len() < FEW {
            self.few.push(site);
        } else {
            self.many.insert(site);
        }
        true
    }

    pub(crate) fn contains(&self, site: u64) -> bool {
        self.few.contains(&site) || self.many.contains(&site)
    }

    /// As it was in `to`.
    pub(crate) fn rewind(&mut self, to: &Sites) {
        let Sites { few, many } = to;
        self.few.clone_from(few);
        if !(self.many.is_empty() && many.is_empty()) {
            self.many.clone_from(many);
        }
    }

    pub(crate) fn clear(&mut self) {
        self.few.clear();
        self.many.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_site_is_new_once_few_and_many() {
        let mut sites = Sites::default();
        assert!((0..100).all(|site| sites.insert(site)));
        let earlier = sites.clone();
        assert!((0..100).all(|site| sites.contains(site) && !sites.insert(site)));
        assert!(sites.insert(100) && !sites.insert(100));
        sites.rewind(&earlier);
        assert!(sites.contains(99) && !sites.contains(100));
        sites.clear();
        assert!((0..101).all(|site| !sites.contains(site)));
    }
}
