//! A trial: the mutated product is built and everything that should notice is run.

use crate::mutation::Layer;
use std::path::Path;
use std::process::{Command, Output};

/// What noticed a mutation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Noticed {
    /// It does not compile: the types notice it.
    pub compiler: bool,
    /// `check`: every scenario under `reference` is not kept.
    pub check: bool,
    /// `check --policy all`: a wrong policy is not caught any more, or `reference` is.
    pub policies: bool,
    /// Tests of the layer's crates, snapshots and digests left aside.
    pub tests: bool,
    /// Only a saved case that no longer lands: luck.
    pub stale: bool,
}

impl Noticed {
    /// Whether what has to notice a mutation of this layer did.
    pub fn suffices(&self, layer: Layer) -> bool {
        self.compiler
            || match layer {
                Layer::Workflow => self.check || self.policies,
                Layer::Oracles => self.tests && self.policies,
                Layer::Providers | Layer::Engine => self.tests || self.check || self.policies,
            }
    }
}

/// How thoroughly mutations are tried.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Run the tests even where `check` has noticed already.
    pub tests: bool,
}

/// Builds and runs everything in a folder of sources.
///
/// # Errors
/// Cargo cannot be started.
pub fn trial(sources: &Path, layer: Layer, effort: Effort) -> Result<Noticed, String> {
    let mut noticed = Noticed::default();
    if !cargo(sources, &["build", "--profile", PROFILE])?.status.success() {
        return Ok(Noticed { compiler: true, ..noticed });
    }
    let check = unacked(sources, &["check"])?;
    (noticed.check, noticed.stale) = (matches!(check, 1 | 3 | 101), check == 4);
    noticed.policies = matches!(unacked(sources, &["check", "--policy", "all", "--seeds", "0..2000"])?, 1 | 3 | 101);
    if effort.tests || layer == Layer::Oracles || !noticed.suffices(layer) {
        noticed.tests = fails(sources, layer)?;
    }
    Ok(noticed)
}

/// Release code, built fast.
const PROFILE: &str = "mutants";

fn unacked(sources: &Path, words: &[&str]) -> Result<i32, String> {
    let program = sources.join("target").join(PROFILE).join("unacked");
    let ended = Command::new(&program).args(words).current_dir(sources).output();
    Ok(ended.map_err(|e| format!("{}: {e}", program.display()))?.status.code().unwrap_or(101))
}

/// Whether a test of the layer fails. Snapshots pass whatever they say, and digests are left out: both
/// notice every change, and would be renewed.
fn fails(sources: &Path, layer: Layer) -> Result<bool, String> {
    for name in layer.crates() {
        let words = ["test", "--profile", PROFILE, "-p", name, "--", "--skip", "golden"];
        if !cargo(sources, &words)?.status.success() {
            return Ok(true);
        }
    }
    Ok(false)
}

fn cargo(sources: &Path, words: &[&str]) -> Result<Output, String> {
    let mut cargo = Command::new("cargo");
    cargo.args(words).current_dir(sources);
    cargo.env("INSTA_FORCE_PASS", "1").env("INSTA_UPDATE", "no");
    cargo.env("CARGO_TARGET_DIR", sources.join("target"));
    cargo.output().map_err(|e| format!("cargo: {e}"))
}
