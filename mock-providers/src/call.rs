//! A request on its way through a provider, and what the door makes of it.

use crate::fact::Fact;
use crate::front::Front;
use crate::kinds::*;
use crate::message::{Reply, Request, Says};
use crate::terms::Terms;
use crate::trade::Trade;
use unacked_sim::door::Door;
use unacked_sim::menu::{MenuId, Pick};
use unacked_sim::provider::Answer;
use unacked_sim::site::{Occasion, Stage};
use unacked_sim::time::{Span, Time};

/// A request on its way through, with everything it may touch.
pub(crate) struct Call<'a> {
    pub(crate) terms: &'a Terms,
    pub(crate) front: &'a mut Front,
    pub(crate) trade: &'a mut dyn Trade,
    pub(crate) now: Time,
    pub(crate) at: Occasion,
    pub(crate) request: &'a Request,
    pub(crate) door: &'a mut Door,
    pub(crate) facts: &'a mut Vec<Fact>,
}

/// Asks the door what happens here, unless nothing can or an outage hides it anyway.
#[inline]
pub(crate) fn ask(call: &mut Call<'_>, menu: MenuId, mask: u32) -> Pick {
    if mask == 0 || call.now < call.front.down_until {
        return Pick::BENIGN;
    }
    let pick = call.door.choose(call.at.at(Stage::Provider), menu, mask);
    if !pick.kind.is_benign() {
        strain(call, pick);
    }
    pick
}

/// A fault's effect lasts as long as its parameter says; calm does not begin before.
#[cold]
fn strain(call: &mut Call<'_>, pick: Pick) {
    let until = call.now + Span(pick.value);
    match pick.kind {
        LOOKUP_BEHIND => return,
        OUTAGE => call.front.down_until = until,
        _ => {}
    }
    call.door.strained_until(until);
}

/// 429: its parameter is the time after which to try again.
pub(crate) fn throttled(pick: Pick) -> Answer<Reply> {
    Answer::now(Reply { value: pick.value, ..Reply::bare(Says::Throttled) })
}
