//! What a subject's code holds: call, write, read, sleep, watch, spawn. All of it goes through the door.

use crate::door::ALL;
use crate::engine::{State, Strike};
use crate::kind::{STORE_UNAVAILABLE, WRITE_CONFLICT, WRITE_LOST, WRITE_UNACKNOWLEDGED};
use crate::menu::{MenuId, Pick};
use crate::site::{Occasion, Scope, Stage, Verb};
use crate::task::Spawned;
use crate::time::{Span, Time};
use crate::wait::{Got, WaitId};
use crate::world::{NodeId, Received, World};
use std::cell::RefCell;
use std::future::Future;
use std::mem::ManuallyDrop;
use std::pin::Pin;
use std::task::{Context, Poll};

/// Futures that were spawned and not yet taken over by the executor.
///
/// `ManuallyDrop` only because tasks may borrow the world they live in; the lab empties it.
#[derive(Default)]
pub(crate) struct Nursery<'w> {
    pub(crate) born: ManuallyDrop<RefCell<Vec<(u8, Spawned<'w>)>>>,
}

/// A node's access to the world.
pub struct Cx<'w, W: World> {
    pub(crate) state: &'w RefCell<State<W>>,
    pub(crate) nursery: &'w Nursery<'w>,
    node: u8,
}

impl<W: World> Clone for Cx<'_, W> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<W: World> Copy for Cx<'_, W> {}

/// What came of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reception<R> {
    /// A decodable answer.
    Reply(R),
    /// An answer that cannot be decoded: the effect may have happened.
    Garbled,
    /// The connection was refused before any byte left: this attempt did nothing.
    Refused,
    /// No answer in time.
    Silence,
}

/// What went wrong with a durable write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoreFault {
    /// Aborted by a conflict; nothing was written.
    Conflict,
    /// The store cannot be reached; nothing was written.
    Unavailable,
    /// No acknowledgement: the write may or may not have happened.
    Unacknowledged,
}

impl<'w, W: World> Cx<'w, W> {
    pub(crate) fn new(state: &'w RefCell<State<W>>, nursery: &'w Nursery<'w>, node: u8) -> Self {
        Cx { state, nursery, node }
    }

    /// The node this code runs on.
    pub fn node(&self) -> NodeId {
        NodeId(self.node)
    }

    /// How often this node has started, from 1.
    pub fn incarnation(&self) -> u32 {
        self.state.borrow().nodes[usize::from(self.node)].incarnation
    }

    /// This node's clock, which may be off.
    #[inline]
    pub fn now(&self) -> Time {
        let state = self.state.borrow();
        state.nodes[usize::from(self.node)].clock(state.now)
    }

    /// Reads the subject's durable state as it is now.
    pub fn read<T>(&self, read: impl FnOnce(&W::Store, Time) -> T) -> T {
        let state = self.state.borrow();
        read(&state.store, state.now)
    }

    /// Looks at the world (what is configured in it, never at the truth of effects).
    pub fn world<T>(&self, look: impl FnOnce(&W) -> T) -> T {
        look(&self.state.borrow().world)
    }

    /// Asks the door about something of the subject's own.
    pub fn choose(&self, scope: Scope, verb: Verb, stage: Stage, menu: MenuId) -> Pick {
        let mut state = self.state.borrow_mut();
        if !state.nodes[usize::from(self.node)].up {
            return Pick::BENIGN;
        }
        let at = state.door.occasion(scope, verb);
        state.door.choose(at.at(stage), menu, ALL)
    }

    /// A uniform draw in `0..=max` that depends only on its site: backoff jitter, for example.
    pub fn jitter(&self, scope: Scope, verb: Verb, max: u64) -> u64 {
        let mut state = self.state.borrow_mut();
        if !state.nodes[usize::from(self.node)].up {
            return 0;
        }
        let site = state.door.occasion(scope, verb).at(Stage::Clock);
        state.door.sample(site, &crate::law::Law::Uniform { lo: 0, hi: max })
    }

