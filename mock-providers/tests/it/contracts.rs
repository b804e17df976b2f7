//! What contracts say, and how they are refused.

use unacked_mock_providers::catalog;
use unacked_mock_providers::render::render;

const HEAD: &str = "name = \"t\"\nabout = \"\"\nsource = \"\"\nchecked_on = \"\"\nconfidence = \"assumed\"\n";

fn refusal(ops: &str) -> String {
    catalog::parse(&format!("{HEAD}{ops}"), "mine.toml").expect_err(ops).to_string()
}

#[test]
fn contradictions_are_refused_with_the_fix() {
    let contradictions = [
        "[ops.charge]\nwindow = { min = \"24h\" }",
        "[ops.charge]\nidentity = \"none\"\non_done = \"snapshot\"",
        "[ops.charge]\nlookup_by_key = \"0s\"",
        "[ops.charge]\nidentity = \"key\"\nwindow = { min = \"48h\", max = \"24h\" }",
        "[ops.charge]\nidentity = \"key\"\nwindow = { min = \"0s\", max = \"0s\" }",
        "[ops.fulfill]\nidentity = \"natural-ref\"\nfingerprint = \"all\"",
        "[ops.fulfill]\nidentity = \"key\"\nlookup_by_ref = \"0s\"",
        "[ops.charge]\nidentity = \"key\"\non_mismatch = \"reject\"",
        "[ops.reserve]\ncommit = { p50 = \"1s\", p99 = \"2s\", max = \"3s\" }",
        "[ops.charge]\ncommit = { p50 = \"5s\", p99 = \"2s\", max = \"3s\" }",
        "[ops.charge]\nlookup_search = \"1h\"\nlookup_lag = \"1m\"",
        "[ops.charge]\nlookup_lag = \"1m\"",
        "[ops.charge]\nlate_commit = \"forever\"",
        "[ops.charge]\ncancel = \"until-acceptance\"",
        "[ops.read-stock]\nidentity = \"key\"",
        "[ops.charge]\nundocumented = [\"on_done\"]",
    ];
    insta::assert_snapshot!(contradictions.map(refusal).join("\n"));
}

#[test]
fn toml_errors_keep_line_and_column() {
    let wrong = [
        "[ops.charge]\nidentity = \"keys\"",
        "[ops.charge]\nwindow = { min = \"1 parsec\" }",
        "[ops.charge]\nonDone = \"snapshot\"",
        "[ops.pay]\nidentity = \"key\"",
        "[ops.charge]\ncommit = \"async\"",
    ];
    insta::assert_snapshot!(wrong.map(refusal).join("\n\n"));
}

#[test]
fn an_unknown_preset_names_the_known_ones() {
    insta::assert_snapshot!(catalog::preset("stripe").expect_err("unknown").to_string());
}

#[test]
fn contracts_are_tables_a_person_can_read() {
    let tables: Vec<String> = catalog::names().filter_map(|n| catalog::preset(n).ok()).map(|s| render(&s)).collect();
    insta::assert_snapshot!(tables.join("\n\n"));
}

#[test]
fn the_catalog_is_the_folder_and_every_file_says_where_it_is_from() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("catalog");
    let entries = std::fs::read_dir(&folder).expect("the folder exists");
    let stem = |name: String| name.strip_suffix(".toml").map(String::from);
    let mut files: Vec<String> =
        entries.filter_map(|entry| stem(entry.expect("a file").file_name().to_string_lossy().into_owned())).collect();
    files.sort();
    assert_eq!(catalog::names().collect::<Vec<_>>(), files, "PRESETS in src/catalog.rs, sorted, is the folder");
    for name in catalog::names() {
        let service = catalog::preset(name).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(service.name, name, "{name}.toml is named otherwise inside");
        assert!(service.offered().next().is_some(), "{name} offers nothing");
        let said = [&service.about, &service.source, &service.checked_on];
        assert!(said.iter().all(|text| !text.is_empty()), "{name}: about, source and checked_on say something");
    }
}
