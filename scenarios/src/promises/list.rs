//! The promises, by name: what each says, when it is judged, what it needs, which rules it stands for.

use unacked_sim::verdict::Need::{ApprovalDesk, Effects, OperatorDesk, Store, Wire};
use unacked_sim::verdict::{NO_LEAK, NO_LIVELOCK, NO_PANIC, Promise, When};

macro_rules! promises {
    ($($name:ident = $text:literal, $when:ident, [$($need:ident),*], $rules:literal, $says:literal;)*) => {
        $(#[doc = $says] pub static $name: Promise = Promise {
            name: $text,
            when: When::$when,
            says: $says,
            rules: $rules,
            needs: &[$($need),*],
        };)*
        /// All promises, the engine's own last.
        pub static ALL: &[&Promise] = &[$(&$name,)* &NO_PANIC, &NO_LIVELOCK, &NO_LEAK];
    };
}

promises! {
    CHARGED_ONCE = "charged-once", Always, [Effects], "R1 R3 R7 R8",
        "captured minus refunded money never exceeds what was approved for the order, in its currency";
    SHIPPED_ONCE = "shipped-once", Always, [Effects], "R8 R12 R15",
        "no more units are live at the carrier than were approved for the order";
    PAID_BEFORE_SHIPPED = "paid-before-shipped", Always, [Effects, Wire], "R11",
        "fulfillment is requested only on an established charge, and accepted only against captured money";
    REFUND_JUSTIFIED = "refund-justified", Always, [Effects, Wire], "R13 R17",
        "a refund needs an established charge, a true decision to cancel, and a fulfillment that cannot come any more";
    STOCK_CONSERVED = "stock-conserved", Always, [Effects, Wire], "R9 R17",
        "every unit is available, held or consumed; nothing is released while charge or fulfillment is unknown, and nothing ships without a live hold";
    NOTIFIED_ONCE = "notified-once", Eventually, [Effects, Store], "R18 R23",
        "the customer is told once how the order ended, or the record shows that this is not certain";
    APPROVED_ONLY = "approved-only", Always, [ApprovalDesk], "R14 R15",
        "fulfillment is first dispatched under an unexpired, unused approval of exactly this content and operation";
    KEY_DURABLE = "key-durable", Always, [Store, Wire], "R3 R16",
        "operation, key and arguments are committed before the first byte leaves";
    KEY_STABLE = "key-stable", Always, [Wire], "R3 R5 R7",
        "one key per generation, one payload per key; a key changes only once the old operation ended without effect";
    KEY_WINDOW = "key-window", Always, [Wire], "R7",
        "no reliance on a key past the latest safe claim of its documented window";
    RECORD_TRUE = "record-true", AtTheEnd, [Store], "R10 R16 R22",
        "each step from unknown to something is entitled when it is written, and what is final in the records is true";
    OWNER_ONLY = "owner-only", Always, [Store, Wire], "R6",
        "only the newest owner claims, rotates and records; an old one may finish the send it had claimed";
    INTENT_HONOURED = "intent-honoured", AtTheEnd, [Effects], "R4 R11",
        "every legitimate order takes effect, is refused for a cause that was true, or is handed to a person";
    HANDOFF_JUSTIFIED = "handoff-justified", Always, [OperatorDesk, Store], "R11 R20",
        "an order is handed to a person only when no automatic step was left or its declared deadline had passed";
    HANDOFF_VISIBLE = "handoff-visible", Always, [OperatorDesk, Store], "R19 R20",
        "what stays unresolved past its horizon is in the operator queue, and blocks new mutations";
    BOUNDED_ATTEMPTS = "bounded-attempts", Always, [Wire], "R2 R12",
        "at most one open generation per operation, and no more attempts than the scenario allows";
    FINISHES = "finishes", Eventually, [Effects], "R11 R26",
        "once the faults have stopped, every order reaches a legal end within the computed bound";
}

/// The promise of this name.
pub fn named(name: &str) -> Option<&'static Promise> {
    ALL.iter().copied().find(|p| p.name == name)
}
