//! A subject that is not deterministic: the same seed or plan ran differently.

use crate::line;
use crate::mount::Mount;
use crate::statistics::{Sample, signatures};
use crate::told::Told;
use unacked_sim::lab::{Lab, Outcome};
use unacked_sim::time::Time;
use unacked_sim::trace::TraceEvent;
use unacked_sim::verdict::Signature;

/// Two runs of the same that differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsteady {
    /// The seed, if a seed was run again; `None`: a plan.
    pub seed: Option<u64>,
    /// The first event in which the two differ.
    pub first: Option<Divergence>,
    /// What was broken in the first run.
    pub broken: Vec<String>,
    /// What was broken in the second run.
    pub broken_again: Vec<String>,
}

/// The first difference between two traces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// Number of the event.
    pub event: u32,
    /// When, in the first run.
    pub at: Time,
    /// What the first run did.
    pub one: String,
    /// What the second run did.
    pub other: String,
}

impl Unsteady {
    /// A plan whose traced run differs from the untraced one.
    pub(crate) fn of_plan(broken: Vec<Signature>, again: &Outcome) -> Unsteady {
        Unsteady { seed: None, first: None, broken: words(&broken), broken_again: words(&signatures(again)) }
    }

    /// A sample that came out differently the second time: both are run once more with traces.
    fn of_seed<M: Mount>(mount: &M, sample: &Sample, again: &Sample) -> Unsteady {
        let trace = || mount.in_lab(|lab| lab.trace_seed(sample.seed).1);
        let (one, other) = (trace(), trace());
        let first = mount.in_lab(|lab| diverge(lab, &one, &other));
        let (broken, broken_again) = (words(&sample.broken), words(&again.broken));
        Unsteady { seed: Some(sample.seed), first, broken, broken_again }
    }
}

/// Runs samples again in this lab and compares.
pub fn verify<M: Mount>(mount: &M, lab: &mut Lab<'_, M::World>, samples: &[Sample]) -> Option<Unsteady> {
    samples.iter().rev().find_map(|sample| {
        let again = Sample::of(sample.seed, &lab.run_seed(sample.seed));
        (again != *sample).then(|| Unsteady::of_seed(mount, sample, &again))
    })
}

fn words(broken: &[Signature]) -> Vec<String> {
    broken.iter().map(ToString::to_string).collect()
}

fn diverge(lab: &Lab<'_, impl Told>, one: &[TraceEvent], other: &[TraceEvent]) -> Option<Divergence> {
    let at = (0..one.len().max(other.len())).find(|&i| one.get(i) != other.get(i))?;
    let line = |event: Option<&TraceEvent>| event.map_or("the run is over".into(), |e| line::line(lab, e));
    let first = one.get(at).or(other.get(at))?;
    Some(Divergence { event: first.number, at: first.at, one: line(one.get(at)), other: line(other.get(at)) })
}
