//! Searching seeds, counting, shrinking, placing every fault and proving determinism, for any world.
//!
//! It knows no domain: what is run comes as a [`mount::Mount`], and the little that must be known of a
//! world beyond running it as a [`told::Told`]. Threads are started in [`parallel`] only.

pub mod bound;
pub mod conclusion;
pub mod exhaust;
pub mod free;
mod line;
pub mod minimal;
pub mod mount;
mod news;
pub mod parallel;
pub mod reach;
pub mod replay;
pub mod rescue;
pub mod search;
pub mod statistics;
pub mod story;
pub mod told;
pub mod unsteady;
pub mod watch;

pub use line::{arrow, line};
