//! Scenarios: worlds as data, and the Rust that wires workflow, providers and engine together.
//!
//! Reading order: what a file says (scenario, policy), what follows from it (model, beliefs, menus, build),
//! the shop itself, and the oracles.

pub mod believe;
pub mod books;
mod build;
pub mod catalog;
pub mod clause;
pub mod client;
mod court;
pub mod demand;
mod due;
pub mod fact;
pub mod filter;
pub mod intent;
pub mod known;
mod menus;
pub mod model;
pub mod orchestrator;
pub mod policy;
pub mod promises;
pub mod queue;
pub mod records;
pub mod scenario;
pub mod shop;
pub mod status;
pub mod structure;
pub mod telling;
pub mod told;
mod translate;
pub mod units;
pub mod words;
mod worker;
mod wrong;
