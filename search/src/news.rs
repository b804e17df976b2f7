//! What is found while threads are still at work: told at once, and kept for whoever is interrupted.

use crate::minimal::Finding;
use crate::unsteady::Unsteady;
use crate::watch::Watch;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::{Mutex, MutexGuard, PoisonError};
use unacked_sim::verdict::Signature;

/// Findings by signature, told as soon as there is one.
pub(crate) struct News<'a> {
    watch: Watch<'a>,
    /// No finding yet: somebody is shrinking it.
    told: Mutex<BTreeMap<Signature, Option<Finding>>>,
}

impl<'a> News<'a> {
    pub(crate) fn new(watch: Watch<'a>) -> News<'a> {
        News { watch, told: Mutex::default() }
    }

    /// Tells of a signature if it is the first time; `shrunk` makes the finding.
    pub(crate) fn tell(&self, signature: &Signature, shrunk: impl FnOnce() -> Result<Finding, Box<Unsteady>>) {
        let Some(found) = self.watch.found else { return };
        match self.all().entry(*signature) {
            Entry::Occupied(_) => return,
            Entry::Vacant(entry) => drop(entry.insert(None)),
        }
        // A subject that is not deterministic is reported by those who look for it.
        if let Ok(finding) = shrunk() {
            found(&finding);
            self.all().insert(*signature, Some(finding));
        }
    }

    /// Whether nobody waits for more, and what was told of a signature then.
    pub(crate) fn instead(&self, signature: &Signature) -> Option<Finding> {
        if (self.watch.stop)() { self.all().get(signature).cloned().flatten() } else { None }
    }

    fn all(&self) -> MutexGuard<'_, BTreeMap<Signature, Option<Finding>>> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
