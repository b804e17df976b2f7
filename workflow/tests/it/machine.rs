//! The order machine by itself: what it does with one answer, one slow commit, one missed moment.

use std::cell::Cell;
use unacked_workflow::belief::{Belief, Beliefs, Dedup, Duplicate, Limits, Lookup};
use unacked_workflow::keys::Namespace;
use unacked_workflow::machine::{Command, OrderMachine};
use unacked_workflow::order::{Approval, Decision, Intent, Money, Order, OrderId, Reference, Status};
use unacked_workflow::policy::Policy;
use unacked_workflow::ports::{Answer, Ask, Clock, Reply, Response};
use unacked_workflow::time::{DAY, HOUR, MINUTE, Micros, NEVER};
use unacked_workflow::tool::Tool;

const PRICE: Money = Money { minor: 4999, currency: *b"EUR" };
const START: Micros = 30 * DAY;

/// A clock that is set by hand; waits are not jittered.
struct Set(Cell<Micros>);

impl Clock for &Set {
    fn now(&self) -> Micros {
        self.0.get()
    }

    fn jitter(&self, _: OrderId, _: Tool, _: u16, cap: Micros) -> Micros {
        cap
    }
}

/// What a machine works by, tuned per test.
struct World {
    clock: Set,
    beliefs: Beliefs,
    limits: Limits,
    policy: Policy,
}

impl World {
    fn new(change: impl FnOnce(&mut Belief)) -> Self {
        let mut belief = Belief {
            dedup: Dedup::Keyed(DAY),
            stores_failures: false,
            decline_binds: false,
            declines_duplicates: false,
            declines_reexecute: false,
            duplicate: Duplicate::Nothing,
            lookup: Lookup::ByReference,
            absent_after: None,
            found_within: NEVER,
        };
        change(&mut belief);
        let limits = Limits {
            p_max: 10 * MINUTE,
            d_max: MINUTE,
            skew: 0,
            handoff: [10 * HOUR; Tool::COUNT],
            handoff_covered: [20 * HOUR; Tool::COUNT],
            pending: 6 * DAY,
            attempts: [60; Tool::COUNT],
            approval_deadline: 72 * HOUR,
            approve_with_charge: false,
            renew_before: HOUR,
        };
        let beliefs = Beliefs { tools: [belief; Tool::COUNT] };
        World { clock: Set(Cell::new(START)), beliefs, limits, policy: Policy::reference() }
    }

    fn machine(&self) -> OrderMachine<'_, &Set> {
        OrderMachine::empty(&self.clock, &self.beliefs, &self.limits, &self.policy)
    }

    fn pass(&self, span: Micros) {
        self.clock.0.set(self.clock.0.get() + span);
    }

    /// The next call, with every commit done at once and every short wait slept through.
    fn call(&self, machine: &mut OrderMachine<'_, &Set>, mut command: Command) -> Command {
        loop {
            command = match command {
                Command::Commit(what) => machine.committed(what, Ok(())),
                Command::Sleep(span) => {
                    self.pass(span);
                    machine.rested()
                }
                other => return other,
            }
        }
    }

    /// Takes an order up and sends what it needs first.
    fn start(&self, order: Order) -> (OrderMachine<'_, &Set>, Command) {
        let mut machine = self.machine();
        machine.order = order;
        let command = machine.claimed(Ok(true));
        let call = self.call(&mut machine, command);
        (machine, call)
    }

    /// Takes the order, which was put back, whenever it is due, until it has something to send.
    fn later(&self, machine: &mut OrderMachine<'_, &Set>) -> Command {
        loop {
            assert_ne!(machine.order.due, NEVER, "waits for a person");
            self.clock.0.set(machine.order.due.max(self.clock.0.get()));
            let command = machine.claimed(Ok(true));
            let call = self.call(machine, command);
            if call != Command::Claim {
                return call;
            }
        }
    }
}

/// An order with these operations completed, under a hold of ten days.
fn order(done: &[Tool]) -> Order {
    let intent = Intent { amount: PRICE, quantity: 1, content: 77, ..Intent::default() };
    let mut order = Order::new(OrderId(0), intent);
    for &tool in done {
        let op = order.op_mut(tool);
        (op.status, op.generation, op.attempts, op.first_claim) = (Status::Completed, 1, 1, Some(START));
        op.until = START + 10 * DAY;
    }
    order
}

fn unpaid() -> Order {
    order(&[Tool::ReadStock, Tool::Reserve])
}

fn says(kind: Reply) -> Response {
    Response::Answer(Answer { kind, reference: Reference(7), money: PRICE, value: 0 })
}

