//! Policy files: a delta on `reference`, with what it breaks and who must catch it.

use crate::books::Guard;
use crate::filter::nearest;
use crate::model::{check_twice, check_waits};
use crate::promises;
use crate::structure::{Persist, Structure};
use crate::units::Length;
use crate::wrong::Wrong;
use serde::Deserialize;
use std::collections::BTreeMap;
use unacked_sim::draw::hash_name;
use unacked_workflow::policy as knobs;
use unacked_workflow::policy::Policy;
use unacked_workflow::tool::Tool;

/// A policy file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PolicyFile {
    /// Its name: the file's, not part of the text.
    #[serde(skip)]
    pub name: String,
    /// Hash of the file's text.
    #[serde(skip)]
    pub hash: u64,
    /// Its `[change]` as TOML, the way cases carry it.
    #[serde(skip)]
    pub delta: String,
    /// What it does, on one line.
    pub about: String,
    /// What people who do this think, and what comes of it, in a few sentences; empty for `reference`.
    #[serde(default)]
    pub mistake: String,
    /// The rules it breaks; none for `reference`.
    #[serde(default)]
    pub breaks: Vec<String>,
    /// The promises that must catch it, by name; none for `reference`.
    #[serde(default)]
    pub caught_by: Vec<String>,
    /// The scenarios in which it must be caught.
    #[serde(default)]
    pub home: Vec<String>,
    /// What it does otherwise than `reference`.
    #[serde(default)]
    pub change: Change,
}

macro_rules! words {
    ($(#[$doc:meta])* $name:ident => $target:ty { $($variant:ident = $value:expr),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        #[expect(missing_docs, reason = "each word is documented where the knob is")]
        pub enum $name { $($variant),* }

        impl From<$name> for $target {
            fn from(word: $name) -> $target {
                match word { $($name::$variant => $value),* }
            }
        }
    };
}

words! {
    /// Source of keys and references.
    Source => knobs::KeySource {
        Operation = knobs::KeySource::Operation, Attempt = knobs::KeySource::Attempt, Arguments = knobs::KeySource::Arguments,
    }
}
words! {
    /// What an unknown outcome leads to.
    Unknown => knobs::OnUnknown {
        Resolve = knobs::OnUnknown::Resolve, Resend = knobs::OnUnknown::Resend,
        AssumeFailed = knobs::OnUnknown::AssumeFailed, AssumeDone = knobs::OnUnknown::AssumeDone,
    }
}
words! {
    /// What a conflict on one's own key leads to.
    Conflict => knobs::OnConflict { Wait = knobs::OnConflict::Wait, NewKey = knobs::OnConflict::NewKey }
}
words! {
    /// What an empty lookup proves.
    Absence => knobs::Absence { AfterBounds = knobs::Absence::AfterBounds, AtOnce = knobs::Absence::AtOnce }
}
words! {
    /// Whether replays respect the key window.
    Window => knobs::WindowUse { Respect = knobs::WindowUse::Respect, Ignore = knobs::WindowUse::Ignore }
}
words! {
    /// How an approval is used.
    ApprovalUse => knobs::ApprovalUse {
        Bound = knobs::ApprovalUse::Bound, Skip = knobs::ApprovalUse::Skip, IgnoreExpiry = knobs::ApprovalUse::IgnoreExpiry,
    }
}
words! {
    /// When compensation may start.
    Compensation => knobs::Compensation {
        Confirmed = knobs::Compensation::Confirmed, RefundUnknown = knobs::Compensation::RefundUnknown,
        ReleaseUnknown = knobs::Compensation::ReleaseUnknown,
    }
}
words! {
    /// When an order is handed to a person.
    Handoff => knobs::HandoffRule {
        Justified = knobs::HandoffRule::Justified, Eager = knobs::HandoffRule::Eager, Silent = knobs::HandoffRule::Silent,
    }
}
words! {
    /// What is done when the mail's outcome is unknown.
    Mail => knobs::MailRule {
        Once = knobs::MailRule::Once, UntilAnswered = knobs::MailRule::UntilAnswered, Never = knobs::MailRule::Never,
    }
}
words! {
    /// Whether orders are taken.
    Refuse => knobs::Acceptance { TrueCause = knobs::Acceptance::TrueCause, Everything = knobs::Acceptance::Everything }
}
words! {
    /// How an order with a dead owner is recovered.
    Recovery => knobs::Recovery { Resume = knobs::Recovery::Resume, Restart = knobs::Recovery::Restart }
}
words! {
    /// Whether the attempt cap is kept.
    Cap => knobs::Cap { Respect = knobs::Cap::Respect, Ignore = knobs::Cap::Ignore }
}
words! {
    /// When a dispatch is recorded.
    Persisted => Persist { BeforeDispatch = Persist::BeforeDispatch, AfterAnswer = Persist::AfterAnswer }
}

/// What somebody's lease on an order means to others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Leased {
    /// The order is left alone until the lease is over, then taken over.
    Respect,
    /// The order is taken whenever it is due.
    Ignore,
    /// The order is left alone for good: a lease does not expire, and a dead owner is not replaced.
    ForEver,
}

