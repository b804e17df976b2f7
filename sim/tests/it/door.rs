//! The door: occurrences, what lands, what is missing, what is offered while enumerating.

use unacked_sim::distribution::Distribution;
use unacked_sim::door::{ALL, Door};
use unacked_sim::kind::{self, KindId, Kinds, ReplyFate, StrikeFate};
use unacked_sim::menu::{Entry, Menu, MenuId, Pick};
use unacked_sim::plan::{CompiledChoice, CompiledPlan, Noise, Plan};
use unacked_sim::site::{Site, SiteName, Stage};
use unacked_sim::time::{Span, Time};

/// A door of two scopes and two verbs, with a menu for replies and one for strike points.
struct World {
    door: Door,
    reply: MenuId,
    strike: MenuId,
}

impl World {
    fn new(rate: f64) -> World {
        let mut door = Door::new(Kinds::with(&[]));
        let _ = ["order-1", "order-2"].map(|scope| door.names.scope(scope));
        let _ = ["charge", "ship"].map(|verb| door.names.verb(verb));
        let lost = Entry::plain(kind::REPLY_LOST, "reply-lost", 1.0);
        let late = Entry::with_values(kind::REPLY_LATE, "reply-late", 1.0, vec![2_000_000, 9_000_000], None);
        let reply = door.menu(Menu::new(rate, vec![lost, late]));
        let strike = door.menu(Menu::new(rate, vec![Entry::plain(kind::CRASH, "crash", 1.0)]));
        World { door, reply, strike }
    }

    fn site(&mut self, scope: &str, verb: &str, stage: Stage) -> Site {
        let (scope, verb) = (self.door.names.scope(scope), self.door.names.verb(verb));
        self.door.occasion(scope, verb).at(stage)
    }

    /// Two orders, each charged twice and then shipped: a reply and a strike point after each.
    fn run(&mut self) -> Vec<(String, Pick)> {
        let mut picks = Vec::new();
        for (scope, verb) in ["order-1", "order-2"].iter().flat_map(|s| ["charge", "charge", "ship"].map(|v| (s, v))) {
            let site = self.site(scope, verb, Stage::Reply);
            let after = site.occasion.at(Stage::After);
            for (site, menu) in [(site, self.reply), (after, self.strike)] {
                let pick = self.door.choose(site, menu, ALL);
                picks.push((self.door.names.describe(site).to_string(), pick));
            }
        }
        picks
    }

    fn compile(&self, plan: &str) -> CompiledPlan {
        plan.parse::<Plan>().and_then(|p| p.compile(&self.door.kinds)).expect(plan)
    }

    fn landed(&self) -> Vec<String> {
        let plan = Plan::describe(self.door.landed(), Noise::Off, &self.door.names, &self.door.kinds);
        plan.choices.iter().map(ToString::to_string).collect()
    }

    fn offers(&self) -> Vec<String> {
        self.door.offers().iter().map(|o| self.door.names.describe(o.site).to_string()).collect()
    }
}

/// The sites of [`World::run`], in its order.
const SITES: [&str; 12] = [
    "order-1 charge #1 reply",
    "order-1 charge #1 after",
    "order-1 charge #2 reply",
    "order-1 charge #2 after",
    "order-1 ship #1 reply",
    "order-1 ship #1 after",
    "order-2 charge #1 reply",
    "order-2 charge #1 after",
    "order-2 charge #2 reply",
    "order-2 charge #2 after",
    "order-2 ship #1 reply",
    "order-2 ship #1 after",
];

#[test]
fn occurrences_count_within_scope_and_verb() {
    let mut world = World::new(0.0);
    for _ in 0..2 {
        // From 1 again in every run.
        world.door.replay(&CompiledPlan::default());
        let mut check = |scope: &str, verb: &str, occurrence: u32| {
            let site = world.site(scope, verb, Stage::Reply);
            let name = world.door.names.describe(site);
            assert_eq!((name.scope.as_str(), name.verb.as_str(), name.occurrence), (scope, verb, occurrence));
            assert_eq!(site.hash, name.hash());
        };
        check("order-1", "charge", 1);
        check("order-1", "charge", 2);
        check("order-2", "charge", 1);
        check("order-1", "ship", 1);
        check("order-1", "charge", 3);
        check("order-2", "ship", 1);
        check("order-2", "charge", 2);
    }
}

