//! What counting and telling must know of a world, beyond what it takes to run it.

use unacked_sim::trace::TraceEvent;
use unacked_sim::world::World;

/// A world whose runs can be counted and told.
pub trait Told: World {
    /// What of a run's final state is counted, in words: `handed off`.
    const ENDS: &'static [&'static str];

    /// Adds what this run came to; one count per name of [`Told::ENDS`].
    fn count_ends(&self, counts: &mut [u64]);

    /// What an event is to the reader of a story.
    fn role(&self, event: &TraceEvent) -> Role;

    /// An event's text without what is different each time, such as keys.
    fn gist(text: &str) -> &str {
        text
    }
}

/// What an event is to the reader of a story.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It does something, or says that something was done.
    Deed,
    /// It only asks.
    Question,
    /// It keeps something as it is.
    Upkeep,
    /// It is the subject's own note: left out unless a fault struck it.
    Note,
}
