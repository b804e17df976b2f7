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
#[derive(Debug, Default)]
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
    pub(crate) fn pop(&mut self) -> Option<u16> {
        let task = self.first?;
        self.first = if self.rest.is_empty() { None } else { self.rest.pop_front() };
        Some(task)
    }

    pub(crate) fn clear(&mut self) {
        self.first = None;
        self.rest.clear();
    }
}

/// A place for one future at a time, its memory reused from life to life.
pub(crate) trait Cell {
    fn start(&mut self);
    fn poll(&mut self, waker: &Waker) -> Polled;
    /// Drops the future. Returns the message if that panicked.
    fn stop(&mut self) -> Option<String>;
    fn is_live(&self) -> bool;
}

/// The main future of a node.
pub(crate) struct Main<F, M> {
    make: M,
    future: Pin<Box<Option<F>>>,
}

impl<F, M: FnMut() -> F> Main<F, M> {
    pub(crate) fn new(make: M) -> Self {
        Main { make, future: Box::pin(None) }
    }
}

impl<F: Future<Output = ()>, M: FnMut() -> F> Cell for Main<F, M> {
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
