//! The other side of the tool boundary: contracts, deduplication, the effect ledger, and providers.

pub mod message;
pub mod fact;
