//! All tests of the engine in one executable: one link, one file per subject.

mod door;
mod draws;
mod engine;
mod laws;
mod menus;
mod plans;
mod shrinker;