const CHARGE: Command = Command::Call(Tool::Charge, Ask::Act);
const LOOK: Command = Command::Call(Tool::Charge, Ask::Lookup);

/// Status of the charge after one lost answer and this one.
fn after_a_lost_answer(world: &World, kind: Reply) -> (Status, bool) {
    let (mut machine, call) = world.start(unpaid());
    assert_eq!(call, CHARGE);
    let command = machine.received(Tool::Charge, Ask::Act, &Response::Silence);
    assert_eq!(world.call(&mut machine, command), CHARGE);
    machine.received(Tool::Charge, Ask::Act, &says(kind));
    let op = *machine.order.op(Tool::Charge);
    (op.status, op.stored_failure)
}

#[test]
fn a_duplicate_proves_what_is_documented_and_no_more() {
    for (duplicate, expected) in [
        (Duplicate::Nothing, (Status::Unknown, true)),
        (Duplicate::Exists, (Status::Pending, false)),
        (Duplicate::Final, (Status::Completed, false)),
    ] {
        let world = World::new(|belief| belief.duplicate = duplicate);
        assert_eq!(after_a_lost_answer(&world, Reply::Duplicate), expected, "{duplicate:?}");
    }
}

#[test]
fn what_exists_is_looked_up_before_it_counts_as_done() {
    let world = World::new(|belief| belief.duplicate = Duplicate::Exists);
    let (mut machine, _) = world.start(unpaid());
    let command = machine.received(Tool::Charge, Ask::Act, &says(Reply::Duplicate));
    world.call(&mut machine, command);
    assert_eq!(world.later(&mut machine), LOOK);
    machine.received(Tool::Charge, Ask::Lookup, &says(Reply::Declined));
    assert_eq!(machine.order.op(Tool::Charge).status, Status::Rejected);
}

#[test]
fn a_decline_that_is_not_remembered_is_replayed_one_that_may_be_an_echo_is_looked_up() {
    let world = World::new(|belief| belief.declines_reexecute = true);
    assert_eq!(after_a_lost_answer(&world, Reply::Declined), (Status::Unknown, false));
    let world = World::new(|_| {});
    assert_eq!(after_a_lost_answer(&world, Reply::Declined), (Status::Unknown, true));
}

#[test]
fn a_decline_found_is_final_once_nothing_is_on_its_way_that_would_be_executed() {
    let world = World::new(|belief| (belief.declines_reexecute, belief.dedup) = (true, Dedup::None));
    let (mut machine, _) = world.start(unpaid());
    let command = machine.received(Tool::Charge, Ask::Act, &Response::Silence);
    world.call(&mut machine, command);
    assert_eq!(world.later(&mut machine), LOOK);
    machine.received(Tool::Charge, Ask::Lookup, &says(Reply::Declined));
    assert_eq!(machine.order.op(Tool::Charge).status, Status::Unknown);
    world.pass(23 * MINUTE);
    assert_eq!(world.later(&mut machine), LOOK);
    machine.received(Tool::Charge, Ask::Lookup, &says(Reply::Declined));
    assert_eq!(machine.order.op(Tool::Charge).status, Status::Rejected);
}

/// Whether a "not found" opens a new generation of an unknown charge, so long after it was sent.
fn not_found_after(world: &World, wait: Micros) -> bool {
    let mut record = unpaid();
    let op = record.op_mut(Tool::Charge);
    (op.status, op.generation, op.attempts, op.stored_failure) = (Status::Unknown, 1, 1, true);
    (op.first_claim, op.last_claim) = (Some(START), START);
    world.pass(wait);
    let (mut machine, call) = world.start(record);
    assert_eq!(call, LOOK);
    machine.received(Tool::Charge, Ask::Lookup, &says(Reply::NotFound));
    machine.order.op(Tool::Charge).generation == 2
}

#[test]
fn not_found_proves_nothing_once_the_key_may_be_forgotten() {
    let by_key = || World::new(|belief| (belief.absent_after, belief.found_within) = (Some(MINUTE), 6 * HOUR));
    assert!(!not_found_after(&by_key(), 10 * MINUTE), "it may still arrive");
    assert!(not_found_after(&by_key(), HOUR));
    assert!(!not_found_after(&by_key(), 6 * HOUR - 20 * MINUTE), "it may be forgotten on the way");
    assert!(!not_found_after(&by_key(), 7 * HOUR));
    let of_effects = World::new(|belief| belief.absent_after = Some(MINUTE));
    assert!(not_found_after(&of_effects, 7 * HOUR));
}

