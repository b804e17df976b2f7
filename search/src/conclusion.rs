//! The conclusion of a command, and its exit code.

/// What came of a command; the gravest wins, in this order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Conclusion {
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

impl Conclusion {
    /// The word used in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Conclusion::Kept => "kept",
            Conclusion::Stale => "stale",
            Conclusion::Violated => "violated",
            Conclusion::Nondeterministic => "nondeterministic",
            Conclusion::Error => "error",
        }
    }

    /// The exit code.
    pub const fn code(self) -> u8 {
        match self {
            Conclusion::Kept => 0,
            Conclusion::Violated => 1,
            Conclusion::Error => 2,
            Conclusion::Nondeterministic => 3,
            Conclusion::Stale => 4,
        }
    }
}
