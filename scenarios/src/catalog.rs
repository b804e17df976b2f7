//! The scenarios and policies that ship with the library. A test holds this list against the folders.

macro_rules! embedded {
    ($(#[$doc:meta])* $name:ident, $folder:literal: $($file:literal),* $(,)?) => {
        $(#[$doc])*
        pub const $name: &[(&str, &str)] =
            &[$(($file, include_str!(concat!("../", $folder, "/", $file, ".toml")))),*];
    };
}

embedded! {
    /// Scenarios by name, in the order in which `check` runs them.
    SCENARIOS, "worlds":
    "checkout", "peer-baseline",
}

embedded! {
    /// Policies by name; `reference` first.
    POLICIES, "policies":
    "reference", "naive",
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
