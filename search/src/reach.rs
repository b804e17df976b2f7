//! What a world can do to a subject: the kinds in its menus.

use unacked_sim::door::Door;
use unacked_sim::kind::{Class, Kind, KindId};

/// Kinds in the menus of a world: those that random runs draw, and those that they do not.
pub fn possible(door: &Door) -> (Vec<(KindId, &'static Kind)>, Vec<&'static Kind>) {
    let offered = |id: KindId| door.menus().any(|m| m.has(id));
    let drawn = |id: KindId| {
        let mut open = door.menus().filter(|m| !m.is_closed());
        open.any(|m| m.entries.iter().any(|e| e.kind == id && e.weight > 0.0))
    };
    let known: Vec<(KindId, &'static Kind)> = door.kinds.iter().filter(|(id, _)| offered(*id)).collect();
    let (drawn, rest): (Vec<_>, Vec<_>) = known.into_iter().partition(|(id, _)| drawn(*id));
    (drawn, rest.into_iter().map(|(_, kind)| kind).collect())
}

/// Breaches and undocumented behaviour take part only where they are named.
pub fn is_opt_in(kind: &Kind) -> bool {
    matches!(kind.class, Class::Breach | Class::Undocumented)
}

/// Classes with the number of kinds of each.
pub fn families(kinds: impl Iterator<Item = &'static Kind>) -> Vec<(&'static str, usize)> {
    let mut families: Vec<(&'static str, usize)> = Vec::new();
    for kind in kinds {
        match families.iter_mut().find(|(name, _)| *name == kind.class.name()) {
            Some((_, n)) => *n += 1,
            None => families.push((kind.class.name(), 1)),
        }
    }
    families
}
