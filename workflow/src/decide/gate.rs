//! Whether a dispatch is allowed now, and if not, what has to come first.

use super::{approval, margin, operation, reconcile, renewal};
use crate::context::{Context, Step};
use crate::order::Course;
use crate::tool::Tool;

/// Where one operation stands: what it, or the gate before it, needs; `None` once its effect is established.
#[inline]
pub(crate) fn standing(ctx: &Context<'_>, tool: Tool) -> Option<Step> {
    operation::next(ctx, tool).map(|step| pass(ctx, tool, step))
}

/// A send has to pass the gate; a replay that waits there waits no longer than it has time.
pub(crate) fn pass(ctx: &Context<'_>, tool: Tool, step: Step) -> Step {
    match step {
        Step::Begin(_) => before(ctx, tool, true).unwrap_or(step),
        Step::Replay(_) => before(ctx, tool, ctx.op(tool).is_unsent())
            .map_or(step, |first| first.sooner(reconcile::horizon(ctx, tool))),
        step => step,
    }
}

/// What must come before sending, if anything. `first`: nothing of its generation may have left yet;
/// a replay needs no second approval (R15) and no second look at the stock.
fn before(ctx: &Context<'_>, tool: Tool, first: bool) -> Option<Step> {
    match tool {
        // What is settled on the way to a refusal needs no stock any more.
        _ if ctx.order.course != Course::Forward => None,
        Tool::Charge if first => renewal::ensure(ctx, 0),
        Tool::Fulfill if first => renewal::ensure(ctx, margin::travel(ctx.limits)).or_else(|| approval::next(ctx)),
        Tool::Fulfill => renewal::ensure(ctx, margin::travel(ctx.limits)),
        _ => None,
    }
}
