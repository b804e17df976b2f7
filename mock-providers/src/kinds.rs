//! What providers and people may do besides the benign: one row per kind.

use crate::contract::{Atomicity, Commit, Contract, Fingerprint, InFlight, LateEffect, OnMismatch};
use crate::message::{Ask, Op};
use unacked_sim::kind::{FIRST_OTHER, Numbers};
use unacked_sim::kinds;
use unacked_sim::time::Span;

/// What a request meets at the provider: it decides which kinds can happen to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Situation {
    /// It would be executed.
    Fresh,
    /// It would be refused for a reason of business.
    Refused,
    /// It is answered from the record.
    Recorded,
    /// Its key is being executed.
    Running,
    /// Its key was used with other parameters.
    Drift,
}

impl Situation {
    /// All of them, in the order of their numbers.
    pub const ALL: [Situation; 5] =
        [Situation::Fresh, Situation::Refused, Situation::Recorded, Situation::Running, Situation::Drift];
}

/// An operation that somebody asks for or looks up: it decides which kinds are offered.
#[derive(Clone, Copy, Debug)]
pub struct Offer<'a> {
    /// What the provider does.
    pub contract: &'a Contract,
    /// The operation.
    pub op: Op,
    /// Performed or looked up.
    pub ask: Ask,
    /// What an act meets; `None`: whatever it may meet.
    pub situation: Option<Situation>,
}

impl Offer<'_> {
    fn meets(&self, situation: Situation) -> bool {
        self.situation.is_none_or(|s| s == situation)
    }

    /// It would be executed.
    fn fresh(&self) -> bool {
        self.meets(Situation::Fresh)
    }

    fn fresh_as(&self, op: Op) -> bool {
        self.fresh() && self.op == op
    }

    /// It may still be running when its caller has given up.
    fn slow(&self) -> bool {
        let slow = matches!(self.op, Op::Reserve | Op::Charge | Op::Refund | Op::Fulfill | Op::Notify);
        slow && self.contract.late_commit != Some(Span::ZERO)
    }

    /// Its outcome comes later than its answer.
    fn later(&self) -> bool {
        self.contract.commit.value != Commit::Sync
    }

    /// Effect and dedup record are not written together, but in this order.
    fn torn(&self, order: Atomicity) -> bool {
        self.contract.dedups() && self.contract.atomicity.value == order
    }

    /// What a repetition meets meanwhile is not promised, and not "it runs too" anyway.
    fn may_race(&self) -> bool {
        let cell = self.contract.in_flight;
        self.contract.dedups() && self.slow() && !cell.documented && cell.value != InFlight::Execute
    }

    /// What other parameters under a known key meet is not promised, and not "they run too" anyway.
    fn may_drift(&self) -> bool {
        let cell = self.contract.on_mismatch;
        let compares = self.contract.dedups() && self.contract.fingerprint.value == Fingerprint::All;
        compares && !cell.documented && cell.value != OnMismatch::Execute
    }
}

/// A desk at which people decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct People {
    /// Whether anybody is asked there at all.
    pub present: bool,
    /// Whether they may have another version of what they decide about before them.
    pub careless: bool,
}

