//! The tables: every mutation applies to today's sources, exactly once, and changes them.

use std::path::Path;
use unacked_mutants::mutation::{Layer, Mutation, read};

fn all() -> Vec<(Layer, Mutation)> {
    read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tables")).expect("the tables are well-formed")
}

#[test]
fn every_mutation_changes_todays_sources() {
    for (_, mutation) in all() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(&mutation.file);
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {}: {e}", mutation.id, mutation.file));
        let mutated = mutation.apply(&text).unwrap_or_else(|e| panic!("{e}"));
        assert_ne!(text, mutated, "{} changes nothing", mutation.id);
    }
}

/// Rules that no mutation of the workflow breaks, and why none does.
const WITHOUT: [(&str, &str); 2] = [
    ("R21", "it says of four rules that none stands in for another; each of them has mutations of its own"),
    ("R25", "no provider sends events yet"),
];

#[test]
fn every_rule_is_broken_by_a_mutation_of_the_workflow() {
    let workflow = all().into_iter().filter(|(layer, _)| *layer == Layer::Workflow);
    let broken: Vec<String> = workflow.flat_map(|(_, m)| words(&m.breaks)).collect();
    let missing: Vec<String> = (1..=26).map(|n| format!("R{n}")).filter(|rule| !broken.contains(rule)).collect();
    assert_eq!(missing, WITHOUT.map(|(rule, _)| rule), "a rule has no mutation, or has one although it says none");
}

fn words(breaks: &str) -> Vec<String> {
    breaks.split(' ').map(String::from).collect()
}

#[test]
fn a_text_that_is_missing_or_ambiguous_is_stale() {
    let mutation = Mutation {
        id: "m".into(),
        says: String::new(),
        file: "f".into(),
        from: "a".into(),
        to: "b".into(),
        breaks: String::new(),
        equivalent: None,
    };
    assert_eq!(mutation.apply("xa").as_deref(), Ok("xb"));
    assert!(mutation.apply("x").is_err_and(|e| e.contains("stands 0 times in f")));
    assert!(mutation.apply("aa").is_err_and(|e| e.contains("stands 2 times in f")));
}
