//! All tests of the bench in one executable.

mod presets;
