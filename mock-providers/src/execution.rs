//! A request on its way through a provider, and what the door makes of it.

use crate::business::Business;
use crate::fact::Fact;
use crate::kinds::GateFate;
use crate::message::{Reply, Request, Says};
use crate::provider_state::ProviderState;
use crate::serving::Serving;
use unacked_sim::door::Door;
use unacked_sim::menu::{MenuId, Pick};
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
    exec.door.choose(exec.at.at(Stage::Provider), menu, mask)
}

/// What a request meets before the provider looks at what it asks for.
#[cold]
pub(crate) fn gate(exec: &mut Execution<'_>, fate: GateFate, value: Span) -> Gate {
    exec.door.felt(fate);
    match fate {
        GateFate::Error => Gate::Fails,
        // Its parameter is the time after which to try again.
        GateFate::Throttled => Gate::Answers(Reply { value: value.0, ..Reply::bare(Says::Throttled) }),
        GateFate::Outage => {
            exec.state.down_until = exec.now + value;
            Gate::Passes
        }
    }
}

/// What becomes of a request at the gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gate {
    /// It goes on as usual.
    Passes,
    /// It is answered at once.
    Answers(Reply),
    /// It is a server error.
    Fails,
}
