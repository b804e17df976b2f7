//! The other side of the tool boundary: contracts, deduplication, the effect ledger, and providers.
//!
//! Reading order: messages and facts; what a contract says and which kinds it allows; how a request
//! goes through the pipeline; what becomes true; then one file per provider.

mod agenda;
pub mod approval_desk;
mod call;
pub mod catalog;
pub mod contract;
mod contradiction;
mod dedup;
pub mod effect;
pub mod fact;
mod front;
pub mod fulfillment;
mod house;
mod how;
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
pub mod possible;
mod raw;
pub mod render;
pub mod service;
mod terms;
pub mod totals;
mod trade;
pub mod truth;