#[test]
fn a_claim_that_took_too_long_is_not_sent_and_the_gate_is_asked_again() {
    let world = World::new(|_| {});
    for (took, sent) in [(11 * MINUTE, true), (12 * MINUTE, false)] {
        let mut machine = world.machine();
        machine.order = unpaid();
        let Command::Commit(claim) = machine.claimed(Ok(true)) else { panic!("a claim comes first") };
        world.pass(took);
        let next = machine.committed(claim, Ok(()));
        assert_eq!(next == CHARGE, sent, "a commit of {took} us, then {next:?}");
        let charge = machine.order.op(Tool::Charge);
        assert_eq!(charge.is_unsent(), !sent);
        assert_eq!(charge.generation, 1);
    }
}

/// An approved order whose fulfillment is claimed and refused before any byte left.
fn never_left(world: &World) -> (OrderMachine<'_, &Set>, Command) {
    let mut record = order(&[Tool::ReadStock, Tool::Reserve, Tool::Charge, Tool::Approve]);
    record.approval = Approval {
        decision: Decision::Granted,
        content: 77,
        operation: unacked_workflow::keys::upcoming(&world.policy, &record, Tool::Fulfill),
        expires: START + DAY,
        consumed: false,
    };
    let (mut machine, call) = world.start(record);
    assert_eq!(call, Command::Call(Tool::Fulfill, Ask::Act));
    let command = machine.received(Tool::Fulfill, Ask::Act, &Response::Refused);
    (machine, command)
}

#[test]
fn a_yes_that_was_used_for_nothing_that_left_is_good_until_it_expires() {
    let world = World::new(|_| {});
    let (mut machine, command) = never_left(&world);
    let key = machine.order.op(Tool::Fulfill).key;
    assert_eq!(world.call(&mut machine, command), Command::Call(Tool::Fulfill, Ask::Act));

    let (mut machine, _) = never_left(&world);
    world.pass(DAY);
    let command = machine.claimed(Ok(true));
    assert_eq!(world.call(&mut machine, command), Command::Call(Tool::Approve, Ask::Act));
    let command = machine.received(Tool::Approve, Ask::Act, &says(Reply::Done));
    assert_eq!(world.call(&mut machine, command), Command::Call(Tool::Fulfill, Ask::Act));
    assert_eq!(machine.order.op(Tool::Fulfill).key, key, "the same operation");
    assert!(machine.order.approval.consumed);
}

#[test]
fn a_stock_read_that_fails_is_nobodys_business() {
    let world = World::new(|_| {});
    let (mut machine, mut call) = world.start(order(&[]));
    for _ in 0..world.policy.retry.inline_attempts {
        assert_eq!(call, Command::Call(Tool::ReadStock, Ask::Act));
        let command = machine.received(Tool::ReadStock, Ask::Act, &Response::Silence);
        call = world.call(&mut machine, command);
    }
    assert_eq!(call, Command::Call(Tool::Reserve, Ask::Act));
}

#[test]
fn no_wait_oversleeps_the_last_chance_of_a_key() {
    let mut world = World::new(|belief| belief.dedup = Dedup::Keyed(6 * HOUR));
    world.policy.retry.durable = vec![5 * HOUR];
    world.policy.retry.inline_attempts = 1;
    let (mut machine, _) = world.start(unpaid());
    let command = machine.received(Tool::Charge, Ask::Act, &Response::Silence);
    world.call(&mut machine, command);
    assert_eq!(world.later(&mut machine), CHARGE);
    let command = machine.received(Tool::Charge, Ask::Act, &Response::Silence);
    world.call(&mut machine, command);
    assert_eq!(world.later(&mut machine), CHARGE, "one more, just before the window ends");
    assert!(world.clock.0.get() < START + 6 * HOUR);
    let command = machine.received(Tool::Charge, Ask::Act, &Response::Silence);
    world.call(&mut machine, command);
    assert_eq!(world.later(&mut machine), LOOK);
}

#[test]
fn r3_tenants_and_environments_share_no_key() {
    let keys: Vec<_> = [("a", "bc"), ("ab", "c"), ("a", "live"), ("b", "live")]
        .map(|(tenant, environment)| {
            let mut world = World::new(|_| {});
            world.policy.namespace = Namespace::of(tenant, environment);
            let (machine, _) = world.start(unpaid());
            machine.order.op(Tool::Charge).key
        })
        .into_iter()
        .collect();
    let distinct: std::collections::BTreeSet<_> = keys.iter().collect();
    assert_eq!(distinct.len(), keys.len(), "{keys:?}");
}
