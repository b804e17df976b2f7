//! What a promise consists of: named clauses, each with what must be observable for it to be judged.

use unacked_sim::verdict::{Promise, When};

/// One thing that a promise forbids or demands.
#[derive(Debug)]
pub struct Clause {
    /// `charged-once/surplus`: the promise, and the clause within it.
    pub id: &'static str,
    /// The promise.
    pub promise: &'static Promise,
    /// When it is judged.
    pub when: When,
    /// What must be observable for it to be judged.
    pub needs: Needs,
    /// The rules it stands for, `R3 R7`.
    pub rules: &'static str,
    /// What it says, in one sentence.
    pub says: &'static str,
}

/// What must be observable for a clause to be judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Need {
    /// The effect ledgers of the providers.
    Effects,
    /// What the subject sent and received.
    Wire,
    /// The subject's durable records.
    Records,
    /// An approval desk of ours.
    ApprovalDesk,
    /// An operator desk of ours, into which the subject can put an entry.
    OperatorDesk,
    /// Whatever is told to customers.
    Channels,
}

impl Need {
    /// All of them, in order.
    pub const ALL: [Need; 6] =
        [Need::Effects, Need::Wire, Need::Records, Need::ApprovalDesk, Need::OperatorDesk, Need::Channels];

    /// The words used in output.
    pub const fn name(self) -> &'static str {
        match self {
            Need::Effects => "effects",
            Need::Wire => "wire",
            Need::Records => "records",
            Need::ApprovalDesk => "approval desk",
            Need::OperatorDesk => "operator desk",
            Need::Channels => "channels",
        }
    }
}

/// A set of needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Needs(u8);

impl Needs {
    /// The set of these.
    pub const fn of(needs: &[Need]) -> Needs {
        let (mut set, mut i) = (0, 0);
        while i < needs.len() {
            set |= 1 << needs[i] as u8;
            i += 1;
        }
        Needs(set)
    }

    /// What can be observed of a subject in these worlds: everything, if it declares what its records
    /// mean.
    pub const fn seen(records: bool) -> Needs {
        let always = Needs::of(&[Need::Effects, Need::Wire, Need::ApprovalDesk, Need::OperatorDesk, Need::Channels]);
        let declared = Needs::of(&[Need::Records]);
        Needs(if records { always.0 | declared.0 } else { always.0 })
    }

    /// Whether this is one of them.
    pub const fn has(self, need: Need) -> bool {
        self.0 & 1 << need as u8 != 0
    }

    /// Whether all of these are met by what is seen.
    pub const fn met_by(self, seen: Needs) -> bool {
        self.0 & !seen.0 == 0
    }

    /// Their names.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        Need::ALL.into_iter().filter(move |&need| self.has(need)).map(Need::name)
    }
}

/// Declares a promise and all of its clauses, in the file that judges them: a clause that is not in this
/// list has no name to be broken under, one that is in it takes part in every list and test.
macro_rules! promise {
    ($name:literal, $when:ident, $rules:literal, $says:literal;
     $($clause:ident = $text:literal, $at:ident, [$($need:ident),*], $stands:literal, $sentence:literal;)*) => {
        #[doc = $says]
        pub(crate) static PROMISE: ::unacked_sim::verdict::Promise = ::unacked_sim::verdict::Promise {
            name: $name,
            when: ::unacked_sim::verdict::When::$when,
            says: $says,
            rules: $rules,
        };
        $(#[doc = $sentence]
        pub(crate) static $clause: $crate::clause::Clause = $crate::clause::Clause {
            id: concat!($name, "/", $text),
            promise: &PROMISE,
            when: ::unacked_sim::verdict::When::$at,
            needs: $crate::clause::Needs::of(&[$($crate::clause::Need::$need),*]),
            rules: $stands,
            says: $sentence,
        };)*
        /// All clauses of it.
        pub(crate) static CLAUSES: &[&$crate::clause::Clause] = &[$(&$clause),*];
    };
}
pub(crate) use promise;
