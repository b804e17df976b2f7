//! The load world against closed forms, a published table and a published collapse.

use unacked_bench::load::{Tally, World};
use unacked_bench::policy::Policy;
use unacked_bench::presets::preset;
use unacked_bench::statistics::Quantile;

fn policy(parts: &str) -> Policy {
    let head = "about = \"a test's\"\nsource = \"here\"\nyear = 2026\nconfidence = \"source\"\n";
    Policy::read(&format!("{head}{parts}")).expect(parts)
}

fn at_once(attempts: &str) -> Policy {
    policy(&format!("attempts = {attempts}\n[delay]\nlaw = \"none\""))
}

fn world(parts: &str) -> World {
    World::read(&format!("about = \"a test's\"\n{parts}")).expect(parts)
}

fn runs(world: &World, policy: &Policy, seeds: u64) -> Vec<Tally> {
    let mut all = Vec::new();
    world.run(policy, 0..seeds, |_, tally| all.push(tally)).expect("a policy that can be acted out");
    all
}

/// A hundred clients of ten calls a second, for ten seconds; attempts fail by a coin.
fn flat(failing: f64) -> World {
    world(&format!(
        "clients = 100\nrate = 1000.0\narrive = \"10s\"\nhorizon = \"1h\"\nhop = \"10ms\"\nfailing = {failing:?}"
    ))
}

/// Completion and amplification, over all runs.
fn of(runs: &[Tally]) -> (f64, f64) {
    let sum = |of: fn(&Tally) -> u64| runs.iter().map(of).sum::<u64>() as f64;
    let orders = sum(|t| t.orders);
    (sum(|t| t.done) / orders, sum(|t| t.attempts) / orders)
}

fn near((success, load): (f64, f64), expected: (f64, f64), what: &str) {
    let off = (success - expected.0).abs().max((load - expected.1).abs());
    assert!(off < 0.02, "{what}: {success:.3}/{load:.3} instead of {expected:?}");
}

#[test]
fn retries_at_once_follow_the_closed_forms() {
    for failing in [0.05f64, 0.3, 0.75] {
        let none = of(&runs(&flat(failing), &at_once("1"), 2));
        near(none, (1.0 - failing, 1.0), "no retry");
        let lost = failing.powi(4);
        let three = of(&runs(&flat(failing), &at_once("4"), 2));
        near(three, (1.0 - lost, (1.0 - lost) / (1.0 - failing)), "three retries");
    }
}

#[test]
fn a_bucket_of_tokens_gives_the_published_table() {
    let bucket = policy(
        "attempts = \"unlimited\"\n[delay]\nlaw = \"none\"\n[budget]\nkind = \"tokens\"\ncapacity = 5.0\n\
         capped = false\ntaken = \"retry\"\ncost = 1.0\nabove = 1.0\ndeposit = 0.1\ndeposited = \"start\"",
    );
    let table =
        [(0.05, 1.0, 1.051), (0.1, 0.992, 1.101), (0.2, 0.906, 1.134), (0.5, 0.569, 1.142), (0.75, 0.283, 1.143)];
    for (failing, success, load) in table {
        let runs = runs(&flat(failing), &bucket, 2);
        near(of(&runs), (success, load), &format!("a tenth, failing {failing}"));
        assert_eq!(failing > 0.15, runs[0].denied > 100, "{failing}: {} denied", runs[0].denied);
    }
}

/// One second of work, more under load; twice the load for five seconds.
fn surge() -> World {
    world(
        "clients = 1\nrate = 40.0\narrive = \"80s\"\nhorizon = \"80s\"\nhop = \"100ms\"\ntimeout = \"3s\"\n\
         service = \"1s\"\ncrowding = \"10ms\"\n[surge]\nfrom = \"20s\"\nuntil = \"25s\"\nrate = 80.0",
    )
}

fn collapsed(policy: &Policy, seeds: u64) -> usize {
    runs(&surge(), policy, seeds).iter().filter(|tally| tally.goodput(65, 79) < 20.0).count()
}

