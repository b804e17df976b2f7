//! The wire: requests and replies on their way, and what becomes of them.

use super::State;
use crate::door::ALL;
use crate::kind::{Fate, ReplyFate, RequestFate};
use crate::queue::What;
use crate::site::{Occasion, Scope, Stage};
use crate::time::{Span, Time};
use crate::trace::Mark;
use crate::wait::{Got, WaitId};
use crate::world::{Actor, NodeId, World};

/// A message on its way. It stays in its slot from the request's departure until the reply has been
/// delivered or dropped; a free slot keeps its last contents.
#[derive(Clone, Debug)]
pub(super) struct Message<W: World> {
    wait: WaitId,
    /// The node that sent the request.
    from: u8,
    at: Occasion,
    request: W::Request,
    reply: Option<W::Reply>,
    leg: Leg,
    cause: u32,
    /// The landed choice that its arrival shows (index).
    fault: Option<usize>,
}

/// Which way a message is going.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Leg {
    Out,
    Back,
    /// Back, and nobody will be able to read it.
    Garbled,
}

impl<W: World> State<W> {
    /// A request leaves: the wire decides what becomes of it.
    #[inline]
    pub(crate) fn send(&mut self, at: Occasion, wait: WaitId, request: &W::Request) {
        let (_, node) = self.current;
        let site = at.at(Stage::Request);
        let (_, route) = self.world.route(request);
        let pick = self.door.choose(site, route.request, ALL);
        let fate = RequestFate::of(pick.kind);
        let travel = Span(self.door.sample(site, &route.out));
        let value = W::fold_request(site.hash ^ travel.0, request);
        self.note(value, Mark::Send, |s| {
            let (scope, route) = s.world.route(request);
            (Actor(node), Some(route.to), Some(scope), s.world.describe_request(request))
        });
        // Silence follows from this send, not from what came before it.
        self.waits.blame(wait, self.log.cause);
        if fate != Some(RequestFate::Refused) {
            let moment = self.moment();
            self.world.sent(moment, NodeId(node), request, &mut self.fx);
        }
        match fate {
            None => self.launch(self.now + travel, at, wait, request),
            Some(fate) => self.send_badly(fate, Span(pick.value), travel, at, wait, request),
        }
    }

    #[cold]
    fn send_badly(
        &mut self,
        fate: RequestFate,
        value: Span,
        travel: Span,
        at: Occasion,
        wait: WaitId,
        request: &W::Request,
    ) {
        let (from, to) = (Actor(self.current.1), self.world.route(request).1.to);
        let arrival = self.now + travel;
        self.door.felt(fate);
        match fate {
            RequestFate::Refused => {
                self.note_loss(from, to, at.scope, "connection refused");
                self.fire(wait, Got::Refused);
            }
            RequestFate::Lost => self.note_loss(from, to, at.scope, "request lost"),
            RequestFate::Late => {
                self.blame_latest();
                self.door.strained_until(arrival + value);
                self.launch(arrival + value, at, wait, request);
            }
            RequestFate::Duplicated => {
                self.blame_latest();
                self.launch(arrival, at, wait, request);
                let copy = self.door.names.sub_send(at, 1);
                self.launch(arrival + travel, copy, wait, request);
            }
        }
    }

    fn note_loss(&mut self, from: Actor, to: Actor, scope: Scope, text: &str) {
        self.note(0, Mark::Loss, |_| (from, Some(to), Some(scope), text.into()));
        self.blame_latest();
    }

    /// Puts a request into a slot of its own and on its way.
    #[inline]
    fn launch(&mut self, arrival: Time, at: Occasion, wait: WaitId, request: &W::Request) {
        let (from, cause) = (self.current.1, self.log.cause);
        let slot = match self.free_messages.pop() {
            Some(slot) => {
                let message = &mut self.messages[slot as usize];
                (message.wait, message.from) = (wait, from);
                message.at = at;
                message.request = request.clone();
                message.leg = Leg::Out;
                message.cause = cause;
                message.fault = None;
                slot
            }
            None => {
                let request = request.clone();
                self.add_message(Message { wait, from, at, request, reply: None, leg: Leg::Out, cause, fault: None })
            }
        };
        self.schedule(arrival, What::Message(slot));
    }

    #[cold]
    fn add_message(&mut self, message: Message<W>) -> u32 {
        match self.free_messages.pop() {
            Some(slot) => {
                self.messages[slot as usize] = message;
                slot
            }
            None => {
                self.messages.push(message);
                self.messages.len() as u32 - 1
            }
        }
    }

    #[inline(never)]
    pub(super) fn message_arrives(&mut self, slot: u32) {
        let message = &self.messages[slot as usize];
        self.log.cause = message.cause;
        match message.leg {
            Leg::Out => self.request_arrives(slot),
            Leg::Back | Leg::Garbled => self.reply_arrives(slot),
        }
    }

