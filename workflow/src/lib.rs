//! The order workflow and its orchestrator: ordinary async Rust over ports.
//!
//! Depends on nothing else here. Reading order: the record, the ports, the beliefs, the policy,
//! then what is decided from them and how it is carried out.

pub mod belief;
pub mod case;
pub mod decide;
pub mod hand;
pub mod keys;
pub mod order;
pub mod policy;
pub mod ports;
pub mod time;
pub mod tool;
pub mod worker;

mod dispatch;
mod establish;
mod recovery;
mod retry;
