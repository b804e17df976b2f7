//! The mistake behind a violation, in a sentence: what people do, as wrong policies tell it.

use unacked_scenarios::catalog::POLICIES;
use unacked_scenarios::policy::PolicyFile;
use unacked_sim::verdict::Promise;

/// A mistake, and the policy that makes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The wrong policy's name, for `explain`.
    pub policy: String,
    /// What people do, on one line.
    pub says: String,
    /// It is this very policy that was run; otherwise the usual one behind such a violation.
    pub own: bool,
}

/// What led to this broken promise: the mistake of the policy that was run, if the promise is one that
/// has to catch it; else that of the policy that breaks the fewest rules on the way to the same violation.
pub fn behind(policy: &str, promise: &Promise) -> Option<Mistake> {
    let files = POLICIES.iter().filter_map(|(name, text)| PolicyFile::read(name, text).ok());
    let caught: Vec<PolicyFile> = files.filter(|file| file.caught_by.iter().any(|p| p == promise.name)).collect();
    let own = caught.iter().find(|file| file.name == policy);
    let usual = || caught.iter().filter(|file| is_about(file, promise)).min_by_key(|file| sides(file));
    let told = own.or_else(usual)?;
    Some(Mistake { policy: told.name.clone(), says: told.about.clone(), own: own.is_some() })
}

fn is_about(file: &PolicyFile, promise: &Promise) -> bool {
    promise.rules.split(' ').any(|rule| file.breaks.iter().any(|broken| broken == rule))
}

/// How many-sided a policy is.
fn sides(file: &PolicyFile) -> (usize, usize) {
    (file.caught_by.len(), file.breaks.len())
}
