//! Whether a dispatch is allowed now, and if not, what has to come first.

use super::{approval, hold};
use crate::belief::{Dedup, Limits};
use crate::case::{Case, Step};
use crate::order::Course;
use crate::policy::Window;
use crate::time::{Micros, SECOND};
use crate::tool::Tool;

/// How long after it was decided a claim may become durable, pauses aside: a commit is tried again
/// for most of this time (see `hand`).
pub(crate) const COMMIT: Micros = 60 * SECOND;

/// What must come before sending, if anything. `first`: it would be the first send of its
/// generation; a replay needs no second approval (R15) and no second look at the stock.
pub(crate) fn before(case: &Case<'_>, tool: Tool, first: bool) -> Option<Step> {
    match tool {
        // What is settled on the way to a refusal needs no stock any more.
        _ if case.order.course != Course::Forward => None,
        Tool::Charge if first => hold::ensure(case, 0),
        Tool::Fulfill if first => hold::ensure(case, travel(case.limits)).or_else(|| approval::next(case)),
        Tool::Fulfill => hold::ensure(case, travel(case.limits)),
        _ => None,
    }
}

/// Whether a key used now is still remembered when the request arrives (R7).
pub(crate) fn in_window(case: &Case<'_>, tool: Tool) -> bool {
    let Dedup::Keyed(window) = case.belief(tool).dedup else {
        return true;
    };
    if case.policy.window == Window::Ignore {
        return true;
    }
    let safe = window.saturating_sub(travel(case.limits));
    case.op(tool).first_claim.is_none_or(|first| case.now <= first.saturating_add(safe))
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
