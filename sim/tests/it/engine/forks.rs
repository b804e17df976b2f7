//! Runs that branch off from a checkpoint are the runs from the beginning, and what a task does by
//! itself between two polls is what the lab would have done.

use crate::engine::tiny::{Charge, Charged, Fact, Job, NOTE, ORDER, Setup, Tiny, charge, note};
use proptest::prelude::*;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use unacked_sim::cx::{Call, Cx, Passage, Reception, Sleep};
use unacked_sim::distribution::Distribution;
use unacked_sim::explore::Walk;
use unacked_sim::lab::{Lab, Outcome, Subject, Task};
use unacked_sim::plan::{CompiledChoice, CompiledPlan};
use unacked_sim::time::Span;
use unacked_sim::world::NodeId;

/// What is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Errand {
    /// A charge under this key, tried twice.
    Charge(u64),
    Note,
    Sleep(u64),
    Watch,
}

/// The errands as an ordinary async function.
async fn run_errands(cx: Cx<'_, Tiny>, errands: &[Errand]) {
    for errand in errands {
        match *errand {
            Errand::Charge(key) => {
                if !charge(cx, key).await.starts_with("charged") {
                    charge(cx, key).await;
                }
            }
            Errand::Note => drop(note(cx, "note").await),
            Errand::Sleep(seconds) => cx.sleep(Span::secs(seconds)).await,
            Errand::Watch => cx.watch(Some(Span::secs(7))).await,
        }
    }
}

fn plainly(errands: &[Errand]) -> impl for<'w> Fn(Cx<'w, Tiny>, NodeId) -> Job<'w> {
    let errands = errands.to_vec();
    move |cx, _| {
        let errands = errands.clone();
        Box::pin(async move { run_errands(cx, &errands).await })
    }
}

/// The errands as plain data.
#[derive(Clone)]
struct Runner<'w> {
    cx: Cx<'w, Tiny>,
    errands: &'w [Errand],
    tried: bool,
    call: Option<Call<'w, Tiny>>,
    note: Option<Passage<'w, Tiny, usize>>,
    rest: Option<Sleep<'w, Tiny>>,
}

impl Future for Runner<'_> {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let me = self.get_mut();
        while let Some((errand, rest)) = me.errands.split_first() {
            match me.carry_out(*errand, context) {
                Poll::Ready(true) => me.errands = rest,
                Poll::Ready(false) => {}
                Poll::Pending if me.cx.turn_again() => {}
                Poll::Pending => return Poll::Pending,
            }
        }
        Poll::Ready(())
    }
}

impl Runner<'_> {
    /// Whether the errand is done; else it has to be tried again.
    fn carry_out(&mut self, errand: Errand, context: &mut Context<'_>) -> Poll<bool> {
        let cx = self.cx;
        match errand {
            Errand::Charge(key) => {
                let call = self.call.get_or_insert_with(|| cx.call(Charge(key)).timeout(Span::secs(5)));
                let charged = matches!(ready!(Pin::new(call).poll(context)), Reception::Reply(Charged(_)));
                self.call = None;
                self.tried = !charged && !self.tried;
                return Poll::Ready(!self.tried);
            }
            Errand::Note => {
                let note = self.note.get_or_insert_with(|| cx.passage(ORDER, NOTE));
                let written = note.poll_with(context, |diary, now, facts| {
                    diary.0.push(format!("{now} note"));
                    facts.push(Fact::Noted);
                    diary.0.len()
                });
                _ = ready!(written);
                self.note = None;
            }
            Errand::Sleep(_) | Errand::Watch => {
                let rest = self.rest.get_or_insert_with(|| match errand {
                    Errand::Sleep(seconds) => cx.sleep(Span::secs(seconds)),
                    _ => cx.watch(Some(Span::secs(7))),
                });
                ready!(Pin::new(rest).poll(context));
                self.rest = None;
            }
        }
        Poll::Ready(true)
    }
}

/// The runner as a subject.
struct Forkable(Vec<Errand>);

impl Forkable {
    fn runner<'w>(&'w self, cx: Cx<'w, Tiny>) -> Runner<'w> {
        Runner { cx, errands: &self.0, tried: false, call: None, note: None, rest: None }
    }
}

