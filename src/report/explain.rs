//! One thing, explained: a scenario, policy, promise, fault, contract, preset or rule.

use super::block::field;
use crate::input_error::InputError;
use crate::source;
use crate::spec::{self, Section};
use unacked_mock_providers::catalog as contracts;
use unacked_mock_providers::render::render;
use unacked_scenarios::catalog;
use unacked_scenarios::clause::Clause;
use unacked_scenarios::filter::nearest;
use unacked_scenarios::model::{Model, kinds};
use unacked_scenarios::policy::PolicyFile;
use unacked_scenarios::promises;
use unacked_scenarios::units::Takes;
use unacked_sim::kind::Kind;
use unacked_sim::time::Span;
use unacked_sim::verdict::Promise;
use unacked_workflow::belief::{Belief, Dedup, Lookup};
use unacked_workflow::tool::Tool;

/// Explains whatever has this name.
///
/// # Errors
/// Nothing has; the nearest name that something has.
pub fn explain(name: &str) -> Result<String, InputError> {
    let promise = promises::clauses().find(|clause| clause.id == name).map(|clause| clause.promise);
    if let Some(promise) = promises::named(name).or(promise) {
        return Ok(promise_text(promise));
    }
    if let Some(section) = spec::named(name) {
        return Ok(section_text(&section));
    }
    if let Some(kind) = kinds().named(name).and_then(|id| kinds().get(id)) {
        return Ok(kind_text(kind));
    }
    if let Ok(service) = contracts::preset(name) {
        return Ok(render(&service));
    }
    if let Some(text) = super::preset::preset(name) {
        return Ok(text);
    }
    if catalog::policy(name).is_some() {
        return source::policy(name).map(|file| policy_text(&file));
    }
    if catalog::scenario(name).is_some() || name.contains('/') || name.ends_with(".toml") {
        return file_text(name);
    }
    Err(unknown(name))
}

/// A file: a scenario, or else a policy.
fn file_text(name: &str) -> Result<String, InputError> {
    let scenario = source::scenario(name);
    match scenario {
        Ok(model) => Ok(scenario_text(&model)),
        Err(error) => source::policy(name).map(|file| policy_text(&file)).map_err(|_| error),
    }
}

fn unknown(name: &str) -> InputError {
    let all = kinds();
    let known = catalog::SCENARIOS
        .iter()
        .chain(catalog::POLICIES)
        .map(|(n, _)| *n)
        .chain(promises::ALL.iter().map(|p| p.name))
        .chain(all.iter().map(|(_, k)| k.name))
        .chain(contracts::names())
        .chain(unacked_bench::presets::PRESETS.iter().map(|(n, _)| *n))
        .chain(spec::sections().map(|s| s.id));
    let hint = nearest(name, known);
    InputError(format!(
        "nothing is named `{name}`{hint}; `list scenarios|policies|promises|faults|contracts|presets|rules` shows what there is"
    ))
}

/// A numbered part of the specification, and what cites it.
fn section_text(section: &Section) -> String {
    let cites = |rules: &str| rules.split(' ').any(|rule| rule == section.id);
    let promised: Vec<&str> = promises::ALL.iter().filter(|p| cites(p.rules)).map(|p| p.name).collect();
    let tested: Vec<&str> = kinds().iter().filter(|(_, kind)| cites(kind.rules)).map(|(_, kind)| kind.name).collect();
    let broken: Vec<&str> = super::listing::breaking(section.id);
    let mut out = format!("{} {}\n\n{}\n", section.sort, section.id, section.text);
    for (label, names) in [("promises", promised), ("tested by", tested), ("broken by", broken)] {
        if !names.is_empty() {
            out += "\n";
            out += &field(label, &names.join(", "));
        }
    }
    out
}

/// One part of a promise: its name, what it says, what it needs, which rules it stands for.
fn clause_text(clause: &Clause) -> String {
    let needs: Vec<&str> = clause.needs.names().collect();
    let about = format!("{} ({}; needs {}; {})", clause.says, clause.when.name(), needs.join(", "), clause.rules);
    field(clause.id.rsplit('/').next().unwrap_or(clause.id), &about)
}

fn promise_text(promise: &Promise) -> String {
    let mut out = format!("promise {}\n", promise.name);
    out += &field("says", promise.says);
    out += &field("judged", promise.when.name());
    out += &field("rules", if promise.rules.is_empty() { "-" } else { promise.rules });
    promises::clauses_of(promise).for_each(|clause| out += &clause_text(clause));
    let catches = |(name, text): &(&str, &str)| {
        let file = PolicyFile::read(name, text).ok()?;
        file.caught_by.iter().any(|p| p == promise.name).then(|| name.to_string())
    };
    let caught: Vec<String> = catalog::POLICIES.iter().filter_map(catches).collect();
    out + &field("catches", &if caught.is_empty() { "-".into() } else { caught.join(", ") })
}

fn kind_text(kind: &Kind) -> String {
    let mut out = format!("fault {}\n", kind.name);
    out += &field("about", kind.about);
    out += &field("class", kind.class.name());
    out + &field("tests", kind.rules)
}

fn policy_text(file: &PolicyFile) -> String {
    let mut out = format!("policy {}\n", source::shown(&file.name));
    out += &field("about", &file.about);
    let mistake = file.mistake.split_whitespace().collect::<Vec<_>>().join(" ");
    if !mistake.is_empty() {
        out += &field("mistake", &mistake);
    }
    for (label, words) in [("breaks", &file.breaks), ("caught by", &file.caught_by), ("home", &file.home)] {
        if !words.is_empty() {
            out += &field(label, &words.join(", "));
        }
    }
    match catalog::policy(&file.name) {
        Some(text) => out + "\n" + text,
        None => out,
    }
}

