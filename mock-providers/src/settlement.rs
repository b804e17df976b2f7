//! How an effect becomes final: at once or later, and with which end.

use crate::message::Says;
use unacked_sim::time::Span;

/// How an effect becomes final.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Settlement {
    /// Pending for this long; `None`: final at once.
    pub(crate) delay: Option<Span>,
    /// And then.
    pub(crate) end: Final,
}

/// What becomes of something pending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Final {
    /// It succeeds.
    Yes,
    /// Something else than what was asked for is allowed.
    Other,
    /// It is refused for good.
    No,
    /// It succeeds, and says so again this much later.
    Twice(Span),
    /// It had succeeded, and says so again.
    Again,
}

impl Settlement {
    /// Final at once, with success.
    pub(crate) const AT_ONCE: Settlement = Settlement { delay: None, end: Final::Yes };

    /// What a fresh answer says.
    pub(crate) fn says(self) -> Says {
        if self.delay.is_some() { Says::Pending } else { Says::Done }
    }
}
