//! Each clause of each promise is needed: somebody does what it forbids, is named by it, and is not named by that
//! promise at all where the clause is left out. Nobody keeps a list of who that is: all wrong policies and all
//! mistakes of the examples are tried.

use crate::saga::Saga;
use crate::slips::{Row, Slip, TABLE};
use crate::worker::Workers;
use std::collections::BTreeSet;
use unacked::prelude::*;
use unacked::scenarios::catalog::{POLICIES, SCENARIOS};
use unacked::scenarios::filter::Filter;
use unacked::scenarios::model::{Model, kinds};
use unacked::scenarios::promises::clauses;
use unacked::sim::kind::Class;
use unacked::sim::lab::{Lab, with_lab};
use unacked::source;

/// Runs per candidate.
const SEEDS: u64 = 400;

/// Clauses that no candidate breaks alone, and why.
const UNPROVEN: &[(&str, &str)] = &[
    ("approved-only/used", "a yes is for one operation: whoever uses it for a second one is named for that first"),
    ("refund-justified/stray", "a refund is attributed by the charge that it gives back, and a charge by its card"),
];

/// Clauses that nobody has been named by so far.
struct Open(BTreeSet<&'static str>);

impl Open {
    /// Strikes off what this subject is named for in this scenario, and only because of that clause.
    fn strike<R: Records, S: Subject<World = Shop<R>>>(&mut self, place: &Place<'_>, subject: &S, seeds: u64) {
        let runs: Vec<Vec<Named>> =
            place.in_lab(subject, None, |lab| (0..seeds).map(|seed| broken(lab, seed)).collect());
        for (seed, named) in runs.into_iter().enumerate() {
            for (promise, clause) in named {
                if self.0.contains(clause) && place.is_silent(subject, seed as u64, promise, clause) {
                    self.0.remove(clause);
                }
            }
        }
    }

    /// Whether a promise has a clause that nobody has been named by.
    fn wants(&self, promise: &str) -> bool {
        self.0.iter().any(|clause| clause.starts_with(&format!("{promise}/")))
    }
}

/// A promise, and the clause by which it was broken.
type Named = (&'static str, &'static str);

/// Where somebody is tried.
struct Place<'a> {
    model: &'a Model,
    filter: &'a Filter,
    declared: bool,
}

impl Place<'_> {
    /// Whether nothing of a promise is said in this run if this clause is left out.
    fn is_silent<R: Records, S: Subject<World = Shop<R>>>(
        &self,
        subject: &S,
        seed: u64,
        promise: &str,
        clause: &'static str,
    ) -> bool {
        self.in_lab(subject, Some(clause), |lab| broken(lab, seed)).iter().all(|(other, _)| *other != promise)
    }

    fn in_lab<R: Records, S: Subject<World = Shop<R>>, T>(
        &self,
        subject: &S,
        muted: Option<&'static str>,
        work: impl FnOnce(&mut Lab<'_, Shop<R>>) -> T,
    ) -> T {
        let (mut shop, store, door, setting) = self.model.world::<R>(self.filter, self.declared);
        shop.promises.muted = muted;
        with_lab(shop, store, door, setting, subject, work)
    }
}

/// What is broken in a run: promise and clause.
fn broken<R: Records>(lab: &mut Lab<'_, Shop<R>>, seed: u64) -> Vec<Named> {
    lab.run_seed(seed).violations.iter().map(|v| (v.promise.name, v.clause)).collect()
}

#[test]
fn every_clause_names_somebody_whom_no_other_clause_of_its_promise_names() {
    let mut open = Open(clauses().map(|clause| clause.id).collect());
    try_policies(&mut open);
    try_a_hostile_world(&mut open);
    TABLE.iter().for_each(|row| try_a_mistake(&mut open, row));
    let known: BTreeSet<&str> = UNPROVEN.iter().map(|(clause, _)| *clause).collect();
    assert_eq!(open.0, known, "clauses that could be left out, and nobody would notice");
}

fn try_policies(open: &mut Open) {
    let filter = Filter::default();
    for (name, _) in POLICIES {
        let policy = source::policy(name).expect(name);
        for home in &policy.home {
            let model = source::scenario(home).expect(home);
            let place = Place { model: &model, filter: &filter, declared: true };
            open.strike(&place, &model.orchestrator(&policy), SEEDS);
        }
    }
}

/// What only a provider can cause that breaks its contract.
fn try_a_hostile_world(open: &mut Open) {
    let kinds = kinds();
    let breaches = kinds.iter().filter(|(_, kind)| kind.class == Class::Breach).map(|(_, kind)| kind.name.into());
    let filter = Filter { include: breaches.collect(), ..Filter::default() };
    let reference = source::policy("reference").expect("it is embedded");
    for (scenario, _) in SCENARIOS {
        let model = source::scenario(scenario).expect(scenario);
        let place = Place { model: &model, filter: &filter, declared: true };
        open.strike(&place, &model.orchestrator(&reference), 32 * SEEDS);
    }
}

/// With its records and without; what is found already need not be tried.
fn try_a_mistake(open: &mut Open, row: &Row) {
    let (model, filter) = (source::scenario(row.scenario).expect(row.scenario), Filter::default());
    for declared in [true, false] {
        let place = Place { model: &model, filter: &filter, declared };
        if open.wants(row.promise) {
            open.strike(&place, &Saga(row.slip), SEEDS);
        }
        if open.wants(row.promise) && declared {
            let workers = Workers { rules: row.slip, fenced: row.slip != Slip::Unfenced, leased: true };
            open.strike(&place, &workers, SEEDS);
        }
    }
}