    /// Calls a provider; add [`Call::timeout`]. Nothing is sent before it is awaited.
    #[inline]
    pub fn call(self, request: W::Request) -> Call<'w, W> {
        Call { cx: self, request, timeout: Span::NEVER, step: Step::Begin, occurrence: 0, wait: WaitId::NONE }
    }

    /// Writes durably, in one transaction. `apply` runs when the write reaches the store.
    #[inline]
    pub fn write<T, F>(self, scope: Scope, verb: Verb, apply: F) -> Write<'w, W, F, T>
    where
        F: FnOnce(&mut W::Store, Time, &mut Vec<W::Fact>) -> T,
    {
        Write {
            cx: self,
            apply: Some(apply),
            kept: None,
            scope,
            verb,
            step: WriteStep::Begin,
            fate: Fate::Applied,
            occurrence: 0,
            wait: WaitId::NONE,
        }
    }

    /// Waits so long.
    #[inline]
    pub fn sleep(self, span: Span) -> Sleep<'w, W> {
        Sleep { cx: self, span: Some(span), watch: false, wait: None }
    }

    /// Waits until the store changes in a way that others should look at, or until `span` has passed.
    pub fn watch(self, span: Option<Span>) -> Sleep<'w, W> {
        Sleep { cx: self, span, watch: true, wait: None }
    }

    /// Starts a task beside the main one. It dies with the node, and must not outlive the main task.
    pub fn spawn(&self, task: impl Future<Output = ()> + 'w) {
        let mut state = self.state.borrow_mut();
        if state.nodes[usize::from(self.node)].up {
            state.attention = true;
            self.nursery.born.borrow_mut().push((self.node, Box::pin(task)));
        }
    }
}

// ---- call

// The futures below keep plain fields rather than enums with contents: all of them are then written
// once, where the future is made, and nothing half-filled is ever copied.

#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Begin,
    /// Stood still before the send.
    Struck,
    Sent,
    Over,
}

/// A call on its way.
#[must_use = "nothing is sent before it is awaited"]
pub struct Call<'w, W: World> {
    cx: Cx<'w, W>,
    request: W::Request,
    /// `NEVER`: none.
    timeout: Span,
    step: Step,
    /// Of the occasion, if it was struck.
    occurrence: u32,
    /// Once it was sent.
    wait: WaitId,
}

impl<W: World> Call<'_, W> {
    /// Gives up waiting after this long. Without it, a lost answer is waited for for ever.
    #[inline]
    pub fn timeout(mut self, span: Span) -> Self {
        self.timeout = span;
        self
    }

    /// The request, to be changed before it is sent.
    pub fn request_mut(&mut self) -> &mut W::Request {
        &mut self.request
    }

    fn begin(&mut self, state: &mut State<W>, cx: &Context<'_>) {
        let (scope, route) = state.world.route(&self.request);
        let at = state.door.occasion(scope, route.verb);
        let menu = state.setting.before_send;
        match state.strike(at, Stage::Before, menu) {
            Strike::Go => self.send(state, at, cx),
            Strike::Paused => {
                (self.step, self.occurrence) = (Step::Struck, at.occurrence);
                state.stall(self.cx.node, cx);
            }
            Strike::Dead => {}
        }
    }

    /// The node goes on after it was struck.
    #[cold]
    fn go_on(&mut self, state: &mut State<W>, cx: &Context<'_>) {
        let (scope, route) = state.world.route(&self.request);
        let at = state.door.names.occasion(scope, route.verb, self.occurrence);
        self.send(state, at, cx);
    }

    #[inline]
    fn send(&mut self, state: &mut State<W>, at: Occasion, cx: &Context<'_>) {
        let deadline = (self.timeout != Span::NEVER).then(|| state.now + self.timeout);
        self.wait = state.open_wait(deadline, cx);
        self.step = Step::Sent;
        state.send(at, self.wait, &self.request);
        let menu = state.setting.after_send;
        state.strike(at, Stage::After, menu);
    }

    #[inline]
    fn check(&mut self, state: &mut State<W>, cx: &Context<'_>) -> Poll<Reception<W::Reply>> {
        let Some(got) = state.taken(self.wait, cx) else { return Poll::Pending };
        self.step = Step::Over;
        let got = match got {
            Got::Reply => state.waits.reply(self.wait).map_or(Reception::Garbled, Reception::Reply),
            Got::Garbled => Reception::Garbled,
            Got::Refused => Reception::Refused,
            _ => Reception::Silence,
        };
        state.ended(self.cx.node, &self.request, &got);
        Poll::Ready(got)
    }
}

