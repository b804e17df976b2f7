//! Which retry policy, at what price? Policies put together from parts that know nothing of each other
//! ([`policy`]), and the defaults of well-known clients as data ([`presets`]).
//!
//! Reading order: a policy and its parts, its waits, the presets; then what may be said after n seeds
//! ([`statistics`]).

pub mod bucket;
mod calm;
pub mod comparison;
pub mod contention;
pub mod guard;
pub mod load;
pub mod policy;
pub mod presets;
pub mod statistics;
pub mod waits;
pub mod worlds;
