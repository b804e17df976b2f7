//! How much time has to be left for what is decided now to arrive in time.

use crate::belief::{Dedup, Limits};
use crate::context::Context;
use crate::policy::WindowUse;
use crate::time::{Micros, NEVER, SECOND};
use crate::tool::Tool;

/// How long after it was decided a claim may become durable, pauses aside: a commit is tried again
/// for most of this time (see `machine`).
pub(crate) const COMMIT: Micros = 60 * SECOND;

/// Whether a key used now is still remembered when the request arrives (R7).
pub(crate) fn in_window(ctx: &Context<'_>, tool: Tool) -> bool {
    ctx.now <= last_replay(ctx, tool)
}

/// When a key may be used for the last time.
pub(crate) fn last_replay(ctx: &Context<'_>, tool: Tool) -> Micros {
    match ctx.belief(tool).dedup {
        Dedup::Keyed(window) if ctx.policy.window == WindowUse::Respect => safe_end(ctx, tool, window),
        _ => NEVER,
    }
}

/// When a lookup that is answered from the memory of the key can be told "not found" for the last time.
pub(crate) fn last_lookup(ctx: &Context<'_>, tool: Tool) -> Micros {
    safe_end(ctx, tool, ctx.belief(tool).found_within)
}

/// When to try again: at this time, but not without the last chance before it, if there still is one.
pub(crate) fn in_time(ctx: &Context<'_>, tool: Tool, at: Micros) -> Micros {
    let chances = [last_replay(ctx, tool), last_lookup(ctx, tool)].map(|end| end.saturating_sub(COMMIT));
    chances.into_iter().filter(|&chance| ctx.now < chance).fold(at, Micros::min)
}

/// The end of what counts from the first use, less all that may pass until a request arrives.
fn safe_end(ctx: &Context<'_>, tool: Tool, window: Micros) -> Micros {
    match ctx.op(tool).first_claim {
        Some(first) if window != NEVER => first.saturating_add(window.saturating_sub(travel(ctx.limits))),
        _ => NEVER,
    }
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
