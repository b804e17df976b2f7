//! Every kind is offered, reached and felt: leaving out that one choice changes what happens.

use unacked::mount::{BuiltIn, Mount};
use unacked::scenarios::catalog::{POLICIES, SCENARIOS};
use unacked::scenarios::filter::Filter;
use unacked::scenarios::model::kinds;
use unacked::sim::kind::{Class, KindId};
use unacked::sim::lab::Lab;
use unacked::sim::plan::CompiledPlan;
use unacked::sim::world::World;
use unacked::source;

/// Runs looked at per scenario and policy.
const SEEDS: u64 = 3_000;

/// Kinds that no shipped scenario and policy meets, and why.
const UNMET: [(&str, &str); 2] = [
    ("effect-lost", "no shipped contract writes the record of a key before its effect"),
    ("drift-executed", "no shipped policy sends other arguments where the answer to them is not promised"),
];

#[test]
fn without_that_one_choice_the_run_is_another() {
    let mut open: Vec<KindId> = kinds().iter().map(|(id, _)| id).collect();
    let filter = Filter {
        include: kinds().iter().filter(|(_, k)| k.class >= Class::Undocumented).map(|(_, k)| k.name.into()).collect(),
        ..Filter::default()
    };
    let policies = std::iter::once("reference").chain(POLICIES.iter().map(|(name, _)| *name));
    for policy in policies {
        for (scenario, _) in SCENARIOS {
            if open.is_empty() {
                break;
            }
            look(scenario, policy, &filter, &mut open);
        }
    }
    let unmet: Vec<&str> = open.iter().map(|id| kinds().name(*id)).collect();
    let known: Vec<&str> = UNMET.iter().map(|(name, _)| *name).collect();
    assert_eq!(unmet, known, "kinds that never made a difference");
}

/// Looks for runs in which a kind still open was felt, and strikes it off if it made a difference.
fn look(scenario: &str, policy: &str, filter: &Filter, open: &mut Vec<KindId>) {
    let model = source::scenario(scenario).expect(scenario);
    let policy = source::policy(policy).expect(policy);
    let mount = BuiltIn { model: &model, policy: &policy, filter };
    mount.in_lab(|lab| {
        for seed in 0..SEEDS {
            lab.run_seed(seed);
            let felt = lab.door(|d| d.reach().to_vec());
            open.retain(|id| felt[usize::from(id.0)] == 0 || !makes_a_difference(lab, seed, *id));
        }
    });
}

/// Whether some choice of this kind in this run changes it.
fn makes_a_difference<W: World>(lab: &mut Lab<'_, W>, seed: u64, kind: KindId) -> bool {
    lab.run_seed(seed);
    let plan = CompiledPlan { noise: lab.noise(), pins: Vec::new(), choices: landed(lab) };
    let with = story(lab, &plan);
    let sites = plan.choices.iter().filter(|c| c.kind == kind).map(|c| c.site);
    sites.collect::<Vec<u64>>().into_iter().any(|site| {
        let mut without = plan.clone();
        without.choices.retain(|c| c.site != site);
        story(lab, &without) != with
    })
}

fn landed<W: World>(lab: &Lab<'_, W>) -> Vec<unacked::sim::plan::CompiledChoice> {
    lab.landed().into_iter().map(Into::into).collect()
}

/// What happened and when, whoever chose it.
fn story<W: World>(lab: &mut Lab<'_, W>, plan: &CompiledPlan) -> Vec<(u64, String)> {
    lab.trace_plan(plan).1.into_iter().map(|event| (event.at.0, event.text)).collect()
}
