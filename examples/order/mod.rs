//! What any orchestrator has to know about an order, whatever its architecture: what can happen to it
//! (`state.rs`) and the rules by which the next step is chosen (`rules.rs`); and the command line
//! of both examples (`command.rs`).

pub(crate) mod command;
pub(crate) mod rules;
pub(crate) mod state;
