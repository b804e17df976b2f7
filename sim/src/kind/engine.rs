//! The kinds that the engine itself knows: wire, nodes, store, clocks.

use super::Numbers;
use crate::kinds;
use crate::time::Span;

/// What a place of the engine looks like: it decides what can happen there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Around {
    /// How many nodes there are.
    pub nodes: u8,
    /// Whether the receiver of a request recognises a second copy.
    pub deduplicates: bool,
}

kinds! {
    /// The kinds of the engine, in the order of their numbers.
    pub ENGINE_KINDS from 1;

    /// What becomes of a request that leaves.
    enum RequestFate, offered by around: Around {
        Refused = REQUEST_REFUSED "request-refused", Fault, "R1 R10",
            "the connection is refused before any byte leaves";
        Lost = REQUEST_LOST "request-lost", Fault, "R1 R10",
            "the request never arrives, and nobody is told";
        Late = REQUEST_LATE "request-late", Fault, "R10 R12",
            "the request arrives later than usual, at most d_max after it was sent",
            values late, lasts Applied;
        Duplicated = REQUEST_DUPLICATED "request-duplicated", Fault, "R7 R8",
            "a second copy of the request arrives (only where the receiver deduplicates)",
            if around.deduplicates;
    }

    /// What becomes of an answer that leaves.
    enum ReplyFate, offered by around: Around {
        Lost = REPLY_LOST "reply-lost", Fault, "R1 R10",
            "the answer never arrives: the effect may have happened";
        Late = REPLY_LATE "reply-late", Fault, "R10 R22",
            "the answer arrives later than usual, perhaps after the caller gave up",
            values late, lasts Applied;
        Duplicated = REPLY_DUPLICATED "reply-duplicated", Fault, "R22",
            "a second copy of the answer arrives";
        Undecodable = REPLY_UNDECODABLE "reply-undecodable", Fault, "R1 R21",
            "the answer arrives and cannot be decoded";
    }

    /// What strikes a node before or after a durable write or a dispatch.
    enum StrikeFate, offered by around: Around {
        Crash = CRASH "crash", Fault, "R3 R16",
            "the node loses everything in memory and starts again later",
            values restart, lasts Applied;
        Pause = PAUSE "pause", Schedule, "R6",
            "the node stands still and goes on later as if nothing had happened (a zombie)",
            values pause, lasts Applied;
        Hold = HOLD "hold", Schedule, "R6",
            "the node is held back until another node's next durable write",
            if around.nodes > 1, lasts Applied;
    }

    /// What becomes of a durable write.
    enum StoreFate, offered by around: Around {
        Unacknowledged = WRITE_UNACKNOWLEDGED "write-unacknowledged", Fault, "R8 R16",
            "the durable write happens, its acknowledgement is lost";
        Lost = WRITE_LOST "write-lost", Fault, "R8 R16",
            "the durable write does not happen, and nobody is told";
        Conflict = WRITE_CONFLICT "write-conflict", Fault, "R6 R8",
            "the transaction is aborted by a conflict";
        Unavailable = STORE_UNAVAILABLE "store-unavailable", Fault, "R16 R25",
            "the store cannot be reached for a while",
            values |_| vec![Span::secs(30), Span::mins(2)], lasts Value;
    }

    /// What becomes of a read of the store.
    enum ReadFate, offered by around: Around {
        Stale = STALE_READ "stale-read", Fault, "R6 R9",
            "a read sees the store as it was before the latest write";
    }

    /// How a node's clock goes.
    enum ClockFate, offered by around: Around {
        Ahead = CLOCK_AHEAD "clock-ahead", Fault, "R7",
            "a node's clock is ahead",
            values |n| vec![n.skew];
        Behind = CLOCK_BEHIND "clock-behind", Fault, "R7",
            "a node's clock is behind",
            values |n| vec![n.skew];
    }
}

/// Just over the caller's patience, and as late as can be.
fn late(numbers: &Numbers) -> Vec<Span> {
    vec![numbers.over_timeout().min(numbers.d_max), numbers.d_max]
}

/// Back before anything arrives, inside the lease, after it, after a key's day.
fn restart(numbers: &Numbers) -> Vec<Span> {
    let lease = numbers.lease;
    vec![Span::millis(10), Span(lease.0 / 2), lease + Span::secs(30), Span::hours(25)]
}

/// Just over the lease, and as long as can be.
fn pause(numbers: &Numbers) -> Vec<Span> {
    vec![(numbers.lease + Span::secs(30)).min(numbers.p_max), numbers.p_max]
}
