//! The saga itself: its steps in order, and what is undone when one of them is refused.

use crate::journal::Journal;
use crate::order::rules::{Rules, Terms};
use crate::order::state::{Entry, State, Step};
use crate::settle::Settled;
use futures::future::join_all;
use unacked::prelude::*;

/// The subject: one worker, by these rules.
pub(crate) struct Saga<R>(pub(crate) R);

impl<R: Rules> Subject for Saga<R> {
    type World = Shop<Journal>;

    async fn run<'w>(&'w self, cx: Cx<'w, Shop<Journal>>, node: NodeId) {
        if node.0 > 0 {
            return; // one worker: no leases are needed, and none are kept
        }
        let orders = 0..cx.world(|shop| shop.intents.len() as u32);
        // All orders at the same time: one that waits for a person holds up no other.
        join_all(orders.map(|order| Errand::new(cx, order, &self.0).run())).await;
    }
}

/// One order being served.
pub(crate) struct Errand<'w, R> {
    pub(crate) cx: Cx<'w, Shop<Journal>>,
    pub(crate) order: u32,
    pub(crate) intent: Intent,
    pub(crate) rules: &'w R,
}

impl<'w, R: Rules> Errand<'w, R> {
    fn new(cx: Cx<'w, Shop<Journal>>, order: u32, rules: &'w R) -> Self {
        Errand { cx, order, intent: cx.world(|shop| shop.intents[order as usize]), rules }
    }

    /// From wherever the page says that it stands to the end.
    async fn run(self) {
        let end = match self.deliver().await {
            Ok(()) => End::Delivered,
            Err(cause) => End::Refused(self.rules.cause(cause)),
        };
        self.finish(end).await;
    }

    /// The steps; what has been done already is not done again.
    async fn deliver(&self) -> Result<(), Cause> {
        self.hold().await?;
        self.charge().await?;
        if self.rules.tells_early() {
            self.settle(Op::Notify).await;
        }
        self.ship().await
    }

    /// A hold on the goods that outlives what comes next; one that ran out is taken again.
    async fn hold(&self) -> Result<(), Cause> {
        loop {
            let page = self.page().await;
            if let Some(cause) = page.refused() {
                return Err(cause);
            }
            let (now, margin) = (self.cx.now(), self.terms(Op::Reserve).travel());
            if page.step(Op::Fulfill).is_on_its_way() || self.rules.holds(&page, now + margin) {
                return Ok(());
            }
            let renewable = page.reference(Op::Reserve) != 0 && self.rules.holds(&page, now);
            let op = if renewable { Op::Renew } else { Op::Reserve };
            self.begin(op, page, End::Delivered).await;
        }
    }

    async fn charge(&self) -> Result<(), Cause> {
        loop {
            match self.settle(Op::Charge).await {
                Settled::Done => return Ok(()),
                Settled::Refused => return Err(Cause::Declined),
                Settled::NotYet => self.hold().await?,
            }
        }
    }

    async fn ship(&self) -> Result<(), Cause> {
        loop {
            if !self.page().await.step(Op::Fulfill).is_on_its_way() {
                if self.rules.takes(Op::Approve) {
                    self.approve().await?;
                }
                self.renew().await;
                self.hold().await?;
            }
            match self.settle(Op::Fulfill).await {
                Settled::Done => return Ok(()),
                Settled::Refused => return Err(Cause::CannotShip),
                Settled::NotYet => {}
            }
        }
    }

    /// A yes to exactly this; one that ran out unused is asked for again. Decided on the page that the question
    /// is written onto: an older one may not know yet that the goods are on their way.
    async fn approve(&self) -> Result<(), Cause> {
        let page = self.page().await;
        if page.step(Op::Fulfill).is_on_its_way() {
            return Ok(());
        }
        let margin = self.terms(Op::Fulfill).travel();
        let lapsed = page.is_done(Op::Approve) && page.approved_until <= self.cx.now() + margin;
        let settled =
            if lapsed { self.begin(Op::Approve, page, End::Delivered).await } else { self.settle(Op::Approve).await };
        if settled == Settled::Refused { Err(Cause::NotApproved) } else { Ok(()) }
    }

    /// The carrier may take its time to accept: what is about to run out is renewed before it is asked.
    async fn renew(&self) {
        let page = self.page().await;
        if page.reference(Op::Reserve) != 0 && self.rules.renews(&page, self.cx.now(), &self.terms(Op::Renew)) {
            self.begin(Op::Renew, page, End::Delivered).await;
        }
    }

    /// Undoes what is to be undone, each in an operation of its own; tells the customer; closes the page. Each
    /// of these is decided on a page that the next write finds unchanged.
    async fn finish(&self, end: End) {
        loop {
            let page = self.page().await;
            if page.end.is_some() {
                return;
            }
            let undo = if end == End::Delivered { None } else { self.rules.undoes(&page, self.cx.now()) };
            let told = !self.rules.takes(Op::Notify) || page.is_told();
            match undo {
                Some(op) => _ = self.begin(op, page, end).await,
                None if !told => _ = self.begin(Op::Notify, page, end).await,
                None => _ = self.append(&page, Entry::Ended(end)).await,
            }
        }
    }

    // ---- what the steps are made of

    /// The page as it was read; reading is tried until it succeeds.
    pub(crate) async fn page(&self) -> State {
        let order = self.order;
        loop {
            match client::load(self.cx, order, move |journal: &Journal| journal.state(order)).await {
                Ok(page) => return page,
                Err(_) => self.cx.sleep(Span::secs(1)).await,
            }
        }
    }

    /// What is known about the tool behind an operation.
    pub(crate) fn terms(&self, op: Op) -> Terms {
        Terms::of(self.cx, op)
    }

    /// The request of an operation, by what the page says.
    pub(crate) fn request(&self, op: Op, page: &State, step: &Step, end: End) -> Request {
        let (intent, order) = (&self.intent, self.order);
        // What is repeated is repeated as it was.
        let about = |of: Op| if step.tries > 0 { step.about } else { page.reference(of) };
        let request = match op {
            Op::Reserve => client::reserve(intent, order),
            Op::Renew => client::renew(intent, order, about(Op::Reserve)),
            Op::Release => client::release(intent, order, about(Op::Reserve)),
            Op::Charge => client::charge(intent, order),
            Op::Refund => client::refund(intent, order, about(Op::Charge)),
            Op::Approve => {
                client::approve(intent, order, self.rules.key(order, Op::Fulfill, &page.step(Op::Fulfill).at_hand()))
            }
            Op::Fulfill => client::fulfill(intent, order),
            _ => client::tell(intent, order, end),
        };
        self.rules.request(request, step)
    }
}
