//! What is decided from which record: records and decisions as text, one table per rule.

use unacked_workflow::belief::{Belief, Beliefs, Dedup, Duplicate, Limits, Lookup};
use unacked_workflow::context::Step;
use unacked_workflow::decide;
use unacked_workflow::keys;
use unacked_workflow::order::{
    Approval, Cause, Course, Decision, Handoff, Intent, Key, Order, OrderId, Reference, Statement, Status,
};
use unacked_workflow::policy::{
    Acceptance, ApprovalUse, Cap, Compensation, HandoffRule, KeySource, MailRule, OnUnknown, Policy, WindowUse,
};
use unacked_workflow::time::{DAY, HOUR, MINUTE, Micros, NEVER, SECOND};
use unacked_workflow::tool::Tool;

/// All times in these tables count from here.
const START: Micros = 30 * DAY;

/// What a decision is made by, tuned per test.
struct World {
    beliefs: Beliefs,
    limits: Limits,
    policy: Policy,
}

impl World {
    fn new() -> Self {
        let belief = Belief {
            dedup: Dedup::Keyed(DAY),
            stores_failures: false,
            decline_binds: true,
            declines_duplicates: false,
            declines_reexecute: false,
            duplicate: Duplicate::Final,
            lookup: Lookup::None,
            absent_after: None,
            found_within: NEVER,
        };
        let limits = Limits {
            p_max: 5 * MINUTE,
            d_max: MINUTE,
            skew: 3 * SECOND,
            handoff: [4 * HOUR; Tool::COUNT],
            handoff_covered: [20 * HOUR; Tool::COUNT],
            pending: 6 * DAY,
            attempts: [100; Tool::COUNT],
            approval_deadline: 72 * HOUR,
            approve_with_charge: false,
            renew_before: 12 * HOUR,
        };
        World { beliefs: Beliefs { tools: [belief; Tool::COUNT] }, limits, policy: Policy::reference() }
    }

    fn with(change: impl FnOnce(&mut World)) -> Self {
        let mut world = World::new();
        change(&mut world);
        world
    }

    fn belief(&mut self, tool: Tool) -> &mut Belief {
        &mut self.beliefs.tools[tool as usize]
    }

    fn check(&self, record: &str, at: Micros, expected: &str) {
        let order = parse(record, &self.policy);
        let step = decide::next(&order, &self.beliefs, &self.limits, &self.policy, START + at);
        assert_eq!(say(step), expected, "record: {record}, {} s after its claims", at / SECOND);
    }
}

/// `charge:unknown*2` is a charge in that status after two attempts, all claimed at [`START`];
/// the status is `completed` and the attempts one where nothing is said.
fn parse(record: &str, policy: &Policy) -> Order {
    let intent = Intent { content: 77, quantity: 2, ..Intent::default() };
    let mut order = Order::new(OrderId(4), intent);
    for word in record.split_whitespace() {
        apply(&mut order, word, policy);
    }
    order
}

fn apply(order: &mut Order, word: &str, policy: &Policy) {
    if let Some(tool) = Tool::ALL.into_iter().find(|t| word.split(':').next() == Some(t.name())) {
        return operation(order, tool, word);
    }
    let bound = Approval {
        decision: Decision::Open,
        content: 77,
        operation: keys::upcoming(policy, order, Tool::Fulfill),
        expires: START + HOUR,
        consumed: false,
    };
    match word {
        "asked" => order.approval = bound,
        "granted" => order.approval = Approval { decision: Decision::Granted, ..bound },
        "granted-other" => {
            order.approval = Approval { decision: Decision::Granted, content: 78, ..bound };
        }
        "denied" => order.approval = Approval { decision: Decision::Denied, ..bound },
        "used" => order.approval.consumed = true,
        "no-expiry" => order.op_mut(Tool::Reserve).until = 0,
        "short-hold" => order.op_mut(Tool::Reserve).until = START + 20 * MINUTE,
        "charge-known" => order.op_mut(Tool::Charge).reference = Reference(5),
        "refund-known" => order.op_mut(Tool::Refund).reference = Reference(6),
        "charge-stored" => order.op_mut(Tool::Charge).stored_failure = true,
        "charge-absent" => order.op_mut(Tool::Charge).absent = true,
        "fulfill-absent" => order.op_mut(Tool::Fulfill).absent = true,
        "charge-unsent" => order.op_mut(Tool::Charge).first_claim = None,
        "charge-later" => order.op_mut(Tool::Charge).retry_at = START + 30 * SECOND,
        "handed" => order.handoff = Some(handoff(None)),
        "stated" => order.handoff = Some(handoff(Some(Statement::Absent))),
        "untold" => order.notification_unknown = true,
        "cancelling" => order.course = Course::Cancelling(Cause::NotApproved),
        other => panic!("no such word: {other}"),
    }
}

