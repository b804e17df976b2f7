//! Bad input: one clear error that names place and fix, and exit code 2.

use crate::common::{program, said, unacked};
use std::path::PathBuf;
use unacked::scenarios::model::Model;

#[track_caller]
fn refused(words: &str, parts: &[&str]) {
    let said = unacked(words);
    assert_eq!((said.code, said.out.as_str()), (2, ""), "{words}: {}", said.err);
    assert_eq!(said.err.matches("error:").count(), 1, "{words}: {}", said.err);
    for part in parts {
        assert!(said.err.contains(part), "{words}: `{part}` is missing from {}", said.err);
    }
}

#[test]
fn unknown_names_come_with_the_nearest_known_one() {
    refused("check chekout", &["`chekout`", "did you mean `checkout`?", "list scenarios"]);
    refused("check --policy nave", &["`nave`", "did you mean `naive`?", "list policies"]);
    refused("check --only chargedonce", &["did you mean `charged-once`?", "list promises"]);
    refused("check --exclude crush", &["did you mean `crash`?", "list faults"]);
    refused("exhaust chekout --faults 1", &["did you mean `checkout`?"]);
    refused("explain nothing-like-this-at-all", &["nothing is named", "list"]);
    refused("list promisses", &["promises"]);
}

#[test]
fn values_that_make_no_sense_say_what_would() {
    refused("check --seeds 5..5", &["empty", "0..20000"]);
    refused("check --seeds 9..5", &["empty"]);
    refused("check --seeds many", &["FROM..TO"]);
    refused("check --for 5", &["unit"]);
    refused("check --for 0s", &["30s"]);
    refused("check --jobs 0", &["1 to 1024"]);
    refused("check --seeds 0..9 --for 1s", &["cannot be used with"]);
    refused("check --format yaml", &["human", "json"]);
    refused("check --fail-on nobody", &["workflow"]);
    refused("exhaust checkout --faults 99", &["0..=8"]);
    refused("exhaust checkout", &["--faults"]);
    refused("replay checkout", &["SCENARIO:SEED", "checkout:17"]);
    refused("replay checkout:x", &["SCENARIO:SEED"]);
    refused("replay checkout --with nonsense", &["SITE: OPTION"]);
    refused("check --seeds +1..+5", &["two whole numbers"]);
    refused("check --no-such-flag", &["--no-such-flag"]);
}

#[test]
fn what_a_flag_cannot_do_beside_another_is_refused() {
    for flag in ["--trace", "--without 1", "--compare naive", "--format mermaid", "--format perfetto"] {
        refused(&format!("replay scenarios/regressions {flag}"), &["does not go with a folder", "one case"]);
    }
    let (_, case) = regression();
    refused(&format!("replay {case} --compare naive --format mermaid"), &["--compare", "picture"]);
    refused("replay checkout:5 --compare naive --format perfetto", &["--compare", "picture"]);
    refused("replay checkout:5 --without 1", &["--without 1", "breaks nothing"]);
    refused("replay checkout:32 --policy naive --without 99", &["--without 99", "name one of them"]);
    refused(&format!("replay {case} --with x"), &["--with", "copy of the file"]);
    refused("check checkout checkout", &["checkout", "named twice"]);
    refused(
        "check checkout --include record-lost --exclude record-lost",
        &["record-lost", "both included and excluded"],
    );
}

#[test]
fn what_would_test_nothing_is_refused() {
    let all = unacked("list faults --format json");
    let rows: serde_json::Value = serde_json::from_str(&all.out).expect("a list is JSON");
    let names = rows.as_array().expect("an array").iter().filter_map(|row| row["name"].as_str());
    let without: String = names.map(|name| format!(" --exclude {name}")).collect();
    refused(&format!("check checkout --seeds 0..5{without}"), &["checkout", "nothing would be tested"]);
    refused(&format!("exhaust checkout --faults 1{without}"), &["checkout", "nothing would be tested"]);
    let path = file("homeless.toml", ORDER);
    refused(&format!("check {} --policy all --seeds 0..5", path.display()), &["homeless.toml", "no wrong policy"]);
}

