//! The engine on a tiny world: what reaches whom, what survives what, and that a run is a pure
//! function of its plan.

mod calm;
mod combinators;
mod faults_of_the_subject;
mod forks;
mod nodes;
mod placements;
mod runs;
mod store;
mod tiny;
mod wire;