#[test]
fn a_copy_has_sites_of_its_own_and_is_no_occurrence() {
    let mut world = World::new(0.0);
    world.door.replay(&CompiledPlan::default());
    let (first, second) =
        (world.site("order-1", "charge", Stage::Provider), world.site("order-1", "charge", Stage::Provider));
    let check = |of: Site, nth: u32, text: &str| {
        let copy = world.door.names.sub_send(of.occasion, nth).at(Stage::Provider);
        let name = world.door.names.describe(copy);
        assert_eq!((name.to_string().as_str(), name.hash()), (text, copy.hash));
        assert_eq!(SiteName::parse(text), Ok(name));
        assert_ne!(copy.hash, of.hash);
    };
    check(first, 1, "order-1 charge #1.1 provider");
    check(second, 1, "order-1 charge #2.1 provider");
    check(second, 255, "order-1 charge #2.255 provider");
    assert_eq!(world.site("order-1", "charge", Stage::Provider).occasion.occurrence, 3);
}

#[test]
fn sites_do_not_depend_on_the_order_in_which_names_are_interned() {
    let hashes = |scopes: [&str; 2], verbs: [&str; 2]| {
        let mut door = Door::new(Kinds::with(&[]));
        let _ = scopes.map(|s| door.names.scope(s));
        let _ = verbs.map(|v| door.names.verb(v));
        door.replay(&CompiledPlan::default());
        let (scope, verb) = (door.names.scope("order-1"), door.names.verb("ship"));
        [door.occasion(scope, verb), door.occasion(scope, verb)].map(|o| o.at(Stage::Store).hash)
    };
    assert_eq!(hashes(["order-1", "order-2"], ["charge", "ship"]), hashes(["order-2", "order-1"], ["ship", "charge"]));
}

#[test]
fn names_are_single_words_that_a_plan_can_carry() {
    let check = |name: &str| {
        let panics = std::panic::catch_unwind(|| Door::new(Kinds::with(&[])).names.scope(name)).is_err();
        assert_eq!(SiteName::parse(&format!("{name} charge #1 reply")).is_err(), panics, "`{name}`");
        panics
    };
    assert!(["", "two words", "#1", "noise", "pin"].map(check).iter().all(|&panics| panics));
    assert!(["order-1", "a:b", "a=b", "noise-1", "pin.2", "größe", "1"].map(check).iter().all(|&panics| !panics));
}

#[test]
fn what_is_planned_lands_and_nothing_else() {
    let mut world = World::new(1.0);
    let check = |world: &mut World, plan: &str, lands: &[&str], missing: &[&str]| {
        let compiled = world.compile(plan);
        world.door.replay(&compiled);
        let picks = world.run();
        assert_eq!(world.landed(), lands, "{plan}");
        let struck: Vec<&String> = picks.iter().filter(|(_, p)| !p.kind.is_benign()).map(|(s, _)| s).collect();
        assert!(struck.iter().zip(lands).all(|(site, line)| line.starts_with(site.as_str())), "{plan}");
        assert_eq!(struck.len(), lands.len(), "{plan}");
        // They are told in the order of their sites.
        let left: Vec<CompiledChoice> = world.door.missing().copied().collect();
        let mut expected = world.compile(&missing.join("\n")).choices;
        expected.sort_by_key(|choice| choice.site);
        assert_eq!(left, expected, "{plan}");
    };
    check(&mut world, "", &[], &[]);
    // In any order; listed as they landed.
    check(
        &mut world,
        "order-2 ship #1 after: crash\norder-1 charge #2 reply: reply-late(2s)",
        &["order-1 charge #2 reply: reply-late(2s)", "order-2 ship #1 after: crash"],
        &[],
    );
    // A parameter that is not canonical is replayed as it is, and one that is none may be left out.
    check(&mut world, "order-1 ship #1 reply: reply-late(3us)", &["order-1 ship #1 reply: reply-late(3us)"], &[]);
    check(&mut world, "order-1 ship #1 reply: reply-late", &["order-1 ship #1 reply: reply-late"], &[]);
    // A site that is never reached.
    check(&mut world, "order-1 ship #2 reply: reply-lost", &[], &["order-1 ship #2 reply: reply-lost"]);
    check(&mut world, "order-9 ship #1 reply: reply-lost", &[], &["order-9 ship #1 reply: reply-lost"]);
    // An option that the menu there does not have, beside one that it has.
    check(
        &mut world,
        "order-1 charge #1 reply: crash\norder-1 charge #1 after: crash\norder-1 charge #2 after: reply-lost",
        &["order-1 charge #1 after: crash"],
        &["order-1 charge #1 reply: crash", "order-1 charge #2 after: reply-lost"],
    );
}

