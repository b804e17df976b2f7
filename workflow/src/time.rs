//! Time as the workflow sees it: microseconds on the node's own clock.

/// Microseconds: a point on the node's clock, or a length of time.
pub type Micros = u64;

/// One millisecond.
pub const MILLIS: Micros = 1_000;
/// One second.
pub const SECOND: Micros = 1_000_000;
/// One minute.
pub const MINUTE: Micros = 60 * SECOND;
/// One hour.
pub const HOUR: Micros = 60 * MINUTE;
/// One day.
pub const DAY: Micros = 24 * HOUR;
/// Later than anything a workflow waits for.
pub const NEVER: Micros = Micros::MAX;
