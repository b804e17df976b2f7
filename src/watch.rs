//! Watching long work: whether to stop, and how far it is.

/// What long work asks while it goes on.
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    /// Whether to stop at the next good place.
    pub stop: &'a (dyn Fn() -> bool + Sync),
    /// So many more runs are done.
    pub step: &'a (dyn Fn(u64) + Sync),
}

impl Watch<'static> {
    /// Nobody watches.
    pub const NOBODY: Watch<'static> = Watch { stop: &|| false, step: &|_| {} };
}
