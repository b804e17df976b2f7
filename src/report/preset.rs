//! A preset of retries, explained: where its numbers are from, its waits, its file.

use super::block::field;
use unacked_bench::policy::{Attempts, Policy};
use unacked_bench::presets;
use unacked_sim::time::Span;

/// How many waits are shown.
const SHOWN: u32 = 10;

/// A preset's text, if one has this name.
pub(super) fn preset(name: &str) -> Option<String> {
    let file = presets::text(name)?;
    let policy = presets::preset(name).ok()?;
    let mut out = format!("preset {name}\n");
    out += &field("about", &policy.about);
    out += &field("source", &format!("{} ({}, {})", policy.source, policy.year, policy.confidence.name()));
    out += &field("attempts", &policy.attempts.words());
    out += &waits(&policy);
    Some(out + "\n" + file)
}

/// The waits for a low, a middle and a high draw, and their sum where attempts are counted.
fn waits(policy: &Policy) -> String {
    let shown = match policy.attempts {
        Attempts::Most(most) => (most - 1).min(SHOWN),
        Attempts::Open(_) => SHOWN,
    };
    if shown == 0 {
        return String::new();
    }
    let mut out = String::new();
    for u in [0.0, 0.5, 0.999] {
        let spans = policy.waits().first(shown, u);
        let words: Vec<String> = spans.iter().map(|wait| wait.map_or("not known".into(), |w| w.to_string())).collect();
        out += &field(&format!("u = {u}"), &words.join(" "));
    }
    out + &longest(policy)
}

fn longest(policy: &Policy) -> String {
    let Attempts::Most(most) = policy.attempts else { return String::new() };
    let spans: Option<Vec<Span>> = policy.waits().first(most - 1, 1.0).into_iter().collect();
    let Some(spans) = spans else { return String::new() };
    let sum = spans.into_iter().fold(Span::ZERO, |sum, span| sum + span);
    field("together", &format!("at most {sum} of waiting in {} retries", most - 1))
}