fn scenario_text(model: &Model) -> String {
    let mut out = format!("scenario {}\n", source::shown(&model.name));
    out += &field("about", &model.scenario.about);
    out += "\nwhat its file says, defaults included\n";
    out += &settings(model);
    out += "\nonce the faults have stopped, every order has to reach a legal end within\n";
    for (what, span) in model.bound_parts() {
        out += &format!("  {:>12}  {what}\n", span.to_string());
    }
    out += &format!("  {:>12}  together\n", model.finish_bound().to_string());
    out += "\nwhat a correct client may rely on\n";
    Tool::ALL.iter().for_each(|&tool| out += &format!("  {:<11} {}\n", tool.name(), belief(model.beliefs.of(tool))));
    for (role, service) in &model.services {
        out += &format!("\n{role}: {}", render(service));
    }
    out
}

fn belief(belief: &Belief) -> String {
    let span = |us: u64| if us == u64::MAX { "for ever".into() } else { format!("for {}", Span(us)) };
    let dedup = match belief.dedup {
        Dedup::None => "no deduplication: at most one send".into(),
        Dedup::Keyed(window) => format!("repeats are recognised {}", span(window)),
    };
    let lookup = match (belief.lookup, belief.absent_after) {
        (Lookup::None, _) => "no lookup".into(),
        (Lookup::ById, _) => "lookup by the provider's id only".into(),
        (Lookup::ByReference, None) => "lookup by reference, \"not found\" proves nothing".into(),
        (Lookup::ByReference, Some(after)) => {
            let until = match belief.found_within {
                u64::MAX => String::new(),
                within => format!(" and within {} of the first request", Span(within)),
            };
            format!("lookup by reference, \"not found\" is final after {}{until}", Span(after))
        }
    };
    format!("{dedup}; {lookup}")
}

/// Every setting with its value.
fn settings(model: &Model) -> String {
    let s = &model.scenario;
    let mut out = format!("  workers {}\n", s.workers);
    for (i, order) in s.order.iter().enumerate() {
        let money = unacked_scenarios::telling::money(order.amount.0.minor, order.amount.0.currency);
        out += &format!("  order {}: {money}, quantity {}, customer {}\n", i + 1, order.quantity, order.customer);
    }
    out += &format!("  stock: units {}, hold {}\n", s.units(), s.stock.hold.0);
    let v = &s.services;
    out += &format!(
        "  services: payments {}, fulfillment {}, inventory {}, mail {}, approval {}\n",
        v.payments, v.fulfillment, v.inventory, v.mail, v.approval
    );
    let t = &s.time;
    out += &format!(
        "  time: chaos {}, drain {}, d_max {}, p_max {}, skew {}, drift {},\n        lease {}, restart {}, store_timeout {}, budget {}\n",
        t.chaos.0,
        t.drain.0,
        t.d_max.0,
        t.p_max.0,
        t.skew.0,
        t.drift.0,
        t.lease.0,
        t.restart.0,
        t.store_timeout.0,
        t.budget
    );
    let r = &s.rates;
    out += &format!(
        "  rates: request {}, provider {}, lookup {}, reply {}, store {}, read {}, before_write {},\n         after_write {}, before_send {}, after_send {}, human {}, clock {}, pruning {}\n",
        r.request,
        r.provider,
        r.lookup,
        r.reply,
        r.store,
        r.read,
        r.before_write,
        r.after_write,
        r.before_send,
        r.after_send,
        r.human,
        r.clock,
        r.pruning
    );
    let weights: Vec<String> = s.weights.iter().map(|(kind, w)| format!("{kind} {w}")).collect();
    out += &listed("weights (1 where nothing is said)", &weights);
    let values: Vec<String> = s.values.iter().map(|(k, v)| format!("{k} {}", spans(v.iter().map(|l| l.0)))).collect();
    out += &listed("values", &values);
    out += &listed("without", &s.without);
    let a = &s.approval;
    out += &format!(
        "  approval: immediate {}, with_charge {}, takes {}, deadline {}, valid {}\n",
        a.immediate,
        a.with_charge,
        takes(a.takes),
        a.deadline.0,
        a.valid.0
    );
    out += &format!("  operator: present {}, takes {}\n", s.operator.present, takes(s.operator.takes));
    out += &format!(
        "  limits: attempts {}, renew_before {}, pending {}\n",
        s.limits.attempts, s.limits.renew_before.0, s.limits.pending.0
    );
    out += &listed("reach except", &s.reach.except);
    out + &format!("  reach after {} runs\n", super::grouped(s.reach.after))
}

fn takes(takes: Takes) -> String {
    match takes {
        Takes::LogNormal(p50, p99) => format!("p50 {p50} and p99 {p99}"),
        Takes::Uniform(lo, hi) => format!("{lo} to {hi}"),
        Takes::Always(span) => span.to_string(),
    }
}

fn spans(list: impl Iterator<Item = Span>) -> String {
    list.map(|s| s.to_string()).collect::<Vec<_>>().join("/")
}

fn listed(label: &str, words: &[String]) -> String {
    if words.is_empty() { String::new() } else { format!("  {label}: {}\n", words.join(", ")) }
}
