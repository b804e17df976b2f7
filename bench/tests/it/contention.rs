//! The contention model against its published figures: every mean within four standard errors.

use unacked_bench::contention::{Contended, contend};
use unacked_bench::presets::preset;

const RUNS: u64 = 100;

struct Cell {
    clients: u8,
    policy: &'static str,
    calls: (f64, f64),
    millis: (f64, f64),
}

fn cells() -> impl Iterator<Item = Cell> {
    let lines = include_str!("../published/contention.txt").lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| {
        let words: Vec<&'static str> = line.split(' ').collect();
        let number = |at: usize| words[at].parse::<f64>().expect("a number");
        let clients = words[0].parse().expect("clients");
        Cell { clients, policy: words[1], calls: (number(2), number(3)), millis: (number(4), number(5)) }
    })
}

fn runs(policy: &str, clients: u8) -> Vec<Contended> {
    let mut all = Vec::new();
    contend(&preset(policy).expect(policy), clients, 0..RUNS, |run| all.push(run));
    all
}

fn mean(runs: &[Contended], of: impl Fn(&Contended) -> f64) -> f64 {
    runs.iter().map(of).sum::<f64>() / runs.len() as f64
}

fn calls(runs: &[Contended]) -> f64 {
    mean(runs, |run| run.calls as f64)
}

fn millis(runs: &[Contended]) -> f64 {
    mean(runs, |run| run.took.0 as f64 / 1000.0)
}

/// How many standard errors a mean is off.
fn off(found: f64, (mean, deviation): (f64, f64)) -> f64 {
    (found - mean).abs() / (deviation / (RUNS as f64).sqrt())
}

fn hold(cell: &Cell) -> f64 {
    let runs = runs(cell.policy, cell.clients);
    let worst = off(calls(&runs), cell.calls).max(off(millis(&runs), cell.millis));
    let (name, clients) = (cell.policy, cell.clients);
    assert!(worst <= 4.0, "{name}, {clients} clients: {worst:.1} standard errors off");
    worst
}

#[test]
fn published_cells_are_reproduced() {
    assert_eq!(cells().count(), 95);
    cells().filter(|cell| [10, 50, 100].contains(&cell.clients)).for_each(|cell| _ = hold(&cell));
}

#[test]
fn one_client_needs_one_write_and_four_hops() {
    let runs = runs("awsblog-full", 1);
    assert!(runs.iter().all(|run| run.calls == 1));
    assert!(off(millis(&runs), (40.0, 4.0)) <= 4.0);
}

#[test]
fn a_hundred_clients_rank_as_published() {
    let all = |of: fn(&[Contended]) -> f64| {
        ["full", "equal", "decorr", "expo", "none"].map(|name| of(&runs(&format!("awsblog-{name}"), 100)))
    };
    let [full, equal, decorr, expo, none] = all(calls);
    assert!(full < equal && equal < decorr && decorr < expo && expo < none, "calls");
    assert!(full / expo <= 0.5, "jitter more than halves the calls: {}", full / expo);
    let [full, equal, decorr, expo, none] = all(millis);
    assert!(none < decorr && decorr < full && full < equal && equal < expo, "time");
}

#[test]
fn a_run_is_made_from_its_seed_alone() {
    let policy = preset("awsblog-decorr").expect("a preset");
    let of = |seeds: std::ops::Range<u64>| {
        let mut all = Vec::new();
        contend(&policy, 40, seeds, |run| all.push(run));
        all
    };
    let whole = of(0..6);
    assert_eq!(whole, [of(0..3), of(3..6)].concat());
    assert_ne!(whole[0], whole[1]);
}
