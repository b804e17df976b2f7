//! The verdict of a command, and its exit code.

/// What came of a command; the gravest wins, in this order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Every promise was kept, and what had to be reached was.
    #[default]
    Kept,
    /// A saved case no longer fits the code.
    Stale,
    /// A promise was broken, or something that had to be reached was not.
    Violated,
    /// The same seed ran differently the second time.
    Nondeterministic,
    /// It could not be run.
    Error,
}

impl Verdict {
    /// The word used in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Verdict::Kept => "kept",
            Verdict::Stale => "stale",
            Verdict::Violated => "violated",
            Verdict::Nondeterministic => "nondeterministic",
            Verdict::Error => "error",
        }
    }

    /// The exit code.
    pub const fn code(self) -> u8 {
        match self {
            Verdict::Kept => 0,
            Verdict::Violated => 1,
            Verdict::Error => 2,
            Verdict::Nondeterministic => 3,
            Verdict::Stale => 4,
        }
    }
}
