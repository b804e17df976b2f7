//! How much time has to be left for what is decided now to arrive in time.

use crate::belief::{Dedup, Limits};
use crate::context::Context;
use crate::policy::WindowUse;
use crate::time::{Micros, SECOND};
use crate::tool::Tool;

/// How long after it was decided a claim may become durable, pauses aside: a commit is tried again
/// for most of this time (see `machine`).
pub(crate) const COMMIT: Micros = 60 * SECOND;

/// Whether a key used now is still remembered when the request arrives (R7).
pub(crate) fn in_window(ctx: &Context<'_>, tool: Tool) -> bool {
    let Dedup::Keyed(window) = ctx.belief(tool).dedup else {
        return true;
    };
    if ctx.policy.window == WindowUse::Ignore {
        return true;
    }
    let safe = window.saturating_sub(travel(ctx.limits));
    ctx.op(tool).first_claim.is_none_or(|first| ctx.now <= first.saturating_add(safe))
}

/// The longest time from a decision to the arrival of what it sends, by any clock involved.
pub(crate) fn travel(limits: &Limits) -> Micros {
    limits.p_max.saturating_add(limits.d_max).saturating_add(clocks(limits))
}

/// The longest time from a decision to its commit, by any clock involved: the node may stand still
/// in between, as it may between the commit and the send.
pub(crate) fn clocks(limits: &Limits) -> Micros {
    limits.skew.saturating_add(limits.p_max).saturating_add(COMMIT)
}
