//! Menus: the gate's rate, the race's weights, and that a choice moves nothing but itself.

use unacked_sim::distribution::Distribution;
use unacked_sim::door::{ALL, Door};
use unacked_sim::kind::{self, Class, ENGINE_KINDS, Kind, KindId, Kinds, Lasts};
use unacked_sim::menu::{Entry, Menu, MenuId, Pick};
use unacked_sim::plan::{CompiledPlan, Landed, Plan};
use unacked_sim::site::{Site, SiteName, Stage};

const SCOPES: [&str; 5] = ["order-1", "order-2", "order-3", "worker-1", "worker-2"];
const VERBS: [&str; 5] = ["charge", "charge.dispatched", "ship", "refund", "approval"];
const OCCURRENCES: usize = 100;

/// How many sites [`World::run`] asks at: scopes x verbs x occurrences x stages.
const SITES: usize = 5 * 5 * OCCURRENCES * 8;

/// A world that does nothing but ask the same menu at 20,000 sites.
struct World {
    door: Door,
    menu: MenuId,
}

impl World {
    fn new(menu: Menu) -> World {
        let mut door = Door::new(Kinds::with(&[]));
        for scope in SCOPES {
            door.names.scope(scope);
        }
        for verb in VERBS {
            door.names.verb(verb);
        }
        let menu = door.menu(menu);
        World { door, menu }
    }

    fn draw(&mut self, seed: u64, allowed: u32) -> Vec<(Site, Pick)> {
        self.door.draw_from(seed);
        self.run(allowed)
    }

    fn replay(&mut self, compiled: &CompiledPlan, allowed: u32) -> Vec<(Site, Pick)> {
        self.door.replay(compiled);
        self.run(allowed)
    }

    fn run(&mut self, allowed: u32) -> Vec<(Site, Pick)> {
        let mut picks = Vec::with_capacity(SITES);
        for _ in 0..OCCURRENCES {
            for (scope, verb) in SCOPES.iter().flat_map(|s| VERBS.iter().map(move |v| (s, v))) {
                let (scope, verb) = (self.door.names.scope(scope), self.door.names.verb(verb));
                let occasion = self.door.occasion(scope, verb);
                for site in Stage::ALL.map(|stage| occasion.at(stage)) {
                    picks.push((site, self.door.choose(site, self.menu, allowed)));
                }
            }
        }
        picks
    }
}

fn plain(kind: KindId, weight: f64) -> Entry {
    Entry::plain(kind, ENGINE_KINDS[usize::from(kind.0) - 1].name, weight)
}

fn valued(kind: KindId, weight: f64, values: &[u64], distribution: Option<Distribution>) -> Entry {
    Entry::with_values(kind, ENGINE_KINDS[usize::from(kind.0) - 1].name, weight, values.to_vec(), distribution)
}

/// Four options of different weights, with and without parameters; the third only for plans.
fn mixed() -> Vec<Entry> {
    vec![
        plain(kind::REPLY_LOST, 1.0),
        valued(kind::REPLY_LATE, 2.0, &[1_000, 2_000_000, 30_000_000], None),
        plain(kind::REPLY_UNDECODABLE, 0.0),
        valued(kind::CRASH, 5.0, &[1_000_000], Some(Distribution::Uniform { lo: 1, hi: 9_000_000 })),
    ]
}

fn struck(picks: &[(Site, Pick)]) -> usize {
    picks.iter().filter(|(_, p)| !p.kind.is_benign()).count()
}

fn count(picks: &[(Site, Pick)], kind: KindId) -> usize {
    picks.iter().filter(|(_, p)| p.kind == kind).count()
}

/// A count of n trials with this chance: within five standard deviations.
fn check_share(what: &str, count: usize, n: usize, chance: f64) {
    let (n, count) = (n as f64, count as f64);
    let deviation = (n * chance * (1.0 - chance)).sqrt();
    assert!((count - n * chance).abs() <= 5.0 * deviation, "{what}: {count} of {n}, expected {}", n * chance);
}

#[test]
fn the_gate_opens_as_often_as_declared() {
    for rate in [0.0, 0.001, 0.02, 0.3, 0.5, 0.97, 1.0] {
        let mut world = World::new(Menu::new(rate, mixed()));
        let mut all = 0;
        for seed in 0..2 {
            let picks = world.draw(seed, ALL);
            check_share(&format!("rate {rate}, seed {seed}"), struck(&picks), SITES, rate);
            all += struck(&picks);
        }
        check_share(&format!("rate {rate}, all seeds"), all, 2 * SITES, rate);
    }
}

