//! The same plan under two policies: what each makes of it.

use crate::input_error::InputError;
use crate::mount::{BuiltIn, Mount};
use crate::source;
use crate::story::{Step, steps};
use unacked_scenarios::known::order_state::OrderState;
use unacked_scenarios::records::Records;
use unacked_scenarios::shop::Shop;
use unacked_scenarios::telling::{ended, money};
use unacked_sim::lab::{Lab, Outcome};
use unacked_sim::plan::{CompiledChoice, CompiledPlan, Plan};
use unacked_sim::time::Time;
use unacked_sim::trace::Mark;

/// Two policies and one plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The plan, one line per fault.
    pub plan: Vec<String>,
    /// The policy that was asked about, then the one it is held against.
    pub sides: [Side; 2],
}

/// One of the two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Side {
    /// The policy.
    pub policy: String,
    /// Per fault of the plan: whether it landed.
    pub landed: Vec<bool>,
    /// Promise and headline of what was broken.
    pub broken: Vec<(&'static str, String)>,
    /// Where each order ended up, by truth.
    pub ends: Vec<String>,
    /// What happened, bookkeeping left out.
    pub steps: Vec<Step>,
}

/// Runs a plan under both policies of the rigs.
pub fn compare(one: &BuiltIn<'_>, other: &BuiltIn<'_>, compiled: &CompiledPlan, plan: &Plan) -> Comparison {
    let side = |mount: &BuiltIn<'_>| mount.in_lab(|lab| side(lab, source::shown(&mount.policy.name), compiled, plan));
    Comparison { plan: plan.choices.iter().map(ToString::to_string).collect(), sides: [side(one), side(other)] }
}

/// Runs the policy of this name beside.
///
/// # Errors
/// There is no such policy.
pub fn beside(one: &BuiltIn<'_>, name: &str, compiled: &CompiledPlan, plan: &Plan) -> Result<Comparison, InputError> {
    let policy = source::policy(name)?;
    Ok(compare(one, &BuiltIn { policy: &policy, ..*one }, compiled, plan))
}

fn side(lab: &mut Lab<'_, Shop<impl Records>>, policy: &str, compiled: &CompiledPlan, plan: &Plan) -> Side {
    let (outcome, events) = lab.trace_plan(compiled);
    let missing: Vec<CompiledChoice> = lab.missing();
    let broken: Vec<u32> = outcome.violations.iter().map(|v| v.event).collect();
    Side {
        policy: policy.into(),
        landed: plan.choices.iter().map(|c| !missing.iter().any(|m| m.site == c.site.hash())).collect(),
        broken: outcome.violations.iter().map(|v| (v.promise.name, v.headline.clone())).collect(),
        ends: ends(lab, &outcome),
        steps: steps(lab, &events, &broken).into_iter().filter(matters).collect(),
    }
}

/// What both sides would do anyway is left out: arrivals without a fault, and the subject's own records.
fn matters(step: &Step) -> bool {
    let marked = step.fault.is_some() || step.broken;
    marked || !matches!(step.mark, Mark::Arrive | Mark::Write) && step.actor != "store"
}

fn ends(lab: &Lab<'_, Shop<impl Records>>, outcome: &Outcome) -> Vec<String> {
    lab.world(|shop| {
        let orders = shop.promises.orders.iter().enumerate();
        orders.map(|(i, state)| format!("order {}: {}", i + 1, end(state, outcome.ended))).collect()
    })
}

fn end(state: &OrderState, now: Time) -> String {
    let truth = &state.facts;
    let how = if state.is_delivered() {
        "delivered"
    } else if state.is_refused(now) {
        "refused"
    } else if state.handoff.is_some() {
        "with an operator"
    } else {
        "no legal end"
    };
    let currency = state.registered.intent.amount.currency;
    let mut out = format!("{how}: {} captured", money(truth.captured, currency));
    if truth.refunded + truth.refund_pending > 0 {
        out += &format!(", {} given back", money(truth.refunded + truth.refund_pending, currency));
    }
    out += &format!(", {} shipped, {}", counted(truth.accepted, "unit"), counted(i64::from(truth.mails), "mail"));
    out + &state.end.map_or(String::new(), |(end, _)| format!("; recorded as {}", ended(end)))
}

fn counted(n: i64, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}
