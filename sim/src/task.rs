//! Tasks: where futures live between polls, and how a combinator's wake reaches the executor.

use std::any::Any;
use std::collections::VecDeque;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};

/// The waker of one task slot, made once. It only sets flags: the executor looks at them.
pub(crate) struct SlotWaker {
    woken: AtomicBool,
    any: Arc<AtomicBool>,
}

impl SlotWaker {
    pub(crate) fn new(any: &Arc<AtomicBool>) -> Arc<SlotWaker> {
        Arc::new(SlotWaker { woken: AtomicBool::new(false), any: any.clone() })
    }

    pub(crate) fn take(&self) -> bool {
        self.woken.swap(false, Ordering::Relaxed)
    }
}

impl Wake for SlotWaker {
    fn wake(self: Arc<Self>) {
        self.woken.store(true, Ordering::Relaxed);
        self.any.store(true, Ordering::Relaxed);
    }
}

/// What came of a poll.
pub(crate) enum Polled {
    Pending,
    Done,
    /// The panic's message.
    #[expect(clippy::box_collection, reason = "the usual results fit into registers")]
    Panicked(Box<String>),
}

/// Tasks that are ready, first in first out. Mostly empty or one, which has a place of its own.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ready {
    first: Option<u16>,
    rest: VecDeque<u16>,
}

impl Ready {
    #[inline]
    pub(crate) fn push(&mut self, task: u16) {
        match self.first {
            None => self.first = Some(task),
            Some(_) => self.rest.push_back(task),
        }
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.first.is_none()
    }

    #[inline]
    pub(crate) fn pop(&mut self) -> Option<u16> {
        let task = self.first?;
        self.first = if self.rest.is_empty() { None } else { self.rest.pop_front() };
        Some(task)
    }

    /// As it was in `to`.
    pub(crate) fn rewind(&mut self, to: &Ready) {
        self.first = to.first;
        self.rest.clone_from(&to.rest);
    }

    pub(crate) fn clear(&mut self) {
        self.first = None;
        self.rest.clear();
    }
}

/// A place for one future at a time, its memory reused from life to life.
pub(crate) trait Cell<'w> {
    fn start(&mut self);
    fn poll(&mut self, waker: &Waker) -> Polled;
    /// Drops the future. Returns the message if that panicked.
    fn stop(&mut self) -> Option<String>;
    fn is_live(&self) -> bool;
    /// The future as it stands now, in another place; `None` if it cannot be copied.
    fn fork(&self) -> Option<Box<dyn Cell<'w> + 'w>>;
}

/// The main future of a node.
struct Main<F, M> {
    make: M,
    future: Pin<Box<Option<F>>>,
    /// How to copy the future, if that can be done.
    copy: Option<fn(&F) -> F>,
}

/// The main future of a node: made again at each of the node's starts.
pub struct Task<'w>(pub(crate) Box<dyn Cell<'w> + 'w>);

impl<'w> Task<'w> {
    /// A future that runs from its node's start to its crash.
    pub fn new<F: Future<Output = ()> + 'w>(make: impl FnMut() -> F + Clone + 'w) -> Task<'w> {
        Task(Box::new(Main { make, future: Box::pin(None), copy: None }))
    }

    /// The same, and it can be copied in the middle of a run: many runs with a common beginning then
    /// run that only once. A copy must go on as the original would, in a world put back to the moment
    /// of the copy: all that it knows is in itself, in the durable store or in the world.
    pub fn forkable<F: Future<Output = ()> + Clone + 'w>(make: impl FnMut() -> F + Clone + 'w) -> Task<'w> {
        Task(Box::new(Main { make, future: Box::pin(None), copy: Some(F::clone) }))
    }
}

impl<'w, F: Future<Output = ()> + 'w, M: FnMut() -> F + Clone + 'w> Cell<'w> for Main<F, M> {
    fn start(&mut self) {
        let future = (self.make)();
        self.future.set(Some(future));
    }

    fn poll(&mut self, waker: &Waker) -> Polled {
        let Some(future) = self.future.as_mut().as_pin_mut() else { return Polled::Done };
        let polled = poll_caught(future, waker);
        if matches!(polled, Polled::Pending) {
            return polled;
        }
        self.stop().map_or(polled, |message| Polled::Panicked(Box::new(message)))
    }

    fn stop(&mut self) -> Option<String> {
        drop_caught(|| self.future.set(None))
    }

    fn is_live(&self) -> bool {
        self.future.is_some()
    }

    fn fork(&self) -> Option<Box<dyn Cell<'w> + 'w>> {
        let copy = self.copy?;
        let future = Box::pin(self.future.as_ref().get_ref().as_ref().map(copy));
        Some(Box::new(Main { make: self.make.clone(), future, copy: self.copy }))
    }
}

/// A future that a task of the subject started beside its main one.
pub(crate) type Spawned<'w> = Pin<Box<dyn Future<Output = ()> + 'w>>;

/// Drops something of the subject's, and turns a panic into data.
pub(crate) fn drop_caught(drop: impl FnOnce()) -> Option<String> {
    catch_unwind(AssertUnwindSafe(drop)).err().map(message)
}

/// Polls, and turns a panic into data.
pub(crate) fn poll_caught<F: Future<Output = ()> + ?Sized>(future: Pin<&mut F>, waker: &Waker) -> Polled {
    let mut context = Context::from_waker(waker);
    match catch_unwind(AssertUnwindSafe(|| future.poll(&mut context))) {
        Ok(Poll::Pending) => Polled::Pending,
        Ok(Poll::Ready(())) => Polled::Done,
        Err(payload) => Polled::Panicked(Box::new(message(payload))),
    }
}

fn message(payload: Box<dyn Any + Send>) -> String {
    let text = payload.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "(no message)".into())
}
