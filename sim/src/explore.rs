//! Exhaustive placement: every combination of up to K choices, each exactly once.
//!
//! A node is a plan, run with everything else benign and noise off, its menus recorded after its
//! last landing; its children add one option there. A placement's parent is itself minus its
//! last-landing choice: unique, so every reachable combination comes exactly once. The walk goes
//! depth first and keeps one path, and a level-1 prefix can be walked on its own.

use crate::checkpoint::Trail;
use crate::door::Door;
use crate::lab::{Lab, Outcome};
use crate::plan::{CompiledChoice, CompiledPlan};
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

/// A choice that extends a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extension {
    /// The choice.
    pub choice: CompiledChoice,
    /// Number of the recorded menu that offers it.
    pub(crate) offer: usize,
}

/// The choices that extend the plan just enumerated, in order of site, option, value.
pub fn extensions(door: &Door) -> Vec<Extension> {
    let mut extensions = Vec::new();
    let mut sites = BTreeSet::new();
    // A world may ask twice at a site; only the first answer counts.
    for (at, offer) in door.offers().iter().enumerate().filter(|(_, offer)| sites.insert(offer.site.hash)) {
        for (_, entry) in door.menu_of(offer.menu).allowed(offer.allowed) {
            let choice = |value| CompiledChoice { site: offer.site.hash, kind: entry.kind, value };
            let extension = |value| Extension { choice: choice(value), offer: at };
            match entry.values.as_slice() {
                [] => extensions.push(extension(0)),
                values => extensions.extend(values.iter().map(|&v| extension(v))),
            }
        }
    }
    extensions
}

/// A walk through all placements below a plan.
///
/// Runs with the same first choices are the same up to the next one: where the subject can be copied
/// ([`crate::lab::Task::forkable`]), a run branches off from a checkpoint of the run it extends.
pub struct Walk<'a, 'w, W: World, V> {
    faults: usize,
    visit: &'a mut V,
    /// What was predicted and run so far.
    pub levels: Levels,
    /// Checkpoints of the runs on the path, by number of choices.
    trails: Vec<Trail<'w, W>>,
}

impl<'a, 'w, W: World, V> Walk<'a, 'w, W, V>
where
    V: FnMut(&CompiledPlan, &Outcome, &Lab<'w, W>) -> bool,
{
    /// A walk over plans of up to `faults` choices. `visit` is called after each run, with the plan and
    /// what came of it; returning false ends the walk.
    pub fn new(faults: usize, visit: &'a mut V) -> Self {
        let trails = (0..faults).map(|_| Trail::default()).collect();
        Walk { faults, visit, levels: Levels::new(faults), trails }
    }

    /// Runs `compiled` and everything that extends it, depth first.
    ///
    /// # Errors
    /// A plan whose choices did not all land, in order: the subject is not deterministic.
    pub fn below(&mut self, lab: &mut Lab<'w, W>, compiled: &mut CompiledPlan) -> Result<bool, CompiledPlan> {
        let trail = self.trails.get_mut(compiled.choices.len());
        let outcome = match trail {
            None => lab.run_plan(compiled),
            Some(trail) => lab.enumerate_along(compiled, trail),
        };
        self.go_on(lab, compiled, &outcome)
    }

    /// The plan was run: now everything that extends it.
    fn go_on(
        &mut self,
        lab: &mut Lab<'w, W>,
        compiled: &mut CompiledPlan,
        outcome: &Outcome,
    ) -> Result<bool, CompiledPlan> {
        let depth = compiled.choices.len();
        self.levels.0[depth].run += 1;
        if !landed_in_order(lab, compiled) {
            return Err(compiled.clone());
        }
        if !(self.visit)(compiled, outcome, lab) {
            return Ok(false);
        }
        if depth == self.faults {
            return Ok(true);
        }
        let extensions = lab.door(extensions);
        self.levels.0[depth + 1].predicted += extensions.len() as u64;
        let trail = std::mem::take(&mut self.trails[depth]);
        for Extension { choice, offer } in extensions {
            compiled.choices.push(choice);
            let go_on = match trail.before(offer) {
                None => self.below(lab, compiled)?,
                Some(checkpoint) => {
                    let outcome = lab.branch(checkpoint, compiled, self.trails.get_mut(depth + 1));
                    self.go_on(lab, compiled, &outcome)?
                }
            };
            compiled.choices.pop();
            if !go_on {
                return Ok(false);
            }
        }
        self.trails[depth] = trail;
        Ok(true)
    }
}

fn landed_in_order<W: World>(lab: &Lab<'_, W>, compiled: &CompiledPlan) -> bool {
    lab.door(|d| {
        d.landed().len() == compiled.choices.len()
            && d.landed().iter().zip(&compiled.choices).all(|(l, c)| CompiledChoice::from(*l) == *c)
    })
}