fn operation(order: &mut Order, tool: Tool, word: &str) {
    let (status, attempts) = word.split_once(':').map_or(("completed", 1), |(_, rest)| {
        rest.split_once('*').map_or((rest, 1), |(status, n)| (status, n.parse().expect("a number")))
    });
    let op = order.op_mut(tool);
    op.status =
        [Status::Planned, Status::Dispatched, Status::Unknown, Status::Pending, Status::Completed, Status::Rejected]
            .into_iter()
            .find(|known| known.name() == status)
            .expect("a status");
    (op.generation, op.attempts, op.key) = (1, attempts, Key(tool as u64 + 100));
    (op.first_claim, op.last_claim) = (Some(START), START);
    if tool == Tool::Reserve {
        op.until = START + 10 * DAY;
    }
}

fn handoff(statement: Option<Statement>) -> Handoff {
    Handoff { tool: Tool::Charge, generation: 1, key: Key(1), since: START, statement }
}

fn say(step: Step) -> String {
    match step {
        Step::Wait(NEVER) => "wait for ever".into(),
        Step::Wait(until) => format!("wait to {} s", (until - START) / SECOND),
        Step::Begin(tool) => format!("begin {}", tool.name()),
        Step::Replay(tool) => format!("replay {}", tool.name()),
        Step::Lookup(tool) => format!("look up {}", tool.name()),
        Step::HandOff(tool) => format!("hand off {}", tool.name()),
        Step::Assume(tool, status) => format!("assume {} {}", tool.name(), status.name()),
        step => format!("{step:?}"),
    }
}

const PAID: &str = "read-stock reserve charge";
const SHIPPED: &str = "read-stock reserve charge approve granted fulfill";

fn after(known: &str, rest: &str) -> String {
    format!("{known} {rest}")
}

#[test]
fn the_main_line_goes_step_by_step() {
    let world = World::new();
    world.check("", 0, "begin read-stock");
    world.check("read-stock", 0, "begin reserve");
    world.check("read-stock reserve", 0, "begin charge");
    world.check(PAID, 0, "begin approve");
    world.check(&after(PAID, "approve granted"), 0, "begin fulfill");
    world.check(SHIPPED, 0, "begin notify");
    world.check(&after(SHIPPED, "notify"), 0, "End(Delivered)");
}

#[test]
fn a_refused_step_refuses_the_order_with_its_cause() {
    let world = World::new();
    world.check("read-stock:rejected", 0, "Cancel(NoStock)");
    world.check("read-stock reserve:rejected", 0, "Cancel(NoStock)");
    world.check("read-stock reserve charge:rejected", 0, "Cancel(Declined)");
    world.check(&after(PAID, "approve:pending denied"), 0, "Cancel(NotApproved)");
    world.check(&after(PAID, "approve granted fulfill:rejected"), 0, "Cancel(CannotShip)");
}

#[test]
fn r7_a_replay_needs_a_covering_window() {
    let world = World::new();
    let record = "read-stock reserve charge:unknown*3";
    world.check(record, 0, "replay charge");
    world.check(&after(record, "charge-later"), 0, "wait to 30 s");
    world.check(&after(record, "charge-later"), MINUTE, "replay charge");
    let late = World::with(|world| world.limits.handoff_covered = [NEVER; Tool::COUNT]);
    late.check(record, 23 * HOUR + 47 * MINUTE, "replay charge");
    late.check(record, 23 * HOUR + 49 * MINUTE, "hand off charge");
}

/// What never left has not used its key; what was throttled was on the wire, which may have made a copy.
#[test]
fn r7_a_window_begins_with_the_first_attempt_that_may_have_left() {
    let throttled = "read-stock reserve charge:planned*2";
    let refused = format!("{throttled} charge-unsent");
    let world = World::with(|world| {
        world.limits.handoff_covered = [NEVER; Tool::COUNT];
        world.limits.handoff = [NEVER; Tool::COUNT];
    });
    for at in [0, 25 * HOUR] {
        world.check(&refused, at, "replay charge");
    }
    world.check(throttled, 0, "replay charge");
    world.check(throttled, 25 * HOUR, "hand off charge");
    let asked = World::with(|world| {
        world.belief(Tool::Charge).lookup = Lookup::ByReference;
        world.limits.handoff = [NEVER; Tool::COUNT];
    });
    asked.check(throttled, 25 * HOUR, "look up charge");
}

