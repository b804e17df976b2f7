//! Which events of a run weigh most where not all fit: what happens for the first time, and what has an
//! effect, before what is only said again.

use crate::told::Role;
use std::collections::BTreeSet;
use unacked_sim::trace::{Mark, TraceEvent};

/// What an event weighs; the lightest are left out first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Weight {
    /// It is the first of its kind: a first send, an effect, a crash, a hand-off.
    First,
    /// It has an effect, or may have one: another key, another effect.
    Effect,
    /// It is said again or answered: repeated sends, answers, lookups, waits that ended.
    Said,
    /// It keeps something as it is: a renewal.
    Upkeep,
}

/// The weight of each of these events, in their order.
pub(super) fn weights<'e>(
    events: &[&'e TraceEvent],
    role: impl Fn(&TraceEvent) -> Role,
    gist: impl Fn(&str) -> &str,
) -> Vec<Weight> {
    let (mut kinds, mut texts) = (BTreeSet::new(), BTreeSet::new());
    let mut weigh = |event: &'e TraceEvent| {
        let first_text = texts.insert((event.mark as u8, event.actor, event.text.as_str()));
        let first_kind = kinds.insert((event.mark as u8, kind(gist(&event.text))));
        match class(event, role(event)) {
            Weight::First | Weight::Effect if first_kind => Weight::First,
            Weight::First | Weight::Effect if first_text => Weight::Effect,
            Weight::First | Weight::Effect | Weight::Said => Weight::Said,
            Weight::Upkeep => Weight::Upkeep,
        }
    };
    events.iter().map(|event| weigh(event)).collect()
}

/// What an event weighs if nothing like it came before.
fn class(event: &TraceEvent, role: Role) -> Weight {
    match event.mark {
        _ if role == Role::Upkeep => Weight::Upkeep,
        Mark::Send if role == Role::Question => Weight::Said,
        Mark::Send | Mark::Fact | Mark::Node | Mark::Loss => Weight::Effect,
        Mark::Timeout | Mark::Arrive | Mark::Write => Weight::Said,
    }
}

/// A text without what is counted.
fn kind(text: &str) -> String {
    let words = text.split(' ').filter(|word| !word.contains(|c: char| c.is_ascii_digit()));
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use unacked_sim::time::Time;
    use unacked_sim::world::Actor;

    fn event(mark: Mark, text: &str) -> TraceEvent {
        let (at, actor) = (Time::ZERO, Actor(0));
        TraceEvent { number: 1, at, cause: 0, mark, actor, peer: None, scope: None, text: text.into(), fault: None }
    }

    /// A world that says what it does in words.
    fn role(event: &TraceEvent) -> Role {
        match &event.text {
            text if text.starts_with("look up") => Role::Question,
            text if text.contains("renew") => Role::Upkeep,
            _ => Role::Deed,
        }
    }

    fn gist(text: &str) -> &str {
        text.split(", key ").next().unwrap_or(text)
    }

    #[test]
    fn first_sends_and_effects_outweigh_what_is_said_again() {
        let told = [
            (Mark::Send, "charge order 1, key aa11", Weight::First),
            (Mark::Timeout, "gives up waiting for charge", Weight::Said),
            (Mark::Send, "charge order 1, key aa11", Weight::Said),
            (Mark::Fact, "captured: ch_1 for order 1", Weight::First),
            (Mark::Send, "charge order 1, key bb22", Weight::Effect),
            (Mark::Fact, "captured: ch_2 for order 1", Weight::Effect),
            (Mark::Send, "renew order 1, key cc33", Weight::Upkeep),
            (Mark::Fact, "hold renewed: hold_1 for order 1", Weight::Upkeep),
            (Mark::Send, "look up charge order 1, key aa11", Weight::Said),
            (Mark::Fact, "order 1: handed to the operator", Weight::First),
        ];
        let events = told.map(|(mark, text, _)| event(mark, text));
        let weights = weights(&events.iter().collect::<Vec<_>>(), role, gist);
        assert_eq!(weights, told.map(|(_, _, weight)| weight));
    }
}
