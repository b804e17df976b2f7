//! Checkpoints: runs as they stood between two turns, for others to branch off from.

use crate::engine::State;
use crate::task::Cell;
use crate::world::World;

/// A run as it stood between two turns: its state, and copies of the nodes' main futures.
pub(crate) struct Checkpoint<'w, W: World> {
    pub(crate) state: State<W>,
    pub(crate) mains: Vec<Box<dyn Cell<'w> + 'w>>,
    /// How many menus had been recorded.
    offers: usize,
}

/// Checkpoints of one run, in order. Its memory is reused for the next one.
pub(crate) struct Trail<'w, W: World> {
    points: Vec<Checkpoint<'w, W>>,
    used: usize,
}

/// How many menus are recorded between two checkpoints, at least: a checkpoint costs about as much as
/// the few turns that branches would otherwise repeat.
const STRIDE: usize = 4;

impl<W: World> Default for Trail<'_, W> {
    fn default() -> Self {
        Trail { points: Vec::new(), used: 0 }
    }
}

impl<'w, W: World> Trail<'w, W> {
    /// Before a run: forgets the latest one. The copies of futures go now, as long as nothing is
    /// going on that they could disturb.
    pub(crate) fn clear(&mut self) {
        self.used = 0;
        self.points.iter_mut().for_each(|point| point.mains.clear());
    }

    /// Whether a checkpoint is due, so many menus having been recorded.
    #[inline]
    pub(crate) fn is_due(&self, offers: usize) -> bool {
        self.latest().is_none_or(|point| offers >= point.offers + STRIDE)
    }

    fn latest(&self) -> Option<&Checkpoint<'w, W>> {
        self.points.get(self.used.checked_sub(1)?)
    }

    /// Keeps a run as it stands.
    pub(crate) fn push(&mut self, state: &State<W>, mains: Vec<Box<dyn Cell<'w> + 'w>>) {
        let offers = state.door.offers().len();
        match self.points.get_mut(self.used) {
            Some(point) => {
                point.state.rewind(state);
                (point.mains, point.offers) = (mains, offers);
            }
            None => self.points.push(Checkpoint { state: state.clone(), mains, offers }),
        }
        self.used += 1;
    }

    /// The latest checkpoint before this menu was met; `None` if there is none.
    pub(crate) fn before(&self, offer: usize) -> Option<&Checkpoint<'w, W>> {
        let after = self.points[..self.used].partition_point(|point| point.offers <= offer);
        self.points.get(after.checked_sub(1)?)
    }
}