impl Subject for Forkable {
    type World = Tiny;

    fn run<'w>(&'w self, cx: Cx<'w, Tiny>, _: NodeId) -> impl Future<Output = ()> + 'w {
        self.runner(cx)
    }

    fn task<'w>(&'w self, cx: Cx<'w, Tiny>, _: NodeId) -> Task<'w> {
        Task::forkable(move || self.runner(cx))
    }
}

/// All that can be told apart in a run.
fn seen(outcome: &Outcome, lab: &Lab<'_, Tiny>) -> String {
    let said = lab.world(|world| format!("{:?} {:?} {:?}", world.arrivals, world.ended, world.finished));
    let Outcome { digest, violations, events, ended, calm, legal } = outcome;
    let diary = lab.store(|diary| diary.0.clone());
    format!("{digest:x} {events} {ended} {calm} {legal} {} {said} {diary:?}", violations.len())
}

/// Every placement with what was seen in its run.
fn placements(lab: &mut Lab<'_, Tiny>, faults: usize) -> Vec<(Vec<CompiledChoice>, String)> {
    let mut all = Vec::new();
    let mut visit = |compiled: &CompiledPlan, outcome: &Outcome, lab: &Lab<'_, Tiny>| {
        all.push((compiled.choices.clone(), seen(outcome, lab)));
        true
    };
    assert_eq!(Walk::new(faults, &mut visit).below(lab, &mut CompiledPlan::default()), Ok(true));
    all
}

fn check(setup: &Setup, errands: &[Errand], faults: usize) -> usize {
    let branched = setup.lab_of(&Forkable(errands.to_vec()), |lab| placements(lab, faults));
    let plain = setup.lab(plainly(errands), |lab| placements(lab, faults));
    assert_eq!(branched, plain, "by checkpoints, and each from the beginning");
    setup.lab_of(&Forkable(errands.to_vec()), |lab| {
        for (choices, expected) in &branched {
            let outcome = lab.run_plan(&CompiledPlan { choices: choices.clone(), ..CompiledPlan::default() });
            assert_eq!(seen(&outcome, lab), *expected, "with shortcuts, {choices:?}");
        }
    });
    branched.len()
}

fn wild(nodes: usize, store: u64) -> Setup {
    Setup { nodes, store_distribution: Distribution::Const(store), ..Setup::wild(0.0) }
}

#[test]
fn branches_are_the_runs_from_the_beginning() {
    let errands = [Errand::Charge(1), Errand::Note, Errand::Sleep(3), Errand::Charge(2), Errand::Watch, Errand::Note];
    assert!(check(&wild(2, 20_000), &errands, 1) > 100);
    assert!(check(&wild(1, 0), &errands[..3], 2) > 500);
    assert!(check(&wild(2, 20_000), &errands[..2], 2) > 1_000);
}

#[test]
fn seeds_run_alike_with_and_without_shortcuts() {
    let errands = [Errand::Note, Errand::Charge(1), Errand::Watch, Errand::Note, Errand::Sleep(3), Errand::Charge(1)];
    let setup = Setup { nodes: 3, store_distribution: Distribution::Uniform { lo: 0, hi: 40_000 }, ..Setup::wild(0.1) };
    let run = |lab: &mut Lab<'_, Tiny>| -> Vec<String> {
        let run = |seed| {
            let outcome = lab.run_seed(seed);
            seen(&outcome, lab)
        };
        (0..500).map(run).collect()
    };
    assert_eq!(setup.lab_of(&Forkable(errands.to_vec()), run), setup.lab(plainly(&errands), run));
}

fn errands() -> impl Strategy<Value = Vec<Errand>> {
    let errand = prop_oneof![
        (1u64..=2).prop_map(Errand::Charge),
        Just(Errand::Note),
        (0u64..=6).prop_map(Errand::Sleep),
        Just(Errand::Watch),
    ];
    prop::collection::vec(errand, 1..=4)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_the_errands(nodes in 1usize..=3, store in prop_oneof![Just(0), Just(20_000u64)], errands in errands()) {
        check(&wild(nodes, store), &errands, 1);
    }
}
