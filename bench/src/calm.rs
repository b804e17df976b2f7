//! Worlds in which nothing goes wrong by chance of the door: what fails there, fails by the world's own law.

use unacked_sim::distribution::Distribution;
use unacked_sim::door::Door;
use unacked_sim::kind::Kinds;
use unacked_sim::menu::{Menu, MenuId};
use unacked_sim::site::{Scope, Verb};
use unacked_sim::time::{Span, Time};
use unacked_sim::world::{Actor, Route, Setting};

/// The actor that providers are.
pub(crate) const PROVIDER: Actor = Actor(255);

/// A door and its one menu, which offers nothing.
pub(crate) fn door() -> (Door, MenuId) {
    let mut door = Door::new(Kinds::with(&[]));
    let menu = door.menu(Menu::new(0.0, Vec::new()));
    (door, menu)
}

/// A route that loses nothing.
pub(crate) fn route(verb: Verb, menu: MenuId, hop: Distribution) -> Route {
    Route { verb, to: PROVIDER, request: menu, reply: menu, out: hop, back: hop }
}

/// Nodes that neither crash nor keep anything.
pub(crate) fn setting(nodes: Vec<Scope>, clock: Verb, menu: MenuId, horizon: Time) -> Setting {
    Setting {
        nodes,
        store_actor: PROVIDER,
        before_write: menu,
        after_write: menu,
        before_send: menu,
        after_send: menu,
        store: menu,
        read: menu,
        replica: false,
        store_distribution: Distribution::Const(0),
        store_timeout: Span::secs(5),
        clock: menu,
        clock_verb: clock,
        clock_distribution: Distribution::Const(0),
        hold_max: Span::ZERO,
        restart: Span::ZERO,
        budget: u32::MAX,
        horizon,
    }
}

/// How finely uniform draws are made.
pub(crate) const FINE: u64 = (1 << 53) - 1;

/// A draw in `0..=FINE` as a number in 0..1.
pub(crate) fn fraction(draw: u64) -> f64 {
    draw as f64 / (FINE + 1) as f64
}
