//! Checking your own code: a [`Subject`] of yours in one of the scenarios.

use crate::conclusion::Conclusion;
use crate::exhaust::{Exhausted, exhaust};
use crate::input_error::InputError;
use crate::mount::UserSubject;
use crate::report;
use crate::reproduce::Reproduce;
use crate::runset::{Label, RunSet, run_set};
use crate::search::Search;
use crate::source;
use crate::watch::Watch;
use std::fmt;
use std::ops::Range;
use unacked_scenarios::filter::Filter;
use unacked_scenarios::model::{Model, kinds};
use unacked_scenarios::promises;
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
        self.runs.conclusion() == Conclusion::Kept
    }

    /// Names of the broken promises, sorted, each once.
    pub fn broken(&self) -> Vec<&'static str> {
        let mut names: Vec<&'static str> = self.runs.result.statistics.found.keys().map(|s| s.promise).collect();
        names.dedup();
        names
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&report::human(std::slice::from_ref(&self.runs), report::Paint::PLAIN))
    }
}

/// What came of placing faults. Prints as the command line would.
#[derive(Clone, Debug)]
pub struct Placed {
    /// The placements and what came of them.
    pub done: Exhausted,
    conclusion: Conclusion,
    reproduce: Reproduce,
}

impl Placed {
    /// Whether every promise that can be judged was kept in every placement.
    pub fn is_kept(&self) -> bool {
        self.conclusion == Conclusion::Kept
    }
}

impl fmt::Display for Placed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&report::exhausted(
            &self.done,
            &self.reproduce.scenario,
            SUBJECT,
            &self.reproduce,
            report::Paint::PLAIN,
        ))
    }
}

/// What a report calls the subject.
const SUBJECT: &str = "your subject";

/// A check about to be made.
pub struct Check<'a, S> {
    subject: &'a S,
    model: Model,
    search: Search,
    filter: Filter,
    sees_store: bool,
    demands: bool,
}

impl<'a, R: Records, S: Subject<World = Shop<R>> + Sync> Check<'a, S> {
    /// A subject in a scenario: an embedded one by name, or a `.toml` file by path.
    ///
    /// # Errors
    /// One sentence that names the place and the fix.
    pub fn new(subject: &'a S, scenario: &str) -> Result<Self, InputError> {
        let model = source::scenario(scenario)?;
        Ok(Check {
            subject,
            model,
            search: Search::of(0..2_000),
            filter: Filter::default(),
            sees_store: false,
            demands: true,
        })
    }

    /// Which seeds; 2,000 unless told.
    pub fn seeds(mut self, seeds: Range<u64>) -> Self {
        self.search.seeds = seeds;
        self
    }

    /// On how many threads; one unless told.
    pub fn jobs(mut self, jobs: usize) -> Self {
        self.search.jobs = jobs.max(1);
        self
    }

    /// Declares the subject's records: what its [`Records::project`] says is judged, too.
    pub fn sees_store(mut self) -> Self {
        self.sees_store = true;
        self
    }

    /// Judges each run by itself: what the scenario demands of all runs together (`[expect]`) is left out.
    pub fn without_demands(mut self) -> Self {
        self.demands = false;
        self
    }

    /// Looks for violations of this promise only.
    ///
    /// # Errors
    /// A name that no promise has.
    pub fn only(mut self, promise: &str) -> Result<Self, InputError> {
        let found = promises::named(promise);
        let found =
            found.ok_or_else(|| InputError(format!("no promise is called `{promise}`; see `list promises`")))?;
        self.search.judge.only = Some(found.name);
        Ok(self)
    }

    /// Stops soon after the first failing run.
    pub fn fail_fast(mut self) -> Self {
        self.search.fail_fast = true;
        self
    }

    /// Places faults instead of drawing them: every combination of up to so many, each exactly once.
    pub fn exhaust(self, faults: usize) -> Placed {
        let done = exhaust(&self.mount(), faults, self.search.jobs, &self.search.judge, Watch::NOBODY);
        let conclusion = done.conclusion(&self.search.judge);
        Placed { done, conclusion, reproduce: self.reproduce() }
    }

    /// Kinds to add and to take away.
    ///
    /// # Errors
    /// An unknown name, with the nearest known one.
    pub fn filter(mut self, filter: Filter) -> Result<Self, InputError> {
        filter.check(&kinds())?;
        self.filter = filter;
        Ok(self)
    }

    /// Runs it.
    ///
    /// # Errors
    /// An empty range of seeds.
    pub fn run(self) -> Result<Report, InputError> {
        if self.search.seeds.is_empty() {
            return Err(InputError(format!("{:?} holds no seed; write FROM..TO with FROM < TO", self.search.seeds)));
        }
        let reproduce = self.reproduce();
        let label = Label {
            scenario: reproduce.scenario.clone(),
            policy: SUBJECT.into(),
            reproduce,
            demands_reach: false,
            unfiltered: self.demands && self.filter == Filter::default(),
        };
        Ok(Report { runs: run_set(&self.mount(), &self.search, label, Watch::NOBODY) })
    }

    fn mount(&self) -> UserSubject<'_, S> {
        let Check { subject, model, filter, sees_store, .. } = self;
        UserSubject { model, subject: *subject, filter, sees_store: *sees_store }
    }

    fn reproduce(&self) -> Reproduce {
        Reproduce {
            program: None,
            scenario: source::shown(&self.model.name).to_string(),
            policy: String::new(),
            usual: String::new(),
            case: None,
            filter: self.filter.clone(),
        }
    }
}

/// Runs a subject of yours over seeds in a scenario and shrinks what breaks.
///
/// # Errors
/// An unknown scenario or an empty range: one sentence with the fix.
pub fn check_subject<R, S>(subject: &S, scenario: &str, seeds: Range<u64>) -> Result<Report, InputError>
where
    R: Records,
    S: Subject<World = Shop<R>> + Sync,
{
    Check::new(subject, scenario)?.seeds(seeds).run()
}
