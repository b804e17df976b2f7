//! Sites: where a choice is asked for, in words. `order-1 charge #2 reply`.
//!
//! A site is (scope, verb, occurrence, stage). Draws use a hash of the *names*; the engine carries a
//! packed handle; files and output carry words. An intern index would move draws, so none is used.

use crate::draw::{fold, hash_name};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// Interned name of what a site is about: `order-1`, `worker-2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Scope(pub u16);

/// Interned name of what is being done: `charge`, `charge.dispatched`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Verb(pub u16);

/// Which part of an action a choice is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Stage {
    /// Strike point before a durable write or a dispatch.
    Before,
    /// Strike point after it.
    After,
    /// The request's way to the provider.
    Request,
    /// What the provider does with it.
    Provider,
    /// The answer's way back.
    Reply,
    /// The durable store.
    Store,
    /// A person.
    Human,
    /// A node's clock.
    Clock,
}

impl Stage {
    /// All stages, in the order of their numbers.
    pub const ALL: [Stage; 8] = [
        Stage::Before,
        Stage::After,
        Stage::Request,
        Stage::Provider,
        Stage::Reply,
        Stage::Store,
        Stage::Human,
        Stage::Clock,
    ];

    /// The word used in sites.
    pub const fn name(self) -> &'static str {
        match self {
            Stage::Before => "before",
            Stage::After => "after",
            Stage::Request => "request",
            Stage::Provider => "provider",
            Stage::Reply => "reply",
            Stage::Store => "store",
            Stage::Human => "human",
            Stage::Clock => "clock",
        }
    }

    const fn hash(self) -> u64 {
        const HASHES: [u64; 8] = {
            let mut hashes = [0; 8];
            let mut i = 0;
            while i < 8 {
                hashes[i] = hash_name(Stage::ALL[i].name());
                i += 1;
            }
            hashes
        };
        HASHES[self as usize]
    }

    /// The stage of this name.
    pub fn named(name: &str) -> Option<Stage> {
        Stage::ALL.into_iter().find(|s| s.name() == name)
    }
}

/// A call or write in progress: (scope, verb, occurrence), still without a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occasion {
    /// What it is about.
    pub scope: Scope,
    /// What is being done.
    pub verb: Verb,
    /// The how-manieth time within (scope, verb), from 1; a copy that the wire or a client layer
    /// made carries its number in the high bits (see [`Names::sub_send`]).
    pub occurrence: u32,
    base: u64,
}

impl Occasion {
    /// The site of one stage of it.
    #[inline]
    pub fn at(self, stage: Stage) -> Site {
        Site { occasion: self, stage, hash: site_hash(self.base, stage) }
    }
}

/// Where a choice is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Site {
    /// Scope, verb and occurrence.
    pub occasion: Occasion,
    /// Which part of it.
    pub stage: Stage,
    /// Hash of the names: what draws are keyed by and plans are matched by.
    pub hash: u64,
}

/// Copies are numbered above this bit of the occurrence.
const SUB_BITS: u32 = 24;

const BY_OCCURRENCE: u64 = 0x9e37_79b9_7f4a_7c15;

#[inline]
fn occasion_base(scope: u64, verb: u64, occurrence: u32) -> u64 {
    fold(scope ^ u64::from(occurrence).wrapping_mul(BY_OCCURRENCE), verb)
}

#[inline]
fn site_hash(base: u64, stage: Stage) -> u64 {
    base ^ stage.hash()
}

/// A site in words, as plans carry it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SiteName {
    /// What it is about.
    pub scope: String,
    /// What is being done.
    pub verb: String,
    /// The how-manieth time, from 1.
    pub occurrence: u32,
    /// Which part of it.
    pub stage: Stage,
}

impl SiteName {
    /// The hash that draws and matching use: the same as [`Site::hash`] of the site so named.
    pub fn hash(&self) -> u64 {
        let base = occasion_base(hash_name(&self.scope), hash_name(&self.verb), self.occurrence);
        site_hash(base, self.stage)
    }

    /// Reads `order-1 charge #2 reply`.
    ///
    /// # Errors
    /// A sentence that shows the right form.
    pub fn parse(text: &str) -> Result<SiteName, String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let &[scope, verb, occurrence, stage] = words.as_slice() else {
            return Err(bad_site(text));
        };
        if let Some(reason) = not_a_scope(scope) {
            return Err(reason);
        }
        let occurrence = occurrence.strip_prefix('#').and_then(parse_occurrence);
        match (occurrence, Stage::named(stage)) {
            (Some(occurrence), Some(stage)) => {
                Ok(SiteName { scope: scope.into(), verb: verb.into(), occurrence, stage })
            }
            _ => Err(bad_site(text)),
        }
    }
}