#[test]
fn an_option_that_is_not_allowed_does_not_land() {
    let mut world = World::new(1.0);
    let compiled = world.compile("order-1 charge #1 reply: reply-late(2s)");
    let mut check = |menu: MenuId, allowed: u32, lands: bool| {
        world.door.replay(&compiled);
        let site = world.site("order-1", "charge", Stage::Reply);
        let pick = world.door.choose(site, menu, allowed);
        let expected = if lands { Pick { kind: kind::REPLY_LATE, value: 2_000_000 } } else { Pick::BENIGN };
        assert_eq!((pick, world.door.missing().count()), (expected, usize::from(!lands)), "{menu:?} {allowed:b}");
    };
    let (reply, strike) = {
        let w = World::new(1.0);
        (w.reply, w.strike)
    };
    check(reply, ALL, true);
    check(reply, 0b10, true);
    check(reply, 0b01, false);
    check(reply, 0, false);
    check(strike, ALL, false);
    check(Door::EMPTY, ALL, false);
}

#[test]
fn a_weight_or_rate_of_zero_still_replays() {
    let mut world = World::new(0.0);
    let compiled = world.compile("order-1 charge #1 reply: reply-lost");
    world.door.replay(&compiled);
    world.run();
    assert_eq!(world.landed(), ["order-1 charge #1 reply: reply-lost"]);
}

#[test]
fn a_site_has_one_choice_even_if_it_is_asked_twice() {
    let mut world = World::new(1.0);
    let ask_twice = |world: &mut World| {
        let site = world.site("order-1", "charge", Stage::Reply);
        let first = world.door.choose(site, world.reply, ALL);
        (first, [ALL, 0b01, 0b10].map(|allowed| world.door.choose(site, world.reply, allowed)))
    };
    world.door.draw_from(1);
    let drawn = ask_twice(&mut world);
    assert!(!drawn.0.kind.is_benign());
    assert_eq!(drawn.1, [Pick::BENIGN; 3]);
    assert_eq!(world.door.landed().len(), 1);

    let compiled = CompiledPlan::of(world.door.landed(), world.door.noise());
    world.door.replay(&compiled);
    assert_eq!(ask_twice(&mut world), drawn);
    world.door.enumerate(&compiled);
    assert_eq!(ask_twice(&mut world), drawn);
    assert_eq!(world.door.missing().count(), 0);
}

#[test]
fn menus_are_offered_only_after_the_last_landing() {
    let mut world = World::new(1.0);
    let check = |world: &mut World, plan: &str, from: usize| {
        let compiled = world.compile(plan);
        world.door.enumerate(&compiled);
        let picks = world.run();
        assert_eq!(picks.iter().map(|(site, _)| site.as_str()).collect::<Vec<_>>(), SITES);
        assert_eq!(world.offers(), SITES[from..], "{plan}");
        // Enumerating changes nothing in the run itself.
        let landed = world.landed();
        world.door.replay(&compiled);
        assert_eq!((world.run(), world.landed()), (picks, landed), "{plan}");
        assert!(world.door.offers().is_empty(), "a plain replay records nothing");
    };
    check(&mut world, "", 0);
    check(&mut world, "order-1 charge #1 reply: reply-lost", 1);
    check(&mut world, "order-1 charge #2 after: crash", 4);
    check(&mut world, "order-2 ship #1 after: crash", 12);
    // After the last that lands, in whatever order they are listed.
    check(&mut world, "order-1 charge #2 after: crash\norder-1 charge #1 reply: reply-lost", 4);
    check(&mut world, "order-1 charge #1 reply: reply-lost\norder-2 charge #1 reply: reply-late(9s)", 7);
    // As long as one is missing, nothing is offered: the plan is no node of the tree.
    check(&mut world, "order-1 charge #1 reply: crash", 12);
    check(&mut world, "order-1 charge #1 reply: reply-lost\norder-7 charge #1 reply: reply-lost", 12);
}

#[test]
fn an_offer_says_which_menu_and_which_of_its_options() {
    let mut world = World::new(1.0);
    world.door.enumerate(&CompiledPlan::default());
    let site = world.site("order-2", "ship", Stage::Reply);
    assert_eq!(world.door.choose(site, world.reply, 0b10), Pick::BENIGN);
    let [offer] = world.door.offers() else { panic!("one offer") };
    assert_eq!((offer.site, offer.menu, offer.allowed), (site, world.reply, 0b10));
    let options: Vec<KindId> = world.door.menu_of(offer.menu).allowed(offer.allowed).map(|(_, e)| e.kind).collect();
    assert_eq!(options, [kind::REPLY_LATE]);
}

