//! Checking your own code: a [`Subject`] of yours in one of the scenarios.

use crate::hunt::Hunt;
use crate::refusal::Refusal;
use crate::report;
use crate::reproduce::Reproduce;
use crate::rig::Foreign;
use crate::runset::{Label, RunSet, run_set};
use crate::source;
use crate::verdict::Verdict;
use crate::watch::Watch;
use std::fmt;
use std::ops::Range;
use unacked_scenarios::filter::Filter;
use unacked_scenarios::model::{Model, kinds};
use unacked_scenarios::records::Records;
use unacked_scenarios::shop::Shop;
use unacked_sim::lab::Subject;

/// What came of checking a subject. Prints as the command line would.
#[derive(Clone, Debug)]
pub struct Report {
    /// The runs and what came of them.
    pub runs: RunSet,
}

impl Report {
    /// Whether every promise that can be judged was kept.
    pub fn is_kept(&self) -> bool {
        self.runs.verdict() == Verdict::Kept
    }

    /// Names of the broken promises, sorted, each once.
    pub fn broken(&self) -> Vec<&'static str> {
        let mut names: Vec<&'static str> = self.runs.quarry.tally.found.keys().map(|s| s.promise).collect();
        names.dedup();
        names
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&report::human(std::slice::from_ref(&self.runs), report::Paint::PLAIN))
    }
}

/// A check about to be made.
pub struct Check<'a, S> {
    subject: &'a S,
    model: Model,
    hunt: Hunt,
    filter: Filter,
    sees_store: bool,
}

impl<'a, R: Records, S: Subject<World = Shop<R>> + Sync> Check<'a, S> {
    /// A subject in a scenario: an embedded one by name, or a `.toml` file by path.
    ///
    /// # Errors
    /// One sentence that names the place and the fix.
    pub fn new(subject: &'a S, scenario: &str) -> Result<Self, Refusal> {
        let model = source::scenario(scenario)?;
        Ok(Check { subject, model, hunt: Hunt::of(0..2_000), filter: Filter::default(), sees_store: false })
    }

    /// Which seeds; 2,000 unless told.
    pub fn seeds(mut self, seeds: Range<u64>) -> Self {
        self.hunt.seeds = seeds;
        self
    }

    /// On how many threads; one unless told.
    pub fn jobs(mut self, jobs: usize) -> Self {
        self.hunt.jobs = jobs.max(1);
        self
    }

    /// Declares the subject's records: what its [`Records::project`] says is judged, too.
    pub fn sees_store(mut self) -> Self {
        self.sees_store = true;
        self
    }

    /// Kinds to add and to take away.
    ///
    /// # Errors
    /// An unknown name, with the nearest known one.
    pub fn filter(mut self, filter: Filter) -> Result<Self, Refusal> {
        filter.check(&kinds())?;
        self.filter = filter;
        Ok(self)
    }

    /// Runs it.
    ///
    /// # Errors
    /// An empty range of seeds.
    pub fn run(self) -> Result<Report, Refusal> {
        if self.hunt.seeds.is_empty() {
            return Err(Refusal(format!("{:?} holds no seed; write FROM..TO with FROM < TO", self.hunt.seeds)));
        }
        let scenario = source::shown(&self.model.name).to_string();
        let reproduce = Reproduce {
            program: None,
            scenario: scenario.clone(),
            policy: String::new(),
            usual: String::new(),
            case: None,
            filter: self.filter.clone(),
        };
        let label = Label { scenario, policy: "your subject".into(), reproduce, demands_reach: false };
        let rig =
            Foreign { model: &self.model, subject: self.subject, filter: &self.filter, sees_store: self.sees_store };
        Ok(Report { runs: run_set(&rig, &self.hunt, label, Watch::NOBODY) })
    }
}

/// Runs a subject of yours over seeds in a scenario and shrinks what breaks.
///
/// # Errors
/// An unknown scenario or an empty range: one sentence with the fix.
pub fn check_subject<R, S>(subject: &S, scenario: &str, seeds: Range<u64>) -> Result<Report, Refusal>
where
    R: Records,
    S: Subject<World = Shop<R>> + Sync,
{
    Check::new(subject, scenario)?.seeds(seeds).run()
}
