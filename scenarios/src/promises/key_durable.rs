//! key-durable: what leaves was written down first.

use crate::clause::promise;
use crate::court::{Court, Wording};
use crate::known::order_state::OrderState;
use unacked_mock_providers::message::Request;

promise! {
    "key-durable", Always, "R3 R16",
        "operation, key and arguments are committed before the first byte leaves";
    UNCLAIMED = "unclaimed", Always, [Records, Wire], "R3 R16",
        "nothing is sent that no record claims";
    OTHER_KEY = "other-key", Always, [Records, Wire], "R3 R16",
        "nothing is sent under another key than the one recorded";
}

/// A request leaves.
pub(crate) fn sent(court: &mut Court<'_>, state: &OrderState, request: &Request) {
    let op = state.op(request.op);
    if request.key != 0 && op.claimed.contains(&request.key) {
        return;
    }
    let (clause, found) = match op.claims {
        0 => (&UNCLAIMED, "no record of the dispatch"),
        _ => (&OTHER_KEY, "a record with another key"),
    };
    let said = Wording {
        headline: format!("{} of order {} left before its key was durable", request.op.name(), court.number()),
        expected: "a durable record of operation, key and arguments before the first byte".into(),
        found: found.into(),
        evidence: vec![],
    };
    court.breaks(clause, request.op, said);
}
