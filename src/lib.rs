//! `unacked` runs a side-effecting workflow against providers that misbehave the way real ones do,
//! and hands back the shortest story of how it charges twice, ships twice, loses an order or lies
//! about one.
//!
//! A run is a pure function of (scenario, subject, plan); the seed only writes the plan.
//!
//! Reading order: where things come from (source), what is run (rig, hunt, tally), what is made of it
//! (minimal, story, coverage, runset, exhaust), your own code (foreign), and how it is told (report).

pub mod bound;
#[cfg(feature = "cli")]
pub mod cli;
pub mod coverage;
pub mod exhaust;
pub mod foreign;
pub mod hunt;
pub mod minimal;
pub mod prelude;
pub mod refusal;
pub mod report;
pub mod reproduce;
pub mod rig;
pub mod runset;
pub mod source;
pub mod spread;
pub mod story;
pub mod tally;
pub mod unsteady;
pub mod verdict;
pub mod watch;

pub use foreign::{Check, Report, check_subject};
pub use unacked_mock_providers as mock_providers;
pub use unacked_scenarios as scenarios;
pub use unacked_sim as sim;
pub use unacked_workflow as workflow;
