//! Operations of the shop and tools of the workflow: which is which.

use unacked_mock_providers::message::Op;
use unacked_workflow::tool::Tool;

/// The operation behind a tool.
pub const fn op_of(tool: Tool) -> Op {
    match tool {
        Tool::ReadStock => Op::ReadStock,
        Tool::Reserve => Op::Reserve,
        Tool::Charge => Op::Charge,
        Tool::Approve => Op::Approve,
        Tool::Fulfill => Op::Fulfill,
        Tool::Notify => Op::Notify,
        Tool::Renew => Op::Renew,
        Tool::Refund => Op::Refund,
        Tool::Release => Op::Release,
    }
}

/// The tool behind an operation; cancelling a fulfillment belongs to the fulfillment.
pub const fn tool_of(op: Op) -> Tool {
    match op {
        Op::ReadStock => Tool::ReadStock,
        Op::Reserve => Tool::Reserve,
        Op::Renew => Tool::Renew,
        Op::Release => Tool::Release,
        Op::Charge => Tool::Charge,
        Op::Refund => Tool::Refund,
        Op::Fulfill | Op::CancelFulfillment => Tool::Fulfill,
        Op::Notify => Tool::Notify,
        Op::Approve => Tool::Approve,
    }
}