impl<W: World> Future for Call<'_, W>
where
    W::Request: Unpin,
{
    type Output = Reception<W::Reply>;

    #[inline(always)]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let me = self.get_mut();
        let mut state = me.cx.state.borrow_mut();
        if !state.may_act(me.cx.node, cx) {
            return Poll::Pending;
        }
        match me.step {
            Step::Sent => return me.check(&mut state, cx),
            Step::Begin => me.begin(&mut state, cx),
            Step::Struck => me.go_on(&mut state, cx),
            Step::Over => {}
        }
        Poll::Pending
    }
}

impl<W: World> Drop for Call<'_, W> {
    #[inline]
    fn drop(&mut self) {
        if self.step == Step::Sent {
            self.cx.state.borrow_mut().close_wait(self.wait);
        }
    }
}

// ---- durable write

#[derive(Clone, Copy, PartialEq, Eq)]
enum WriteStep {
    Begin,
    /// Stood still before it.
    Struck,
    /// On its way, or waiting for an acknowledgement that does not come.
    Travelling,
    /// Written; stood still afterwards.
    Written,
    Over,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Applied,
    Refused(StoreFault),
    /// Applied on arrival, never acknowledged.
    Unacknowledged,
    /// Nothing more happens before the writer gives up waiting.
    GiveUp,
}

/// A durable write on its way.
#[must_use = "nothing is written before it is awaited"]
pub struct Write<'w, W: World, F, T> {
    cx: Cx<'w, W>,
    apply: Option<F>,
    /// Written, but its node stands still: handed over when it goes on.
    kept: Option<T>,
    scope: Scope,
    verb: Verb,
    step: WriteStep,
    /// What becomes of it, once it has left.
    fate: Fate,
    /// Of the occasion, once it has begun.
    occurrence: u32,
    /// While it travels.
    wait: WaitId,
}

/// Where a write stands when it is polled.
enum Way {
    /// It reaches the store now, under this occasion.
    Arrives(Occasion),
    /// It waits, for time or for its node.
    Waits,
}

