//! The shrinker, on predicates: what it returns fails, is 1-minimal, canonical, and always the same.

use proptest::prelude::*;
use unacked_sim::draw::DrawKey;
use unacked_sim::kind::KindId;
use unacked_sim::plan::{CompiledChoice, CompiledPlan, Noise};
use unacked_sim::shrink::{Shrunk, shrink};

const NOISY: Noise = Noise::Key(DrawKey::from_parts(1, 2));

/// Canonical values, simplest first.
const CANON: [u64; 3] = [1, 5, 9];

fn choice(site: u64, value: u64) -> CompiledChoice {
    CompiledChoice { site, kind: KindId(1), value }
}

/// A way of failing: these sites with at least these values.
type Way = Vec<(u64, u64)>;

/// A subject that fails if all of one way is there.
#[derive(Clone, Debug)]
struct Predicate {
    ways: Vec<Way>,
    /// Lands only where the other one does.
    needs: Vec<(u64, u64)>,
    /// Fails only while samples are drawn.
    noise: bool,
}

impl Predicate {
    fn lands(&self, compiled: &CompiledPlan, site: u64) -> bool {
        let there = |s: u64| compiled.choices.iter().any(|c| c.site == s);
        there(site) && self.needs.iter().filter(|n| n.0 == site).all(|n| self.lands(compiled, n.1))
    }

    fn fails(&self, compiled: &CompiledPlan) -> Option<Vec<CompiledChoice>> {
        let met = |&(site, least): &(u64, u64)| {
            self.lands(compiled, site) && compiled.choices.iter().any(|c| c.site == site && c.value >= least)
        };
        let broken = self.ways.iter().any(|way| way.iter().all(met)) && (!self.noise || compiled.noise != Noise::Off);
        broken.then(|| compiled.choices.iter().filter(|c| self.lands(compiled, c.site)).copied().collect())
    }

    fn shrink(&self, start: &CompiledPlan, budget: u32) -> Shrunk {
        shrink(start, budget, |s| self.fails(s), |_| CANON.to_vec(), |c| c.kind.0 > 1)
    }
}

/// Sites with values, in text: `3=5 7=1`.
fn text(compiled: &CompiledPlan) -> String {
    let mut choices = compiled.choices.clone();
    choices.sort_unstable();
    let each: Vec<String> = choices.iter().map(|c| format!("{}={}", c.site, c.value)).collect();
    each.join(" ")
}

fn start(sites: impl IntoIterator<Item = u64>, noise: Noise) -> CompiledPlan {
    CompiledPlan { noise, pins: Vec::new(), choices: sites.into_iter().map(|s| choice(s, 7)).collect() }
}

#[test]
fn exact_results() {
    let check = |ways: &[&[(u64, u64)]], needs: &[(u64, u64)], expected: &str| {
        let ways = ways.iter().map(|w| w.to_vec()).collect();
        let predicate = Predicate { ways, needs: needs.to_vec(), noise: false };
        let shrunk = predicate.shrink(&start(1..=12, NOISY), 1_000);
        assert_eq!(text(&shrunk.compiled), expected);
        assert_eq!((shrunk.compiled.noise, shrunk.complete), (Noise::Off, true));
    };
    check(&[&[]], &[], "");
    check(&[&[(4, 0)]], &[], "4=1");
    check(&[&[(4, 2)]], &[], "4=5");
    // Not even the largest canonical value: as it was.
    check(&[&[(4, 6)]], &[], "4=9");
    check(&[&[(1, 0), (12, 0)]], &[], "1=1 12=1");
    check(&[&[(2, 5), (7, 0), (9, 6)]], &[], "2=5 7=1 9=9");
    // Two ways: one of them, whole.
    check(&[&[(1, 0), (2, 0), (3, 0)], &[(12, 0)]], &[], "12=1");
    // What one of them needs stays with it.
    check(&[&[(8, 0)]], &[(8, 3), (3, 2)], "2=1 3=1 8=1");
}

#[test]
fn values_that_are_not_canonical_stay_if_only_they_fail() {
    let exactly = |s: &CompiledPlan| s.choices.iter().any(|c| c.site == 3 && c.value == 7).then(|| s.choices.clone());
    let shrunk = shrink(&start(1..=5, Noise::Off), 1_000, exactly, |_| CANON.to_vec(), |_| false);
    assert_eq!(text(&shrunk.compiled), "3=7");
    // A canonical value is never made larger.
    let any = |s: &CompiledPlan| s.choices.iter().any(|c| c.site == 3 && c.value != 1).then(|| s.choices.clone());
    let from = CompiledPlan { choices: vec![choice(3, 5)], ..CompiledPlan::default() };
    assert_eq!(text(&shrink(&from, 1_000, any, |_| CANON.to_vec(), |_| false).compiled), "3=5");
}

#[test]
fn noise_stays_if_only_noise_fails() {
    let predicate = |noise| Predicate { ways: vec![vec![(2, 0)]], needs: vec![], noise };
    let shrunk = predicate(true).shrink(&start(1..=4, NOISY), 1_000);
    assert_eq!((text(&shrunk.compiled).as_str(), shrunk.compiled.noise), ("2=1", NOISY));
    let shrunk = predicate(false).shrink(&start(1..=4, Noise::Off), 1_000);
    assert_eq!((text(&shrunk.compiled).as_str(), shrunk.compiled.noise), ("2=1", Noise::Off));
}

