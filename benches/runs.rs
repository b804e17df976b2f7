//! How fast a run is, and where the time goes.
//!
//! `cargo bench` measures, `cargo bench --workspace -- --test` runs everything once. How to read it:
//!
//! - Single times belong to the machine and the minute. **Only ratios of lines of one and the same
//!   run count**: `checkout` to `peer-baseline`, `two` threads to `one`, a part to the run it is part
//!   of. To compare two commits, measure both in turn and compare their ratios.
//! - `runs/*`: one thread, all promises judged, no trace; one element is one run, so that elements a
//!   second are runs a second. Seeds differ from iteration to iteration: it is the mean over faults.
//! - `exhaust/*`: one element is one placement, menus recorded where the walk records them.
//! - `shrink/*`: one element is one failing seed brought down to its smallest plan and told.
//! - `threads/*`: the same seeds on one thread and on two, threads started and tallies merged.
//! - `parts/*`: what a run is made of, each for itself and warm, so that their sum is a lower bound.
//!   One element is one draw, one event, one request, one decision.

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use unacked::minimal::from_seed;
use unacked::mount::{BuiltIn, Mount, UserSubject};
use unacked::scenarios::books::Books;
use unacked::scenarios::client;
use unacked::scenarios::filter::Filter;
use unacked::scenarios::model::Model;
use unacked::scenarios::policy::PolicyFile;
use unacked::scenarios::shop::Shop;
use unacked::search::{Search, search};
use unacked::sim::cx::Cx;
use unacked::sim::distribution::Distribution;
use unacked::sim::door::{ALL, Door};
use unacked::sim::explore::Walk;
use unacked::sim::kind::{self, Kinds};
use unacked::sim::lab::{Lab, Outcome, Subject};
use unacked::sim::menu::{Entry, Menu, MenuId};
use unacked::sim::plan::CompiledPlan;
use unacked::sim::site::{Site, Stage};
use unacked::sim::time::{Span, Time};
use unacked::sim::verdict::Signature;
use unacked::sim::world::{Domain, Effects, NodeId};
use unacked::source;
use unacked::statistics::breaks;
use unacked::watch::Watch;
use unacked::workflow::decide;
use unacked::workflow::order::{Order, OrderId};

type Group<'a> = BenchmarkGroup<'a, WallTime>;

fn model(name: &str) -> Model {
    source::scenario(name).expect("an embedded scenario")
}

fn policy(name: &str) -> PolicyFile {
    source::policy(name).expect("an embedded policy")
}

// ---- whole runs

fn runs(c: &mut Criterion) {
    let mut group = c.benchmark_group("runs");
    group.throughput(Throughput::Elements(1));
    for name in ["peer-baseline", "checkout"] {
        model(name).with_orchestrator(&policy("reference"), &Filter::default(), |lab| {
            let mut seed = 0;
            group.bench_function(format!("{name}/reference"), |b| {
                b.iter(|| {
                    seed += 1;
                    black_box(lab.run_seed(seed).digest)
                });
            });
        });
    }
    group.finish();
}

fn exhaust(c: &mut Criterion) {
    let mut group = c.benchmark_group("exhaust");
    model("checkout").with_orchestrator(&policy("reference"), &Filter::default(), |lab| {
        group.throughput(Throughput::Elements(walk(lab, 1)));
        group.bench_function("checkout/1", |b| b.iter(|| walk(lab, 1)));
    });
    group.finish();
}

/// All placements of so many faults; how many there were.
fn walk(lab: &mut Lab<'_, Shop>, faults: usize) -> u64 {
    let mut visit = |_: &CompiledPlan, outcome: &Outcome, _: &Lab<'_, Shop>| {
        black_box(outcome.digest);
        true
    };
    let mut walk = Walk::new(faults, &mut visit);
    walk.below(lab, &mut CompiledPlan::default()).expect("a deterministic subject");
    walk.levels.runs()
}

fn shrink(c: &mut Criterion) {
    let mut group = c.benchmark_group("shrink");
    model("checkout").with_orchestrator(&policy("naive"), &Filter::default(), |lab| {
        let failing = failing(lab, "charged-once", 8);
        group.throughput(Throughput::Elements(failing.len() as u64));
        group.bench_function("checkout/naive", |b| {
            b.iter(|| {
                failing
                    .iter()
                    .map(|(seed, s)| from_seed(lab, *seed, s, unacked::watch::GO_ON).map(|f| f.fingerprint))
                    .all(|f| f.is_ok())
            });
        });
    });
    group.finish();
}

/// The first seeds that break this promise.
fn failing(lab: &mut Lab<'_, Shop>, promise: &str, count: usize) -> Vec<(u64, Signature)> {
    let broken = |seed| {
        let outcome = lab.run_seed(seed);
        let signature = outcome.violations.iter().find(|v| v.promise.name == promise)?.signature();
        breaks(&outcome, &signature).then_some((seed, signature))
    };
    (0..100_000).filter_map(broken).take(count).collect()
}

fn threads(c: &mut Criterion) {
    const SEEDS: u64 = 20_000;
    let (model, policy, filter) = (model("checkout"), policy("reference"), Filter::default());
    let mount = BuiltIn { model: &model, policy: &policy, filter: &filter };
    let mut group = c.benchmark_group("threads");
    group.throughput(Throughput::Elements(SEEDS)).sample_size(10);
    for (name, jobs) in [("one", 1), ("two", 2)] {
        let hunt_for = Search { jobs, ..Search::of(0..SEEDS) };
        group.bench_function(name, |b| b.iter(|| search(&mount, &hunt_for, Watch::NOBODY).statistics.runs));
    }
    group.finish();
}