/// The knobs that a file may turn; what it does not mention stays as in `reference`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Change {
    /// Where an idempotency key comes from: operation, attempt, arguments.
    pub key: Option<Source>,
    /// Where the carrier's client reference comes from.
    pub reference: Option<Source>,
    /// When a dispatch is recorded: before-dispatch, after-answer.
    pub persist: Option<Persisted>,
    /// Whether a write under an old claim is refused.
    pub fence: Option<bool>,
    /// What somebody's lease means to others: respect, ignore, for-ever (nobody ever takes over).
    pub lease: Option<Leased>,
    /// What an unknown outcome leads to, by tool: resolve, resend, assume-failed, assume-done.
    pub unknown: BTreeMap<String, Unknown>,
    /// What a 409 on one's own key leads to: wait, new-key.
    pub conflict: Option<Conflict>,
    /// What an empty lookup proves: after-bounds, at-once.
    pub absence: Option<Absence>,
    /// Whether replays respect the key window: respect, ignore.
    pub window: Option<Window>,
    /// How an approval is used: bound, skip, ignore-expiry.
    pub approval: Option<ApprovalUse>,
    /// When compensation may start: confirmed, refund-unknown, release-unknown.
    pub compensation: Option<Compensation>,
    /// When an order is handed to a person: justified, eager, silent.
    pub handoff: Option<Handoff>,
    /// What is done when the mail's outcome is unknown: once, until-answered, never.
    pub mail: Option<Mail>,
    /// Whether orders are taken: true-cause, everything.
    pub refuse: Option<Refuse>,
    /// How an order with a dead owner is recovered: resume, restart.
    pub recovery: Option<Recovery>,
    /// Whether the attempt cap is kept: respect, ignore.
    pub cap: Option<Cap>,
    /// Attempts made in a row.
    pub inline_attempts: Option<u16>,
    /// Per-attempt timeouts, by tool.
    pub timeout: BTreeMap<String, Length>,
    /// Waits between durable retries.
    pub durable: Option<Vec<Length>>,
    /// Waits between lookups.
    pub reconcile: Option<Vec<Length>>,
}

impl Change {
    fn check(&self) -> Result<(), Wrong> {
        let unknown = self.unknown.keys().map(|tool| ("unknown", tool));
        for (table, tool) in unknown.chain(self.timeout.keys().map(|tool| ("timeout", tool))) {
            check_tool(table, tool)?;
        }
        if self.inline_attempts == Some(0) {
            return Err(Wrong::at("change.inline_attempts", "0 lets nothing be done at all; write 1 or more"));
        }
        check_waits(self.durable.as_deref(), self.reconcile.as_deref(), "change")
    }
}

fn check_tool(table: &str, tool: &str) -> Result<(), Wrong> {
    if tool_named(tool).is_some() {
        return Ok(());
    }
    let all = Tool::ALL.map(|t| t.name());
    let hint = nearest(tool, all.into_iter());
    let says = format!("there is no tool named `{tool}`{hint}; tools are {}", all.join(", "));
    Err(Wrong::at(format!("change.{table}.{tool}"), says))
}

