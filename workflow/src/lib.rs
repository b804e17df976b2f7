//! The order workflow and its orchestrator: ordinary async Rust over ports.
//!
//! Depends on nothing else here. Reading order: the record, the ports, the beliefs, the policy,
//! then what is decided from them and how it is carried out.

pub mod belief;
pub mod context;
pub mod decide;
pub mod keys;
pub mod machine;
pub mod order;
pub mod policy;
pub mod ports;
pub mod time;
pub mod tool;
pub mod worker;

mod apply;
mod dispatch;
mod recovery;
mod retry;
