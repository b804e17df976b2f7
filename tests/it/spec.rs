//! The specification holds together: what is cited exists, what exists is cited, and nothing is left out.

use crate::common::unacked;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use unacked::scenarios::catalog::POLICIES;
use unacked::scenarios::clause::Clause;
use unacked::scenarios::policy::PolicyFile;
use unacked::scenarios::promises;
use unacked::spec::{self, Section};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
const BEGIN: &str = "<!-- registry -->\n";
const END: &str = "<!-- end of registry -->";
/// How a rule that no policy breaks begins to say why.
const UNBROKEN: &str = "*No wrong policy:*";

/// Folders whose code belongs to the product.
const CODE: [&str; 6] = ["src", "sim/src", "search/src", "mock-providers/src", "workflow/src", "scenarios/src"];
/// Where else something may be cited.
const TEXTS: [&str; 8] = [
    "docs",
    "scenarios/policies",
    "scenarios/worlds",
    "scenarios/regressions",
    "mock-providers/contracts",
    "tests",
    "examples",
    "mutants",
];

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        match path.extension().and_then(|e| e.to_str()) {
            None if path.is_dir() && !path.ends_with("target") => files(&path, found),
            Some("rs" | "toml" | "md" | "json") => found.push(path),
            _ => {}
        }
    }
}

/// The texts of all files in these folders, with their paths.
fn texts(folders: &[&str]) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    folders.iter().for_each(|folder| files(&Path::new(ROOT).join(folder), &mut found));
    assert!(!found.is_empty(), "{folders:?}");
    found.sort();
    found.into_iter().map(|path| (path.clone(), std::fs::read_to_string(path).expect("a text"))).collect()
}

/// Whether a word looks like an id of the specification: `R7`, `L2`, `no-win-9`.
fn is_id(word: &str) -> bool {
    let number = |rest: &str| (1..=2).contains(&rest.len()) && rest.bytes().all(|b| b.is_ascii_digit());
    ["R", "L", "no-win-"].iter().any(|start| word.strip_prefix(start).is_some_and(number))
}

fn cited(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '_').filter(|word| is_id(word))
}

fn ids() -> BTreeSet<&'static str> {
    spec::sections().map(|section| section.id).collect()
}

fn rules() -> impl Iterator<Item = Section> {
    spec::sections().filter(|section| section.sort == "rule")
}

#[test]
fn nothing_is_missing_from_the_chapters() {
    let mut expected: Vec<String> = (1..=26).map(|n| format!("R{n}")).collect();
    expected.extend((1..=4).map(|n| format!("L{n}")));
    expected.extend((1..=17).map(|n| format!("no-win-{n}")));
    assert_eq!(spec::sections().map(|s| s.id).collect::<Vec<_>>(), expected);
}

#[test]
fn what_is_cited_exists() {
    let known = ids();
    let mut all = texts(&CODE);
    all.extend(texts(&TEXTS));
    for name in ["README.md", "ARCHITECTURE.md"] {
        all.push((name.into(), std::fs::read_to_string(Path::new(ROOT).join(name)).expect(name)));
    }
    for (path, text) in all {
        let unknown: Vec<&str> = cited(&text).filter(|id| !known.contains(id)).collect();
        assert!(unknown.is_empty(), "{} cites {unknown:?}, which docs/ does not have", path.display());
    }
}

#[test]
fn each_rule_is_cited_by_code() {
    let code = texts(&CODE);
    let all: BTreeSet<&str> = code.iter().flat_map(|(_, text)| cited(text)).collect();
    let uncited: Vec<&str> = rules().map(|rule| rule.id).filter(|id| !all.contains(id)).collect();
    assert!(uncited.is_empty(), "no code cites {uncited:?}");
}

#[test]
fn each_rule_is_broken_by_a_policy_or_says_why_by_none() {
    let files: Vec<PolicyFile> = POLICIES.iter().map(|(n, text)| PolicyFile::read(n, text).expect("valid")).collect();
    for rule in rules() {
        let broken = files.iter().any(|file| file.breaks.iter().any(|id| id == rule.id));
        let excused = rule.text.contains(UNBROKEN);
        assert!(broken != excused, "{}: a policy breaks it, or `{UNBROKEN}` says why none does; not both", rule.id);
    }
}

#[test]
fn the_chapter_on_promises_is_the_registry() {
    let path = Path::new(ROOT).join("docs/promises.md");
    let text = std::fs::read_to_string(&path).expect("the chapter");
    let (head, rest) = text.split_once(BEGIN).expect(BEGIN);
    let (shown, tail) = rest.split_once(END).expect(END);
    let real = registry();
    if std::env::var_os("RENEW").is_some() {
        return std::fs::write(&path, format!("{head}{BEGIN}{real}{END}{tail}")).expect("it is written");
    }
    assert_eq!(shown, real, "docs/promises.md is out of date; run RENEW=1 cargo test --test it spec");
}

#[test]
fn texts_name_clauses_that_exist() {
    let known: BTreeSet<&str> = promises::clauses().map(|clause| clause.id).collect();
    let named: BTreeSet<&str> = promises::ALL.iter().map(|promise| promise.name).collect();
    for (path, text) in texts(&["docs"]) {
        for quoted in text.split('`').skip(1).step_by(2) {
            let Some((promise, _)) = quoted.split_once('/') else { continue };
            let is_clause = !named.contains(promise) || known.contains(quoted);
            assert!(is_clause, "{} names `{quoted}`, which no promise has", path.display());
        }
    }
}

/// Every promise with its clauses, as the chapter shows them.
fn registry() -> String {
    promises::ALL.iter().fold(String::new(), |out, promise| {
        let clauses: String = promises::clauses_of(promise).map(clause).collect();
        let gap = if clauses.is_empty() { "" } else { "\n" };
        out + &format!("\n### {}\n\n{}: {}.\n{gap}{clauses}", promise.name, promise.when.name(), promise.says)
    }) + "\n"
}

fn clause(clause: &Clause) -> String {
    let needs: Vec<&str> = clause.needs.names().collect();
    format!("- `{}`: {} ({}; {}; {})\n", clause.id, clause.says, clause.when.name(), needs.join(", "), clause.rules)
}

#[test]
fn each_part_is_explained_with_what_cites_it() {
    for section in spec::sections() {
        let said = unacked(&format!("explain {}", section.id));
        assert_eq!((said.code, said.err.as_str()), (0, ""));
        assert!(said.out.contains(section.title) && said.out.contains(section.id), "{}", said.out);
    }
    let said = unacked("explain r7").out;
    for part in ["rule R7", "key-window", "key-pruned", "replay-past-window"] {
        assert!(said.contains(part), "{part} is missing from\n{said}");
    }
    assert_eq!(unacked("explain key-window/send").out, unacked("explain key-window").out);
}

#[test]
fn all_parts_are_listed() {
    let listed = unacked("list rules").out;
    let first = |line: &str| line.split(' ').next().unwrap_or_default().to_string();
    let names: BTreeSet<String> = listed.lines().map(first).filter(|name| !name.is_empty()).collect();
    assert_eq!(names, ids().into_iter().map(String::from).collect());
}
