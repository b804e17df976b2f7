//! When to try again. Backoff controls timing and load; it never establishes anything (R2).

use crate::context::Context;
use crate::order::Operation;
use crate::policy::{Cap, Retry};
use crate::time::Micros;
use crate::tool::Tool;

/// Whether no attempt is left in this generation (bounded-attempts).
pub(crate) fn exhausted(ctx: &Context<'_>, tool: Tool) -> bool {
    let attempts = ctx.op(tool).attempts;
    let retry = &ctx.policy.retry;
    let cap = match ctx.policy.cap {
        Cap::Respect => ctx.limits.attempts[tool as usize],
        Cap::Ignore => u16::MAX,
    };
    attempts >= cap || (retry.durable.is_empty() && attempts >= retry.inline_attempts)
}

/// The longest `nth` wait in a row (from 1): doubling, capped; the port draws the jitter.
pub(crate) fn inline_cap(retry: &Retry, nth: u16) -> Micros {
    let doublings = u32::from(nth.saturating_sub(1)).min(32);
    retry.inline_base.saturating_mul(1 << doublings).min(retry.inline_cap)
}

/// The wait after a series of inline attempts; each series moves one step along the schedule.
pub(crate) fn durable(retry: &Retry, op: &Operation) -> Micros {
    let series = op.attempts / retry.inline_attempts.max(1);
    step(&retry.durable, series.saturating_sub(1))
}

/// The wait before the next lookup: one step along the schedule per lookup made.
pub(crate) fn reconcile(retry: &Retry, op: &Operation) -> Micros {
    step(&retry.reconcile, op.lookups)
}

/// The last wait of a schedule repeats.
fn step(schedule: &[Micros], index: u16) -> Micros {
    let last = schedule.last().copied().unwrap_or(0);
    schedule.get(usize::from(index)).copied().unwrap_or(last)
}