#[test]
fn noise_is_tried_again_at_the_end() {
    // With noise off only site 2 alone fails: the distractors are in its way.
    let fails = |s: &CompiledPlan| {
        let there = s.choices.iter().any(|c| c.site == 2);
        (there && (s.noise != Noise::Off || s.choices.len() == 1)).then(|| s.choices.clone())
    };
    let shrunk = shrink(&start(1..=6, NOISY), 1_000, fails, |_| Vec::new(), |_| false);
    assert_eq!((text(&shrunk.compiled).as_str(), shrunk.compiled.noise), ("2=7", Noise::Off));
}

#[test]
fn suspects_are_dropped_first() {
    // Either of two will do; the one that is a breach is tried first, and so it goes.
    let fails = |s: &CompiledPlan| s.choices.iter().any(|c| c.site <= 2).then(|| s.choices.clone());
    let check = |suspect: u64, left: &str| {
        let from = start([1, 2], Noise::Off);
        let shrunk = shrink(&from, 1_000, fails, |_| Vec::new(), |c| c.site == suspect);
        assert_eq!(text(&shrunk.compiled), left);
    };
    check(1, "2=7");
    check(2, "1=7");
}

#[test]
fn choices_that_no_longer_land_go_at_once() {
    let mut asked = 0;
    let fails = |s: &CompiledPlan| {
        asked += 1;
        s.choices.iter().any(|c| c.site == 1).then(|| s.choices.iter().filter(|c| c.site == 1).copied().collect())
    };
    let shrunk = shrink(&start(1..=50, NOISY), 1_000, fails, |_| Vec::new(), |_| false);
    assert_eq!((text(&shrunk.compiled).as_str(), shrunk.runs), ("1=7", asked));
    assert!(asked <= 4, "{asked} runs");
}

#[test]
fn a_budget_is_kept_and_what_is_left_still_fails() {
    let predicate = Predicate { ways: vec![(1..=6).map(|s| (s * 5, 0)).collect()], needs: vec![], noise: false };
    let from = start(1..=40, NOISY);
    let whole = predicate.shrink(&from, u32::MAX);
    for budget in 0..whole.runs {
        let shrunk = predicate.shrink(&from, budget);
        assert!(shrunk.runs <= budget && !shrunk.complete, "{budget}");
        assert!(predicate.fails(&shrunk.compiled).is_some(), "{budget}");
    }
    assert!(whole.complete);
}

#[test]
fn it_is_one_minimal_after_values_were_moved() {
    // Site 2 is needed only as long as site 1 has an odd value.
    let fails = |s: &CompiledPlan| {
        let value = s.choices.iter().find(|c| c.site == 1)?.value;
        (value == 1 || s.choices.iter().any(|c| c.site == 2)).then(|| s.choices.clone())
    };
    let shrunk = shrink(&start([1, 2], Noise::Off), 1_000, fails, |_| CANON.to_vec(), |_| false);
    assert_eq!(text(&shrunk.compiled), "1=1");
}

fn ways() -> impl Strategy<Value = Vec<Way>> {
    let way = prop::collection::btree_map(0u64..20, 0u64..=9, 0..=4).prop_map(|m| m.into_iter().collect());
    prop::collection::vec(way, 1..=3)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_left_fails_is_minimal_and_always_the_same(
        ways in ways(),
        distractors in prop::collection::btree_set(0u64..40, 0..=25),
        needs in prop::collection::vec((0u64..20, 20u64..40), 0..=4),
        noise: bool,
    ) {
        let predicate = Predicate { ways, needs, noise };
        // Everything that the first way takes, and what that takes, among the distractors.
        let mut sites = distractors;
        sites.extend(predicate.ways[0].iter().map(|w| w.0));
        sites.extend(predicate.needs.iter().map(|n| n.1));
        let choices = sites.iter().map(|&s| choice(s, 9)).collect();
        let from = CompiledPlan { noise: NOISY, pins: Vec::new(), choices };
        prop_assert!(predicate.fails(&from).is_some());

        let shrunk = predicate.shrink(&from, 2_000);
        prop_assert_eq!(&predicate.shrink(&from, 2_000), &shrunk, "deterministic");
        prop_assert!(shrunk.complete && shrunk.runs < 2_000);
        let compiled = &shrunk.compiled;
        let landed = predicate.fails(compiled);
        prop_assert_eq!(landed.as_ref(), Some(&compiled.choices), "it fails, and all of it lands");
        for at in 0..compiled.choices.len() {
            prop_assert!(predicate.fails(&compiled.without(at)).is_none(), "{} is not needed", at);
        }
        prop_assert_eq!(compiled.noise == Noise::Off, !noise);
        for (at, choice) in compiled.choices.iter().enumerate() {
            prop_assert!(CANON.contains(&choice.value));
            for value in CANON.into_iter().filter(|v| *v < choice.value) {
                let mut simpler = compiled.clone();
                simpler.choices[at].value = value;
                prop_assert!(predicate.fails(&simpler).is_none(), "{} would do", value);
            }
        }
    }
}

#[test]
fn what_a_later_removal_makes_superfluous_goes_too() {
    // The first choice is needed only as long as the second is there.
    let there = |plan: &CompiledPlan, site: u64| plan.choices.iter().any(|c| c.site == site);
    let fails =
        |plan: &CompiledPlan| (there(plan, 3) && (there(plan, 1) || !there(plan, 2))).then(|| plan.choices.clone());
    let shrunk = shrink(&start([1, 2, 3], Noise::Off), 100, fails, |_| Vec::new(), |_| false);
    assert_eq!((text(&shrunk.compiled), shrunk.complete), ("3=7".into(), true));
}
