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
