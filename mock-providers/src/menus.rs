//! The menus of a provider, and which of their options are possible in which situation.

use crate::contract::Contract;
use crate::kinds::{ActFate, GateFate, LookupFate, MemoryFate, Offer, Situation};
use crate::message::{Ask, Op};
use crate::service::Service;
use unacked_sim::door::Door;
use unacked_sim::kind::{Fate, KindId};
use unacked_sim::menu::MenuId;

/// Which menu the door is asked with. The wiring builds them (from [`acts`] and [`lookups`]) and hands them over.
#[derive(Clone, Copy, Debug)]
pub struct Menus {
    /// Per operation, when it is to be performed; stage `provider`.
    pub act: [MenuId; Op::COUNT],
    /// The same, when it would be executed: what becomes of cards and refunds has rates of its own.
    pub fresh: [MenuId; Op::COUNT],
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
            fresh: [Door::EMPTY; Op::COUNT],
            lookup: [Door::EMPTY; Op::COUNT],
            pruning: Door::EMPTY,
            human: Door::EMPTY,
        }
    }
}

impl Menus {
    /// What is asked when an operation is to be performed.
    #[inline]
    fn acting(&self, op: Op, situation: Situation) -> MenuId {
        if situation == Situation::Fresh { self.fresh[op as usize] } else { self.act[op as usize] }
    }
}

/// Menus with their masks, computed once.
#[derive(Clone, Debug)]
pub(crate) struct Masks {
    menus: Menus,
    act: [[u32; Situation::ALL.len()]; Op::COUNT],
    lookup: [u32; Op::COUNT],
    pruning: u32,
}

impl Masks {
    pub(crate) fn new(service: &Service, menus: &Menus, door: &Door) -> Masks {
        let mut masks = Masks {
            menus: *menus,
            act: [[0; Situation::ALL.len()]; Op::COUNT],
            lookup: [0; Op::COUNT],
            pruning: mask(door, menus.pruning, MemoryFate::ALL.iter().map(|f| f.kind())),
        };
        for (op, contract) in service.offered() {
            let at = op as usize;
            masks.act[at] = Situation::ALL.map(|s| mask(door, menus.acting(op, s), acts_in(contract, op, Some(s))));
            masks.lookup[at] = mask(door, menus.lookup[at], lookups(contract, op));
        }
        masks
    }

    /// Menu and mask of an act.
    #[inline]
    pub(crate) fn act(&self, op: Op, situation: Situation) -> (MenuId, u32) {
        (self.menus.acting(op, situation), self.act[op as usize][situation as usize])
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

/// What may happen at the provider (stage `provider`) when an operation is asked for. Kinds of class
/// `undocumented` are among them; whether a scenario includes them is its business.
pub fn acts(contract: &Contract, op: Op) -> Vec<KindId> {
    acts_in(contract, op, None)
}

fn acts_in(contract: &Contract, op: Op, situation: Option<Situation>) -> Vec<KindId> {
    let offer = Offer { contract, op, ask: Ask::Act, situation };
    [GateFate::offered(&offer), ActFate::offered(&offer)].concat()
}

/// What may happen there when it is looked up; nothing, if it cannot be.
pub fn lookups(contract: &Contract, op: Op) -> Vec<KindId> {
    let offer = Offer { contract, op, ask: Ask::Lookup, situation: None };
    match contract.lookup.stalest() {
        None => Vec::new(),
        Some(_) => [GateFate::offered(&offer), LookupFate::offered(&offer)].concat(),
    }
}

/// Bits of a menu's entries that are among these kinds.
pub(crate) fn mask(door: &Door, menu: MenuId, kinds: impl IntoIterator<Item = KindId>) -> u32 {
    let entries = &door.menu_of(menu).entries;
    let bit = |kind: KindId| entries.iter().position(|e| e.kind == kind).map_or(0, |at| 1 << at);
    kinds.into_iter().fold(0, |mask, kind| mask | bit(kind))
}
