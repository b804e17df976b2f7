//! The world: what the engine must be told about the domain, and nothing else of it.

use crate::distribution::Distribution;
use crate::door::Door;
use crate::menu::MenuId;
use crate::provider::Answer;
use crate::site::{Occasion, Scope, Verb};
use crate::time::{Span, Time};
use crate::verdict::Verdicts;

/// Number of a node (a process of the subject), from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NodeId(pub u8);

/// A column of the timeline: nodes first, then the store, providers and people, as the world numbers them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Actor(pub u8);

/// How requests of one kind travel.
#[derive(Clone, Copy, Debug)]
pub struct Route {
    /// The verb of the sites.
    pub verb: Verb,
    /// Who receives it.
    pub to: Actor,
    /// What may happen to the request.
    pub request: MenuId,
    /// What may happen to the reply.
    pub reply: MenuId,
    /// One-way travel time of the request.
    pub out: Distribution,
    /// Time from arrival to the caller having the reply.
    pub back: Distribution,
}

/// Where in a run something happens.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// Virtual time (the store's and the providers' clock).
    pub now: Time,
    /// Number of the event.
    pub event: u32,
}

/// What a world asks of the engine while it looks at facts.
#[derive(Clone, Debug, Default)]
pub struct Effects {
    /// Call [`Domain::wake`] with this token at this time.
    pub wakes: Vec<(Time, u32)>,
    /// Wake every task that watches the store.
    pub notify: bool,
    /// Broken promises.
    pub verdicts: Verdicts,
}

impl Effects {
    /// As they were in `to`.
    pub(crate) fn rewind(&mut self, to: &Effects) {
        let Effects { wakes, notify, verdicts } = to;
        self.wakes.clone_from(wakes);
        self.notify = *notify;
        self.verdicts.rewind(verdicts);
    }
}

/// A reply as a subject's task received it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Received<'a, R> {
    /// A decodable answer.
    Reply(&'a R),
    /// One that cannot be decoded.
    Garbled,
    /// The connection was refused before any byte left.
    Refused,
    /// The caller's timeout passed.
    Silence,
}

/// The domain. One value is built per scenario and reused for every run; copies of it are taken in the
/// middle of runs that others branch off from.
pub trait Domain: Clone {
    /// What providers are asked.
    type Request: Clone;
    /// What they answer.
    type Reply: Clone;
    /// What they (and the store) make happen.
    type Fact: Copy;
    /// Durable state of the subject: survives crashes.
    type Store: Clone;

    /// Everything as at the beginning; memory is kept.
    fn reset(&mut self, store: &mut Self::Store, door: &mut Door, fx: &mut Effects);

    /// As it was in `to`, a copy taken earlier. What no run changes need not be copied.
    fn rewind(&mut self, to: &Self) {
        self.clone_from(to);
    }

    /// Whom a request concerns and how it travels.
    fn route(&self, request: &Self::Request) -> (Scope, &Route);

    /// A request arrives at its provider.
    fn handle(
        &mut self,
        now: Time,
        at: Occasion,
        request: &Self::Request,
        door: &mut Door,
        facts: &mut Vec<Self::Fact>,
    ) -> Answer<Self::Reply>;

    /// A time asked for through [`Effects::wakes`] or [`Answer::wake_at`] has come. For the latter
    /// the token is [`Domain::wake_token`] of the request.
    fn wake(
        &mut self,
        now: Time,
        token: u32,
        store: &mut Self::Store,
        door: &mut Door,
        facts: &mut Vec<Self::Fact>,
        fx: &mut Effects,
    );

    /// The token with which the receiver of this request is woken.
    fn wake_token(&self, request: &Self::Request) -> u32;
}

/// What judges a domain: it sees what happens and says what is broken.
pub trait Monitor: Domain {
    /// Something happened: monitors judge it, desks react to it.
    fn observe(&mut self, moment: Moment, fact: &Self::Fact, door: &mut Door, fx: &mut Effects);

    /// A node's durable write was applied: what it changed may become facts, beside those that it reported.
    fn written(&mut self, node: NodeId, store: &Self::Store, facts: &mut Vec<Self::Fact>) {
        let _ = (node, store, facts);
    }

    /// A request leaves a node (its first byte, whatever becomes of it).
    fn sent(&mut self, moment: Moment, node: NodeId, request: &Self::Request, fx: &mut Effects);

    /// A call has ended for the task that made it.
    fn received(&mut self, moment: Moment, node: NodeId, request: &Self::Request, got: Received<'_, Self::Reply>);

    /// A node lost its memory.
    fn crashed(&mut self, node: NodeId);

    /// The run is over: settle what time settles, and judge the final state.
    fn finish(&mut self, moment: Moment, store: &mut Self::Store, door: &mut Door, fx: &mut Effects);

    /// Whether everything has reached a legal end, by truth. Asked after [`Monitor::finish`].
    fn ended_legally(&self) -> bool;
}

/// What describes a domain: to the digest, and to people.
pub trait Wording: Domain {
    /// Adds to the digest whatever of the fact matters.
    fn fold_fact(digest: u64, fact: &Self::Fact) -> u64;

    /// Adds to the digest whatever of the request matters.
    fn fold_request(digest: u64, request: &Self::Request) -> u64;

    /// Name of an actor.
    fn actor(&self, actor: Actor) -> String;

    /// A request in the user's words: `charge order 1, 49.99 EUR, key 1c9a`.
    fn describe_request(&self, request: &Self::Request) -> String;

    /// A reply in the user's words.
    fn describe_reply(&self, request: &Self::Request, reply: &Self::Reply) -> String;

    /// A fact: at whom, about whom, in the user's words.
    fn describe_fact(&self, fact: &Self::Fact) -> (Actor, Option<Scope>, String);
}

/// All that the engine must be told about a world: what it is, what judges it, what describes it.
pub trait World: Domain + Monitor + Wording {}

impl<W: Domain + Monitor + Wording> World for W {}

/// How the engine treats nodes and the store of a scenario.
#[derive(Clone, Debug)]
pub struct Setting {
    /// Names of the nodes, each a scope of its own.
    pub nodes: Vec<Scope>,
    /// The actor that stands for the durable store.
    pub store_actor: Actor,
    /// What may strike before a durable write.
    pub before_write: MenuId,
    /// What may strike after it.
    pub after_write: MenuId,
    /// What may strike before a dispatch.
    pub before_send: MenuId,
    /// What may strike after it.
    pub after_send: MenuId,
    /// What may happen to a durable write.
    pub store: MenuId,
    /// What may happen to a read of the store.
    pub read: MenuId,
    /// Keep what a stale read sees: a copy of the store, renewed before each write.
    pub replica: bool,
    /// How long a durable write or read takes.
    pub store_distribution: Distribution,
    /// How long a writer waits for an acknowledgement that does not come.
    pub store_timeout: Span,
    /// Clock offsets, microseconds around `skew_centre`.
    pub clock: MenuId,
    /// The verb of clock sites.
    pub clock_verb: Verb,
    /// Distribution of small clock offsets; the sample minus its median is the offset.
    pub clock_distribution: Distribution,
    /// Longest time a node is held back for another's write.
    pub hold_max: Span,
    /// Restart delay where a crash does not say (parameter 0).
    pub restart: Span,
    /// Events after which a run counts as a livelock.
    pub budget: u32,
    /// Virtual time at which a run is over.
    pub horizon: Time,
}
