//! The engine: a run is a pure function of (scenario, subject, plan); the seed only writes the plan.
//!
//! Knows no provider and no order. Reading order: time and draws, sites and menus, plans and the
//! door; then the world, its tasks and wire; then how runs are searched, shrunk and compared.

mod checkpoint;
pub mod cx;
pub mod distribution;
pub mod door;
pub mod draw;
mod engine;
pub mod explore;
pub mod kind;
pub mod lab;
pub mod menu;
mod node;
pub mod plan;
pub mod provider;
mod queue;
pub mod shrink;
pub mod site;
mod sites;
mod task;
pub mod time;
pub mod trace;
pub mod verdict;
mod wait;
pub mod world;
