//! Pictures: Mermaid text and Perfetto trace events of a run.

use crate::common::unacked;
use insta::assert_snapshot;
use serde_json::Value;
use std::collections::BTreeMap;

/// Runs that are drawn: with and without a violation, several workers, crashes.
const RUNS: [&str; 4] = [
    "replay checkout:32 --policy naive",
    "replay checkout:5",
    "replay two-workers:7 --policy fence-ignored --trace",
    "replay approval-week:3",
];

#[test]
fn a_sequence_diagram_shows_what_led_to_the_violation() {
    let said = unacked("replay checkout:32 --policy naive --format mermaid");
    assert_eq!(said.code, 1, "{}", said.err);
    assert_snapshot!(said.out);
}

#[test]
fn diagrams_are_statements_that_mermaid_reads() {
    for words in RUNS {
        let text = unacked(&format!("{words} --format mermaid")).out;
        let mut lines = text.lines();
        assert_eq!(lines.next(), Some("sequenceDiagram"), "{words}");
        let bad: Vec<&str> = lines.filter(|line| !is_statement(line)).collect();
        assert!(bad.is_empty(), "{words}: {bad:#?}");
        assert_eq!(text.matches("    rect ").count(), text.lines().filter(|l| *l == "    end").count(), "{words}");
    }
}

fn is_statement(line: &str) -> bool {
    let line = line.trim_start();
    let known = ["title ", "participant p", "rect rgb(", "Note over p"].iter().any(|start| line.starts_with(start));
    let message = line.split_once(": ").is_some_and(|(ends, _)| {
        ["->>p", "-->>p", "-xp"].iter().any(|arrow| ends.starts_with('p') && ends.contains(arrow))
    });
    (known || message || line == "end") && is_escaped(line)
}

/// No statement ends early: `#` and `;` only as parts of an entity.
fn is_escaped(line: &str) -> bool {
    let mut bare = line.to_string();
    for entity in ["#35;", "#59;", "#quot;", "#lt;", "#gt;", "#37;"] {
        bare = bare.replace(entity, "");
    }
    !bare.contains(['#', ';', '"', '<', '%'])
}

fn events(words: &str) -> Vec<Value> {
    let text = unacked(&format!("{words} --format perfetto")).out;
    let parsed: Value = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{words}: {e}"));
    parsed["traceEvents"].as_array().expect("an array").clone()
}

fn number(event: &Value, key: &str) -> f64 {
    event[key].as_f64().unwrap_or_else(|| panic!("{key} of {event}"))
}

#[test]
fn trace_events_are_ordered_named_and_paired() {
    for words in RUNS {
        let events = events(words);
        let mut clocks: BTreeMap<u64, f64> = BTreeMap::new();
        let mut flows: BTreeMap<u64, Vec<&str>> = BTreeMap::new();
        let named: Vec<u64> =
            events.iter().filter(|e| e["name"] == "thread_name").filter_map(|e| e["tid"].as_u64()).collect();
        for event in events.iter().filter(|e| e["ph"] != "M") {
            let tid = event["tid"].as_u64().expect("a thread");
            assert!(named.contains(&tid), "{words}: {event}");
            let clock = clocks.entry(tid).or_insert(0.0);
            assert!(*clock <= number(event, "ts"), "{words}: {event} after {clock}");
            *clock = number(event, "ts");
            if let "s" | "f" = event["ph"].as_str().expect("a phase") {
                flows.entry(event["id"].as_u64().expect("an id")).or_default().push(event["ph"].as_str().unwrap_or(""));
            }
        }
        assert!(flows.len() > 5 && flows.values().all(|ends| *ends == ["s", "f"]), "{words}: {flows:?}");
    }
}

/// The viewer drops slices that overlap without one containing the other, and arrows outside of slices.
#[test]
fn slices_nest_and_arrows_begin_and_end_in_one() {
    for words in RUNS {
        let events = events(words);
        let of = |event: &Value| (event["tid"].clone(), number(event, "ts"));
        let slices: Vec<(Value, f64, f64)> = events
            .iter()
            .filter(|e| e["ph"] == "X")
            .map(|e| (e["tid"].clone(), number(e, "ts"), number(e, "ts") + number(e, "dur")))
            .collect();
        for (i, one) in slices.iter().enumerate() {
            let cross = |two: &&(Value, f64, f64)| {
                one.0 == two.0 && one.1 < two.1 && two.1 < one.2 - 1e-4 && one.2 + 1e-4 < two.2
            };
            assert_eq!(slices[i..].iter().find(cross), None, "{words}: {one:?}");
        }
        for event in events.iter().filter(|e| e["ph"] == "s" || e["ph"] == "f") {
            let (tid, ts) = of(event);
            let inside = slices.iter().any(|(t, from, to)| *t == tid && *from <= ts && ts < *to);
            assert!(inside, "{words}: {event}");
        }
    }
}

#[test]
fn a_trace_is_small_enough_to_read() {
    let said = unacked("replay checkout:32 --policy naive --format perfetto");
    assert_eq!(said.code, 1, "{}", said.err);
    let head: Vec<&str> = said.out.lines().take(40).collect();
    assert_snapshot!(head.join("\n"));
}
