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
        let site = state.door.occasion(scope, verb).at(Stage::Clock);
        state.door.sample(site, &crate::law::Law::Uniform { lo: 0, hi: max })
    }

    /// Calls a provider; add [`Call::timeout`]. Nothing is sent before it is awaited.
    #[inline]
    pub fn call(self, request: W::Request) -> Call<'w, W> {
        Call { cx: self, request, timeout: None, step: Step::Begin }
    }

    /// Writes durably, in one transaction. `apply` runs when the write reaches the store.
    #[inline]
    pub fn write<T, F>(self, scope: Scope, verb: Verb, apply: F) -> Write<'w, W, F, T>
    where
        F: FnOnce(&mut W::Store, Time, &mut Vec<W::Fact>) -> T,
    {
        Write { cx: self, scope, verb, apply: Some(apply), kept: None, step: WriteStep::Begin }
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
        if self.state.borrow().nodes[usize::from(self.node)].up {
            self.nursery.born.borrow_mut().push((self.node, Box::pin(task)));
        }
    }
}

// ---- call

#[derive(Clone, Copy)]
enum Step {
    Begin,
    /// Stood still before the send.
    Struck(Occasion),
    Sent(WaitId),
    Over,
}

/// A call on its way.
#[must_use = "nothing is sent before it is awaited"]
pub struct Call<'w, W: World> {
    cx: Cx<'w, W>,
    request: W::Request,
    timeout: Option<Span>,
    step: Step,
}

impl<W: World> Call<'_, W> {
    /// Gives up waiting after this long. Without it, a lost answer is waited for for ever.
    pub fn timeout(mut self, span: Span) -> Self {
        self.timeout = Some(span);
        self
    }

    /// The request, to be changed before it is sent.
    pub fn request_mut(&mut self) -> &mut W::Request {
        &mut self.request
    }

    fn begin(&mut self, state: &mut State<W>) -> Poll<Reception<W::Reply>> {
        let (scope, verb) = {
            let (scope, route) = state.world.route(&self.request);
            (scope, route.verb)
        };
        let at = state.door.occasion(scope, verb);
        let menu = state.setting.before_send;
        match state.strike(at, Stage::Before, menu) {
            Strike::Go => self.send(state, at),
            Strike::Paused => {
                self.step = Step::Struck(at);
                Poll::Pending
            }
            Strike::Dead => Poll::Pending,
        }
    }

    fn send(&mut self, state: &mut State<W>, at: Occasion) -> Poll<Reception<W::Reply>> {
        let deadline = self.timeout.map(|t| state.now + t);
        let wait = state.open_wait(deadline);
        self.step = Step::Sent(wait);
        state.send(at, wait, &self.request);
        let menu = state.setting.after_send;
        state.strike(at, Stage::After, menu);
        Poll::Pending
    }

    fn check(&mut self, state: &mut State<W>, wait: WaitId, cx: &Context<'_>) -> Poll<Reception<W::Reply>> {
        let Some(got) = state.taken(wait, cx) else { return Poll::Pending };
        state.close_wait(wait);
        self.step = Step::Over;
        let got = match got {
            Got::Reply(reply) => Reception::Reply(reply),
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

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let me = self.get_mut();
        let mut state = me.cx.state.borrow_mut();
        if !state.may_act(me.cx.node) {
            return Poll::Pending;
        }
        match me.step {
            Step::Begin => me.begin(&mut state),
            Step::Struck(at) => me.send(&mut state, at),
            Step::Sent(wait) => me.check(&mut state, wait, cx),
            Step::Over => Poll::Pending,
        }
    }
}

impl<W: World> Drop for Call<'_, W> {
    fn drop(&mut self) {
        if let Step::Sent(wait) = self.step {
            self.cx.state.borrow_mut().close_wait(wait);
        }
    }
}

// ---- durable write

#[derive(Clone, Copy)]
enum WriteStep {
    Begin,
    Struck(Occasion),
    Travelling(Occasion, WaitId, Fate),
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
    scope: Scope,
    verb: Verb,
    apply: Option<F>,
    /// Written, but its node stands still: handed over when it goes on.
    kept: Option<T>,
    step: WriteStep,
}

