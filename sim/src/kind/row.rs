//! A kind of choice is one row: what it is, where it can happen, with which parameters, for how long.
//!
//! Rows stand in groups, one per place where something can happen. [`kinds!`](crate::kinds) makes an
//! enum of each group; whoever applies its choices matches it without a wildcard, so that a row
//! without behaviour does not compile.

use super::KindId;
use crate::time::Span;

/// How long a choice strains a run: calm does not begin before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lasts {
    /// It is over at once.
    Moment,
    /// As long as its parameter says, from the moment on at which it strikes.
    Value,
    /// Whoever applies it knows, and tells the door.
    Applied,
}

/// The numbers of a world that canonical parameters are computed from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbers {
    /// After this long a caller of the operation gives up waiting.
    pub timeout: Span,
    /// How long a claim protects.
    pub lease: Span,
    /// Longest time a request travels.
    pub d_max: Span,
    /// Longest pause between a durable claim and its send.
    pub p_max: Span,
    /// Largest offset of a bad clock.
    pub skew: Span,
    /// How long after its arrival a request may still commit; `None`: unbounded.
    pub late_commit: Option<Span>,
}

impl Numbers {
    /// Just over the timeout.
    pub fn over_timeout(&self) -> Span {
        self.timeout + Span::secs(1)
    }
}

/// What can happen at one place besides the benign. Made by [`kinds!`](crate::kinds).
pub trait Fate: Copy + Eq + 'static {
    /// All of them, in the order of their rows.
    const ALL: &'static [Self];

    /// Its number.
    fn kind(self) -> KindId;

    /// The fate of this number. `None`: benign.
    ///
    /// # Panics
    /// If that kind cannot happen at this place: a menu of the world is wrong.
    #[inline]
    fn of(kind: KindId) -> Option<Self> {
        if kind.is_benign() { None } else { Some(Self::named(kind)) }
    }

    /// The fate of this number, if it is one of this place.
    #[inline]
    fn find(kind: KindId) -> Option<Self> {
        Self::ALL.iter().copied().find(|fate| fate.kind() == kind)
    }

    /// The fate of this number, which is not benign.
    #[cold]
    fn named(kind: KindId) -> Self {
        Self::find(kind).unwrap_or_else(|| panic!("kind {} is on the menu of a place where it cannot happen", kind.0))
    }
}

/// Declares numbered kinds, one row each, in groups by the place where they can happen.
///
/// A row: `Variant = CONSTANT "name", Class, "rules", "sentence"`, then what differs from the usual:
/// `former ["older-name"]`, `if` (where it is offered; usually everywhere), `values` (canonical
/// parameters, a function of [`Numbers`](crate::kind::Numbers); usually none), `lasts` (usually `Moment`).
#[macro_export]
macro_rules! kinds {
    (
        $(#[$table_doc:meta])* $vis:vis $table:ident from $first:expr;
        $($(#[$doc:meta])* enum $Place:ident, offered by $around:ident: $Around:ty {
            $($Row:ident = $NAME:ident $text:literal, $class:ident, $rules:literal, $about:literal
                $(, former $former:tt)? $(, if $offered:expr)? $(, values $values:expr)? $(, lasts $lasts:ident)?;)+
        })+
    ) => {
        #[repr(u8)]
        #[expect(non_camel_case_types, clippy::upper_case_acronyms, reason = "named like the constants it numbers")]
        enum Number { $($($NAME,)+)+ }

        $($(
            #[doc = $about]
            $vis const $NAME: $crate::kind::KindId = $crate::kind::KindId($first + Number::$NAME as u8);
        )+)+

        $(#[$table_doc])*
        $vis const $table: &[$crate::kind::Kind] = &[$($($crate::kind::Kind {
            name: $text,
            aliases: $crate::kinds!(@or [$(&$former)?] &[]),
            class: $crate::kind::Class::$class,
            about: $about,
            rules: $rules,
            place: stringify!($Place),
            values: $crate::kinds!(@or [$($values)?] |_| Vec::new()),
            lasts: $crate::kinds!(@or [$($crate::kind::Lasts::$lasts)?] $crate::kind::Lasts::Moment),
        },)+)+];

        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            $vis enum $Place { $(#[doc = $about] $Row,)+ }

            impl $crate::kind::Fate for $Place {
                const ALL: &'static [Self] = &[$($Place::$Row,)+];

                fn kind(self) -> $crate::kind::KindId {
                    match self { $($Place::$Row => $NAME,)+ }
                }
            }

            impl $Place {
                /// Whether it can happen there at all.
                $vis fn is_offered(self, $around: &$Around) -> bool {
                    let _ = $around;
                    match self { $($Place::$Row => $crate::kinds!(@or [$($offered)?] true),)+ }
                }

                /// The kinds that can happen there.
                $vis fn offered(around: &$Around) -> Vec<$crate::kind::KindId> {
                    use $crate::kind::Fate;
                    Self::ALL.iter().filter(|fate| fate.is_offered(around)).map(|fate| fate.kind()).collect()
                }
            }
        )+
    };
    (@or [] $usual:expr) => { $usual };
    (@or [$given:expr] $usual:expr) => { $given };
}
