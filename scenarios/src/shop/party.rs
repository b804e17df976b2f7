//! Who takes part: the columns of the timeline, and who performs what.

use unacked_mock_providers::message::Op;
use unacked_sim::world::Actor;

/// Who wakes up: the token of [`unacked_sim::world::Domain::wake`], and the column of the timeline after the workers'.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Party {
    /// The durable store.
    Store,
    /// The stock service.
    Inventory,
    /// The payment provider.
    Payments,
    /// The carrier.
    Carrier,
    /// The mail service.
    Mail,
    /// The approver.
    Approver,
    /// The operator.
    Operator,
}

impl Party {
    /// All of them, in column order.
    pub const ALL: [Party; 7] = [
        Party::Store,
        Party::Inventory,
        Party::Payments,
        Party::Carrier,
        Party::Mail,
        Party::Approver,
        Party::Operator,
    ];

    /// The word used in output.
    pub const fn name(self) -> &'static str {
        match self {
            Party::Store => "store",
            Party::Inventory => "inventory",
            Party::Payments => "payments",
            Party::Carrier => "carrier",
            Party::Mail => "mail",
            Party::Approver => "approver",
            Party::Operator => "operator",
        }
    }

    /// Its column of the timeline, after those of so many workers.
    pub(crate) fn actor(self, workers: u8) -> Actor {
        Actor(workers + self as u8)
    }

    /// Who performs an operation.
    pub const fn of(op: Op) -> Party {
        match op {
            Op::ReadStock | Op::Reserve | Op::Renew | Op::Release => Party::Inventory,
            Op::Charge | Op::Refund => Party::Payments,
            Op::Fulfill | Op::CancelFulfillment => Party::Carrier,
            Op::Notify => Party::Mail,
            Op::Approve => Party::Approver,
        }
    }
}