#[test]
fn r16_a_dispatched_record_is_an_unknown_outcome() {
    World::new().check("read-stock reserve charge:dispatched", 0, "replay charge");
}

#[test]
fn r12_without_cover_ask_and_without_lookup_hand_off() {
    let record = "read-stock reserve charge:unknown";
    let none = |lookup| {
        World::with(|world| {
            world.belief(Tool::Charge).dedup = Dedup::None;
            world.belief(Tool::Charge).lookup = lookup;
        })
    };
    none(Lookup::None).check(record, 0, "hand off charge");
    none(Lookup::ById).check(record, 0, "hand off charge");
    none(Lookup::ById).check(&after(record, "charge-known"), 0, "look up charge");
    none(Lookup::ByReference).check(record, 0, "look up charge");
    none(Lookup::ByReference).check(record, 4 * HOUR, "hand off charge");
}

#[test]
fn r20_horizons_depend_on_the_cover_left() {
    let world = World::with(|world| world.limits.attempts = [5; Tool::COUNT]);
    world.check("read-stock reserve charge:unknown*4", 5 * HOUR, "replay charge");
    world.check("read-stock reserve charge:unknown*4", 20 * HOUR, "hand off charge");
    world.check("read-stock reserve charge:unknown*5", 0, "hand off charge");
    world.check("read-stock reserve charge:planned*5", 0, "hand off charge");
    world.check("read-stock reserve charge:planned*4", 0, "replay charge");
}

#[test]
fn r20_a_handed_off_order_waits_for_a_statement() {
    let world = World::new();
    world.check("read-stock reserve charge:unknown handed", 0, "wait for ever");
    world.check("read-stock reserve charge:unknown stated", 0, "Resolve");
}

#[test]
fn a_stored_failure_is_looked_up_not_repeated() {
    let record = "read-stock reserve charge:unknown charge-stored";
    let world = World::with(|world| world.belief(Tool::Charge).lookup = Lookup::ByReference);
    world.check(record, 0, "look up charge");
    World::new().check(record, 0, "hand off charge");
}

#[test]
fn r3_a_new_generation_follows_established_absence_only() {
    let world = World::new();
    world.check("read-stock reserve charge:rejected charge-absent", 0, "begin charge");
    world.check("read-stock reserve charge:rejected", 0, "Cancel(Declined)");
}

#[test]
fn r14_a_new_fulfillment_generation_needs_a_new_yes() {
    let world = World::new();
    let gone = after(PAID, "approve granted used fulfill:rejected fulfill-absent");
    world.check(&gone, 0, "begin approve");
}

#[test]
fn r14_a_yes_is_bound_unexpired_and_unused() {
    let world = World::new();
    world.check(&after(PAID, "approve granted"), 53 * MINUTE, "begin fulfill");
    world.check(&after(PAID, "approve granted"), 55 * MINUTE, "begin approve");
    world.check(&after(PAID, "approve granted-other"), 0, "begin approve");
    world.check(&after(PAID, "approve granted used"), 0, "begin approve");
    world.check(&after(PAID, "approve:pending granted"), 0, "Granted");
}

#[test]
fn r15_a_replayed_fulfillment_needs_no_second_yes() {
    let world = World::new();
    let sent = after(PAID, "approve granted used fulfill:unknown");
    world.check(&sent, 2 * HOUR, "replay fulfill");
}

#[test]
fn r26_the_deadline_asks_and_does_not_decide() {
    let world = World::with(|world| world.limits.renew_before = 0);
    let waiting = after(PAID, "approve:pending asked no-expiry");
    world.check(&waiting, HOUR, "wait to 259260 s");
    world.check(&waiting, 73 * HOUR, "look up approve");
}

#[test]
fn r9_the_hold_is_renewed_while_the_order_waits() {
    let world = World::new();
    let waiting = after(PAID, "approve:pending asked");
    world.check(&waiting, HOUR, "wait to 259260 s");
    let short = after(PAID, "approve:pending asked short-hold");
    world.check(&short, MINUTE, "wait to 600 s");
    world.check(&short, 11 * MINUTE, "begin renew");
    world.check(&after(&short, "renew:rejected"), 11 * MINUTE, "begin reserve");
}

