//! Reads a case. Whatever is wrong with it is said in one sentence, with the place and the fix.

use super::place::placed;
use super::{Case, FORMAT};
use crate::input_error::InputError;
use serde::Deserialize;
use unacked_mock_providers::message::Op;
use unacked_scenarios::filter::nearest;
use unacked_scenarios::promises;
use unacked_scenarios::words::today;
use unacked_sim::kind::Kinds;
use unacked_sim::plan::{self, Choice, Pin, Plan};
use unacked_sim::site::SiteName;
use unacked_sim::time::{Span, parse_span};
use unacked_sim::verdict::{Blame, Signature};

/// More choices than any run has.
const MOST_CHOICES: usize = 1_000;

/// Longer than any scenario.
const LONGEST: Span = Span::days(1_000);

/// What is looked at first: an unknown format may have any other fields.
#[derive(Deserialize)]
struct Head {
    format: Option<u64>,
}

/// Reads a case from its text; `name` is said in errors.
///
/// # Errors
/// One sentence that names the place and the fix.
pub fn read(name: &str, text: &str) -> Result<Case, InputError> {
    let broken = |e: serde_json::Error| InputError(format!("{name}: this is no case: {e}"));
    let head: Head = serde_json::from_str(text).map_err(broken)?;
    match head.format {
        Some(format) if format == u64::from(FORMAT) => {}
        Some(format) => {
            return Err(InputError(format!(
                "{name}: case format {format} is not known: this version reads format {FORMAT}"
            )));
        }
        None => return Err(InputError(format!("{name}: this is no case: write \"format\": {FORMAT}"))),
    }
    let case: Case = serde_json::from_str(text).map_err(broken)?;
    case.signature().and_then(|_| case.sane()).map_err(|e| InputError(format!("{name}: {}", placed(text, &e))))?;
    Ok(case)
}

impl Case {
    fn sane(&self) -> Result<(), String> {
        if self.choices.len() > MOST_CHOICES || self.pins.len() > MOST_CHOICES {
            return Err(format!("a case has at most {MOST_CHOICES} choices and as many pins; leave some out"));
        }
        Ok(())
    }

    /// What it broke.
    ///
    /// # Errors
    /// An unknown word, or three words that are not the signature.
    pub fn signature(&self) -> Result<Signature, String> {
        let broke = &self.broke;
        let promise = promises::named(&broke.promise).ok_or_else(|| {
            let hint = nearest(&broke.promise, promises::ALL.iter().map(|p| p.name));
            format!(
                "broke.promise: there is no promise named `{}`{hint}; `list promises` shows them all",
                broke.promise
            )
        })?;
        let operations = Op::ALL.iter().map(|op| op.name()).chain(["order", "node"]);
        let operation = operations.clone().find(|o| *o == broke.operation).ok_or_else(|| {
            format!("broke.operation: `{}` is none of {}", broke.operation, operations.collect::<Vec<_>>().join(", "))
        })?;
        let signature = Signature { promise: promise.name, operation, blame: blame(&broke.blame)? };
        if signature.to_string() != broke.signature {
            return Err(format!(
                "broke.signature: `{}` contradicts promise, operation and blame; write `{signature}`",
                broke.signature
            ));
        }
        Ok(signature)
    }

    /// Its plan under today's names. `former`: verbs that were renamed.
    ///
    /// # Errors
    /// A sentence with the place and the fix.
    pub fn plan(&self, former: &[(&str, &str)]) -> Result<Plan, String> {
        let site = |what: &str, i: usize, text: &str| {
            let site = SiteName::parse(text).map_err(|e| format!("{what}[{i}].site: {e}"))?;
            Ok::<SiteName, String>(today(&site, former))
        };
        let mut plan = Plan { format: plan::FORMAT, ..Plan::default() };
        plan.noise = self.noise.parse().map_err(|e| format!("noise: {e}"))?;
        for (i, pin) in self.pins.iter().enumerate() {
            let value = limited(Span(pin.value)).map_err(|e| format!("pins[{i}].value: {e}"))?;
            plan.pins.push(Pin { site: site("pins", i, &pin.site)?, value: value.0 });
        }
        for (i, choice) in self.choices.iter().enumerate() {
            let param = choice.param.as_deref().map(|text| parse_span(text).and_then(limited)).transpose();
            plan.choices.push(Choice {
                site: site("choices", i, &choice.site)?,
                option: choice.option.clone(),
                param: param.map_err(|e| format!("choices[{i}].param: {e}"))?,
            });
        }
        Ok(plan)
    }

    /// Its plan for the door.
    ///
    /// # Errors
    /// A sentence with the place and the fix.
    pub fn compile(&self, kinds: &Kinds, former: &[(&str, &str)]) -> Result<plan::CompiledPlan, String> {
        self.plan(former)?.compile(kinds).map_err(|e| format!("choices: {e}"))
    }
}

/// No parameter is longer.
///
/// # Errors
/// It is, in a sentence.
pub(crate) fn limited(span: Span) -> Result<Span, String> {
    if span <= LONGEST { Ok(span) } else { Err(format!("{span} is too long; write at most {LONGEST}")) }
}

fn blame(word: &str) -> Result<Blame, String> {
    const ALL: [Blame; 5] = [Blame::Workflow, Blame::Human, Blame::Transport, Blame::Undocumented, Blame::Breach];
    let all: Vec<&str> = ALL.iter().map(|b| b.name()).collect();
    ALL.into_iter()
        .find(|b| b.name() == word)
        .ok_or_else(|| format!("broke.blame: `{word}` is none of {}", all.join(", ")))
}
