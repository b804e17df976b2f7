//! What an answer establishes, by what is documented about it. The only place where evidence comes from
//! the wire.

use crate::clause::Need;
use crate::known::documented::{Documented, Duplicate};
use crate::known::op_state::OpState;
use crate::known::ops::tool_of;
use crate::known::order_state::OrderState;
use crate::status::Proof;
use unacked_mock_providers::message::{Ask, Op, Reply, Request, Says};
use unacked_sim::world::{NodeId, Received};
use unacked_workflow::order::Money;

/// A call has ended for its caller.
pub fn learn(
    state: &mut OrderState,
    documented: &Documented,
    node: NodeId,
    request: &Request,
    got: Received<'_, Reply>,
) {
    if request.op == Op::ReadStock {
        return stock_read(state, got);
    }
    let approved = state.registered.intent.amount;
    let op = state.op_mut(request.op);
    // That an attempt of a generation left behind did nothing says nothing about the current one.
    let current = !op.is_leftover(request.key);
    match got {
        Received::Reply(reply) if is_of_another(approved, request, reply) => {}
        Received::Reply(reply) => answered(op, documented, node, request, reply.says, current),
        // Before any byte left: nothing was counted as sent, but a claim was.
        Received::Refused => op.evidence.void += u16::from(current && op.claims > op.sends),
        Received::Garbled | Received::Silence => {}
    }
}

/// A lookup that shows another amount than the approved one speaks of other money (R24).
fn is_of_another(approved: Money, request: &Request, reply: &Reply) -> bool {
    let found = matches!(reply.says, Says::Done | Says::Pending) && request.ask == Ask::Lookup;
    let money = matches!(request.op, Op::Charge | Op::Refund);
    found && money && (reply.amount, reply.currency) != (approved.minor, approved.currency)
}

fn answered(op: &mut OpState, documented: &Documented, node: NodeId, request: &Request, says: Says, current: bool) {
    let lookup = request.ask == Ask::Lookup;
    if says == Says::Throttled && !lookup {
        return op.evidence.void += u16::from(current);
    }
    if says == Says::NotFound && lookup && current {
        op.miss(node);
    }
    let reliable = documented.of(tool_of(request.op));
    op.stored_failure |= says == Says::ServerError && !lookup && reliable.stores_failures;
    match proof(op, documented, request, says) {
        // What a subject writes down is not seen: it may remember all that any of its nodes was ever told.
        Some(proof) if !documented.sees.has(Need::Records) => op.evidence.record(proof),
        Some(proof) => op.evidence.learn(node, proof),
        None => {}
    }
}

/// What an answer proves about the operation, if anything.
fn proof(op: &OpState, documented: &Documented, request: &Request, says: Says) -> Option<Proof> {
    let tool = tool_of(request.op);
    let reliable = documented.of(tool);
    let lookup = request.ask == Ask::Lookup;
    let only_attempt = op.evidence.attempts.saturating_sub(op.evidence.void) <= 1;
    let refused = lookup || reliable.decline_binds || only_attempt && !reliable.declines_duplicates;
    match says {
        Says::Done => Some(Proof::Committed),
        Says::Pending => Some(Proof::Pending),
        Says::Declined => refused.then_some(Proof::Rejected),
        Says::Duplicate => match reliable.duplicate {
            Duplicate::Done => Some(Proof::Committed),
            Duplicate::Exists => Some(Proof::Pending),
            Duplicate::Nothing => None,
        },
        Says::NotFound => op.evidence.absence_is_final(op.asked, &documented.horizon(tool)).then_some(Proof::Rejected),
        Says::InProgress | Says::Mismatch | Says::Throttled | Says::ServerError => None,
    }
}

/// Too little on the shelves is a true cause, if that is what the stock service said.
fn stock_read(state: &mut OrderState, got: Received<'_, Reply>) {
    let Received::Reply(reply) = got else { return };
    let wanted = u64::from(state.registered.intent.quantity);
    state.registered.causes.no_stock |= reply.says == Says::Done && reply.value < wanted;
}
