//! The other side of the tool boundary: contracts, deduplication, the effect ledger, and providers.
//!
//! Reading order: messages and facts; what a contract says; how a request goes through it; what
//! becomes true; then one file per provider.

pub mod message;
pub mod fact;
pub mod contract;
pub mod service;
mod raw;
mod contradiction;
pub mod catalog;
pub mod kinds;