impl<W: World, F, T> Write<'_, W, F, T>
where
    F: FnOnce(&mut W::Store, Time, &mut Vec<W::Fact>) -> T,
{
    #[inline]
    fn go(&mut self, state: &mut State<W>, cx: &Context<'_>) -> Poll<Result<T, StoreFault>> {
        let way = match self.step {
            WriteStep::Begin | WriteStep::Struck => self.leave(state, cx),
            WriteStep::Travelling if state.taken(self.wait, cx).is_some() => Way::Arrives(self.occasion(state)),
            WriteStep::Travelling | WriteStep::Over => Way::Waits,
            WriteStep::Written => return self.handed_over(),
        };
        match way {
            Way::Waits => Poll::Pending,
            Way::Arrives(at) if self.fate == Fate::Applied => self.apply(state, at),
            Way::Arrives(at) => self.fail(state, at, cx),
        }
    }

    #[inline]
    fn leave(&mut self, state: &mut State<W>, cx: &Context<'_>) -> Way {
        let at = if self.step == WriteStep::Begin {
            let at = state.door.occasion(self.scope, self.verb);
            self.occurrence = at.occurrence;
            let menu = state.setting.before_write;
            let strike = state.strike(at, Stage::Before, menu);
            if strike != Strike::Go {
                return self.struck(strike);
            }
            at
        } else {
            self.occasion(state)
        };
        let site = at.at(Stage::Store);
        let travel = Span(state.door.sample(site, &state.setting.store_law));
        self.fate = state.store_fate(site);
        if travel == Span::ZERO {
            return Way::Arrives(at);
        }
        self.wait = state.open_timer(state.now + travel, cx);
        self.step = WriteStep::Travelling;
        Way::Waits
    }

    #[cold]
    fn struck(&mut self, strike: Strike) -> Way {
        if strike == Strike::Paused {
            self.step = WriteStep::Struck;
        }
        Way::Waits
    }

    /// The occasion of a write that had to wait.
    #[inline]
    fn occasion(&self, state: &State<W>) -> Occasion {
        state.door.names.occasion(self.scope, self.verb, self.occurrence)
    }

    #[cold]
    fn fail(&mut self, state: &mut State<W>, at: Occasion, cx: &Context<'_>) -> Poll<Result<T, StoreFault>> {
        match self.fate {
            Fate::Refused(fault) => return self.over(Err(fault)),
            Fate::Unacknowledged => {
                if let Some(apply) = self.apply.take() {
                    state.write(at, apply);
                }
            }
            Fate::Applied | Fate::GiveUp => {}
        }
        let patience = state.setting.store_timeout;
        self.fate = Fate::Refused(StoreFault::Unacknowledged);
        self.wait = state.open_timer(state.now + patience, cx);
        self.step = WriteStep::Travelling;
        Poll::Pending
    }

    #[inline]
    fn over(&mut self, result: Result<T, StoreFault>) -> Poll<Result<T, StoreFault>> {
        self.step = WriteStep::Over;
        Poll::Ready(result)
    }

    #[inline]
    fn apply(&mut self, state: &mut State<W>, at: Occasion) -> Poll<Result<T, StoreFault>> {
        let Some(apply) = self.apply.take() else { return Poll::Pending };
        let out = state.write(at, apply);
        let menu = state.setting.after_write;
        match state.strike(at, Stage::After, menu) {
            Strike::Go => self.over(Ok(out)),
            strike => self.keep(strike, out),
        }
    }

    #[cold]
    fn keep(&mut self, strike: Strike, out: T) -> Poll<Result<T, StoreFault>> {
        if strike == Strike::Paused {
            self.kept = Some(out);
            self.step = WriteStep::Written;
        }
        Poll::Pending
    }

    #[cold]
    fn handed_over(&mut self) -> Poll<Result<T, StoreFault>> {
        match self.kept.take() {
            Some(out) => self.over(Ok(out)),
            None => Poll::Pending,
        }
    }
}

impl<W: World, F, T> Future for Write<'_, W, F, T>
where
    F: FnOnce(&mut W::Store, Time, &mut Vec<W::Fact>) -> T + Unpin,
    T: Unpin,
{
    type Output = Result<T, StoreFault>;

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let me = self.get_mut();
        let mut state = me.cx.state.borrow_mut();
        if !state.may_act(me.cx.node, cx) {
            return Poll::Pending;
        }
        let polled = me.go(&mut state, cx);
        if matches!(me.step, WriteStep::Struck | WriteStep::Written) && polled.is_pending() {
            state.stall(me.cx.node, cx);
        }
        polled
    }
}

impl<W: World, F, T> Drop for Write<'_, W, F, T> {
    #[inline]
    fn drop(&mut self) {
        if self.step == WriteStep::Travelling {
            self.cx.state.borrow_mut().close_wait(self.wait);
        }
    }
}

// ---- sleep and watch

/// A wait for time, or for the store to change.
#[must_use = "nothing waits before it is awaited"]
pub struct Sleep<'w, W: World> {
    cx: Cx<'w, W>,
    span: Option<Span>,
    watch: bool,
    wait: Option<WaitId>,
}