#[test]
fn r9_shipping_needs_a_hold_with_margin() {
    let world = World::new();
    let ready = after(PAID, "approve granted short-hold");
    world.check(&ready, 7 * MINUTE, "begin fulfill");
    world.check(&ready, 9 * MINUTE, "begin renew");
    world.check("read-stock reserve short-hold", 20 * MINUTE, "begin renew");
}

#[test]
fn a_lapsed_hold_is_not_taken_again_while_it_may_have_been_shipped() {
    let world = World::with(|world| world.belief(Tool::Fulfill).lookup = Lookup::ByReference);
    let sent = after(PAID, "approve granted used fulfill:unknown short-hold renew:rejected");
    world.check(&sent, HOUR, "look up fulfill");
    World::new().check(&sent, HOUR, "wait to 14400 s");
    let refused = after(PAID, "approve granted used fulfill:rejected short-hold renew:rejected");
    world.check(&refused, HOUR, "Cancel(CannotShip)");
}

#[test]
fn r17_nothing_is_undone_before_it_is_settled() {
    let world = World::new();
    world.check("read-stock reserve charge:unknown cancelling", 0, "replay charge");
    world.check(&after(PAID, "cancelling"), 0, "begin refund");
    world.check(&after(PAID, "cancelling refund:unknown"), 0, "replay refund");
    world.check(&after(PAID, "cancelling refund:rejected"), 0, "hand off refund");
    world.check(&after(PAID, "cancelling refund"), 0, "begin release");
    world.check(&after(PAID, "cancelling refund release:rejected"), 0, "begin notify");
    world.check(&after(PAID, "cancelling refund release notify"), 0, "End(Refused(NotApproved))");
    world.check("read-stock reserve charge:rejected cancelling", 0, "begin release");
}

#[test]
fn a_charge_is_asked_about_rather_than_replayed_when_cancelling() {
    let world = World::with(|world| {
        world.belief(Tool::Charge).lookup = Lookup::ByReference;
        world.belief(Tool::Charge).absent_after = Some(HOUR);
    });
    world.check("read-stock reserve charge:unknown cancelling", 0, "look up charge");
    world.check("read-stock reserve charge:unknown", 0, "replay charge");
}

#[test]
fn a_pending_refund_may_take_its_days() {
    let world = World::with(|world| world.belief(Tool::Refund).lookup = Lookup::ById);
    let pending = after(PAID, "cancelling refund:pending refund-known");
    world.check(&pending, 5 * DAY, "look up refund");
    world.check(&pending, 6 * DAY, "hand off refund");
}

#[test]
fn a_question_that_is_answered_either_way_is_worth_the_longer_wait() {
    let asks = |absent_after| {
        World::with(move |world| {
            let belief = world.belief(Tool::Charge);
            (belief.dedup, belief.lookup, belief.absent_after) = (Dedup::None, Lookup::ByReference, absent_after);
        })
    };
    let open = "read-stock reserve charge:unknown";
    asks(None).check(open, 4 * HOUR, "hand off charge");
    asks(Some(HOUR)).check(open, 4 * HOUR, "look up charge");
    asks(Some(HOUR)).check(open, 20 * HOUR, "hand off charge");
}

#[test]
fn case_9_the_approval_is_asked_for_beside_an_unresolved_charge() {
    let world = World::with(|world| world.limits.approve_with_charge = true);
    let open = "read-stock reserve charge:unknown*3 charge-later";
    world.check(open, 0, "begin approve");
    world.check(&after(open, "approve:pending asked"), 0, "wait to 30 s");
    world.check(&after(open, "approve:pending denied"), 0, "Cancel(NotApproved)");
    world.check(&after(open, "approve granted"), 0, "wait to 30 s");
    World::new().check(open, 0, "wait to 30 s");
}

#[test]
fn case_13_an_uncovered_mail_is_not_sent_again() {
    let world = World::with(|world| world.belief(Tool::Notify).dedup = Dedup::None);
    world.check(&after(SHIPPED, "notify:dispatched"), 0, "Untold");
    world.check(&after(SHIPPED, "notify:unknown untold"), 0, "End(Delivered)");
    world.check(&after(SHIPPED, "notify:rejected"), 0, "Untold");
    World::new().check(&after(SHIPPED, "notify:dispatched"), 0, "replay notify");
}

