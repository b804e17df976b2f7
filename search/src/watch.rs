//! Watching long work: whether to stop, how far it is, what it has found so far.

use crate::minimal::Finding;

/// Asks whether to stop: what goes on then is cut short, and says so.
pub type Stop<'a> = &'a dyn Fn() -> bool;

/// Nobody wants to stop.
pub const GO_ON: Stop<'static> = &|| false;

/// What long work asks and tells while it goes on.
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    /// Whether to stop at the next good place.
    pub stop: &'a (dyn Fn() -> bool + Sync),
    /// So many more runs are done.
    pub step: &'a (dyn Fn(u64) + Sync),
    /// So many plans out of so many are being shrunk.
    pub shrinking: &'a (dyn Fn(u64, u64) + Sync),
    /// So many threads could not be started; the others do their work.
    pub fewer: &'a (dyn Fn(usize) + Sync),
    /// Something was found and shrunk; it may be found again, and need not be reported in the end.
    pub found: Option<&'a (dyn Fn(&Finding) + Sync)>,
}

impl Watch<'static> {
    /// Nobody watches.
    pub const NOBODY: Watch<'static> =
        Watch { stop: &|| false, step: &|_| {}, shrinking: &|_, _| {}, fewer: &|_| {}, found: None };
}