kinds! {
    /// The kinds of this crate, numbered right after the engine's.
    pub PROVIDER_KINDS from FIRST_OTHER;

    /// What any request may meet before the provider looks at what it asks for.
    enum GateFate, offered by offer: Offer<'_> {
        Error = ERROR_BEFORE_EFFECT "error-before-effect", Fault, "R1 R10",
            "the provider answers 5xx and has done nothing",
            if offer.ask == Ask::Lookup || offer.fresh() || offer.meets(Situation::Refused);
        Throttled = THROTTLED "throttled", Fault, "R1 R2",
            "the provider answers 429 before looking at anything",
            lasts Value;
        Outage = OUTAGE "outage", Fault, "R10 R11 R26",
            "for a while requests are executed but no answer leaves, and lookups are not answered",
            values |_| vec![Span::mins(10), Span::hours(3)], lasts Value;
    }

    /// What may become of an act.
    enum ActFate, offered by offer: Offer<'_> {
        ErrorAfterEffect = ERROR_AFTER_EFFECT "error-after-effect", Fault, "R1 R10",
            "the provider answers 5xx although the effect is committed",
            if offer.fresh() && offer.op != Op::ReadStock;
        ErrorThenEffect = ERROR_THEN_EFFECT "error-then-effect", Fault, "R10 R12",
            "the provider answers 5xx now and commits the effect later",
            if offer.fresh() && offer.slow() && offer.contract.late_effect.value == LateEffect::May,
            values |_| vec![Span::mins(1), Span::hours(24)], lasts Value;
        Declined = DECLINED "declined", Fault, "R1 R3 R17",
            "the customer's card is declined for good",
            if offer.fresh_as(Op::Charge);
        CommitLate = COMMIT_LATE "commit-late", Fault, "R6 R10 R11",
            "effect and answer come later; the key is in flight meanwhile",
            if offer.fresh() && offer.slow(), values commit_late, lasts Value;
        RefundPending = REFUND_PENDING "refund-pending", Fault, "R19 R23",
            "the refund exists but succeeds only later",
            if offer.fresh_as(Op::Refund) && !offer.later(),
            values |_| vec![Span::days(1), Span::days(5)], lasts Value;
        RefundFailed = REFUND_FAILED "refund-failed", Fault, "R19 R22 R23",
            "the refund is on its way for days and then fails: the money is back where it was",
            if offer.fresh_as(Op::Refund) && !offer.later(),
            values |_| vec![Span::days(1), Span::days(5)], lasts Value;
        CannotShip = CANNOT_SHIP "cannot-ship", Fault, "R17",
            "the carrier rejects the shipment for good",
            if offer.fresh_as(Op::Fulfill);
        AcceptLate = ACCEPT_LATE "accept-late", Fault, "R10 R17",
            "the carrier takes long to accept the shipment",
            if offer.fresh_as(Op::Fulfill) && offer.later(),
            values |_| vec![Span::mins(30), Span::hours(6)], lasts Value;
        RecordLost = RECORD_LOST "record-lost", Undocumented, "R8 R12",
            "the provider fails between effect and dedup record: the key is forgotten, the answer is 5xx",
            if offer.fresh() && offer.torn(Atomicity::EffectThenRecord);
        EffectLost = EFFECT_LOST "effect-lost", Undocumented, "R8 R12",
            "the provider fails between dedup record and effect: the key stays locked for a while without effect",
            if offer.fresh() && offer.torn(Atomicity::RecordThenEffect),
            values |_| vec![Span::mins(10)], lasts Value;
        RaceExecuted = RACE_EXECUTED "race-executed", Undocumented, "R6 R12",
            "a repetition that arrives while the first request runs is executed too",
            if offer.meets(Situation::Running) && offer.may_race();
        DriftExecuted = DRIFT_EXECUTED "drift-executed", Undocumented, "R5 R12",
            "a known key with other parameters is executed as a new request",
            if offer.meets(Situation::Drift) && offer.may_drift();
        KeyForgotten = KEY_FORGOTTEN "key-forgotten", Breach, "R7 R12",
            "the provider forgets a key before its documented time: a repetition is executed again",
            if offer.meets(Situation::Recorded) && offer.contract.dedups();
    }

    /// What may become of a lookup.
    enum LookupFate, offered by offer: Offer<'_> {
        Behind = LOOKUP_BEHIND "lookup-behind", Fault, "R10 R12",
            "a lookup answers as of a while ago, within the contract's lag",
            if offer.contract.lookup.stalest().is_some_and(|lag| lag > Span::ZERO),
            values |_| vec![Span::mins(1), Span::hours(1)];
        Denies = LOOKUP_DENIES "lookup-denies", Breach, "R10 R12",
            "a lookup says that there is nothing, whatever there is and however old",
            if offer.contract.lookup.stalest().is_some();
        Confuses = LOOKUP_OF_ANOTHER "lookup-of-another", Breach, "R24",
            "a lookup shows somebody else's money, of another amount",
            if matches!(offer.op, Op::Charge | Op::Refund) && offer.contract.lookup.stalest().is_some();
    }

    /// What may become of a key inside its window's interval.
    enum MemoryFate, offered by contract: Contract {
        Pruned = KEY_PRUNED "key-pruned", Fault, "R7 R12",
            "the provider has forgotten a key that is older than the promised minimum",
            if contract.may_prune();
    }

    /// What a person may do who is asked for approval.
    enum ApproverFate, offered by people: People {
        Late = APPROVAL_LATE "approval-late", Human, "R11 R14 R26",
            "the person takes long to say yes",
            if people.present, values |_| vec![Span::hours(14), Span::hours(64)], lasts Applied;
        Denied = APPROVAL_DENIED "approval-denied", Human, "R14 R17",
            "the person says no",
            if people.present, lasts Applied;
        Never = APPROVAL_NEVER "approval-never", Human, "R26",
            "nobody answers: the deadline passes and the desk records a cancel decision",
            if people.present, lasts Applied;
        Doubled = APPROVAL_DOUBLED "approval-doubled", Human, "R14 R15",
            "the same yes arrives twice",
            if people.present, values |_| vec![Span::secs(1), Span::hours(1)], lasts Applied;
        OtherContent = APPROVAL_OF_OTHER_CONTENT "approval-of-other-content", Human, "R14",
            "the person says yes to another version of the order than the one that was asked about",
            if people.present && people.careless, lasts Applied;
    }

    /// What an operator may do who is handed an operation.
    enum OperatorFate, offered by people: People {
        Slow = OPERATOR_SLOW "operator-slow", Human, "R20",
            "the operator takes long to resolve a handed-off operation",
            if people.present, values |_| vec![Span::days(3)], lasts Value;
    }
}

/// Just over the caller's patience and as late as the contract allows.
fn commit_late(numbers: &Numbers) -> Vec<Span> {
    match numbers.late_commit.unwrap_or(Span::mins(15)) {
        Span::ZERO => vec![Span::secs(1)],
        bound => vec![numbers.over_timeout().min(bound), bound],
    }
}
