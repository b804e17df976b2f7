//! The embedded scenarios and policies are what is in their folders, and each can be read.

use std::collections::BTreeSet;
use unacked::scenarios::catalog::{POLICIES, SCENARIOS};
use unacked::source;

#[track_caller]
fn is_folder(table: &[(&str, &str)], folder: &str) {
    let path = format!("{}/scenarios/{folder}", env!("CARGO_MANIFEST_DIR"));
    let files = std::fs::read_dir(&path).expect("the folder exists");
    let stem = |name: String| name.strip_suffix(".toml").map(String::from);
    let found: BTreeSet<String> =
        files.filter_map(|f| stem(f.expect("a file").file_name().to_string_lossy().into_owned())).collect();
    let known: BTreeSet<String> = table.iter().map(|(name, _)| (*name).to_string()).collect();
    assert_eq!(known, found, "{folder}");
    for (name, text) in table {
        let file = std::fs::read_to_string(format!("{path}/{name}.toml")).expect("the file can be read");
        assert_eq!(file, *text, "{name}");
    }
}

#[test]
fn scenarios_are_the_folder_and_can_be_read() {
    is_folder(SCENARIOS, "worlds");
    SCENARIOS.iter().for_each(|(name, _)| drop(source::scenario(name).expect(name)));
}

#[test]
fn policies_are_the_folder_and_live_in_scenarios_that_exist() {
    is_folder(POLICIES, "policies");
    for (name, _) in POLICIES {
        let policy = source::policy(name).expect(name);
        policy.home.iter().for_each(|home| drop(source::scenario(home).expect(home)));
        assert_eq!(policy.is_right(), *name == "reference", "{name}");
    }
}
