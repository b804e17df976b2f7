//! A request on its way through a provider, and what the door makes of it.

use crate::business::Business;
use crate::fact::Fact;
use crate::kinds::*;
use crate::message::{Reply, Request, Says};
use crate::provider_state::ProviderState;
use crate::serving::Serving;
use unacked_sim::door::Door;
use unacked_sim::menu::{MenuId, Pick};
use unacked_sim::provider::Answer;
use unacked_sim::site::{Occasion, Stage};
use unacked_sim::time::{Span, Time};

/// A request on its way through, with everything it may touch.
pub(crate) struct Execution<'a> {
    pub(crate) serving: &'a Serving,
    pub(crate) state: &'a mut ProviderState,
    pub(crate) business: &'a mut dyn Business,
    pub(crate) now: Time,
    pub(crate) at: Occasion,
    pub(crate) request: &'a Request,
    pub(crate) door: &'a mut Door,
    pub(crate) facts: &'a mut Vec<Fact>,
}

/// Asks the door what happens here, unless nothing can or an outage hides it anyway.
#[inline]
pub(crate) fn ask(exec: &mut Execution<'_>, menu: MenuId, mask: u32) -> Pick {
    if mask == 0 || exec.now < exec.state.down_until {
        return Pick::BENIGN;
    }
    let pick = exec.door.choose(exec.at.at(Stage::Provider), menu, mask);
    if !pick.kind.is_benign() {
        strain(exec, pick);
    }
    pick
}

/// A fault's effect lasts as long as its parameter says; calm does not begin before.
#[cold]
fn strain(exec: &mut Execution<'_>, pick: Pick) {
    let until = exec.now + Span(pick.value);
    match pick.kind {
        LOOKUP_BEHIND => return,
        OUTAGE => exec.state.down_until = until,
        _ => {}
    }
    exec.door.strained_until(until);
}

/// 429: its parameter is the time after which to try again.
pub(crate) fn throttled(pick: Pick) -> Answer<Reply> {
    Answer::now(Reply { value: pick.value, ..Reply::bare(Says::Throttled) })
}