impl PolicyFile {
    /// Reads a policy.
    ///
    /// # Errors
    /// One sentence that names the place and the fix.
    pub fn read(name: &str, text: &str) -> Result<PolicyFile, String> {
        let mut file: PolicyFile = toml::from_str(text).map_err(|e| format!("{name}: {}", e.to_string().trim_end()))?;
        file.name = name.into();
        file.hash = hash_name(text);
        file.delta = delta(text);
        file.check().map_err(|wrong| wrong.in_file(name, text))?;
        Ok(file)
    }

    /// A policy of which nothing is known but its change, as a case carries it.
    ///
    /// # Errors
    /// One sentence that names the place and the fix.
    pub fn of_delta(name: &str, delta: &str) -> Result<PolicyFile, String> {
        let change: toml::Table =
            delta.parse().map_err(|e: toml::de::Error| format!("{name}: {}", e.to_string().trim_end()))?;
        let mut file = toml::Table::new();
        file.insert("about".into(), "a policy that a case carries".into());
        file.insert("change".into(), change.into());
        PolicyFile::read(name, &file.to_string())
    }

    fn check(&self) -> Result<(), Wrong> {
        if let Some((at, promise)) = self.caught_by.iter().enumerate().find(|(_, p)| promises::named(p).is_none()) {
            let hint = nearest(promise, promises::ALL.iter().map(|p| p.name));
            let says = format!("there is no promise named `{promise}`{hint}; `list promises` shows them all");
            return Err(Wrong::at(format!("caught_by.{at}"), says));
        }
        for (list, key) in [(&self.caught_by, "caught_by"), (&self.home, "home"), (&self.breaks, "breaks")] {
            check_twice(list, key)?;
        }
        self.change.check()
    }

    /// Whether it is expected to keep every promise.
    pub fn is_right(&self) -> bool {
        self.caught_by.is_empty()
    }

    /// The orchestrator's policy and record keeping, on top of a scenario's timings.
    pub fn apply(&self, mut policy: Policy) -> (Policy, Structure) {
        let change = &self.change;
        set(&mut policy.key, change.key);
        set(&mut policy.reference, change.reference);
        set(&mut policy.conflict, change.conflict);
        set(&mut policy.absence, change.absence);
        set(&mut policy.window, change.window);
        set(&mut policy.approval, change.approval);
        set(&mut policy.compensation, change.compensation);
        set(&mut policy.handoff, change.handoff);
        set(&mut policy.mail, change.mail);
        set(&mut policy.refuse, change.refuse);
        set(&mut policy.recovery, change.recovery);
        set(&mut policy.cap, change.cap);
        for (tool, &unknown) in &change.unknown {
            if let Some(tool) = tool_named(tool) {
                policy.unknown[tool as usize] = unknown.into();
            }
        }
        self.apply_timings(&mut policy);
        let mut structure = Structure::SOUND;
        set(&mut structure.persist, change.persist);
        structure.guard = Guard {
            fence: change.fence.unwrap_or(true),
            lease: change.lease != Some(Leased::Ignore),
            rescue: change.lease != Some(Leased::ForEver),
        };
        (policy, structure)
    }

    fn apply_timings(&self, policy: &mut Policy) {
        let retry = &mut policy.retry;
        for (tool, timeout) in &self.change.timeout {
            if let Some(tool) = tool_named(tool) {
                retry.timeout[tool as usize] = timeout.0.0;
            }
        }
        let spans = |list: &Vec<Length>| list.iter().map(|l| l.0.0).collect();
        if let Some(attempts) = self.change.inline_attempts {
            retry.inline_attempts = attempts;
        }
        if let Some(durable) = &self.change.durable {
            retry.durable = spans(durable);
        }
        if let Some(reconcile) = &self.change.reconcile {
            retry.reconcile = spans(reconcile);
        }
    }
}

/// The table `change` alone, in a stable order.
fn delta(text: &str) -> String {
    let table: toml::Table = text.parse().unwrap_or_default();
    table.get("change").and_then(|change| change.as_table()).map(ToString::to_string).unwrap_or_default()
}

fn set<T, W: Into<T>>(knob: &mut T, word: Option<W>) {
    if let Some(word) = word {
        *knob = word.into();
    }
}

fn tool_named(name: &str) -> Option<Tool> {
    Tool::ALL.into_iter().find(|t| t.name() == name)
}
