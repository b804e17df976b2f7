//! The presets: their files, and their first ten waits.

use unacked_bench::policy::{Attempts, Policy};
use unacked_bench::presets::{PRESETS, preset};
use unacked_bench::waits::Memory;
use unacked_sim::time::{Span, parse_span};

fn waits(name: &str, u: f64) -> Vec<String> {
    let policy = preset(name).expect(name);
    let shown = |wait: Option<Span>| wait.map_or("?".into(), |span| span.to_string());
    policy.waits().first(10, u).into_iter().map(shown).collect()
}

fn begin(name: &str, u: f64, expected: &str) {
    let millis = |text: &str| parse_span(text).expect(text);
    let found = waits(name, u);
    let expected: Vec<String> = expected.split(' ').map(|text| millis(text).to_string()).collect();
    assert_eq!(found[..expected.len()], expected, "{name} at u = {u}");
}

#[test]
fn the_list_is_the_folder() {
    let folder = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/presets")).expect("the folder");
    let mut files: Vec<String> = folder.map(|e| e.expect("a file").file_name().into_string().expect("utf-8")).collect();
    let mut listed: Vec<String> = PRESETS.iter().map(|(name, _)| format!("{name}.toml")).collect();
    files.sort();
    listed.sort();
    assert_eq!(files, listed);
}

#[test]
fn every_preset_reads_and_names_its_source() {
    for (name, _) in PRESETS {
        let policy = preset(name).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(!policy.source.is_empty() && !policy.about.is_empty(), "{name}");
        assert!((2015..=2026).contains(&policy.year), "{name}");
    }
}

#[test]
fn first_ten_waits() {
    let mut out = String::new();
    for (name, _) in PRESETS {
        out += &format!("{name}\n");
        [0.0, 0.5, 0.999].iter().for_each(|&u| out += &format!("  {u:<5} {}\n", waits(name, u).join(" ")));
    }
    insta::assert_snapshot!(out);
}

#[test]
fn growth_and_cap_are_those_of_the_source() {
    begin("awsblog-expo", 0.0, "10ms 20ms 40ms 80ms 160ms 320ms 640ms 1280ms 2s 2s");
    begin("azure-core-py", 0.0, "0s 1.6s 3.2s 6.4s 12.8s 25.6s 51.2s 102.4s 120s 120s");
    begin("k8s-job", 0.0, "10s 20s 40s 80s 160s 320s 600s");
    begin("k8s-container", 0.0, "0s 10s 20s 40s 80s 160s 300s");
    begin("go-retryablehttp", 0.5, "1s 2s 4s 8s 16s 30s 30s");
    begin("p-retry", 0.5, "1s 2s 4s 8s 16s 32s 64s 128s 256s 512s");
    begin("temporal-activity", 0.5, "1s 2s 4s 8s 16s 32s 64s 100s");
    begin("argo-example", 0.5, "1s 2s 4s 5s 5s");
    begin("r4j-retry", 0.5, "500ms 500ms");
    begin("celery-retry", 0.5, "180s 180s");
}

#[test]
fn jitter_is_that_of_the_source() {
    begin("awsblog-full", 0.5, "5ms 10ms 20ms 40ms 80ms 160ms 320ms 640ms 1s 1s");
    begin("awsblog-full", 0.0, "0s 0s");
    begin("awsblog-equal", 0.0, "5ms 10ms 20ms");
    begin("awsblog-equal", 0.5, "7.5ms 15ms 30ms");
    begin("aws-standard-2026", 0.5, "25ms 50ms 100ms");
    begin("aws-standard-2026-dynamodb", 0.5, "12.5ms 25ms");
    begin("aws-standard-2025", 0.5, "500ms 1s 2s 4s 8s 10s 10s");
    begin("grpc-a6-example", 0.0, "80ms 160ms 320ms 640ms 800ms 800ms");
    begin("grpc-a6-old-jitter", 0.5, "50ms 100ms 200ms 400ms 500ms");
    begin("tower-tps-budget", 0.0, "50ms 100ms 200ms");
    begin("envoy-default", 0.5, "12.5ms 37.5ms 87.5ms 125ms 125ms");
    begin("backoff-rs", 0.0, "250ms 375ms 562.5ms");
    begin("river", 0.5, "1s 16s 81s");
    begin("backon-expo-jitter", 0.5, "1.5s 3s");
    assert_ne!(waits("tokio-retry", 0.0), waits("tokio-retry2", 0.0), "one name, two laws");
}

