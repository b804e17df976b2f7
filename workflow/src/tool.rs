//! The tools a workflow may call, and the class that decides the default policy (R9).

/// A tool on the other side of the boundary. Each may be used once per order and generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Tool {
    /// Read how much of the line is available.
    ReadStock,
    /// Hold the order's quantity until the hold expires.
    Reserve,
    /// Capture the order's amount.
    Charge,
    /// Ask a person to approve the irreversible step.
    Approve,
    /// Request fulfillment; cannot be cancelled once the provider accepted it.
    Fulfill,
    /// Tell the customer how the order ended.
    Notify,
    /// Extend a live hold (only while the order waits for something else).
    Renew,
    /// Compensation: give the captured amount back.
    Refund,
    /// Compensation: give the held quantity back.
    Release,
}

impl Tool {
    /// How many tools there are: the length of every per-tool table.
    pub const COUNT: usize = 9;
    /// All tools, in table order.
    pub const ALL: [Tool; Self::COUNT] = [
        Tool::ReadStock,
        Tool::Reserve,
        Tool::Charge,
        Tool::Approve,
        Tool::Fulfill,
        Tool::Notify,
        Tool::Renew,
        Tool::Refund,
        Tool::Release,
    ];

    /// The word used in sites, files and output.
    pub const fn name(self) -> &'static str {
        match self {
            Tool::ReadStock => "read-stock",
            Tool::Reserve => "reserve",
            Tool::Charge => "charge",
            Tool::Approve => "approve",
            Tool::Fulfill => "fulfill",
            Tool::Notify => "notify",
            Tool::Renew => "renew",
            Tool::Refund => "refund",
            Tool::Release => "release",
        }
    }

    /// Its class; it decides what may be repeated unattended (R9).
    pub const fn class(self) -> Class {
        match self {
            Tool::ReadStock => Class::ReadOnly,
            Tool::Reserve | Tool::Renew | Tool::Release | Tool::Approve => Class::Idempotent,
            Tool::Charge | Tool::Refund | Tool::Notify => Class::Compensatable,
            Tool::Fulfill => Class::Irreversible,
        }
    }
}

/// What kind of act a tool performs (R9).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// No effect: retry within limits.
    ReadOnly,
    /// "Ensure it exists": retry while the tool's contract holds.
    Idempotent,
    /// Not idempotent by itself: require deduplication, or reconcile before issuing again.
    Compensatable,
    /// Cannot be undone: human confirmation *and* duplicate prevention.
    Irreversible,
}
