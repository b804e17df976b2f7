//! A mount: a subject mounted in a world, ready to be run. Every thread gets its own lab.

use crate::told::Told;
use unacked_sim::lab::Lab;

/// A subject in a world.
pub trait Mount: Sync {
    /// The world.
    type World: Told;

    /// Builds a lab and hands it to `work`.
    fn in_lab<T>(&self, work: impl FnOnce(&mut Lab<'_, Self::World>) -> T) -> T;
}
