//! The table: one line per mutation, and the shares that were noticed.

use crate::mutation::{Layer, Mutation};
use crate::trial::Noticed;
use std::fmt::Write;

/// What came of one mutation.
#[derive(Clone, Debug)]
pub struct Tried {
    /// Which part it breaks.
    pub layer: Layer,
    /// The mutation.
    pub mutation: Mutation,
    /// What noticed it.
    pub noticed: Noticed,
}

impl Tried {
    /// Whether it counts as caught: noticed as its layer demands.
    pub fn is_caught(&self) -> bool {
        self.noticed.suffices(self.layer)
    }

    /// Its line of the table.
    pub fn line(&self) -> String {
        let Mutation { id, says, file, .. } = &self.mutation;
        format!("| {id} | {says} | {file} | {} |", words(self))
    }
}

fn words(tried: &Tried) -> String {
    let Noticed { compiler, check, policies, tests, stale } = tried.noticed;
    let named =
        [(compiler, "compiler"), (check, "check"), (policies, "policy all"), (tests, "tests"), (stale, "stale case")];
    let by: Vec<&str> = named.iter().filter(|(is, _)| *is).map(|(_, name)| *name).collect();
    let by = if by.is_empty() { "nothing".to_string() } else { by.join(", ") };
    match (&tried.mutation.equivalent, tried.is_caught()) {
        (_, true) => by,
        (Some(why), false) => format!("{by} (equivalent: {why})"),
        (None, false) => format!("{by}: **not enough**"),
    }
}

/// Head of the table.
pub const HEAD: &str = "| mutation | what goes wrong | file | noticed by |\n|---|---|---|---|";

/// Caught, equivalent and missed, per layer.
pub fn shares(all: &[Tried]) -> String {
    let mut out = String::new();
    for layer in Layer::ALL {
        let of: Vec<&Tried> = all.iter().filter(|t| t.layer == layer).collect();
        let caught = of.iter().filter(|t| t.is_caught()).count();
        let equivalent = of.iter().filter(|t| !t.is_caught() && t.mutation.equivalent.is_some()).count();
        if !of.is_empty() {
            let _ = writeln!(out, "{}: {caught} of {} noticed, {equivalent} equivalent", layer.name(), of.len());
        }
    }
    out
}

/// Whether anything was missed without a proof that it cannot be noticed.
pub fn is_deaf(all: &[Tried]) -> bool {
    all.iter().any(|t| !t.is_caught() && t.mutation.equivalent.is_none())
}
