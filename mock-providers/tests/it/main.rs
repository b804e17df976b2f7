//! All tests of the providers in one executable.

mod contracts;
mod fixture;
mod knobs;
mod properties;
mod providers;
