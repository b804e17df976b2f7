//! The list of promises: complete, and consistent in itself.

use super::{ALL, CLAUSES, FILES, clauses, clauses_of, not_judged};
use crate::clause::Needs;
use std::collections::BTreeSet;
use std::path::Path;

#[test]
fn the_list_of_promises_is_the_folder() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/promises");
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let names = entries.filter_map(|e| e.ok()?.file_name().into_string().ok());
    let found: BTreeSet<String> = names.filter_map(|n| n.strip_suffix(".rs").map(str::to_owned)).collect();
    let listed: BTreeSet<String> = FILES.iter().map(|f| (*f).to_owned()).chain(["tests".to_owned()]).collect();
    assert_eq!(found, listed, "each promise is a file of this folder and a word in the list of promises.rs");
}

#[test]
fn a_promise_is_named_like_its_file_and_its_clauses_after_it() {
    for ((file, promise), clauses) in FILES.iter().zip(ALL).zip(CLAUSES) {
        assert_eq!(file.replace('_', "-"), promise.name);
        assert!(!clauses.is_empty(), "{file} declares no clause");
        for clause in *clauses {
            assert!(clause.id.starts_with(&format!("{}/", promise.name)), "{}", clause.id);
        }
    }
}

#[test]
fn no_two_clauses_have_one_name() {
    let names: BTreeSet<&str> = clauses().map(|c| c.id).collect();
    assert_eq!(names.len(), clauses().count());
}

#[test]
fn a_promise_stands_for_the_rules_of_its_clauses() {
    for promise in ALL.iter().take(FILES.len()) {
        let own: BTreeSet<&str> = promise.rules.split(' ').collect();
        let of_clauses: BTreeSet<&str> = clauses_of(promise).flat_map(|c| c.rules.split(' ')).collect();
        assert_eq!(own, of_clauses, "{}", promise.name);
    }
}

#[test]
fn what_is_not_seen_is_not_judged_and_nothing_else() {
    assert!(not_judged(Needs::seen(true)).is_empty());
    let missing = not_judged(Needs::seen(false));
    for clause in clauses() {
        let named = missing.iter().any(|m| *m == clause.id || *m == clause.promise.name);
        assert_eq!(named, !clause.needs.met_by(Needs::seen(false)), "{}", clause.id);
    }
}

mod breaches;
mod trial;