impl<W: World, F, T> Write<'_, W, F, T>
where
    F: FnOnce(&mut W::Store, Time, &mut Vec<W::Fact>) -> T,
{
    fn begin(&mut self, state: &mut State<W>) -> Poll<Result<T, StoreFault>> {
        let at = state.door.occasion(self.scope, self.verb);
        let menu = state.setting.before_write;
        match state.strike(at, Stage::Before, menu) {
            Strike::Go => self.leave(state, at),
            Strike::Paused => self.wait_in(WriteStep::Struck(at)),
            Strike::Dead => Poll::Pending,
        }
    }

    fn wait_in(&mut self, step: WriteStep) -> Poll<Result<T, StoreFault>> {
        self.step = step;
        Poll::Pending
    }

    fn leave(&mut self, state: &mut State<W>, at: Occasion) -> Poll<Result<T, StoreFault>> {
        let site = at.at(Stage::Store);
        let law = state.setting.store_law;
        let travel = Span(state.door.sample(site, &law));
        let fate = state.store_fate(site);
        if travel == Span::ZERO {
            return self.arrive(state, at, fate);
        }
        let wait = state.open_wait(Some(state.now + travel));
        self.wait_in(WriteStep::Travelling(at, wait, fate))
    }

    fn travelled(
        &mut self,
        state: &mut State<W>,
        at: Occasion,
        wait: WaitId,
        fate: Fate,
        cx: &Context<'_>,
    ) -> Poll<Result<T, StoreFault>> {
        if state.taken(wait, cx).is_none() {
            return Poll::Pending;
        }
        state.close_wait(wait);
        self.arrive(state, at, fate)
    }

    fn arrive(&mut self, state: &mut State<W>, at: Occasion, fate: Fate) -> Poll<Result<T, StoreFault>> {
        match fate {
            Fate::Applied => self.apply(state, at),
            Fate::Refused(fault) => self.over(Err(fault)),
            Fate::Unacknowledged => {
                if let Some(apply) = self.apply.take() {
                    state.write(at, apply);
                }
                self.give_up_later(state, at)
            }
            Fate::GiveUp => self.give_up_later(state, at),
        }
    }

    fn over(&mut self, result: Result<T, StoreFault>) -> Poll<Result<T, StoreFault>> {
        self.step = WriteStep::Over;
        Poll::Ready(result)
    }

    fn give_up_later(&mut self, state: &mut State<W>, at: Occasion) -> Poll<Result<T, StoreFault>> {
        let patience = state.setting.store_timeout;
        let wait = state.open_wait(Some(state.now + patience));
        self.wait_in(WriteStep::Travelling(at, wait, Fate::Refused(StoreFault::Unacknowledged)))
    }

    fn apply(&mut self, state: &mut State<W>, at: Occasion) -> Poll<Result<T, StoreFault>> {
        let Some(apply) = self.apply.take() else { return Poll::Pending };
        let out = state.write(at, apply);
        let menu = state.setting.after_write;
        match state.strike(at, Stage::After, menu) {
            Strike::Go => self.over(Ok(out)),
            Strike::Paused => {
                self.kept = Some(out);
                self.wait_in(WriteStep::Written)
            }
            Strike::Dead => Poll::Pending,
        }
    }

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
        if !state.may_act(me.cx.node) {
            return Poll::Pending;
        }
        match me.step {
            WriteStep::Begin => me.begin(&mut state),
            WriteStep::Struck(at) => me.leave(&mut state, at),
            WriteStep::Travelling(at, wait, fate) => me.travelled(&mut state, at, wait, fate, cx),
            WriteStep::Written => me.handed_over(),
            WriteStep::Over => Poll::Pending,
        }
    }
}

impl<W: World, F, T> Drop for Write<'_, W, F, T> {
    fn drop(&mut self) {
        if let WriteStep::Travelling(_, wait, _) = self.step {
            self.cx.state.borrow_mut().close_wait(wait);
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
    fn begin(&mut self, state: &mut State<W>) -> Poll<()> {
        let deadline = self.span.map(|s| state.now + s);
        let wait = state.open_wait(deadline);
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
        if !state.may_act(me.cx.node) {
            return Poll::Pending;
        }
        let Some(wait) = me.wait else { return me.begin(&mut state) };
        if state.taken(wait, cx).is_none() {
            return Poll::Pending;
        }
        state.close_wait(wait);
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
    /// Whether a leaf of this node may do anything: its node is up and the budget is not spent.
    #[inline]
    fn may_act(&mut self, node: u8) -> bool {
        self.nodes[usize::from(node)].up && self.log.number < self.takeover && self.spend()
    }

    /// What ended the wait, if something did; else remembers whom to wake.
    #[inline]
    fn taken(&mut self, id: WaitId, cx: &Context<'_>) -> Option<Got<W::Reply>> {
        let own = &self.wakers[usize::from(self.current.0)];
        let foreign = !cx.waker().will_wake(own);
        let wait = self.waits.get(id)?;
        match std::mem::take(&mut wait.got) {
            Got::Nothing => {
                if foreign {
                    wait.waker = Some(cx.waker().clone());
                }
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
        let menu = self.setting.store;
        let pick = self.door.choose(site, menu, ALL);
        if self.now < self.store_down_until {
            return Fate::Refused(StoreFault::Unavailable);
        }
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
