//! The command that brings a finding about again, complete with every flag that shapes its plan.

use crate::minimal::Finding;
use unacked_scenarios::filter::Filter;

/// What a reproduce command repeats.
#[derive(Clone, Debug)]
pub struct Reproduce {
    /// How the program was started: `cargo run --release -- ` or `unacked `; `None`: by a library user.
    pub program: Option<&'static str>,
    /// The scenario as typed.
    pub scenario: String,
    /// The policy as typed.
    pub policy: String,
    /// The policy that runs there where none is typed.
    pub usual: String,
    /// The file, if a saved case is replayed.
    pub case: Option<String>,
    /// Kinds added and taken away.
    pub filter: Filter,
}

impl Reproduce {
    /// The command, or what a library user has to run.
    pub fn command(&self, finding: &Finding) -> String {
        let Some(program) = self.program else { return self.for_library(finding) };
        let mut out = match finding.seed {
            _ if self.case.is_some() => format!("{program}replay {}", quoted(self.case.as_deref().unwrap_or_default())),
            Some(seed) => format!("{program}replay {}", quoted(&format!("{}:{seed}", self.scenario))),
            None => format!("{program}replay {}{}", quoted(&self.scenario), choices(finding)),
        };
        if self.policy != self.usual {
            out += &format!(" --policy {}", quoted(&self.policy));
        }
        if self.case.is_some() {
            return out;
        }
        for (flag, kinds) in [("include", &self.filter.include), ("exclude", &self.filter.exclude)] {
            kinds.iter().for_each(|kind| out += &format!(" --{flag} {kind}"));
        }
        out
    }

    fn for_library(&self, finding: &Finding) -> String {
        match finding.seed {
            Some(seed) => format!("seed {seed} in {}: seeds({seed}..{})", self.scenario, seed + 1),
            None => "run the plan above".into(),
        }
    }
}

fn choices(finding: &Finding) -> String {
    finding.plan.choices.iter().map(|choice| format!(" --with {}", quoted(&choice.to_string()))).collect()
}

/// As a shell reads it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,+@".contains(c);
    if !word.is_empty() && word.chars().all(plain) { word.into() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}
