//! The corpus: reports of the real thing, as wrong policies cite them.

use unacked_scenarios::catalog::POLICIES;
use unacked_scenarios::policy::PolicyFile;
use unacked_sim::verdict::Promise;

/// Reports cited by the policies that break this promise by breaking one of its rules, in order.
pub fn seen_in(promise: &Promise) -> Vec<String> {
    let files = POLICIES.iter().filter_map(|(name, text)| PolicyFile::read(name, text).ok());
    let mut reports: Vec<String> = files.filter(|file| is_about(file, promise)).flat_map(|file| file.seen_in).collect();
    reports.sort();
    reports.dedup();
    reports
}

fn is_about(file: &PolicyFile, promise: &Promise) -> bool {
    let breaks = |rule: &str| file.breaks.iter().any(|broken| broken == rule);
    file.caught_by.iter().any(|name| name == promise.name) && promise.rules.split(' ').any(breaks)
}
