//! All tests of the bench in one executable.

mod contention;
mod load;
mod presets;
mod statistics;
