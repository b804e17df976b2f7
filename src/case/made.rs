//! From a finding to its case.

use super::{Broke, Case, ChoiceUsed, FORMAT, PinUsed, PolicyUsed, ScenarioUsed};
use crate::minimal::Finding;
use crate::mount::BuiltIn;
use crate::report::TOOL;
use crate::source;
use std::collections::BTreeMap;
use unacked_scenarios::catalog;
use unacked_scenarios::model::Model;
use unacked_sim::plan::Choice;

impl Case {
    /// The case of a finding: every choice of a minimal plan has landed.
    pub fn of(finding: &Finding, mount: &BuiltIn<'_>) -> Case {
        let policy = mount.policy;
        Case {
            format: FORMAT,
            note: None,
            scenario: scenario(mount.model),
            policy: PolicyUsed {
                name: source::shown(&policy.name).into(),
                hash: hex(policy.hash),
                change: policy.delta.clone(),
            },
            include: mount.filter.include.clone(),
            exclude: mount.filter.exclude.clone(),
            broke: broke(finding),
            noise: finding.plan.noise.to_string(),
            pins: finding.plan.pins.iter().map(|p| PinUsed { site: p.site.to_string(), value: p.value }).collect(),
            choices: finding.plan.choices.iter().map(choice).collect(),
            tool: TOOL.into(),
            digest: hex(finding.digest),
        }
    }
}

/// An embedded scenario is named, a file is carried along.
fn scenario(model: &Model) -> ScenarioUsed {
    let embedded = catalog::scenario(&model.name).is_some_and(|text| text == model.text);
    ScenarioUsed {
        name: source::shown(&model.name).into(),
        hash: hex(model.hash),
        text: (!embedded).then(|| model.text.clone()),
        files: if embedded { BTreeMap::new() } else { model.files.clone() },
    }
}

fn broke(finding: &Finding) -> Broke {
    let signature = &finding.signature;
    Broke {
        promise: signature.promise.into(),
        operation: signature.operation.into(),
        blame: signature.blame.name().into(),
        signature: signature.to_string(),
        fingerprint: hex(finding.fingerprint),
        headline: finding.story.headline.clone(),
    }
}

fn choice(choice: &Choice) -> ChoiceUsed {
    ChoiceUsed {
        site: choice.site.to_string(),
        option: choice.option.clone(),
        param: choice.param.map(|p| p.to_string()),
        landed: true,
    }
}

pub(super) fn hex(n: u64) -> String {
    format!("{n:016x}")
}
