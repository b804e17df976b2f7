//! The engine: a run is a pure function of (scenario, subject, plan); the seed only writes the plan.
//!
//! Knows no provider and no order. Reading order: time and draws, sites and menus, plans and the
//! door; then the world, its tasks and wire; then how runs are searched, shrunk and compared.

pub mod time;
pub mod mix;
pub mod law;
pub mod site;
pub mod kind;
pub mod menu;
pub mod plan;
pub mod door;
mod queue;
pub mod provider;
pub mod verdict;
pub mod world;
pub mod trace;
mod wait;
mod node;
mod engine;
mod task;
pub mod cx;
pub mod lab;
pub mod explore;
pub mod shrink;
