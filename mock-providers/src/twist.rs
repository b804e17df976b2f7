//! How an execution differs from the usual one, as data: what a landed choice makes of it.

use crate::kinds::ActFate;
use unacked_sim::time::Span;

/// How an execution differs from the usual one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Twist {
    /// It runs although its key is known.
    pub(crate) anyway: bool,
    /// Its key is locked this long, the answer is 5xx, and nothing happens.
    pub(crate) locks: Option<Span>,
    /// Effect and answer come this much later.
    pub(crate) late: Span,
    /// The answer is 5xx, at once and whatever happens.
    pub(crate) error: bool,
    /// Nothing is remembered of its key.
    pub(crate) forgets: bool,
    /// How its effect becomes final.
    pub(crate) settles: Settles,
}

/// How an effect becomes final.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Settles {
    /// As the contract and the business say.
    Usual,
    /// It succeeds this much later.
    After(Span),
    /// It is pending this long, and then fails.
    Fails(Span),
    /// It is refused for good.
    Refused,
}

impl Twist {
    /// No difference.
    pub(crate) const USUAL: Twist =
        Twist { anyway: false, locks: None, late: Span::ZERO, error: false, forgets: false, settles: Settles::Usual };

    /// What a choice with its parameter makes of an execution.
    #[cold]
    pub(crate) fn of(fate: ActFate, value: Span) -> Twist {
        let late = Span(value.0.max(1));
        match fate {
            ActFate::ErrorAfterEffect => Twist { error: true, ..Twist::USUAL },
            ActFate::ErrorThenEffect => Twist { error: true, late, ..Twist::USUAL },
            ActFate::CommitLate => Twist { late, ..Twist::USUAL },
            ActFate::Declined | ActFate::CannotShip => Twist { settles: Settles::Refused, ..Twist::USUAL },
            ActFate::RefundPending | ActFate::AcceptLate => Twist { settles: Settles::After(value), ..Twist::USUAL },
            ActFate::RefundFailed => Twist { settles: Settles::Fails(value), ..Twist::USUAL },
            ActFate::RecordLost => Twist { error: true, forgets: true, ..Twist::USUAL },
            ActFate::EffectLost => Twist { locks: Some(value), ..Twist::USUAL },
            ActFate::RaceExecuted | ActFate::DriftExecuted | ActFate::KeyForgotten => {
                Twist { anyway: true, ..Twist::USUAL }
            }
        }
    }
}
