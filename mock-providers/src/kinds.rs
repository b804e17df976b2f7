//! What providers and people may do besides the benign: numbered kinds with their text.

use unacked_sim::kind::FIRST_OTHER;
use unacked_sim::kinds;

kinds! {
    /// The kinds of this crate, numbered right after the engine's.
    pub PROVIDER_KINDS from FIRST_OTHER;
    ERROR_BEFORE_EFFECT = "error-before-effect", Fault, "R1 R10", "the provider answers 5xx and has done nothing";
    ERROR_AFTER_EFFECT = "error-after-effect", Fault, "R1 R10", "the provider answers 5xx although the effect is committed";
    ERROR_THEN_EFFECT = "error-then-effect", Fault, "R10 R12", "the provider answers 5xx now and commits the effect later";
    THROTTLED = "throttled", Fault, "R1 R2", "the provider answers 429 before looking at anything";
    DECLINED = "declined", Fault, "R1 R3 R17", "the customer's card is declined for good";
    COMMIT_LATE = "commit-late", Fault, "R6 R10 R11", "effect and answer come later; the key is in flight meanwhile";
    KEY_PRUNED = "key-pruned", Fault, "R7 R12", "the provider has forgotten a key that is older than the promised minimum";
    LOOKUP_BEHIND = "lookup-behind", Fault, "R10 R12", "a lookup answers as of a while ago, within the contract's lag";
    OUTAGE = "outage", Fault, "R10 R11 R26", "for a while requests are executed but no answer leaves, and lookups are not answered";
    REFUND_PENDING = "refund-pending", Fault, "R19 R23", "the refund exists but succeeds only later";
    CANNOT_SHIP = "cannot-ship", Fault, "R17", "the carrier rejects the shipment for good";
    ACCEPT_LATE = "accept-late", Fault, "R10 R17", "the carrier takes long to accept the shipment";
    APPROVAL_LATE = "approval-late", Human, "R11 R14 R26", "the person takes long to say yes";
    APPROVAL_DENIED = "approval-denied", Human, "R14 R17", "the person says no";
    APPROVAL_NEVER = "approval-never", Human, "R26", "nobody answers: the deadline passes and the desk records a cancel decision";
    APPROVAL_DOUBLED = "approval-doubled", Human, "R14 R15", "the same yes arrives twice";
    OPERATOR_SLOW = "operator-slow", Human, "R20", "the operator takes long to resolve a handed-off operation";
    RECORD_LOST = "record-lost", Undocumented, "R8 R12", "the provider fails between effect and dedup record: the key is forgotten, the answer is 5xx";
    EFFECT_LOST = "effect-lost", Undocumented, "R8 R12", "the provider fails between dedup record and effect: the key stays locked for a while without effect";
    RACE_EXECUTED = "race-executed", Undocumented, "R6 R12", "a repetition that arrives while the first request runs is executed too";
    DRIFT_EXECUTED = "drift-executed", Undocumented, "R5 R12", "a known key with other parameters is executed as a new request";
}
