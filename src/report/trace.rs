//! Every event of a run.

use super::json::pretty;
use super::{Paint, block::step};
use crate::story::Step;
use serde::Serialize;

/// For people, one line each.
pub fn trace(steps: &[Step], paint: Paint) -> String {
    steps.iter().map(|s| step(s, paint)).collect()
}

#[derive(Serialize)]
struct Line<'a> {
    number: u32,
    at_us: u64,
    actor: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    arrow: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    peer: &'a str,
    text: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<usize>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    broken: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    no_return: bool,
}

fn line(step: &Step) -> Line<'_> {
    let Step { number, at, actor, arrow, peer, text, fault, broken, no_return, .. } = step;
    let (number, fault, broken, no_return) = (*number, *fault, *broken, *no_return);
    Line { number, at_us: at.0, actor, arrow, peer, text, fault, broken, no_return }
}

/// For programs: an array of objects.
pub fn trace_json(steps: &[Step]) -> String {
    pretty(&steps.iter().map(line).collect::<Vec<_>>())
}
