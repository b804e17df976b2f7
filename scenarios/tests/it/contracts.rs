//! `reference` is right under every contract that can be written: thirteen services, each put into a day's and
//! a week's world in place of the one there.

use std::path::Path;
use unacked_scenarios::catalog;
use unacked_scenarios::filter::Filter;
use unacked_scenarios::model::Model;
use unacked_scenarios::policy::PolicyFile;

/// Contract files by name.
fn contracts() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/contracts");
    let mut files: Vec<_> = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file")).collect();
    files.sort_by_key(|file| file.file_name());
    let text = |file: &std::fs::DirEntry| std::fs::read_to_string(file.path()).expect("text");
    files.iter().map(|file| (file.file_name().to_string_lossy().into_owned(), text(file))).collect()
}

/// A shipped scenario, with this contract for what it is one of.
fn world(scenario: &str, name: &str, contract: &str) -> Model {
    let role = if contract.contains("[ops.charge]") { "payments" } else { "fulfillment" };
    let replaced = |line: &str| match line.starts_with(&format!("{role} = ")) {
        true => format!("{role} = \"{name}\""),
        false => line.to_string(),
    };
    let text: Vec<String> = catalog::scenario(scenario).expect("embedded").lines().map(replaced).collect();
    Model::read(scenario, &text.join("\n"), &|_| Ok(contract.to_string())).unwrap_or_else(|error| panic!("{error}"))
}

fn reference() -> PolicyFile {
    PolicyFile::read("reference", catalog::policy("reference").expect("embedded")).expect("valid")
}

/// The seeds of these in which a promise was broken, with its name.
fn broken(model: &Model, seeds: u64) -> Vec<(u64, &'static str)> {
    model.with_orchestrator(&reference(), &Filter::default(), |lab| {
        let mut broken = Vec::new();
        for seed in 0..seeds {
            broken.extend(lab.run_seed(seed).violations.iter().map(|violation| (seed, violation.promise.name)));
        }
        broken
    })
}

#[test]
fn reference_keeps_every_promise_under_every_contract() {
    let contracts = contracts();
    assert_eq!(contracts.len(), 13);
    for (name, contract) in &contracts {
        for scenario in ["checkout", "approval-week"] {
            assert_eq!(broken(&world(scenario, name, contract), 3_000), [], "{name} in {scenario}");
        }
    }
}
