//! Many orders in one world: kept, asked for in few words, without two sites of one name.

use std::collections::BTreeSet;
use unacked_scenarios::books::Books;
use unacked_scenarios::catalog;
use unacked_scenarios::filter::Filter;
use unacked_scenarios::model::Model;
use unacked_scenarios::policy::PolicyFile;
use unacked_sim::site::Stage;

const MANY: &str = include_str!("../../../benches/many.toml");

fn world(orders: u32) -> Model {
    let text = MANY.replace("[[order]]", &format!("[[order]]\ncount = {orders}"));
    Model::read("many", &text, &|path| Err(format!("no file `{path}`"))).expect("valid")
}

#[test]
fn reference_is_kept_with_one_to_a_hundred_orders() {
    let policy = PolicyFile::read("reference", catalog::policy("reference").expect("embedded")).expect("valid");
    for (orders, seeds) in [(1, 100), (10, 20), (30, 10), (50, 5), (100, 5)] {
        world(orders).with_orchestrator(&policy, &Filter::default(), |lab| {
            for seed in 0..seeds {
                let outcome = lab.run_seed(seed);
                assert!(outcome.violations.is_empty(), "{orders} orders, seed {seed}: {:?}", outcome.violations);
                assert!(lab.store(|books| books.orders().count()) == orders as usize && outcome.legal);
            }
        });
    }
}

#[test]
fn ten_thousand_orders_are_ten_thousand_scopes_with_sites_of_their_own() {
    let (shop, _, mut door, _) = world(10_000).world::<Books>(&Filter::default(), true);
    let scopes: BTreeSet<_> = (0..10_000).map(|order| shop.words.order(order)).collect();
    assert_eq!(scopes.len(), 10_000);
    assert_eq!(door.names.scope_name(shop.words.order(9_999)), "order-10000");
    door.draw_from(0);
    let verb = door.names.verb("charge");
    let mut sites = BTreeSet::new();
    for scope in &scopes {
        let at = door.occasion(*scope, verb);
        Stage::ALL.iter().for_each(|&stage| assert!(sites.insert(at.at(stage).hash), "{scope:?} {stage:?}"));
    }
}

#[test]
fn stock_and_budget_grow_with_the_orders_and_more_than_ten_thousand_are_refused() {
    let (one, many) = (world(1).scenario, world(10_000).scenario);
    assert_eq!((one.units(), many.units()), (10, 20_000));
    assert_eq!(many.budget(), 10_000 * one.budget());
    let text = MANY.replace("[[order]]", "[[order]]\ncount = 10001");
    let refused = Model::read("many", &text, &|_| Err(String::new())).expect_err("too many");
    assert!(refused.contains("write one to 10000 orders in [[order]] tables; there are 10001"), "{refused}");
}
