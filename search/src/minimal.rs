//! From a failing run to its smallest plan, and the finding that is reported.

use crate::free::freedoms;
use crate::rescue::point_of_no_return;
use crate::statistics::{breaks, signatures};
use crate::story::{Detail, Shrinking, Story, tell};
use crate::told::Told;
use crate::unsteady::Unsteady;
use crate::watch::Stop;
use std::cell::Cell;
use std::collections::BTreeSet;
use unacked_sim::draw::hash_name;
use unacked_sim::kind::{Class, KindId};
use unacked_sim::lab::Lab;
use unacked_sim::plan::{CompiledChoice, CompiledPlan, Noise, Plan};
use unacked_sim::shrink::{Shrunk, shrink};
use unacked_sim::verdict::Signature;

/// Most runs spent on shrinking one plan.
pub const BUDGET: u32 = 2_000;

/// One way of failing: a violation with the smallest plan that brings it about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What is broken, in which operation, by whom.
    pub signature: Signature,
    /// Seed of the run it was found in; `None`: found by exhaustive placement.
    pub seed: Option<u64>,
    /// Hash of signature and normalised minimal plan: equal ones are one finding.
    pub fingerprint: u64,
    /// The minimal plan, in words.
    pub plan: Plan,
    /// The same for the door.
    pub compiled: CompiledPlan,
    /// Digest of the minimal run: it informs, nothing depends on it.
    pub digest: u64,
    /// Name of the file it was saved in.
    pub case: Option<String>,
    /// How it came about.
    pub story: Story,
}

/// Shrinks what a seed's run broke.
///
/// # Errors
/// The subject is not deterministic.
pub fn from_seed(
    lab: &mut Lab<'_, impl Told>,
    seed: u64,
    signature: &Signature,
    stop: Stop<'_>,
) -> Result<Finding, Box<Unsteady>> {
    lab.run_seed(seed);
    let start = CompiledPlan::of(&lab.landed(), lab.noise());
    let mut finding = from_script(lab, &start, signature, stop)?;
    finding.seed = Some(seed);
    Ok(finding)
}

/// Shrinks what a plan breaks, as far as it gets before `stop`.
///
/// # Errors
/// The subject is not deterministic.
pub fn from_script(
    lab: &mut Lab<'_, impl Told>,
    start: &CompiledPlan,
    signature: &Signature,
    stop: Stop<'_>,
) -> Result<Finding, Box<Unsteady>> {
    let canon = Canon::of(lab);
    let (stopped, runs) = (Cell::new(false), Cell::new(0));
    let fails = |compiled: &CompiledPlan| {
        stopped.set(stopped.get() || stop());
        if stopped.get() {
            return None;
        }
        runs.set(runs.get() + 1);
        let outcome = lab.run_plan(compiled);
        breaks(&outcome, signature).then(|| lab.landed().into_iter().map(CompiledChoice::from).collect())
    };
    let shrunk = shrink(start, BUDGET, fails, |choice| canon.simpler(choice), |choice| canon.is_suspect(choice));
    let complete = shrunk.complete && !stopped.get();
    explain(lab, start, Shrunk { complete, runs: runs.get(), ..shrunk }, signature)
}

/// Tells what a plan breaks as it is, nothing shrunk.
///
/// # Errors
/// The subject is not deterministic.
pub fn as_it_is(
    lab: &mut Lab<'_, impl Told>,
    compiled: &CompiledPlan,
    signature: &Signature,
) -> Result<Finding, Box<Unsteady>> {
    explain(lab, compiled, Shrunk { compiled: compiled.clone(), runs: 0, complete: true }, signature)
}

/// Finds out what takes more runs than shrinking has to spend: what does not matter, and when it was
/// too late. Nothing is said of that if somebody says `stop` before it is known.
pub fn deepen(lab: &mut Lab<'_, impl Told>, finding: &mut Finding, stop: Stop<'_>) {
    let canon = Canon::of(lab);
    let values = |choice: &CompiledChoice| canon.simpler(choice);
    let freedom = freedoms(lab, &finding.compiled, &finding.plan, &finding.signature, values, stop);
    let no_return = point_of_no_return(lab, &finding.compiled, stop);
    if !stop() {
        finding.story.deepen(Detail { freedom, no_return });
    }
}

