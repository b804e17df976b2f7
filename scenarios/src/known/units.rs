//! What is true about the stock, in units.

/// The stock of all lines together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnitLedger {
    /// At the beginning.
    pub initial: i64,
    /// Now available.
    pub available: i64,
    /// Now held.
    pub held: i64,
    /// Shipped.
    pub consumed: i64,
}