impl<W: World> Sleep<'_, W> {
    #[inline]
    fn begin(&mut self, state: &mut State<W>, cx: &Context<'_>) -> Poll<()> {
        let until = self.span.map(|s| state.now + s);
        let wait = match until {
            Some(until) if !self.watch => state.open_timer(until, cx),
            deadline => state.open_wait(deadline, cx),
        };
        if self.watch {
            state.watchers.push(wait);
        }
        self.wait = Some(wait);
        Poll::Pending
    }
}

impl<W: World> Future for Sleep<'_, W> {
    type Output = ();

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let me = self.get_mut();
        let mut state = me.cx.state.borrow_mut();
        if !state.may_act(me.cx.node, cx) {
            return Poll::Pending;
        }
        let Some(wait) = me.wait else { return me.begin(&mut state, cx) };
        if state.taken(wait, cx).is_none() {
            return Poll::Pending;
        }
        me.wait = None;
        Poll::Ready(())
    }
}

impl<W: World> Drop for Sleep<'_, W> {
    fn drop(&mut self) {
        if let Some(wait) = self.wait {
            let mut state = self.cx.state.borrow_mut();
            state.watchers.retain(|w| *w != wait);
            state.close_wait(wait);
        }
    }
}

// ---- what leaves ask of the state

impl<W: World> State<W> {
    /// Whether a leaf of this node may do anything: its node is up and does not stand still, and the
    /// budget is not spent.
    #[inline]
    fn may_act(&mut self, node: u8, cx: &Context<'_>) -> bool {
        let at = &self.nodes[usize::from(node)];
        if at.paused {
            self.stall(node, cx);
            return false;
        }
        at.up && self.log.number < self.takeover && self.spend()
    }

    /// What ended the wait, if something did: it is closed then. Else remembers whom to wake.
    #[inline]
    fn taken(&mut self, id: WaitId, cx: &Context<'_>) -> Option<Got> {
        match self.waits.take(id) {
            Got::Nothing => {
                self.remember(id, cx);
                None
            }
            got => Some(got),
        }
    }

    /// Tells the world that a call has ended for its caller.
    #[inline]
    fn ended(&mut self, node: u8, request: &W::Request, got: &Reception<W::Reply>) {
        let received = match got {
            Reception::Reply(reply) => Received::Reply(reply),
            Reception::Garbled => Received::Garbled,
            Reception::Refused => Received::Refused,
            Reception::Silence => Received::Silence,
        };
        if matches!(received, Received::Silence) {
            self.note_silence(node, request);
        }
        let moment = self.moment();
        self.world.received(moment, NodeId(node), request, received);
    }

    #[cold]
    fn note_silence(&mut self, node: u8, request: &W::Request) {
        use crate::trace::Mark;
        use crate::world::Actor;
        self.note(u64::from(node), Mark::Timeout, |s| {
            let (scope, route) = s.world.route(request);
            (Actor(node), None, Some(scope), format!("gives up waiting for {}", s.door.names.verb_name(route.verb)))
        });
    }

    /// What becomes of a durable write.
    #[inline]
    fn store_fate(&mut self, site: crate::site::Site) -> Fate {
        if self.now < self.store_down_until {
            return Fate::Refused(StoreFault::Unavailable);
        }
        let menu = self.setting.store;
        let pick = self.door.choose(site, menu, ALL);
        match pick.kind {
            WRITE_CONFLICT => Fate::Refused(StoreFault::Conflict),
            WRITE_UNACKNOWLEDGED => Fate::Unacknowledged,
            WRITE_LOST => Fate::GiveUp,
            STORE_UNAVAILABLE => {
                self.store_down_until = self.now + Span(pick.value);
                self.door.strained_until(self.store_down_until);
                Fate::Refused(StoreFault::Unavailable)
            }
            _ => Fate::Applied,
        }
    }
}
