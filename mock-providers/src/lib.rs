//! The other side of the tool boundary: contracts, deduplication, the effect ledger, and providers.
//!
//! Reading order: messages and facts; what a contract says and which kinds it allows; how a request
//! goes through the pipeline; what becomes true; then one file per provider.

mod agenda;
pub mod approval_desk;
mod business;
pub mod catalog;
mod chains;
pub mod contract;
mod contradiction;
mod dedup;
pub mod effect;
mod execution;
pub mod fact;
pub mod fulfillment;
pub mod inventory;
pub mod kinds;
pub mod ledger;
mod lookup;
pub mod mail;
pub mod menus;
pub mod message;
pub mod operator_desk;
pub mod payments;
mod pipeline;
mod provider_impl;
mod provider_state;
mod raw;
pub mod render;
pub mod service;
mod serving;
mod settlement;
pub mod totals;
pub mod truth;
mod twist;
