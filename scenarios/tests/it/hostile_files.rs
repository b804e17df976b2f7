//! Files of hostile people: whatever they say, reading them does not panic, and what is read can be run.

use proptest::prelude::*;
use std::collections::BTreeMap;
use unacked_mock_providers::catalog as contracts;
use unacked_scenarios::catalog;
use unacked_scenarios::filter::Filter;
use unacked_scenarios::model::Model;
use unacked_scenarios::policy::PolicyFile;

/// Lengths of time at and beyond the edges of what a number holds.
const LENGTHS: [&str; 7] = ["0s", "1us", "1d", "1000d", "9223372036854775807us", "18446744073709551614us", "never"];

/// Every key of a scenario that takes a length, by table.
const LENGTH_KEYS: [(&str, &[&str]); 6] = [
    ("stock", &["hold"]),
    ("time", &["chaos", "drain", "d_max", "p_max", "skew", "drift", "lease", "restart", "store_timeout"]),
    ("approval", &["deadline", "valid"]),
    ("limits", &["renew_before"]),
    ("limits.handoff", &["charge", "fulfill", "refund", "notify"]),
    ("retry", &["timeout", "inline_base", "inline_cap"]),
];

/// Every key that says how long something takes, by table.
const TAKES_KEYS: [(&str, &[&str]); 3] =
    [("latency", &["store", "charge", "lookup"]), ("approval", &["takes"]), ("operator", &["takes"])];

/// Other keys with hostile values.
const OTHERS: [(&str, &str, &[&str]); 10] = [
    ("stock", "units", &["0", "4294967295", "-1"]),
    ("time", "budget", &["0", "1", "400"]),
    ("rates", "reply", &["0", "1", "nan", "-0.1", "inf", "1e-320"]),
    ("rates", "clock", &["1"]),
    ("rates", "pruning", &["1", "nan"]),
    ("weights", "crash", &["0", "nan", "-1", "1e9", "1e308", "5e-324"]),
    ("values", "clock-ahead", &["[\"never\"]", "[]", "[\"0s\"]", "[\"1d\", \"1d\"]"]),
    ("values", "crash", &["[\"never\"]", "[\"0s\"]", "[\"18446744073709551614us\"]"]),
    ("limits", "attempts", &["0", "1", "65535"]),
    ("retry", "durable", &["[]", "[\"0s\"]", "[\"never\"]", "[\"1us\"]"]),
];

/// What may be said: table, key, value.
fn sayings() -> Vec<(String, String, String)> {
    let mut all = Vec::new();
    let mut say = |table: &str, key: &str, value: String| all.push((table.into(), key.into(), value));
    for (table, keys) in LENGTH_KEYS {
        for key in keys {
            LENGTHS.iter().for_each(|length| say(table, key, format!("\"{length}\"")));
        }
    }
    for (table, keys) in TAKES_KEYS {
        for key in keys {
            LENGTHS.iter().for_each(|length| say(table, key, format!("{{ always = \"{length}\" }}")));
            say(table, key, "{ p50 = \"0s\", p99 = \"never\" }".into());
            say(table, key, "{ p50 = \"1us\", p99 = \"never\" }".into());
            say(table, key, "{ uniform = [\"0s\", \"never\"] }".into());
        }
    }
    for (table, key, values) in OTHERS {
        values.iter().for_each(|value| say(table, key, (*value).into()));
    }
    all
}

/// A scenario that says these things.
fn scenario(says: &[&(String, String, String)]) -> String {
    let mut tables: BTreeMap<&str, BTreeMap<&str, &str>> = BTreeMap::new();
    for (table, key, value) in says {
        tables.entry(table).or_default().insert(key, value);
    }
    tables.entry("time").or_default().entry("budget").or_insert("3000");
    let mut text = String::from("about = \"hostile\"\n[[order]]\namount = \"49.99 EUR\"\n");
    for (table, keys) in tables {
        text.push_str(&format!("[{table}]\n"));
        keys.iter().for_each(|(key, value)| text.push_str(&format!("{key} = {value}\n")));
    }
    text
}

fn no_files(_: &str) -> Result<String, String> {
    Err("no files here".into())
}

/// Reads and, if it can be read, runs it; an error is one for people. Whether it was run.
fn tried(text: &str, policy: &str) -> bool {
    let model = Model::read("x.toml", text, &no_files);
    let read = model.is_ok();
    match model {
        Err(error) => assert!(error.starts_with("x.toml: ") && error.contains("line "), "{error}"),
        Ok(model) => {
            let policy = PolicyFile::read(policy, catalog::policy(policy).expect("embedded")).expect("it is right");
            model.with_orchestrator(&policy, &Filter::default(), |lab| {
                for seed in 0..3 {
                    let outcome = lab.run_seed(seed);
                    let panicked = outcome.violations.iter().find(|v| v.promise.name == "no-panic");
                    assert!(panicked.is_none(), "{panicked:?} in seed {seed} of\n{text}");
                }
            });
        }
    }
    read
}

#[test]
fn each_hostile_value_alone_is_refused_or_run() {
    let all = sayings();
    let run = all.iter().filter(|said| tried(&scenario(&[said]), "reference")).count();
    assert!(run > all.len() / 2, "{run} of {} were run", all.len());
}

/// Text with some bytes taken away, doubled or replaced by others.
fn mangled(text: &str, cuts: &[(usize, u8, char)]) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for &(at, how, with) in cuts {
        let at = at % chars.len().max(1);
        match how % 4 {
            0 if at < chars.len() => drop(chars.remove(at)),
            1 => chars.insert(at, with),
            2 if at < chars.len() => chars[at] = with,
            _ => chars.truncate(at.max(chars.len() / 2)),
        }
    }
    chars.into_iter().collect()
}

fn cuts() -> impl Strategy<Value = Vec<(usize, u8, char)>> {
    let character = prop_oneof![
        prop::sample::select("0123456789.\"=[]{},-+\n#\\'_ eE\u{feff}\u{0}\u{1b}\r".chars().collect::<Vec<_>>()),
        any::<char>(),
    ];
    prop::collection::vec((any::<usize>(), any::<u8>(), character), 1..5)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn hostile_values_together_are_refused_or_run(
        picks in prop::collection::vec(prop::sample::select(sayings()), 2..6),
        policy in prop::sample::select(catalog::POLICIES.iter().map(|(name, _)| *name).collect::<Vec<_>>()),
    ) {
        tried(&scenario(&picks.iter().collect::<Vec<_>>()), policy);
    }

    #[test]
    fn mangled_scenarios_are_refused_or_read(at in any::<prop::sample::Index>(), cuts in cuts()) {
        let (_, text) = catalog::SCENARIOS[at.index(catalog::SCENARIOS.len())];
        let _ = Model::read("x.toml", &mangled(text, &cuts), &no_files);
    }

    #[test]
    fn mangled_policies_are_refused_or_read(at in any::<prop::sample::Index>(), cuts in cuts()) {
        let (_, text) = catalog::POLICIES[at.index(catalog::POLICIES.len())];
        let _ = PolicyFile::read("x.toml", &mangled(text, &cuts));
    }

    #[test]
    fn mangled_contracts_are_refused_or_read(at in any::<prop::sample::Index>(), cuts in cuts()) {
        let names: Vec<&str> = contracts::names().collect();
        let text = contracts::text(names[at.index(names.len())]).expect("a preset");
        let _ = contracts::parse(&mangled(text, &cuts), "x.toml");
    }
}
