//! What any orchestrator has to know about an order, whatever its architecture: what can happen to it
//! (`state.rs`) and the rules by which the next step is chosen (`rules.rs`). Both examples use
//! it, and share their command line (`command.rs`).

pub(crate) mod rules;
pub(crate) mod state;
