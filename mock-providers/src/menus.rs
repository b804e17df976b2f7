//! The menus of a provider, and which of their options are possible in which situation.

use crate::kinds::*;
use crate::message::{Ask, Op};
use crate::possible::possible;
use crate::service::Service;
use unacked_sim::door::Door;
use unacked_sim::kind::KindId;
use unacked_sim::menu::MenuId;

/// Which menu the door is asked with. The wiring builds them (from [`possible`]) and hands them over.
#[derive(Clone, Copy, Debug)]
pub struct Menus {
    /// Per operation, when it is to be performed; stage `provider`.
    pub act: [MenuId; Op::COUNT],
    /// Per operation, when it is looked up; stage `provider`.
    pub lookup: [MenuId; Op::COUNT],
    /// When a key's age lies inside its window's interval; stage `store`.
    pub pruning: MenuId,
    /// When a person is asked; stage `human`.
    pub human: MenuId,
}

impl Default for Menus {
    /// No options anywhere.
    fn default() -> Menus {
        Menus {
            act: [Door::EMPTY; Op::COUNT],
            lookup: [Door::EMPTY; Op::COUNT],
            pruning: Door::EMPTY,
            human: Door::EMPTY,
        }
    }
}

/// What a request meets at the provider: it decides which options are possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Situation {
    /// It would be executed.
    Fresh,
    /// It would be refused for a reason of business.
    Refused,
    /// It is answered from the record.
    Recorded,
    /// Its key is being executed.
    Running,
    /// Its key was used with other parameters.
    Drift,
}

const SITUATIONS: [Situation; 5] =
    [Situation::Fresh, Situation::Refused, Situation::Recorded, Situation::Running, Situation::Drift];

/// Menus with their masks, computed once.
#[derive(Clone, Debug)]
pub(crate) struct Masks {
    menus: Menus,
    act: [[u32; SITUATIONS.len()]; Op::COUNT],
    lookup: [u32; Op::COUNT],
    pruning: u32,
}

impl Masks {
    pub(crate) fn new(service: &Service, menus: &Menus, door: &Door) -> Masks {
        let mut masks = Masks {
            menus: *menus,
            act: [[0; SITUATIONS.len()]; Op::COUNT],
            lookup: [0; Op::COUNT],
            pruning: mask(door, menus.pruning, |k| k == KEY_PRUNED),
        };
        for (op, contract) in service.offered() {
            let acts = possible(contract, op, Ask::Act);
            let at = op as usize;
            masks.act[at] = SITUATIONS.map(|s| mask(door, menus.act[at], |k| acts.contains(&k) && fits(k, s)));
            let lookups = possible(contract, op, Ask::Lookup);
            masks.lookup[at] = mask(door, menus.lookup[at], |k| lookups.contains(&k));
        }
        masks
    }

    /// Menu and mask of an act.
    #[inline]
    pub(crate) fn act(&self, op: Op, situation: Situation) -> (MenuId, u32) {
        (self.menus.act[op as usize], self.act[op as usize][situation as usize])
    }

    /// Menu and mask of a lookup.
    #[inline]
    pub(crate) fn lookup(&self, op: Op) -> (MenuId, u32) {
        (self.menus.lookup[op as usize], self.lookup[op as usize])
    }

    /// Menu and mask of a key's age.
    pub(crate) fn pruning(&self) -> (MenuId, u32) {
        (self.menus.pruning, self.pruning)
    }
}

fn fits(kind: KindId, situation: Situation) -> bool {
    match kind {
        THROTTLED | OUTAGE => true,
        ERROR_BEFORE_EFFECT => matches!(situation, Situation::Fresh | Situation::Refused),
        RACE_EXECUTED => situation == Situation::Running,
        DRIFT_EXECUTED => situation == Situation::Drift,
        _ => situation == Situation::Fresh,
    }
}

/// Bits of a menu's entries whose kind passes.
pub(crate) fn mask(door: &Door, menu: MenuId, passes: impl Fn(KindId) -> bool) -> u32 {
    let entries = &door.menu_of(menu).entries;
    entries.iter().enumerate().filter(|(_, e)| passes(e.kind)).fold(0, |m, (i, _)| m | 1 << i)
}
