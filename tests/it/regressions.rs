//! The shipped cases: the folder, their notes, what they break and that the reference keeps it.

use std::collections::BTreeSet;
use unacked::case::{Fate, read, replay};
use unacked::scenarios::catalog::REGRESSIONS;
use unacked::source;

#[test]
fn they_are_the_folder() {
    let path = format!("{}/scenarios/regressions", env!("CARGO_MANIFEST_DIR"));
    let files = std::fs::read_dir(&path).expect("the folder exists");
    let names = files.map(|f| f.expect("a file").file_name().to_string_lossy().into_owned());
    let found: BTreeSet<String> = names.filter_map(|n| n.strip_suffix(".json").map(String::from)).collect();
    let known: BTreeSet<String> = REGRESSIONS.iter().map(|(name, _)| (*name).to_string()).collect();
    assert_eq!(known, found);
}

#[test]
fn each_says_what_it_once_broke_and_is_short() {
    for (name, text) in REGRESSIONS {
        let case = read(name, text).expect(name);
        assert!(case.note.is_some_and(|note| note.len() > 30), "{name}");
        assert!(text.lines().count() < 60, "{name}");
    }
}

#[test]
fn each_reproduces_under_its_own_policy_and_is_kept_by_the_reference() {
    let reference = source::policy("reference").expect("it is embedded");
    for (name, text) in REGRESSIONS {
        let case = read(name, text).expect(name);
        let (own, ()) = replay(&case.ready(name, None).expect(name), |_, _, _| ());
        let wanted = if case.policy.name == "reference" { Fate::Fixed } else { Fate::Reproduced };
        assert_eq!(own.fate, wanted, "{name}: {:?}", own.choices);
        assert_eq!(own.missing().count(), 0, "{name}");
        let (right, ()) = replay(&case.ready(name, Some(&reference)).expect(name), |_, _, _| ());
        assert!(matches!(right.fate, Fate::Kept | Fate::Fixed), "{name}: {:?}", right.fate);
    }
}
