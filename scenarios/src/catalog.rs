//! The scenarios and policies that ship with the library. A test holds this list against the folders.

macro_rules! embedded {
    ($(#[$doc:meta])* $name:ident, $folder:literal, $ending:literal: $($file:literal),* $(,)?) => {
        $(#[$doc])*
        pub const $name: &[(&str, &str)] =
            &[$(($file, include_str!(concat!("../", $folder, "/", $file, $ending)))),*];
    };
}

embedded! {
    /// Scenarios by name, in the order in which `check` runs them.
    SCENARIOS, "worlds", ".toml":
    "checkout", "two-orders", "two-workers", "approval-week", "forgotten-keys", "mix-ups", "late-landings", "no-dedup-carrier", "peer-baseline", "canary",
}

embedded! {
    /// Policies by name; `reference` first.
    POLICIES, "policies", ".toml":
    "reference", "naive", "carrier-timeout-is-failure", "fence-ignored", "fresh-reference-on-retry",
    "gives-up-at-once", "key-is-the-arguments", "lock-is-ownership", "never-notify", "never-rescues", "new-key-on-retry",
    "not-found-is-not-done", "park-everything", "refund-to-be-safe", "refuse-everything",
    "release-while-unknown", "replay-from-the-first-step", "replay-past-window",
    "resend-to-a-carrier-without-dedup", "retries-by-the-day", "retry-for-ever", "send-mail-until-answered", "ship-while-unknown",
    "silent-park", "suffix-on-conflict", "timeout-is-failure", "waits-for-answers-for-hours", "waits-for-days", "write-after-answer", "yes-never-expires",
    "yes-without-asking",
}

embedded! {
    /// Saved cases by name: what once went wrong, run again first of all.
    REGRESSIONS, "regressions", ".json":
    "conflict-after-the-shipment", "crash-before-record", "echo-of-a-decline", "every-read-lost", "forgotten-key",
    "leftover-of-a-renewal", "lost-answer-new-key", "pause-before-renewal", "refund-of-unknown",
    "refused-and-a-clock-behind", "refused-and-a-day-off", "refused-once-is-not-never-sent", "replay-without-a-hold", "second-label", "second-mail", "stale-yes",
    "throttled-and-a-day-off", "two-owners",
}

/// The text of a scenario.
pub fn scenario(name: &str) -> Option<&'static str> {
    find(SCENARIOS, name)
}

/// The text of a policy.
pub fn policy(name: &str) -> Option<&'static str> {
    find(POLICIES, name)
}

fn find(table: &[(&'static str, &'static str)], name: &str) -> Option<&'static str> {
    table.iter().find(|(n, _)| *n == name).map(|(_, text)| *text)
}