#[test]
fn what_remembers_the_wait_before_grows_from_it() {
    // U(5, 3 * 5) at one half is 10, then U(5, 30) is 17.5, then U(5, 52.5) is 28.75.
    begin("awsblog-decorr", 0.5, "10ms 17.5ms 28.75ms");
    begin("awsblog-decorr", 0.0, "5ms 5ms");
    // U(0.1, 2 * 0.1) at one half is 0.15; then U(0.1, 0.3) is 0.2.
    begin("object-store", 0.5, "100ms 150ms 200ms 250ms");
    // At u = 0 the first step of the smooth law has no length; the second is 2 * tanh(2) * 2s / 1.4.
    begin("polly8-expo-jitter", 0.0, "0s 2.754365s");
}

#[test]
fn whole_numbers_are_drawn_as_the_source_draws_them() {
    begin("azure-core-rust", 0.0, "400ms 800ms");
    begin("azure-core-rust", 0.999, "655ms 1055ms");
    assert_eq!(waits("azure-core-rust", 0.999)[9], "30s", "the cap comes after the jitter");
    begin("celery-autoretry-backoff", 0.5, "1s 1s 2s 4s 8s");
    begin("celery-autoretry-backoff", 0.999, "1s 2s 4s 8s");
    // c^4 + 15 + U{0..10(c+1)-1}, c from 0.
    begin("sidekiq", 0.0, "15s 16s 31s 96s");
    begin("sidekiq", 0.999, "24s 35s 60s");
}

#[test]
fn a_floor_takes_the_jitter_out_of_the_first_wait() {
    [0.0, 0.5, 0.999].iter().for_each(|&u| assert_eq!(waits("stripe-sdk", u)[0], "500ms", "at u = {u}"));
    begin("stripe-sdk", 0.5, "500ms 750ms 1.5s");
}

#[test]
fn a_throttled_attempt_has_a_base_of_its_own() {
    let policy = preset("aws-standard-2026").expect("a preset");
    let wait = |throttled| policy.waits().wait(1, 0.5, throttled, &mut Memory::default());
    assert_eq!([wait(true), wait(false)], [Some(Span::millis(500)), Some(Span::millis(25))]);
}

#[test]
fn three_retries_are_four_attempts() {
    let attempts = |name| preset(name).expect(name).attempts;
    assert_eq!([attempts("polly8-retry"), attempts("r4j-retry")], [Attempts::Most(4), Attempts::Most(3)]);
    assert_eq!([3, 4].map(|n| attempts("r4j-retry").allow(n)), [true, false]);
    assert!(attempts("tenacity").allow(u32::MAX));
}

#[test]
fn parts_that_contradict_each_other_are_refused_with_the_reason() {
    let none = preset_text("none");
    let wrong = |from: &str, to: &str| Policy::read(&none.replace(from, to)).expect_err(to);
    assert!(wrong("attempts = 1", "attempts = 0").contains("write 1 for no retry"));
    assert!(wrong("attempts = 1", "attempts = \"budget\"").contains("needs a [budget]"));
    assert!(wrong("attempts = 1", "attempts = \"deadline\"").contains("needs a deadline"));
    assert!(wrong("law = \"none\"", "law = \"none\"\n[bounds]\nbase-throttled = \"1s\"").contains("needs the law"));
    let spread = "law = \"smooth\"\nbase = \"1s\"\n[jitter]\nlaw = \"times\"\nlow = 0\nhigh = 1";
    assert!(wrong("law = \"none\"", spread).contains("random already"));
    assert!(wrong("year", "yaer").contains("yaer"), "an unknown word is named");
}

fn preset_text(name: &str) -> &'static str {
    unacked_bench::presets::text(name).expect(name)
}
