//! Bad input: one clear error that names place and fix, and exit code 2.

mod common;
use common::{program, said, unacked};
use std::path::PathBuf;

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
    refused("check --no-such-flag", &["--no-such-flag"]);
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

#[test]
fn a_contract_file_is_looked_for_beside_its_scenario_and_may_not_contradict_itself() {
    let missing = format!("{ORDER}[services]\npayments = \"nowhere-pay.toml\"\n");
    refused_file("contractless.toml", &missing, &["nowhere-pay.toml", "relative to the scenario"]);
    file("empty-pay.toml", "name = 3\n");
    let broken = format!("{ORDER}[services]\npayments = \"empty-pay.toml\"\n");
    refused_file("contradictory.toml", &broken, &["empty-pay.toml", "line 1"]);
}

#[test]
fn a_file_that_is_right_works_like_a_name() {
    let path = file("right.toml", ORDER);
    let said = said(program().arg("check").arg(path).args(["--seeds", "0..20", "--format", "json"]));
    assert_ne!(said.code, 2, "{}", said.err);
    assert!(said.out.contains("\"name\": \"right.toml\""), "no absolute path in a report: {}", said.out);
}