#[test]
fn three_attempts_at_once_turn_a_surge_into_a_collapse() {
    let three = collapsed(&at_once("3"), 60);
    // 74.7 % of 10,000 published runs; four standard deviations of 60.
    assert!((32..=58).contains(&three), "{three} of 60");
    assert_eq!(collapsed(&at_once("1"), 20), 0);
    let backoff = "attempts = 3\n[delay]\nlaw = \"exponential\"\nbase = \"20s\"\nfactor = 2.0\n";
    let spread = policy(&format!("{backoff}[jitter]\nlaw = \"times\"\nlow = 0.0\nhigh = 1.0"));
    assert!(collapsed(&spread, 20) <= 1);
}

/// Two seconds in which every attempt fails, and answers that are lost.
fn outage() -> World {
    world(
        "clients = 5\nrate = 20.0\narrive = \"10s\"\nhorizon = \"60s\"\nhop = \"20ms\"\ntimeout = \"1s\"\n\
         failing = 0.05\nunanswered = 0.05\n[outage]\nfrom = \"3s\"\nuntil = \"5s\"\nfailing = 1.0",
    )
}

#[test]
fn a_new_key_per_attempt_charges_twice_and_the_same_key_never() {
    let ambiguity = |word: &str| policy(&format!("attempts = 4\nambiguity = \"{word}\"\n[delay]\nlaw = \"none\""));
    let twice = |word: &str| runs(&outage(), &ambiguity(word), 5).iter().map(|t| t.duplicates).sum::<u64>();
    assert!(twice("new-key") > 10, "{}", twice("new-key"));
    assert_eq!([twice("same-key"), twice("stop")], [0, 0]);
    let stopped = runs(&outage(), &ambiguity("stop"), 5);
    assert!(stopped.iter().all(|t| t.unknown > 0), "who stops does not learn what happened");
}

#[test]
fn one_more_retry_moves_no_other_draw() {
    let (few, many) = (runs(&outage(), &at_once("2"), 8), runs(&outage(), &at_once("9"), 8));
    let orders = |runs: &[Tally]| runs.iter().map(|t| t.orders).collect::<Vec<_>>();
    assert_eq!(orders(&few), orders(&many), "orders arrive whatever the policy");
    // What failed at first, succeeded or not at second, is the same: nobody is done under the smaller number only.
    few.iter().zip(&many).for_each(|(few, many)| assert!(few.done < many.done));
    let quick = |t: &Tally| t.times.quantile(1, 4);
    few.iter().zip(&many).for_each(|(few, many)| assert_eq!(quick(few), quick(many), "who needs no retry"));
}

#[test]
fn unfinished_orders_count_as_the_slowest() {
    let run = &runs(&outage(), &at_once("1"), 1)[0];
    assert_eq!(run.times.orders(), run.orders);
    assert_eq!(run.times.quantile(999, 1000), Quantile::Beyond);
}

#[test]
fn waits_carry_an_order_over_an_outage() {
    let short = of(&runs(&outage(), &preset("urllib3").expect("a preset"), 5));
    let long = of(&runs(&outage(), &preset("go-retryablehttp").expect("a preset"), 5));
    assert!(long.0 > 0.99 && short.0 < 0.9, "{short:?} {long:?}");
}

#[test]
fn what_cannot_be_acted_out_or_held_is_refused_with_the_reason() {
    let refused = |name: &str| outage().run(&preset(name).expect(name), 0..1, |_, _| {}).expect_err(name);
    assert!(refused("hystrix-breaker").contains("breakers"));
    assert!(refused("finagle-default").contains("budgets other than tokens"));
    assert!(refused("tokio-retry").contains("caller"));
    let wrong = |from: &str, to: &str| {
        let text =
            "about = \"\"\nclients = 1\nrate = 1.0\narrive = \"1s\"\nhorizon = \"1s\"\nhop = \"1ms\"\nfailing = 0.5";
        World::read(&text.replace(from, to)).expect_err(to)
    };
    assert!(wrong("clients = 1", "clients = 0").contains("1 to 255"));
    assert!(wrong("failing = 0.5", "failing = 1.5").contains("shares"));
    assert!(wrong("rate = 1.0", "rate = 1e9").contains("room for"));
    assert!(wrong("rate = 1.0", "rate = 0.0").contains("more than 0"));
    assert!(wrong("hop", "hopp").contains("hopp"));
}
