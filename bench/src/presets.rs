//! The defaults of well-known clients, as files with source and year. A test holds the list against the folder.

use crate::policy::Policy;

macro_rules! embedded {
    ($($file:literal),* $(,)?) => {
        /// The text of every preset, by name.
        pub const PRESETS: &[(&str, &str)] =
            &[$(($file, include_str!(concat!("../presets/", $file, ".toml")))),*];
    };
}

embedded! {
    "none", "new-key", "awsblog-none", "awsblog-expo", "awsblog-equal", "awsblog-full", "awsblog-decorr", "aws-standard-2026", "aws-standard-2026-dynamodb", "aws-standard-2025", "aws-legacy-boto", "aws-legacy-boto-dynamodb", "aws-adaptive", "grpc-a6-example", "grpc-a6-old-jitter", "grpc-throttle", "grpc-hedge-example", "finagle-default", "finagle-failure-accrual", "finagle-backup", "tower-tps-budget", "linkerd-budget", "envoy-default", "envoy-retry-budget", "envoy-outlier", "sre-book", "google-gax-rust", "google-api-core-py", "azure-core-rust", "azure-core-py", "object-store", "r4j-retry", "r4j-breaker", "r4j-hedge", "polly8-retry", "polly8-expo-jitter", "polly8-breaker", "polly8-hedge", "hystrix-breaker", "gobreaker", "failsafe-rs", "opossum", "backon-expo", "backon-expo-jitter", "tokio-retry", "tokio-retry2", "reqwest-retry", "backoff-rs", "cenkalti-go", "go-retryablehttp", "p-retry", "cockatiel", "tenacity", "urllib3", "stripe-sdk", "temporal-activity", "dbos-step", "stepfunctions", "restate-run", "k8s-job", "k8s-container", "argo-example", "celery-retry", "celery-autoretry-backoff", "sidekiq", "river",
}

/// The text of a preset.
pub fn text(name: &str) -> Option<&'static str> {
    PRESETS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// A preset by name.
///
/// # Errors
/// No preset has this name; the file says what it must not.
pub fn preset(name: &str) -> Result<Policy, String> {
    Policy::read(text(name).ok_or_else(|| format!("no preset is named `{name}`"))?)
}