#[test]
fn a_menu_without_options_or_rate_is_closed() {
    let check = |menu: Menu, closed: bool| assert_eq!(menu.is_closed(), closed, "{menu:?}");
    check(Menu::default(), true);
    check(Menu::new(1.0, Vec::new()), true);
    check(Menu::new(0.0, mixed()), true);
    check(Menu::new(1e-9, mixed()), false);
    assert_eq!(struck(&World::new(Menu::new(1.0, Vec::new())).draw(1, ALL)), 0);
    // Only options that random runs never choose.
    assert_eq!(struck(&World::new(Menu::new(1.0, vec![plain(kind::PAUSE, 0.0)])).draw(1, ALL)), 0);
}

#[test]
fn the_race_respects_the_weights() {
    for scale in [1.0, 1e-6, 1e6] {
        let mut entries = mixed();
        entries.iter_mut().for_each(|e| e.weight *= scale);
        let mut world = World::new(Menu::new(1.0, entries));
        for seed in 0..2 {
            let picks = world.draw(seed, ALL);
            for (kind, share) in [
                (kind::REPLY_LOST, 1.0 / 8.0),
                (kind::REPLY_LATE, 2.0 / 8.0),
                (kind::REPLY_UNDECODABLE, 0.0),
                (kind::CRASH, 5.0 / 8.0),
            ] {
                check_share(&format!("{kind:?}, weights x {scale}, seed {seed}"), count(&picks, kind), SITES, share);
            }
        }
    }
}

#[test]
fn values_are_the_canonical_ones_alike_or_follow_the_law() {
    let mut world = World::new(Menu::new(1.0, mixed()));
    let picks = world.draw(3, ALL);
    let late: Vec<u64> = picks.iter().filter(|(_, p)| p.kind == kind::REPLY_LATE).map(|(_, p)| p.value).collect();
    for value in [1_000, 2_000_000, 30_000_000] {
        let count = late.iter().filter(|&&v| v == value).count();
        check_share(&format!("late by {value}"), count, late.len(), 1.0 / 3.0);
    }
    let crash: Vec<u64> = picks.iter().filter(|(_, p)| p.kind == kind::CRASH).map(|(_, p)| p.value).collect();
    assert!(crash.iter().all(|v| (1..=9_000_000).contains(v)));
    check_share(
        "crashes below the distribution's third",
        crash.iter().filter(|&&v| v <= 3_000_000).count(),
        crash.len(),
        1.0 / 3.0,
    );
    assert!(picks.iter().all(|(_, p)| p.kind != kind::REPLY_LOST || p.value == 0));
}

#[test]
fn equal_values_are_merged() {
    let check = |values: &[u64], merged: &[u64], placements: usize| {
        let entry = valued(kind::CRASH, 1.0, values, None);
        assert_eq!((entry.values.as_slice(), entry.placements()), (merged, placements));
    };
    check(&[], &[], 1);
    check(&[5], &[5], 1);
    check(&[9, 5, 9, 1], &[1, 5, 9], 3);
    check(&[4, 4, 4, 4], &[4], 1);
}

#[test]
fn a_new_option_moves_only_the_sites_that_it_wins() {
    let check = |added: Entry, at: usize, wins: f64| {
        let new = added.kind;
        let mut entries = mixed();
        entries.insert(at, added);
        for (seed, rate) in [(1, 1.0), (2, 0.2), (3, 0.01)] {
            let before = World::new(Menu::new(rate, mixed())).draw(seed, ALL);
            let after = World::new(Menu::new(rate, entries.clone())).draw(seed, ALL);
            assert_eq!(before.len(), SITES);
            for ((site, old), (_, pick)) in before.iter().zip(&after) {
                assert!(pick == old || pick.kind == new && !old.kind.is_benign(), "{site:?}: {old:?} became {pick:?}");
            }
            assert_eq!(struck(&before), struck(&after));
            check_share(&format!("{new:?} at rate {rate}"), count(&after, new), struck(&after), wins);
        }
    };
    check(plain(kind::REPLY_DUPLICATED, 2.0), 4, 2.0 / 10.0);
    check(plain(kind::REPLY_DUPLICATED, 2.0), 0, 2.0 / 10.0);
    check(valued(kind::PAUSE, 8.0, &[5, 6], None), 2, 8.0 / 16.0);
    check(plain(kind::HOLD, 0.0), 1, 0.0);
}

