//! One operation, until it is known how it ended.

use crate::journal::Journal;
use crate::order::rules::{Heard, Next, Rules};
use crate::order::state::{Entry, Outcome, State, Step};

use crate::saga::Errand;
use unacked::prelude::*;

/// How an operation ended, for the steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Settled {
    /// The effect exists.
    Done,
    /// It was refused.
    Refused,
    /// It has no effect, but may be begun again; or what it needs is not there yet.
    NotYet,
}

/// How often a write is tried before the page is read again: about a minute.
const PATIENCE: u32 = 12;

impl<R: Rules> Errand<'_, R> {
    /// Settles an operation; one that is settled already stays so.
    pub(crate) async fn settle(&self, op: Op) -> Settled {
        let page = self.page().await;
        match page.step(op).outcome {
            Some(Outcome::Done { .. }) => Settled::Done,
            Some(Outcome::Refused) => Settled::Refused,
            Some(Outcome::Absent) | None => self.begin(op, page, End::Delivered).await,
        }
    }

    /// Settles the generation of an operation that is at hand by this page: a fresh one, if the latest is
    /// settled. Round after round, each from what the page says by then. If the page turns out to have been
    /// out of date, nothing is begun: it is for the caller to decide again.
    pub(crate) async fn begin(&self, op: Op, mut page: State, end: End) -> Settled {
        let (mut heard, mut renewal, mut renewals) = (Heard::default(), Heard::default(), 0);
        let generation = page.step(op).at_hand().generation;
        for rounds in 0.. {
            let step = page.step(op);
            if let Some(settled) = settled(&step).filter(|_| step.generation >= generation) {
                return settled;
            }
            let step = step.at_hand();
            let not_begun = step.generation != generation || rounds > 0 && step.tries == 0;
            if not_begun || page.untold || page.end.is_some() {
                return Settled::NotYet;
            }
            match page.handed_off().filter(|&other| other != op) {
                // Nothing new while a person looks into something.
                Some(other) => return self.wait_for_person(other).await,
                None if !self.is_ready(op, &page, &step) => return Settled::NotYet,
                None => self.round(op, &page, &step, &mut heard, end).await,
            }
            let tending = matches!(op, Op::Approve | Op::Fulfill) && self.tend(&page, &mut renewal).await;
            page = self.page().await;
            if rounds > 0 && page.step(op).outcome.is_none() {
                let pause = self.rules.pause(op, rounds);
                renewals = if tending { renewals + 1 } else { 0 };
                let sooner = if tending { self.rules.pause(Op::Renew, renewals) } else { pause };
                self.cx.sleep(pause.min(sooner)).await;
                page = self.page().await;
            }
        }
        Settled::NotYet
    }

    /// Until the person has said what became of it.
    async fn wait_for_person(&self, op: Op) -> Settled {
        let mut heard = Heard::default();
        for rounds in 6.. {
            let page = self.page().await;
            if page.handed_off() != Some(op) {
                break;
            }
            self.round(op, &page, &page.step(op), &mut heard, End::Delivered).await;
            self.cx.sleep(self.rules.pause(op, rounds)).await;
        }
        Settled::NotYet
    }

    /// The hold is kept alive while the order waits for a person or the carrier. Returns whether there is something
    /// to be done about it.
    async fn tend(&self, page: &State, heard: &mut Heard) -> bool {
        let terms = self.terms(Op::Renew);
        let step = page.step(Op::Renew);
        let lapsed = step.outcome == Some(Outcome::Refused) && step.about == page.reference(Op::Reserve);
        let over = page.step(Op::Fulfill).outcome.is_some() || self.rules.rests(page);
        if over || lapsed || page.reference(Op::Reserve) == 0 || !self.rules.renews(page, self.cx.now(), &terms) {
            return false;
        }
        self.round(Op::Renew, page, &step.at_hand(), heard, End::Delivered).await;
        true
    }

    /// Whether an operation may be sent now, as far as other operations are concerned.
    fn is_ready(&self, op: Op, page: &State, step: &Step) -> bool {
        let terms = self.terms(op);
        let now = self.cx.now();
        match op {
            Op::Charge if step.sends == 0 => self.rules.holds(page, now + terms.travel()),
            Op::Fulfill if step.sends == 0 => self.rules.may_ship(page, now, &terms),
            _ => true,
        }
    }

    /// One thing done about an operation.
    async fn round(&self, op: Op, page: &State, step: &Step, heard: &mut Heard, end: End) {
        if step.handed_off {
            return self.ask_person(op, page, step, heard).await;
        }
        let terms = self.terms(op);
        let held = op != Op::Fulfill || self.rules.holds(page, self.cx.now() + terms.travel());
        let now_heard = Heard { failed: heard.failed || !held, ..*heard };
        match self.rules.next(op, step, &now_heard, self.cx.now(), &terms) {
            Next::Send => self.send(op, page, step, heard, end).await,
            Next::Look => self.look(op, page, step, heard, end).await,
            Next::HandOff if op == Op::Notify => _ = self.append(page, Entry::Untold).await,
            Next::HandOff => _ = self.append(page, Entry::HandedOff { op }).await,
        }
    }

    async fn send(&self, op: Op, page: &State, step: &Step, heard: &mut Heard, end: End) {
        let (key, at) = (self.rules.key(self.order, op, step), self.cx.now());
        let request = self.request(op, page, step, end);
        let about = request.reference;
        if self.rules.writes_ahead(op) && !self.append(page, Entry::Sending { op, key, about, at }).await {
            return;
        }
        let seen = page.len + usize::from(self.rules.writes_ahead(op));
        let step = Step { tries: step.tries + 1, sends: step.sends + 1, key, last: at, ..*step };
        let got = self.call(request, self.rules.on_the_wire(op, key)).await;
        (heard.tried, heard.just_sent) = (true, true);
        if is_unsent(&got) {
            heard.just_sent = false;
            self.append_at(seen, Entry::Unsent { op }).await;
        } else if let Reception::Reply(reply) = got {
            let terms = self.terms(op);
            heard.failed |= reply.says == Says::ServerError && terms.tool.stores_failures;
            self.conclude(op, seen, &step, &reply, self.rules.answered(op, &step, &reply, &terms), heard).await;
        } else if let Some(entry) = self.rules.unanswered(op) {
            self.append_at(seen, entry).await;
        }
    }

    async fn look(&self, op: Op, page: &State, step: &Step, heard: &mut Heard, end: End) {
        let (asked, terms) = (self.cx.now(), self.terms(op));
        let got = self.call(client::look_up(self.request(op, page, step, end)), step.key).await;
        (heard.tried, heard.just_sent) = (true, false);
        if let Reception::Reply(reply) = got {
            let outcome = self.rules.looked_up(op, step, &reply, asked, &terms);
            self.conclude(op, page.len, step, &reply, outcome, heard).await;
        }
    }

    /// Writes down what an answer proves. A refund that is refused is a person's business.
    async fn conclude(
        &self,
        op: Op,
        seen: usize,
        step: &Step,
        reply: &Reply,
        outcome: Option<Outcome>,
        heard: &mut Heard,
    ) {
        match outcome {
            Some(Outcome::Refused) if op == Op::Refund => heard.refused = true,
            Some(outcome) => _ = self.append_at(seen, Entry::Settled { op, outcome }).await,
            None if reply.says == Says::Pending && !step.pending => {
                self.append_at(seen, Entry::Pending { op }).await;
            }
            None => {}
        }
    }

    async fn call(&self, request: Request, key: u64) -> Reception<Reply> {
        let timeout = match request.ask {
            Ask::Act => self.cx.world(|shop| shop.timeout(request.op)),
            Ask::Lookup => Span::secs(5),
        };
        self.cx.call(request).key(key).timeout(timeout).await
    }

    /// The page says that it waits for a person: so it goes into the operator queue, where it may be already,
    /// and the person's statement is looked for.
    async fn ask_person(&self, op: Op, page: &State, step: &Step, heard: &mut Heard) {
        let outcome = match client::statement(self.cx, self.order, op, step.key).await {
            Ok(Some(Statement::Committed(reference))) => Outcome::Done { reference: reference.0, until: Time::ZERO },
            Ok(Some(Statement::Absent)) => Outcome::Absent,
            Ok(None) if heard.queued != Some(step.key) => {
                let told = client::hand_off(self.cx, self.order, op, step.key).await;
                heard.queued = told.is_ok().then_some(step.key);
                return;
            }
            Ok(None) | Err(_) => return,
        };
        self.append(page, Entry::Settled { op, outcome }).await;
    }

    // ---- writing

    /// Appends to the page as it was read.
    pub(crate) async fn append(&self, page: &State, entry: Entry) -> bool {
        self.append_at(page.len, entry).await
    }

    /// Whether the entry is durable: a write that may or may not have happened is made again.
    async fn append_at(&self, seen: usize, entry: Entry) -> bool {
        let order = self.order;
        for _ in 0..PATIENCE {
            let write =
                client::record(self.cx, order, move |journal: &mut Journal, _| journal.append(order, seen, entry));
            match write.await {
                Ok(there) => return there,
                Err(_) => self.cx.sleep(Span::secs(1)).await,
            }
        }
        false
    }
}

fn settled(step: &Step) -> Option<Settled> {
    step.outcome.map(|outcome| match outcome {
        Outcome::Done { .. } => Settled::Done,
        Outcome::Refused => Settled::Refused,
        Outcome::Absent => Settled::NotYet,
    })
}

/// Whether an attempt did nothing: no byte of it left, or it was turned away before it was looked at.
fn is_unsent(got: &Reception<Reply>) -> bool {
    matches!(got, Reception::Refused | Reception::Reply(Reply { says: Says::Throttled, .. }))
}
