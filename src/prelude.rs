//! What a subject of your own needs.

pub use crate::subject::{Check, Report, check_subject};
pub use unacked_mock_providers::message::{Ask, Op, Reply, Request, Says};
pub use unacked_scenarios::client;
pub use unacked_scenarios::client::Keyed;
pub use unacked_scenarios::records::{Claim, Projected, Projection, Records};
pub use unacked_scenarios::shop::Shop;
pub use unacked_sim::cx::{Cx, Reception, StoreFault};
pub use unacked_sim::lab::Subject;
pub use unacked_sim::time::{Span, Time};
pub use unacked_sim::world::NodeId;
pub use unacked_workflow::belief::{Belief, Dedup, Duplicate, Limits, Lookup};
pub use unacked_workflow::order::{Cause, End, Intent, Statement, Status};