#[test]
fn a_higher_rate_only_adds_sites_and_a_higher_weight_only_wins_more() {
    let low = World::new(Menu::new(0.02, mixed())).draw(4, ALL);
    let high = World::new(Menu::new(0.05, mixed())).draw(4, ALL);
    assert!(low.iter().zip(&high).all(|(low, high)| low.1.kind.is_benign() || low == high));
    assert!(struck(&high) > struck(&low));

    let mut entries = mixed();
    entries[0].weight = 3.0;
    let heavier = World::new(Menu::new(0.05, entries)).draw(4, ALL);
    assert!(high.iter().zip(&heavier).all(|(a, b)| a == b || b.1.kind == kind::REPLY_LOST && !a.1.kind.is_benign()));
}

#[test]
fn an_option_that_is_not_allowed_is_not_chosen_and_moves_nobody_else() {
    let entries = mixed();
    let mut world = World::new(Menu::new(0.5, entries.clone()));
    let all = world.draw(5, ALL);
    for mask in 0..16u32 {
        let allowed = |kind| entries.iter().enumerate().any(|(i, e)| e.kind == kind && mask >> i & 1 == 1);
        for ((site, free), (_, pick)) in all.iter().zip(&world.draw(5, mask)) {
            assert!(pick.kind.is_benign() || allowed(pick.kind), "mask {mask:04b}, {site:?}: {pick:?}");
            assert!(!allowed(free.kind) || pick == free, "mask {mask:04b}, {site:?}: {free:?} became {pick:?}");
        }
    }
}

#[test]
fn an_option_is_drawn_by_its_name_not_by_its_number_or_place() {
    let mut reversed = mixed();
    reversed.reverse();
    assert_eq!(World::new(Menu::new(0.5, mixed())).draw(6, ALL), World::new(Menu::new(0.5, reversed)).draw(6, ALL));
    let renamed = vec![Entry::plain(kind::REPLY_LOST, "another", 1.0), plain(kind::REPLY_LATE, 1.0)];
    let named = vec![plain(kind::REPLY_LOST, 1.0), plain(kind::REPLY_LATE, 1.0)];
    let (a, b) = (World::new(Menu::new(0.5, renamed)).draw(6, ALL), World::new(Menu::new(0.5, named)).draw(6, ALL));
    assert_eq!(struck(&a), struck(&b));
    assert_ne!(a, b);
}

#[test]
fn a_replay_picks_what_was_drawn_at_every_site() {
    for (seed, rate, allowed) in [(0, 0.01, ALL), (1, 0.05, ALL), (2, 0.02, 0b1011), (3, 0.0, ALL), (4, 0.02, 0)] {
        let mut world = World::new(Menu::new(rate, mixed()));
        let drawn = world.draw(seed, allowed);
        let (landed, noise, reach) = (world.door.landed().to_vec(), world.door.noise(), world.door.reach().to_vec());
        assert_eq!(landed.len(), struck(&drawn));

        let compiled = CompiledPlan::of(&landed, noise);
        assert_eq!(world.replay(&compiled, allowed), drawn, "seed {seed}");
        assert_eq!(world.door.landed(), landed);
        assert_eq!(world.door.noise(), noise);
        assert_eq!(world.door.reach(), reach);
        assert_eq!(world.door.missing().count(), 0);

        // The same in words, through both forms, in another order.
        let mut plan = Plan::describe(&landed, noise, &world.door.names, &world.door.kinds);
        plan.choices.reverse();
        let text: Plan = plan.to_string().parse().expect("text");
        let json = serde_json::from_str(&serde_json::to_string(&plan).expect("json")).expect("json");
        for plan in [text, json] {
            let compiled = plan.compile(&world.door.kinds).expect("a compiled");
            assert_eq!(world.replay(&compiled, allowed), drawn, "seed {seed}");
            assert_eq!(world.door.landed(), landed);
        }
    }
}

#[test]
fn without_one_choice_all_others_land() {
    let mut world = World::new(Menu::new(0.001, mixed()));
    world.draw(7, ALL);
    let landed = world.door.landed().to_vec();
    assert!(landed.len() > 5);
    let compiled = CompiledPlan::of(&landed, world.door.noise());
    for i in 0..landed.len() {
        let mut rest: Vec<Landed> = landed.clone();
        rest.remove(i);
        world.replay(&compiled.without(i), ALL);
        assert_eq!(world.door.landed(), rest);
    }
}

