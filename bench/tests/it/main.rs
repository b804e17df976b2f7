//! All tests of the bench in one executable.

mod contention;
mod presets;
mod statistics;