/// `2` or, for the first copy of the second, `2.1`.
fn parse_occurrence(text: &str) -> Option<u32> {
    let (number, copy) = text.split_once('.').unwrap_or((text, "0"));
    let number: u32 = number.parse().ok().filter(|n| (1..1 << SUB_BITS).contains(n))?;
    let copy: u32 = copy.parse().ok().filter(|&c| c < 256)?;
    Some(number | copy << SUB_BITS)
}

/// Why a word cannot be a scope, if so: a plan's lines begin with their scope.
fn not_a_scope(word: &str) -> Option<String> {
    (word.starts_with('#') || word == "noise" || word == "pin").then(|| {
        format!(
            "`{word}` cannot be a scope: `noise`, `pin` and words that begin with `#` mean something else in a plan"
        )
    })
}

fn bad_site(text: &str) -> String {
    let stages: Vec<&str> = Stage::ALL.iter().map(|s| s.name()).collect();
    let text = text.trim();
    format!(
        "`{text}` is not a site: write SCOPE VERB #N STAGE, such as `order-1 charge #2 reply`; stages are {}",
        stages.join(", ")
    )
}

impl fmt::Display for SiteName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (number, copy) = (self.occurrence & ((1 << SUB_BITS) - 1), self.occurrence >> SUB_BITS);
        write!(f, "{} {} #{number}", self.scope, self.verb)?;
        if copy > 0 {
            write!(f, ".{copy}")?;
        }
        write!(f, " {}", self.stage.name())
    }
}

/// The names a world uses, interned when it is built.
///
/// Copies share one table until one of them learns a new name.
#[derive(Clone, Debug, Default)]
pub struct Names(Arc<Tables>);

#[derive(Clone, Debug, Default)]
struct Tables {
    scopes: Words,
    verbs: Words,
}

/// Words by number, with their hashes, and the other way round.
#[derive(Clone, Debug, Default)]
struct Words {
    list: Vec<(String, u64)>,
    numbers: BTreeMap<u64, u16>,
}

impl Names {
    /// The scope of this name, interned if new.
    ///
    /// # Panics
    /// On a hash collision between two names, more than 65,535 of them, or one that a plan could not
    /// carry (two words, `noise`, `pin`, `#…`): a bug in the world.
    pub fn scope(&mut self, name: &str) -> Scope {
        if let Some(reason) = not_a_scope(name) {
            panic!("{reason}");
        }
        Scope(Arc::make_mut(&mut self.0).scopes.intern(name))
    }

    /// The verb of this name, interned if new.
    ///
    /// # Panics
    /// As [`Names::scope`].
    pub fn verb(&mut self, name: &str) -> Verb {
        Verb(Arc::make_mut(&mut self.0).verbs.intern(name))
    }

    /// The word for a scope.
    pub fn scope_name(&self, scope: Scope) -> &str {
        self.0.scopes.list.get(usize::from(scope.0)).map_or("?", |s| &s.0)
    }

    /// The word for a verb.
    pub fn verb_name(&self, verb: Verb) -> &str {
        self.0.verbs.list.get(usize::from(verb.0)).map_or("?", |s| &s.0)
    }

    /// The site in words.
    pub fn describe(&self, site: Site) -> SiteName {
        let at = site.occasion;
        SiteName {
            scope: self.scope_name(at.scope).into(),
            verb: self.verb_name(at.verb).into(),
            occurrence: at.occurrence,
            stage: site.stage,
        }
    }

    /// The `nth` copy of a call (from 1), with sites of its own: `charge #2.1 provider`.
    pub fn sub_send(&self, of: Occasion, nth: u32) -> Occasion {
        self.occasion(of.scope, of.verb, of.occurrence | nth << SUB_BITS)
    }

    #[inline]
    pub(crate) fn occasion(&self, scope: Scope, verb: Verb, occurrence: u32) -> Occasion {
        let s = self.0.scopes.list[usize::from(scope.0)].1;
        let v = self.0.verbs.list[usize::from(verb.0)].1;
        Occasion { scope, verb, occurrence, base: occasion_base(s, v, occurrence) }
    }

    pub(crate) fn counts(&self) -> (usize, usize) {
        (self.0.scopes.list.len(), self.0.verbs.list.len())
    }
}

impl Words {
    fn intern(&mut self, name: &str) -> u16 {
        let hash = hash_name(name);
        if let Some(&number) = self.numbers.get(&hash) {
            assert!(self.list[usize::from(number)].0 == name, "two names hash alike; rename `{name}`");
            return number;
        }
        assert!(name.split_whitespace().count() == 1, "a site's name must be one word: `{name}`");
        let number = u16::try_from(self.list.len()).expect("fewer than 65,536 names");
        self.list.push((name.into(), hash));
        self.numbers.insert(hash, number);
        number
    }
}
