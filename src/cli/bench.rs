//! `bench`: retry policies side by side on the same seeds of a load world.

use super::Done;
use super::args::{Bench, Table};
use super::clock::Clock;
use super::progress::under_bar;
use crate::conclusion::Conclusion;
use crate::input_error::InputError;
use crate::parallel::{self, Queue, on_threads};
use crate::report::{self, Benched, grouped, remark};
use std::ops::Range;
use unacked_bench::comparison::{Record, compare};
use unacked_bench::load::{Tally, World, not_acted_out};
use unacked_bench::policy::Policy;
use unacked_bench::{presets, worlds};

/// Seeds in one piece of work.
const PIECE: u64 = 10;

/// A policy with its name.
type Named = (String, Policy);

pub(super) fn run(args: &Bench) -> Done {
    let world = world(&args.world)?;
    let policies = policies(&args.policies)?;
    if !policies.iter().any(|(name, _)| *name == args.baseline) {
        return Err(InputError(format!(
            "the baseline `{}` is not among the policies: add it to --policies, or name another by --baseline",
            args.baseline
        )));
    }
    let (jobs, clock) = (args.jobs.unwrap_or_else(parallel::threads), Clock::start());
    let records = under_bar(&args.world, Some(runs(&policies, &args.seeds)), &|| false, |watch| {
        let pieces = pieces(&policies, &args.seeds);
        let queue = Queue::new(pieces.len() as u64, watch.stop);
        let work = |queue: &Queue<'_>| {
            let mut done = Vec::new();
            while let Some(at) = queue.take() {
                let (policy, seeds) = &pieces[at as usize];
                done.push((at, piece(&world, &policies[*policy].1, seeds)));
                (watch.step)(seeds.end - seeds.start);
            }
            done
        };
        let done = on_threads(jobs, &queue, watch.fewer, work).into_iter().flatten().collect();
        gathered(&policies, &pieces, done)
    });
    let orders: u64 = records.iter().flat_map(|record| &record.tallies).map(|tally| tally.orders).sum();
    let lines = compare(&records, &args.baseline)?;
    remark(&format!("{} orders in {:.2} s", grouped(orders), clock.seconds()));
    let benched = Benched {
        world: &args.world,
        about: &world.about,
        seeds: &args.seeds,
        baseline: &args.baseline,
        lines: &lines,
        records: &records,
    };
    let text = match args.format {
        Table::Human => report::benched(&benched),
        Table::Markdown => report::benched_markdown(&benched),
        Table::Json => report::benched_json(&benched),
        Table::Csv => report::benched_csv(&benched),
    };
    report::out(&text)?;
    Ok(Conclusion::Kept)
}

fn world(name: &str) -> Result<World, InputError> {
    if name.ends_with(".toml") { from_file(name, World::read) } else { Ok(worlds::world(name)?) }
}

fn from_file<T>(path: &str, read: fn(&str) -> Result<T, String>) -> Result<T, InputError> {
    let text = crate::text_file::read(path.as_ref()).map_err(|error| InputError(format!("{path}: {error}")))?;
    read(&text).map_err(|error| InputError(format!("{path}: {error}")))
}

/// The policies named; all that load worlds act out for `all`.
fn policies(names: &[String]) -> Result<Vec<Named>, InputError> {
    if names == ["all"] {
        let all: Vec<Named> = presets::PRESETS.iter().filter_map(|(name, _)| named(name).ok()).collect();
        remark(&format!(
            "{} of {} presets; the others have parts that load worlds do not act out",
            all.len(),
            presets::PRESETS.len()
        ));
        return Ok(all);
    }
    names.iter().map(|name| named(name)).collect()
}

fn named(name: &str) -> Result<Named, InputError> {
    let policy = if name.ends_with(".toml") { from_file(name, Policy::read)? } else { presets::preset(name)? };
    match not_acted_out(&policy) {
        None => Ok((name.to_string(), policy)),
        Some(part) => Err(InputError(format!(
            "load worlds do not act out {part}: comparing `{name}` would be unfair to it; leave it out"
        ))),
    }
}

fn runs(policies: &[Named], seeds: &Range<u64>) -> u64 {
    policies.len() as u64 * (seeds.end - seeds.start)
}

/// Every policy with every stretch of seeds, neighbouring pieces on the same seeds.
fn pieces(policies: &[Named], seeds: &Range<u64>) -> Vec<(usize, Range<u64>)> {
    let starts = seeds.clone().step_by(PIECE as usize);
    let stretches = starts.map(|from| from..(from + PIECE).min(seeds.end));
    stretches.flat_map(|stretch| (0..policies.len()).map(move |policy| (policy, stretch.clone()))).collect()
}

fn piece(world: &World, policy: &Policy, seeds: &Range<u64>) -> Vec<Tally> {
    let mut tallies = Vec::new();
    // What is not acted out was refused before.
    let _ = world.run(policy, seeds.clone(), |_, tally| tallies.push(tally));
    tallies
}

/// In the order of pieces, whoever made them; of an interrupted run only the stretches that all policies have.
fn gathered(policies: &[Named], pieces: &[(usize, Range<u64>)], mut done: Vec<(u64, Vec<Tally>)>) -> Vec<Record> {
    done.sort_by_key(|(at, _)| *at);
    let whole = done.len() / policies.len() * policies.len();
    let mut records: Vec<Record> =
        policies.iter().map(|(name, _)| Record { policy: name.clone(), tallies: Vec::new() }).collect();
    for (at, tallies) in done.into_iter().take(whole) {
        records[pieces[at as usize].0].tallies.extend(tallies);
    }
    records
}
