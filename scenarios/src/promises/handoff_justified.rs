//! handoff-justified: a person is asked only when nothing else is left.

use crate::clause::{Clause, promise};
use crate::court::{Court, Wording};
use crate::known::documented::{Documented, Tells};
use crate::known::op_state::OpState;
use crate::known::ops::op_of;
use crate::known::order_state::OrderState;
use crate::status::Knowledge;
use unacked_sim::time::{Span, Time};
use unacked_sim::world::NodeId;
use unacked_workflow::tool::Tool;

promise! {
    "handoff-justified", Always, "R11 R20",
        "an order is handed to a person only when no automatic step was left or its declared deadline had passed";
    UNSENT = "unsent", Always, [Records, OperatorDesk], "R11 R20",
        "what never left is sent, not handed over";
    REPLAYABLE = "replayable", Always, [Records, OperatorDesk], "R11 R20",
        "what a key still covers is repeated, not handed over";
    LOOKUP = "lookup", Always, [Records, OperatorDesk], "R11 R20",
        "what can be looked up is looked up, not handed over";
}

/// How long a claim may take to become durable, pauses aside, while the store fails.
const SLOW_COMMIT: Span = Span::secs(90);

/// An order is handed to a person.
pub(crate) fn handed(court: &mut Court<'_>, state: &OrderState, tool: Tool, node: NodeId) {
    let op = state.op(op_of(tool));
    let Some((clause, left)) = step_left(court.documented, court.moment.now, op, tool, node) else { return };
    let said = Wording {
        headline: format!("order {} was handed to a person although {left}", court.number()),
        expected: "a hand-off only when no automatic step is left or its deadline has passed".into(),
        found: left,
        evidence: vec![op.sent_event],
    };
    court.breaks(clause, op_of(tool), said);
}

/// The automatic step that was left, in words.
fn step_left(
    documented: &Documented,
    now: Time,
    op: &OpState,
    tool: Tool,
    node: NodeId,
) -> Option<(&'static Clause, String)> {
    let replayable = replayable(documented, now, op, tool);
    if op.evidence.attempts >= documented.limits.attempts[tool as usize] || is_due(documented, now, op, tool, replayable)
    {
        return None;
    }
    // Unless a refusal is known only to a node that could not record it. What was throttled was on the
    // wire, which may have made a copy.
    let unsent = op.status(node) == Knowledge::NotSent && op.evidence.first_send.is_none();
    let can_look = match documented.of(tool).lookup {
        Tells::Nothing => false,
        Tells::ById => op.status(node) == Knowledge::Pending,
        Tells::ByReference => true,
    };
    match tool.name() {
        name if unsent && !op.written.is_open() => Some((&UNSENT, format!("nothing of its {name} had been sent"))),
        name if replayable => Some((&REPLAYABLE, format!("its {name} could still be replayed under its key"))),
        name if can_look => Some((&LOOKUP, format!("its {name} could still be looked up"))),
        _ => None,
    }
}

/// Whether the scenario's deadline for handing over has passed. The record's own time is that of the
/// decision, on the node's clock: earlier than the claim became durable by at most a pause, and off by
/// the skew.
fn is_due(documented: &Documented, now: Time, op: &OpState, tool: Tool, replayable: bool) -> bool {
    let limits = &documented.limits;
    let since = op.evidence.first_claim.unwrap_or(now);
    let age = now.since(since) + Span(limits.skew) + Span(limits.p_max) + SLOW_COMMIT;
    let deadline = if replayable { limits.handoff_covered[tool as usize] } else { limits.handoff[tool as usize] };
    age >= Span(deadline)
}

/// Whether a replay under the key is covered at this time.
fn replayable(documented: &Documented, now: Time, op: &OpState, tool: Tool) -> bool {
    let reliable = documented.of(tool);
    let Some(window) = reliable.window else { return false };
    if reliable.stores_failures && op.stored_failure {
        return false;
    }
    // Whoever crashed after a claim cannot know whether it left. Both the first claim and the replay are
    // decided before they are durable: by a pause and a slow commit at most.
    let first = op.evidence.first_claim.or(op.evidence.first_send).unwrap_or(now);
    let decided = Span(documented.limits.p_max) + SLOW_COMMIT;
    now + decided + decided < first + (window - documented.arrival())
}
