//! Case files of hostile people: each is refused in a sentence that names it, or it can be run.

use proptest::prelude::*;
use serde_json::{Value, json};
use unacked::case::{read, replay};
use unacked::scenarios::catalog::REGRESSIONS;

const HOSTILE: [&str; 14] = [
    "",
    " ",
    "never",
    "18446744073709551615us",
    "1000d",
    "0s",
    "-1",
    "order-1",
    "order-65536 charge #1 reply",
    "order-1 charge #4294967296 reply",
    "order-1 charge #0 reply",
    "\u{1b}[2J",
    "crash",
    "\u{0}",
];

/// The values in a JSON text, counted in depth.
fn leaves<'a>(value: &'a mut Value, into: &mut Vec<&'a mut Value>) {
    if value.as_array().is_none_or(Vec::is_empty) && value.as_object().is_none_or(serde_json::Map::is_empty) {
        return into.push(value);
    }
    match value {
        Value::Array(all) => all.iter_mut().for_each(|value| leaves(value, into)),
        Value::Object(all) => all.values_mut().for_each(|value| leaves(value, into)),
        _ => {}
    }
}

fn tried(text: &str) {
    match read("x.json", text).and_then(|case| case.ready("x.json", None)) {
        Err(error) => assert!(error.to_string().starts_with("x.json: "), "{error}"),
        Ok(ready) => {
            let (replayed, ()) = replay(&ready, |_, _, _| ());
            let panicked = replayed.findings.iter().any(|f| f.signature.promise == "no-panic");
            assert!(!panicked, "{text}");
        }
    }
}

fn hostile() -> impl Strategy<Value = Value> {
    let text = prop_oneof![prop::sample::select(HOSTILE.to_vec()).prop_map(String::from), any::<String>()];
    prop_oneof![
        text.prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(|n| json!(n)),
        Just(Value::Null),
        Just(json!([])),
        Just(json!({})),
        any::<bool>().prop_map(Value::from),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_case_with_hostile_values_is_refused_or_run(
        which in any::<prop::sample::Index>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), hostile()), 1..3),
    ) {
        let mut case: Value = serde_json::from_str(REGRESSIONS[which.index(REGRESSIONS.len())].1).expect("JSON");
        for (at, new) in changes {
            let mut all = Vec::new();
            leaves(&mut case, &mut all);
            let at = at.index(all.len());
            *all[at] = new;
        }
        tried(&case.to_string());
    }

    #[test]
    fn a_mangled_case_is_refused_or_run(which in any::<prop::sample::Index>(), at in any::<usize>(), with in any::<char>()) {
        let mut chars: Vec<char> = REGRESSIONS[which.index(REGRESSIONS.len())].1.chars().collect();
        let at = at % chars.len();
        chars[at] = with;
        tried(&chars.iter().collect::<String>());
        chars.truncate(at);
        tried(&chars.iter().collect::<String>());
    }
}

#[test]
fn a_gigantic_case_is_refused() {
    let mut case: Value = serde_json::from_str(REGRESSIONS[0].1).expect("JSON");
    let choice = |n: usize| json!({ "site": format!("order-1 charge #{n} reply"), "option": "reply-lost" });
    case["choices"] = (1..5_000).map(choice).collect();
    let error = read("x.json", &case.to_string()).expect_err("too many").to_string();
    assert!(error.contains("at most 1000 choices"), "{error}");
}
