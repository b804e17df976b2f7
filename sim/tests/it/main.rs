//! All tests of the engine in one executable: one link, one file per subject.

mod distributions;
mod door;
mod draws;
mod engine;
mod menus;
mod plans;
mod shrinker;