/// Name and path of a committed case.
fn regression() -> (String, String) {
    let entries = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/scenarios/regressions")).expect("cases");
    let mut names: Vec<String> =
        entries.map(|e| e.expect("a case").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    let name = names.remove(0);
    (name.clone(), format!("scenarios/regressions/{name}"))
}

/// A file with this text, in a folder of its own.
fn file(name: &str, text: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("bad-input");
    std::fs::create_dir_all(&folder).expect("a folder for test files");
    let path = folder.join(name);
    std::fs::write(&path, text).expect("a test file is written");
    path
}

#[track_caller]
fn refused_file(name: &str, text: &str, parts: &[&str]) {
    let path = file(name, text);
    let said = said(program().arg("check").arg(&path).args(["--seeds", "0..2"]));
    assert_eq!((said.code, said.out.as_str()), (2, ""), "{name}: {}", said.err);
    for part in parts.iter().chain(&[name]) {
        assert!(said.err.contains(part), "{name}: `{part}` is missing from {}", said.err);
    }
}

const ORDER: &str = "about = \"a test\"\n[[order]]\namount = \"49.99 EUR\"\n";

#[test]
fn a_scenario_file_that_is_wrong_says_where_and_how_to_mend_it() {
    refused_file("key.toml", &format!("{ORDER}[time]\nlaese = \"9s\"\n"), &["laese", "lease", "line 5"]);
    refused_file("type.toml", &format!("workers = \"two\"\n{ORDER}"), &["line 1", "invalid type"]);
    refused_file("unit.toml", &format!("{ORDER}[time]\nlease = \"9 parsecs\"\n"), &["250ms", "line 5"]);
    refused_file("money.toml", "about = \"x\"\n[[order]]\namount = \"49 EUR\"\n", &["49.99 EUR"]);
    refused_file("none.toml", "about = \"x\"\norder = []\n", &["[[order]]"]);
    refused_file("rate.toml", &format!("{ORDER}[rates]\nreply = 2.0\n"), &["rates.reply", "0 to 1"]);
    refused_file("kind.toml", &format!("{ORDER}[weights]\ncrush = 1\n"), &["did you mean `crash`?"]);
    refused_file("preset.toml", &format!("{ORDER}[services]\npayments = \"strip\"\n"), &["stripe_v1"]);
}

/// What a scenario is refused with: the whole sentence.
#[track_caller]
fn check(scenario: &str, error: &str) {
    let read = Model::read("x.toml", scenario, &|file| Err(format!("{file} is not there")));
    assert_eq!(read.map(|_| "read").expect_err(scenario), format!("x.toml: {error}"));
}

/// The same, of a scenario that is right but for these lines, the first of which is line 4.
#[track_caller]
fn check_lines(lines: &str, error: &str) {
    check(&format!("{ORDER}{lines}"), error);
}

#[test]
fn a_value_that_makes_no_sense_is_refused_with_its_line() {
    let kinds = "`list faults` shows them all";
    check_lines(
        "[reach]\nafter = 9\nexcept = [\n\"crash\",\n\"crush\"]",
        &format!("line 8: reach.except.1: there is no fault named `crush`; did you mean `crash`?; {kinds}"),
    );
    check_lines("[values]\ncrash = []", "line 5: values.crash: 0 entries; write one to four");
    check_lines(
        "[reach]\nexcept = [\"crash\", \"crash\"]",
        "line 5: reach.except.1: `crash` is named twice; name it once",
    );
    check_lines("[rates]\nreply = nan", "line 5: rates.reply: NaN is not a probability; write a number from 0 to 1");
    check_lines(
        "[weights]\ncrash = -1",
        "line 5: weights.crash: -1 is not a weight; write 0 or a positive number up to 1e9",
    );
    check_lines("[limits]\nattempts = 0", "line 5: limits.attempts: 0 lets nothing be done at all; write 1 or more");
    check_lines("[time]\nbudget = 0", "line 5: time.budget: 0 events are no run; write 1 or more, such as 20000");
    check_lines("[time]\nskew = \"never\"", "line 5: time.skew: no clock is off by never; write at most 1000d");
    check_lines(
        "[time]\nlease = \"0s\"",
        "line 5: time.lease: write at least 1s where several workers share the orders",
    );
    check_lines("quantity = 0", "line 4: order.0.quantity: 0 orders nothing; write 1 or more");
    check_lines(
        "[retry]\ndurable = [\"1s\", \"0s\"]",
        "line 5: retry.durable.1: a wait of 0s would repeat without end; write 1ms or more",
    );
    check_lines(
        "[retry]\nreconcile = []",
        "line 5: retry.reconcile: no wait at all; write one or more, such as [\"30s\", \"10m\"]",
    );
    check(
        "about = \"x\"\nworkers = 200\norder = [{ amount = \"1.00 EUR\" }]",
        "line 2: workers: 200 is not possible; write 1 to 8",
    );
}

#[test]
fn a_name_that_is_none_is_refused_with_its_line() {
    check_lines("[services]\npayments = \"nowhere.toml\"", "line 5: services.payments: nowhere.toml is not there");
    check(
        "about = \"x\"\npolicy = \"nave\"\norder = [{ amount = \"1.00 EUR\" }]",
        "line 2: policy: there is no policy named `nave`; did you mean `naive`?; `list policies` shows them all",
    );
    let late = "order-1 charge #1 reply: reply-late(never)";
    let said = said(program().args(["replay", "checkout", "--with", late]));
    assert_eq!(said.code, 2);
    assert!(said.err.contains("--with") && said.err.contains("too long"), "{}", said.err);
}

#[test]
fn an_unknown_operation_is_refused_with_the_nearest_known_one() {
    let tools = "write one of read-stock, reserve, charge, approve, fulfill, notify, renew, refund, release";
    for table in ["handoff", "handoff_covered"] {
        check_lines(
            &format!("[limits]\n{table} = {{ chrage = \"1h\" }}"),
            &format!(
                "line 5: limits.{table}.chrage: there is no operation named `chrage`; did you mean `charge`?; {tools}"
            ),
        );
    }
    let calls = "write one of read-stock, reserve, renew, release, charge, refund, fulfill, cancel-fulfillment, notify, \
                 approve, lookup, store";
    check_lines(
        "[latency]\nchrage = { always = \"1s\" }",
        &format!("line 5: latency.chrage: there is no operation named `chrage`; did you mean `charge`?; {calls}"),
    );
}

#[test]
fn what_no_amount_and_no_law_is_shows_the_right_form() {
    for amount in
        ["1.+1 EUR", "+1.00 EUR", "1.0 EUR", "0.00 EUR", "-1.00 EUR", "1.00 eur", "99999999999999999999.00 EUR"]
    {
        refused_text(
            &format!("about = \"x\"\n[[order]]\namount = \"{amount}\""),
            &["line 3", "is not an amount", "49.99 EUR"],
        );
    }
    let uniform = format!("{ORDER}[latency]\nstore = {{ uniform = [\"1s\", \"2s\", \"3s\"] }}");
    refused_text(&uniform, &["line 5", "uniform = [lo, hi]"]);
    refused_text("", &["missing field `about`"]);
    refused_text("about = \"x\"\n[[order]]\nquantity = 2", &["line 2", "missing field `amount`"]);
    refused_text(&"[".repeat(100_000), &["line 1"]);
    refused_text(&format!("about = {}", "[".repeat(100_000)), &["line 1"]);
    refused_text(&format!("{ORDER}[time]\nlease = \"{}s\"", "9".repeat(10_000)), &["line 5"]);
}

/// This text is refused with these parts, and in a few lines.
#[track_caller]
fn refused_text(scenario: &str, parts: &[&str]) {
    let read = Model::read("x.toml", scenario, &|file| Err(format!("{file} is not there")));
    let error = read.map(|_| "read").expect_err("it is wrong");
    for part in parts {
        assert!(error.contains(part), "`{part}` is missing from {error}");
    }
}

#[test]
fn a_contract_file_is_looked_for_beside_its_scenario_and_may_not_contradict_itself() {
    let missing = format!("{ORDER}[services]\npayments = \"nowhere-pay.toml\"\n");
    refused_file("contractless.toml", &missing, &["nowhere-pay.toml", "relative to the scenario"]);
    file("empty-pay.toml", "name = 3\n");
    let broken = format!("{ORDER}[services]\npayments = \"empty-pay.toml\"\n");
    refused_file("contradictory.toml", &broken, &["empty-pay.toml", "line 1"]);
}

#[test]
fn files_that_cannot_be_read_say_why() {
    let bytes = |name: &str, bytes: &[u8]| {
        let path = file(name, "");
        std::fs::write(&path, bytes).expect("a test file is written");
        path.display().to_string()
    };
    let latin = bytes("latin.toml", b"about = \"x\"\n# \xe9\n");
    refused(&format!("check {latin}"), &["latin.toml", "line 2", "UTF-8"]);
    refused(&format!("check checkout --policy {latin}"), &["latin.toml", "line 2", "UTF-8"]);
    let case = bytes("latin.json", b"\xff\xfe");
    refused(&format!("replay {case}"), &["latin.json", "line 1", "UTF-8"]);
    let empty = bytes("empty.json", b"");
    refused(&format!("replay {empty}"), &["empty.json", "this is no case"]);
    let deep = bytes("deep.json", "[".repeat(100_000).as_bytes());
    refused(&format!("replay {deep}"), &["deep.json", "this is no case"]);
    let large = bytes("large.json", &vec![b' '; 9_000_000]);
    refused(&format!("replay {large}"), &["large.json", "8388608 bytes"]);
    let folder = file("inside.txt", "").parent().expect("a folder").join("folder.toml");
    std::fs::create_dir_all(&folder).expect("a folder");
    refused(&format!("check {}", folder.display()), &["folder.toml", "folder, not a file"]);
    refused("check nowhere/at/all.toml", &["nowhere/at/all.toml", "cannot read", "list scenarios"]);
    refused("check checkout --policy nowhere.toml", &["nowhere.toml", "list policies"]);
}

#[test]
fn a_byte_order_mark_and_carriage_returns_do_no_harm() {
    let path = file("windows.toml", &format!("\u{feff}{}", ORDER.replace('\n', "\r\n")));
    let said = said(program().arg("check").arg(path).args(["--seeds", "0..20"]));
    assert_eq!(said.code, 0, "{}", said.err);
}

#[test]
fn a_file_that_is_right_works_like_a_name() {
    let path = file("right.toml", ORDER);
    let said = said(program().arg("check").arg(path).args(["--seeds", "0..20", "--format", "json"]));
    assert_ne!(said.code, 2, "{}", said.err);
    assert!(said.out.contains("\"name\": \"right.toml\""), "no absolute path in a report: {}", said.out);
}
