//! Exhaustive placement: every combination of up to K choices, each exactly once.
//!
//! A node is a plan, run with everything else benign and noise off, its menus recorded after its
//! last landing; its children add one option there. A placement's parent is itself minus its
//! last-landing choice: unique, so every reachable combination comes exactly once. Stateless: the
//! walk goes depth first and keeps one path, and a level-1 prefix can be walked on its own.

use crate::door::Door;
use crate::lab::{Lab, Outcome};
use crate::plan::{Cue, Script};
use crate::world::World;
use std::collections::BTreeSet;

/// How many placements a level has: predicted when its parents ran, and run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Level {
    /// Counted from the menus that the level above met.
    pub predicted: u64,
    /// Runs made.
    pub run: u64,
}

/// Placements by number of choices, from 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Levels(pub Vec<Level>);

impl Levels {
    /// Levels for up to `faults` choices.
    pub fn new(faults: usize) -> Levels {
        Levels(vec![Level::default(); faults + 1])
    }

    /// All runs made.
    pub fn runs(&self) -> u64 {
        self.0.iter().map(|l| l.run).sum()
    }

    /// Adds another walk's counts, level by level.
    pub fn add(&mut self, other: &Levels) {
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            mine.predicted += theirs.predicted;
            mine.run += theirs.run;
        }
    }

    /// Whether each level has exactly as many placements as were predicted.
    pub fn complete(&self) -> bool {
        self.0.iter().all(|l| l.predicted == l.run)
    }
}

/// The choices that extend the plan just enumerated, in order of site, option, value.
pub fn extensions(door: &Door) -> Vec<Cue> {
    let mut cues = Vec::new();
    let mut sites = BTreeSet::new();
    // A world may ask twice at a site; only the first answer counts.
    for offer in door.offers().iter().filter(|offer| sites.insert(offer.site.hash)) {
        for (_, entry) in door.menu_of(offer.menu).allowed(offer.allowed) {
            let cue = |value| Cue { site: offer.site.hash, kind: entry.kind, value };
            match entry.values.as_slice() {
                [] => cues.push(cue(0)),
                values => cues.extend(values.iter().map(|&v| cue(v))),
            }
        }
    }
    cues
}

/// A walk through all placements below a plan.
pub struct Walk<'a, V> {
    /// Most choices in a plan.
    pub faults: usize,
    /// Called after each run, with the plan and what came of it. Returning false ends the walk.
    pub visit: &'a mut V,
    /// Counts.
    pub levels: Levels,
}

impl<V> Walk<'_, V> {
    /// Runs `script` and everything that extends it, depth first.
    ///
    /// # Errors
    /// A plan whose choices did not all land, in order: the subject is not deterministic.
    pub fn below<W: World>(&mut self, lab: &mut Lab<'_, W>, script: &mut Script) -> Result<bool, Script>
    where
        V: FnMut(&Script, &Outcome, &Lab<'_, W>) -> bool,
    {
        let depth = script.cues.len();
        let leaf = depth == self.faults;
        let outcome = if leaf { lab.run_script(script) } else { lab.enumerate(script) };
        self.levels.0[depth].run += 1;
        if !landed_in_order(lab, script) {
            return Err(script.clone());
        }
        if !(self.visit)(script, &outcome, lab) {
            return Ok(false);
        }
        if leaf {
            return Ok(true);
        }
        let extensions = lab.door(extensions);
        self.levels.0[depth + 1].predicted += extensions.len() as u64;
        for cue in extensions {
            script.cues.push(cue);
            let go_on = self.below(lab, script)?;
            script.cues.pop();
            if !go_on {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

fn landed_in_order<W: World>(lab: &Lab<'_, W>, script: &Script) -> bool {
    lab.door(|d| {
        d.landed().len() == script.cues.len() && d.landed().iter().zip(&script.cues).all(|(l, c)| Cue::from(*l) == *c)
    })
}