#[test]
fn every_child_of_a_plan_lands_its_new_choice_last() {
    let mut world = World::new(1.0);
    let mut level = vec![CompiledPlan::default()];
    // Three placements at each of 6 replies, one at each of 6 strike points: 24; then all pairs at
    // different sites: (24² - 6 x 3² - 6 x 1²) / 2.
    for size in [24, 258] {
        let mut next = Vec::new();
        for parent in &level {
            world.door.enumerate(parent);
            world.run();
            for offer in world.door.offers() {
                for (_, entry) in world.door.menu_of(offer.menu).allowed(offer.allowed) {
                    let values = if entry.values.is_empty() { vec![0] } else { entry.values.clone() };
                    next.extend(values.into_iter().map(|value| {
                        let mut child = parent.clone();
                        child.choices.push(CompiledChoice { site: offer.site.hash, kind: entry.kind, value });
                        child
                    }));
                }
            }
        }
        assert_eq!(next.len(), size);
        for child in &next {
            world.door.replay(child);
            world.run();
            let landed: Vec<CompiledChoice> = world.door.landed().iter().map(|&l| l.into()).collect();
            assert_eq!(landed, child.choices);
        }
        let mut sorted = next.clone();
        sorted.sort_by(|a, b| a.choices.cmp(&b.choices));
        sorted.dedup();
        assert_eq!(sorted.len(), size, "each combination once");
        level = next;
    }
}

#[test]
fn reach_counts_what_was_felt() {
    let mut world = World::new(1.0);
    let script = world.compile("order-1 charge #1 after: crash\norder-1 charge #2 reply: reply-lost");
    world.door.replay(&script);
    world.run();
    assert_eq!(world.door.landed().len(), 2);
    assert_eq!(world.door.reach().iter().sum::<u32>(), 0, "landed, but nobody applied it");
    world.door.felt(StrikeFate::Crash);
    world.door.felt(StrikeFate::Crash);
    world.door.felt(ReplyFate::Lost);
    let check =
        |world: &World, kind: KindId, n: u32| assert_eq!(world.door.reach()[usize::from(kind.0)], n, "{kind:?}");
    check(&world, kind::CRASH, 2);
    check(&world, kind::REPLY_LOST, 1);
    check(&world, kind::REPLY_LATE, 0);
    assert_eq!(world.door.reach().iter().sum::<u32>(), 3);
    assert_eq!(world.door.reach().len(), world.door.kinds.len() + 1);
}

#[test]
fn a_run_leaves_nothing_to_the_next() {
    let mut world = World::new(0.5);
    let fresh = |seed| {
        let mut world = World::new(0.5);
        world.door.draw_from(seed);
        world.run()
    };
    let pinned = CompiledPlan { pins: vec![(7, 7)], ..world.compile("order-1 charge #1 reply: reply-lost") };
    for seed in 0..20 {
        world.door.draw_from(seed);
        assert_eq!(world.run(), fresh(seed), "seed {seed}");
        world.door.enumerate(&pinned);
        world.run();
        world.door.replay(&CompiledPlan::default());
        assert!(world.run().iter().all(|(_, p)| p.kind.is_benign()));
        assert!(world.door.landed().is_empty() && world.door.offers().is_empty());
        assert_eq!((world.door.missing().count(), world.door.reach().iter().sum::<u32>()), (0, 0));
        assert_eq!((world.door.noise(), world.door.calm_at()), (Noise::Off, Time::ZERO));
        let site = world.site("order-1", "charge", Stage::Reply);
        assert_eq!(world.door.sample(site, &Distribution::Uniform { lo: 0, hi: 10 }), 5);
    }
}

#[test]
fn chaos_ends_and_calm_waits_for_the_last_effect() {
    let mut world = World::new(1.0);
    let struck = |world: &mut World| world.run().iter().filter(|(_, p)| !p.kind.is_benign()).count();
    world.door.set_chaos(Span::ZERO);
    world.door.draw_from(1);
    assert_eq!((struck(&mut world), world.door.calm_at()), (0, Time::ZERO));

    world.door.set_chaos(Span::secs(60));
    world.door.draw_from(1);
    assert_eq!((struck(&mut world), world.door.calm_at()), (12, Time(60_000_000)));
    world.door.strained_until(Time(5));
    assert_eq!(world.door.calm_at(), Time(60_000_000));
    world.door.strained_until(Time(70_000_000));
    assert_eq!(world.door.calm_at(), Time(70_000_000));

    // Chaos binds random runs only.
    world.door.set_chaos(Span::ZERO);
    let compiled = world.compile("order-1 charge #1 reply: reply-lost");
    world.door.replay(&compiled);
    assert_eq!(struck(&mut world), 1);
}