#[test]
fn without_a_durable_schedule_the_first_series_is_the_last() {
    let world = World::with(|world| world.policy.retry.durable.clear());
    world.check("read-stock reserve charge:unknown*2", 0, "replay charge");
    world.check("read-stock reserve charge:unknown*3", 0, "hand off charge");
}

/// The record, what the reference decides, what the policy with one knob turned decides.
fn turned(knob: impl FnOnce(&mut Policy), record: &str, at: Micros, right: &str, wrong: &str) {
    let uncovered = |world: &mut World| {
        world.belief(Tool::Charge).lookup = Lookup::ByReference;
        world.limits.attempts = [50; Tool::COUNT];
        world.limits.handoff_covered = [30 * HOUR; Tool::COUNT];
        world.limits.handoff = [30 * HOUR; Tool::COUNT];
    };
    World::with(uncovered).check(record, at, right);
    let wrong_world = World::with(|world| {
        uncovered(world);
        knob(&mut world.policy);
    });
    wrong_world.check(record, at, wrong);
}

#[test]
fn each_wrong_knob_changes_its_decision() {
    let unknown = "read-stock reserve charge:unknown*3";
    let later = "read-stock reserve charge:unknown*3 charge-later";
    let approved = after(PAID, "approve granted");
    let all = |rule| move |policy: &mut Policy| policy.unknown = [rule; Tool::COUNT];
    turned(all(OnUnknown::AssumeFailed), unknown, 0, "replay charge", "assume charge rejected");
    turned(all(OnUnknown::AssumeDone), unknown, 0, "replay charge", "assume charge completed");
    turned(all(OnUnknown::Resend), unknown, 25 * HOUR, "look up charge", "replay charge");
    turned(|p| p.window = WindowUse::Ignore, unknown, 25 * HOUR, "look up charge", "replay charge");
    turned(|p| p.handoff = HandoffRule::Eager, unknown, 0, "replay charge", "hand off charge");
    turned(|p| p.handoff = HandoffRule::Silent, unknown, 30 * HOUR, "hand off charge", "wait for ever");
    turned(|p| p.approval = ApprovalUse::Skip, PAID, 0, "begin approve", "begin fulfill");
    turned(|p| p.approval = ApprovalUse::IgnoreExpiry, &approved, HOUR, "begin approve", "begin fulfill");
    turned(|p| p.refuse = Acceptance::Everything, "read-stock", 0, "begin reserve", "Cancel(NoStock)");
    turned(|p| p.mail = MailRule::Never, SHIPPED, 0, "begin notify", "End(Delivered)");
    turned(|p| p.compensation = Compensation::RefundUnknown, later, 0, "wait to 30 s", "Cancel(Declined)");
    turned(|p| p.compensation = Compensation::ReleaseUnknown, later, 0, "wait to 30 s", "Cancel(Declined)");
    let capped = "read-stock reserve charge:planned*50";
    turned(|p| p.cap = Cap::Ignore, capped, 0, "hand off charge", "replay charge");
    let cancelling = "read-stock reserve charge:unknown*3 cancelling";
    turned(|p| p.compensation = Compensation::RefundUnknown, cancelling, 0, "replay charge", "begin refund");
    turned(|p| p.compensation = Compensation::ReleaseUnknown, cancelling, 0, "replay charge", "begin release");
}

#[test]
fn an_unanswered_mail_is_sent_until_answered_by_the_policy_that_says_so() {
    let record = after(SHIPPED, "notify:unknown");
    let world = World::with(|world| {
        world.belief(Tool::Notify).dedup = Dedup::None;
        world.policy.mail = MailRule::UntilAnswered;
    });
    world.check(&record, 0, "replay notify");
}

#[test]
fn keys_come_from_the_operation() {
    let reference = Policy::reference();
    let order = parse("read-stock reserve", &reference);
    let other = Order { id: OrderId(5), ..order };
    let key = |policy: &Policy, order: &Order| keys::upcoming(policy, order, Tool::Charge);
    assert_ne!(key(&reference, &order), key(&reference, &other), "equal arguments, two intents (R4)");
    assert_ne!(key(&reference, &order), Key(0));
    let arguments = Policy { key: KeySource::Arguments, ..Policy::reference() };
    assert_eq!(key(&arguments, &order), key(&arguments, &other));
}
