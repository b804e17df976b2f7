//! All tests of the bench in one executable.

mod comparison;
mod contention;
mod load;
mod presets;
mod statistics;