    #[inline]
    fn request_arrives(&mut self, slot: u32) {
        let known = self.door.landed().len();
        let at = self.messages[slot as usize].at;
        self.note(at.at(Stage::Provider).hash, Mark::Arrive, |s| s.show_request(slot));
        let request = &self.messages[slot as usize].request;
        let answer = self.world.handle(self.now, at, request, &mut self.door, &mut self.facts);
        if self.door.landed().len() > known {
            self.blame_latest();
        }
        self.settle_facts();
        if let Some(at) = answer.wake_at {
            let token = self.world.wake_token(&self.messages[slot as usize].request);
            self.wake_later(at, token);
        }
        match answer.reply {
            Some(reply) => self.reply(slot, reply, answer.after),
            None => self.free_messages.push(slot),
        }
    }

    /// The reply leaves in the slot of its request: the wire decides what becomes of it.
    #[inline]
    fn reply(&mut self, slot: u32, reply: W::Reply, after: Span) {
        let message = &mut self.messages[slot as usize];
        message.reply = Some(reply);
        message.leg = Leg::Back;
        message.cause = self.log.cause;
        let site = message.at.at(Stage::Reply);
        let (_, route) = self.world.route(&message.request);
        let pick = self.door.choose(site, route.reply, ALL);
        let travel = Span(self.door.sample(site, &route.back));
        let arrival = self.now + after + travel;
        match ReplyFate::of(pick.kind) {
            None => self.schedule(arrival, What::Message(slot)),
            Some(fate) => self.reply_badly(slot, fate, Span(pick.value), arrival, travel),
        }
    }

    #[cold]
    fn reply_badly(&mut self, slot: u32, fate: ReplyFate, value: Span, arrival: Time, travel: Span) {
        if self.waits.is_waiting(self.messages[slot as usize].wait) {
            self.door.felt(fate);
        }
        let fault = self.latest_fault();
        let message = &mut self.messages[slot as usize];
        match fate {
            ReplyFate::Lost => self.lose_reply(slot),
            ReplyFate::Late => {
                message.fault = fault;
                self.door.strained_until(arrival + value);
                self.schedule(arrival + value, What::Message(slot));
            }
            ReplyFate::Duplicated => {
                self.schedule(arrival, What::Message(slot));
                let copy = self.copy_message(slot);
                self.messages[copy as usize].fault = fault;
                self.schedule(arrival + travel, What::Message(copy));
            }
            ReplyFate::Undecodable => {
                (message.leg, message.fault) = (Leg::Garbled, fault);
                self.schedule(arrival, What::Message(slot));
            }
        }
    }

    fn lose_reply(&mut self, slot: u32) {
        let message = &self.messages[slot as usize];
        let (from, scope) = (self.world.route(&message.request).1.to, message.at.scope);
        let to = Actor(message.from);
        self.note_loss(from, to, scope, "reply lost");
        self.free_messages.push(slot);
    }

    fn copy_message(&mut self, slot: u32) -> u32 {
        let Message { wait, from, at, ref request, ref reply, leg, cause, fault } = self.messages[slot as usize];
        let copy = Message { wait, from, at, request: request.clone(), reply: reply.clone(), leg, cause, fault };
        self.add_message(copy)
    }

    #[inline]
    fn reply_arrives(&mut self, slot: u32) {
        let Message { wait, at, leg, fault, .. } = self.messages[slot as usize];
        let open = self.waits.is_waiting(wait);
        let garbled = leg == Leg::Garbled;
        let value = at.at(Stage::Reply).hash ^ u64::from(open) ^ u64::from(garbled) << 1;
        self.note(value, Mark::Arrive, |s| s.show_reply(slot, open));
        if fault.is_some() {
            self.log.blame(fault);
        }
        if open {
            let reply = self.messages[slot as usize].reply.take();
            let got = if garbled { Got::Garbled } else { Got::Reply };
            self.waits.put_reply(wait, reply);
            self.end_wait(wait, got);
        }
        self.free_messages.push(slot);
    }

    /// The line of a request that arrives.
    fn show_request(&self, slot: u32) -> (Actor, Option<Actor>, Option<Scope>, String) {
        let request = &self.messages[slot as usize].request;
        let (scope, route) = self.world.route(request);
        (route.to, None, Some(scope), self.world.describe_request(request))
    }

    /// The line of a reply that arrives.
    fn show_reply(&self, slot: u32, open: bool) -> (Actor, Option<Actor>, Option<Scope>, String) {
        let Message { from, request, reply, leg, .. } = &self.messages[slot as usize];
        let (scope, route) = self.world.route(request);
        let what = match reply {
            Some(reply) if *leg == Leg::Back => self.world.describe_reply(request, reply),
            _ => "undecodable answer".into(),
        };
        let text = if open { what } else { format!("{what} (nobody waits)") };
        (Actor(*from), Some(route.to), Some(scope), text)
    }
}
