//! What is carried over an interruption: into the record that was left behind, and out of one that
//! was lost.

use crate::order::{Course, Operation, Order, OrderId, Status};
use crate::policy::{Policy, Recovery};
use crate::tool::Tool;

/// A claimed order whose record says "dispatched" had an owner who may have sent: unknown (R16).
#[inline]
pub(crate) fn recover(order: &mut Order, policy: &Policy) {
    let interrupted = Tool::ALL.into_iter().any(|tool| order.op(tool).status == Status::Dispatched);
    if interrupted {
        recover_from(order, policy.recovery);
    }
}

#[cold]
fn recover_from(order: &mut Order, recovery: Recovery) {
    match recovery {
        Recovery::Resume => Tool::ALL.into_iter().for_each(|tool| doubt(order, tool)),
        Recovery::Restart => restart(order),
    }
}

fn doubt(order: &mut Order, tool: Tool) {
    if order.op(tool).status == Status::Dispatched {
        order.op_mut(tool).status = Status::Unknown;
    }
}

fn restart(order: &mut Order) {
    for tool in Tool::ALL {
        let generation = order.op(tool).generation;
        *order.op_mut(tool) = Operation { generation, ..Operation::default() };
    }
    order.course = Course::Forward;
    order.approval = Default::default();
}

/// An answer that could not be recorded, since the record had changed hands: what it established is
/// established all the same, and goes into the record when this worker next holds it.
#[derive(Clone, Copy)]
pub(crate) struct Learned {
    order: OrderId,
    tool: Tool,
    op: Operation,
}

impl Learned {
    pub(crate) fn of(order: &Order, tool: Tool) -> Option<Learned> {
        let op = *order.op(tool);
        let tells = op.is_settled() || op.status == Status::Pending;
        tells.then_some(Learned { order: order.id, tool, op })
    }

    /// Facts move forward only: it fills in what is still open in the same generation (R22).
    pub(crate) fn add_to(self, order: &mut Order) {
        let op = *order.op(self.tool);
        let same = order.id == self.order && op.generation == self.op.generation && op.key == self.op.key;
        let newer = same && op.status.is_open() && op.status != Status::Pending;
        // "It did nothing" speaks for the attempts that had been claimed then, not for those since.
        let speaks = self.op.status != Status::Rejected || op.attempts <= self.op.attempts;
        // A hold's expiry and a person's decision are part of their answers: ask for them again.
        if newer && speaks && !matches!(self.tool, Tool::Approve | Tool::Renew) {
            *order.op_mut(self.tool) = Operation { attempts: op.attempts.max(self.op.attempts), ..self.op };
        }
    }
}