// ---- parts

fn parts(c: &mut Criterion) {
    let mut group = c.benchmark_group("parts");
    draws(&mut group);
    idle(&mut group);
    provider(&mut group);
    decisions(&mut group);
    group.finish();
}

/// How many sites are asked at in one go: a run's landed choices are scanned, and start anew with it.
const SITES: usize = 128;

/// A door with a closed menu, one that opens rarely, and one that plans open.
fn door() -> (Door, [MenuId; 2], Vec<Site>) {
    let mut door = Door::new(Kinds::with(&[]));
    let (scope, verb) = (door.names.scope("order-1"), door.names.verb("charge"));
    let menus = [0.0, 0.02].map(|rate| {
        let lost = Entry::plain(kind::REPLY_LOST, "reply-lost", 2.0);
        let late = Entry::with_values(kind::REPLY_LATE, "reply-late", 1.0, vec![2_000_000, 31_000_000], None);
        let garbled = Entry::plain(kind::REPLY_UNDECODABLE, "reply-undecodable", 1.0);
        door.menu(Menu::new(rate, vec![lost, late, garbled]))
    });
    door.draw_from(0);
    let sites = (0..SITES).map(|_| door.occasion(scope, verb).at(Stage::Reply)).collect();
    (door, menus, sites)
}

fn draws(group: &mut Group<'_>) {
    let (mut door, menus, sites) = door();
    group.throughput(Throughput::Elements(SITES as u64));
    let mut seed = 0;
    for (name, menu) in ["choose, menu closed", "choose, menu opens at 2 %"].into_iter().zip(menus) {
        group.bench_function(name, |b| {
            b.iter(|| {
                seed += 1;
                door.draw_from(seed);
                sites.iter().filter(|s| !door.choose(**s, menu, ALL).kind.is_benign()).count()
            });
        });
    }
    let distribution = Distribution::log_normal(180_000, 1_200_000, 30_000_000);
    group.bench_function("sample, lognormal", |b| {
        b.iter(|| sites.iter().map(|site| door.sample(*site, &distribution)).fold(0, u64::wrapping_add));
    });
}

/// Many tasks that sleep, and nothing else: queue and executor.
struct Sleepers;

const TASKS: u64 = 48;
const NAPS: u64 = 40;

impl Subject for Sleepers {
    type World = Shop;

    async fn run<'w>(&'w self, cx: Cx<'w, Shop>, node: NodeId) {
        if node.0 > 0 {
            return;
        }
        for task in 0..TASKS {
            cx.spawn(async move {
                for nap in 0..NAPS {
                    cx.sleep(Span(1 + (task * 7_919 + nap * 104_729) % 9_973)).await;
                }
            });
        }
    }
}

fn idle(group: &mut Group<'_>) {
    let (model, filter) = (model("peer-baseline"), Filter::default());
    let mount = UserSubject { model: &model, subject: &Sleepers, filter: &filter, sees_store: false };
    mount.in_lab(|lab| {
        group.throughput(Throughput::Elements(TASKS * NAPS));
        group.bench_function("48 tasks that sleep", |b| {
            b.iter(|| black_box(lab.run_plan(&CompiledPlan::default()).digest))
        });
    });
}

fn provider(group: &mut Group<'_>) {
    const REQUESTS: u64 = 16;
    let (mut shop, mut books, mut door, _) = model("checkout").world::<Books>(&Filter::default(), true);
    let (mut fx, mut facts) = (Effects::default(), Vec::new());
    let mut request = client::charge(&shop.intents[0], 0);
    request.key = 7;
    group.throughput(Throughput::Elements(REQUESTS));
    // The first is executed, the others are recognised; the world's reset is part of it.
    group.bench_function("charge, then 15 repetitions", |b| {
        b.iter(|| {
            door.replay(&CompiledPlan::default());
            shop.reset(&mut books, &mut door, &mut fx);
            for nth in 0..REQUESTS {
                let (scope, verb) = (shop.route(&request).0, shop.route(&request).1.verb);
                let at = door.occasion(scope, verb);
                let now = Time::ZERO + Span::secs(40 * nth);
                black_box(shop.handle(now, at, &request, &mut door, &mut facts).after);
                facts.clear();
            }
        });
    });
}

fn decisions(group: &mut Group<'_>) {
    let model = model("checkout");
    let subject = model.orchestrator(&policy("reference"));
    let decide = |order: &Order, now| decide::next(order, &subject.beliefs, &subject.limits, &subject.policy, now);
    let first = Order::new(OrderId(0), model.intents()[0]);
    // As it is when all is done but not yet called finished: every tool is looked at.
    let last = model.calm().with_orchestrator(&policy("reference"), &Filter::default(), |lab| {
        let outcome = lab.run_plan(&CompiledPlan::default());
        let order = lab.store(|books| books.orders().next().copied()).expect("one order");
        (Order { end: None, ..order }, outcome.ended.0)
    });
    group.throughput(Throughput::Elements(1));
    group.bench_function("decide, first step", |b| b.iter(|| decide(black_box(&first), black_box(0))));
    group.bench_function("decide, last step", |b| b.iter(|| decide(black_box(&last.0), black_box(last.1))));
}

criterion_group!(benches, runs, exhaust, shrink, threads, parts);
criterion_main!(benches);