/// Deepens what is told in full: the simplest finding of each promise.
pub fn deepen_simplest(lab: &mut Lab<'_, impl Told>, findings: &mut [Finding], stop: Stop<'_>) {
    let promises: BTreeSet<&str> = findings.iter().map(|f| f.signature.promise).collect();
    for promise in promises {
        let of = findings.iter_mut().filter(|f| f.signature.promise == promise);
        if let Some(finding) = of.min_by_key(|f| f.simplicity()) {
            deepen(lab, finding, stop);
        }
    }
}

impl Finding {
    /// Few faults first, then the lowest seed.
    pub fn simplicity(&self) -> (usize, Option<u64>) {
        (self.plan.choices.len(), self.seed)
    }
}

/// Runs the minimal plan once more with the trace on: the digests must agree.
fn explain(
    lab: &mut Lab<'_, impl Told>,
    start: &CompiledPlan,
    shrunk: Shrunk,
    signature: &Signature,
) -> Result<Finding, Box<Unsteady>> {
    let untraced = lab.run_plan(&shrunk.compiled);
    let (outcome, events) = lab.trace_plan(&shrunk.compiled);
    let violation = outcome.violations.iter().find(|v| v.signature() == *signature);
    let Some(violation) = violation.filter(|_| outcome.digest == untraced.digest) else {
        return Err(Box::new(Unsteady::of_plan(signatures(&untraced), &outcome)));
    };
    let plan = lab.door(|d| Plan::describe(d.landed(), d.noise(), &d.names, &d.kinds));
    let shrinking = Shrinking { injected: start.choices.len(), runs: shrunk.runs, complete: shrunk.complete };
    let story = tell(lab, violation, &events, &plan, shrinking);
    let fingerprint = fingerprint(signature, &plan);
    Ok(Finding {
        signature: *signature,
        seed: None,
        fingerprint,
        plan,
        compiled: shrunk.compiled,
        digest: outcome.digest,
        case: None,
        story,
    })
}

/// Hash of signature and plan; the key of the noise and the order of the choices do not matter.
pub fn fingerprint(signature: &Signature, plan: &Plan) -> u64 {
    let noise = if plan.noise == Noise::Off { "nominal" } else { "noisy" };
    let mut lines: Vec<String> = plan.choices.iter().map(ToString::to_string).collect();
    lines.sort();
    hash_name(&format!("{signature}\n{noise}\n{}", lines.join("\n")))
}

/// Canonical parameters and classes of the kinds of a world.
struct Canon {
    values: Vec<(KindId, Vec<u64>)>,
    suspects: Vec<KindId>,
}

impl Canon {
    fn of(lab: &Lab<'_, impl Told>) -> Canon {
        lab.door(|door| {
            let entries = door.menus().flat_map(|m| &m.entries);
            let suspect = |class| matches!(class, Class::Breach | Class::Undocumented);
            Canon {
                values: entries.map(|e| (e.kind, e.values.clone())).collect(),
                suspects: door.kinds.iter().filter(|(_, k)| suspect(k.class)).map(|(id, _)| id).collect(),
            }
        })
    }

    /// Values that every menu offers which could have offered this one, smallest first.
    fn simpler(&self, choice: &CompiledChoice) -> Vec<u64> {
        let of_kind =
            self.values.iter().filter(|(kind, values)| *kind == choice.kind && values.contains(&choice.value));
        let mut menus = of_kind.map(|(_, values)| values);
        let first = menus.next().cloned().unwrap_or_default();
        menus.fold(first, |common, values| common.into_iter().filter(|v| values.contains(v)).collect())
    }

    fn is_suspect(&self, choice: &CompiledChoice) -> bool {
        self.suspects.contains(&choice.kind)
    }
}
