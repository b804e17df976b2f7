//! Wording: what happens, for the digest and for people.

use super::Shop;
use super::party::Party;
use crate::fact::Fact;
use crate::records::Records;
use unacked_mock_providers::effect::reference_name;
use unacked_mock_providers::message::{Ask, Reply, Request, UNTAINTED};
use unacked_sim::draw::absorb;
use unacked_sim::site::Scope;
use unacked_sim::world::{Actor, Wording};
use unacked_workflow::ports::Transition;

impl<R: Records> Wording for Shop<R> {
    #[inline]
    fn fold_fact(digest: u64, fact: &Fact) -> u64 {
        match fact {
            Fact::Effect(e) => {
                let d = absorb(digest, u64::from(e.taint) << 8 | e.what as u64);
                absorb(d, e.reference ^ (e.amount as u64) << 16 ^ e.value)
            }
            Fact::Written(r) => {
                let op =
                    u64::from(r.after.attempts) << 16 | (r.after.status as u64) << 8 | r.tool.map_or(255, |t| t as u64);
                absorb(absorb(digest, op), u64::from(r.order) << 8 | u64::from(r.node.0))
            }
            Fact::Fenced { node, order } => absorb(digest, u64::from(*order) << 8 | u64::from(node.0)),
            Fact::Queued { node, order, tool, key } => {
                let what = u64::from(*order) << 16 | (*tool as u64) << 8 | u64::from(node.0);
                absorb(absorb(digest, what), *key)
            }
            Fact::Claimed { node, order, fence } => {
                absorb(digest, u64::from(*fence) << 32 | u64::from(*order) << 8 | u64::from(node.0))
            }
            Fact::Stated { order, tool, committed } => {
                absorb(digest, u64::from(*order) << 16 | (*tool as u64) << 8 | u64::from(*committed))
            }
        }
    }

    #[inline]
    fn fold_request(digest: u64, r: &Request) -> u64 {
        absorb(absorb(digest, r.key), u64::from(r.taint) << 8 | r.op as u64)
    }

    fn actor(&self, actor: Actor) -> String {
        match actor.0.checked_sub(self.workers) {
            None => format!("worker-{}", actor.0 + 1),
            Some(party) => Party::ALL.get(usize::from(party)).map_or("?", |p| p.name()).into(),
        }
    }

    fn describe_request(&self, r: &Request) -> String {
        let what = match r.ask {
            Ask::Act => r.op.name().to_string(),
            Ask::Lookup => format!("look up {}", r.op.name()),
        };
        let key = if r.key == 0 { "no key".into() } else { format!("key {}", short(r.key)) };
        format!("{what} {}, {key}", Self::order_name(r.taint))
    }

    fn describe_reply(&self, request: &Request, reply: &Reply) -> String {
        if reply.reference == 0 {
            return reply.says.name().into();
        }
        format!("{} {}", reply.says.name(), reference_name(request.op, reply.reference))
    }

    fn describe_fact(&self, fact: &Fact) -> (Actor, Option<Scope>, String) {
        match fact {
            Fact::Effect(e) => {
                let name = reference_name(e.what.op(), e.reference);
                let text = format!("{}: {} for {}", e.what.name(), name, Self::order_name(e.taint));
                (self.party(Party::of(e.what.op())), Some(self.words.order(e.taint)), text)
            }
            Fact::Written(r) => {
                let text = match r.tool {
                    Some(tool) => format!("order {}: {} {}", r.order + 1, tool.name(), r.after.status.name()),
                    None => format!("order {}: {}", r.order + 1, transition(r.what)),
                };
                (self.party(Party::Store), Some(self.words.order(r.order)), text)
            }
            Fact::Fenced { order, .. } => {
                self.store_fact(*order, format!("order {}: write refused, a newer owner has it", order + 1))
            }
            Fact::Claimed { node, order, fence } => {
                self.store_fact(*order, format!("order {}: worker-{} owns it (claim {fence})", order + 1, node.0 + 1))
            }
            Fact::Queued { order, tool, .. } => {
                self.store_fact(*order, format!("order {}: {} handed to the operator", order + 1, tool.name()))
            }
            Fact::Stated { order, tool, committed } => {
                let found = if *committed { "exists" } else { "does not exist" };
                let text = format!("operator: {} of order {} {found}", tool.name(), order + 1);
                (self.party(Party::Operator), Some(self.words.order(*order)), text)
            }
        }
    }
}

impl<R: Records> Shop<R> {
    fn party(&self, party: Party) -> Actor {
        party.actor(self.workers)
    }

    fn order_name(taint: u32) -> String {
        if taint == UNTAINTED { "no order".into() } else { format!("order {}", u64::from(taint) + 1) }
    }

    fn store_fact(&self, order: u32, text: String) -> (Actor, Option<Scope>, String) {
        (self.party(Party::Store), Some(self.words.order(order)), text)
    }
}

fn transition(what: Transition) -> &'static str {
    match what {
        Transition::Operation(_) | Transition::Parked => "waits",
        Transition::HandedOff => "handed to the operator",
        Transition::Resolved(_) => "statement taken in",
        Transition::Cancelling => "turns to cancelling",
        Transition::Ended => "ended",
    }
}

/// Enough of a key to tell it from others.
fn short(key: u64) -> String {
    format!("{:04x}", key >> 48 ^ key >> 24 & 0xffff ^ key & 0xffff)
}