#[test]
fn samples_are_the_same_in_a_replay_and_the_median_without_noise() {
    let distribution = Distribution::log_normal(20_000, 400_000, 60_000_000);
    let mut world = World::new(Menu::new(0.01, mixed()));
    let sites: Vec<Site> = world.draw(8, ALL).iter().map(|(site, _)| *site).collect();
    let samples = |door: &Door| sites.iter().map(|&s| door.sample(s, &distribution)).collect::<Vec<u64>>();
    let drawn = samples(&world.door);
    check_share("samples below the median", drawn.iter().filter(|&&s| s < 20_000).count(), SITES, 0.5);
    check_share("samples above p99", drawn.iter().filter(|&&s| s > 400_000).count(), SITES, 0.01);

    let mut compiled = CompiledPlan::of(world.door.landed(), world.door.noise());
    world.door.replay(&compiled);
    assert_eq!(samples(&world.door), drawn);

    compiled.pins = vec![(sites[17].hash, 5), (sites[99].hash, 6)];
    compiled.pins.sort_unstable();
    world.door.replay(&compiled);
    let pinned = samples(&world.door);
    let moved: Vec<usize> = (0..SITES).filter(|&i| pinned[i] != drawn[i]).collect();
    assert_eq!((moved, pinned[17], pinned[99]), (vec![17, 99], 5, 6));

    world.door.replay(&CompiledPlan::default());
    assert!(samples(&world.door).iter().all(|&s| s == distribution.median()));
}

#[test]
fn a_landed_site_is_found_again_by_its_words() {
    let mut world = World::new(Menu::new(0.05, mixed()));
    world.draw(9, ALL);
    for landed in world.door.landed() {
        let name = world.door.names.describe(landed.site);
        let text = name.to_string();
        assert_eq!(SiteName::parse(&text), Ok(name.clone()), "{text}");
        assert_eq!(name.hash(), landed.site.hash, "{text}");
    }
}

/// What is not asked about in a row.
const PLAIN: Kind = Kind {
    name: "",
    aliases: &[],
    class: Class::Fault,
    about: "",
    rules: "",
    place: "",
    values: |_| Vec::new(),
    lasts: Lasts::Moment,
};

#[test]
fn kinds_are_found_by_name_and_by_former_name() {
    const TABLE: &[Kind] = &[
        Kind {
            name: "decline",
            aliases: &[],
            class: Class::Fault,
            about: "the card is declined",
            rules: "R1",
            ..PLAIN
        },
        Kind {
            name: "pruned",
            aliases: &["forgotten", "expired"],
            class: Class::Breach,
            about: "gone",
            rules: "R7",
            ..PLAIN
        },
    ];
    let kinds = Kinds::with(&[TABLE]);
    assert_eq!(kinds.len(), ENGINE_KINDS.len() + 2);
    for (id, kind) in kinds.iter() {
        assert_eq!(kinds.named(kind.name), Some(id));
        assert_eq!((kinds.get(id), kinds.name(id)), (Some(kind), kind.name));
        assert!(kind.aliases.iter().all(|a| kinds.named(a) == Some(id)));
    }
    let check = |name: &str, id: Option<u8>| assert_eq!(kinds.named(name), id.map(KindId), "{name}");
    check("request-refused", Some(kind::REQUEST_REFUSED.0));
    check("clock-behind", Some(kind::FIRST_OTHER - 1));
    check("decline", Some(kind::FIRST_OTHER));
    check("forgotten", Some(kind::FIRST_OTHER + 1));
    check("expired", Some(kind::FIRST_OTHER + 1));
    check("benign", None);
    check("", None);
    assert_eq!(kinds.name(KindId::BENIGN), "benign");
    assert_eq!((kinds.get(KindId::BENIGN), kinds.get(KindId(255))), (None, None));
}

#[test]
#[should_panic(expected = "two kinds named `crash`")]
fn a_former_name_may_not_be_somebody_elses() {
    const TABLE: &[Kind] =
        &[Kind { name: "stop", aliases: &["crash"], class: Class::Fault, about: "it stops", rules: "R3", ..PLAIN }];
    Kinds::with(&[TABLE]);
}
