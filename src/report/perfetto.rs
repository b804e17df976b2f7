//! A run as trace events (JSON) for the Perfetto UI: one thread per actor, virtual time as time.
//!
//! Calls are slices from their send to whatever ended them for the caller, what happens is an instant,
//! messages are flows. Events of one actor in the same microsecond are set a nanosecond apart, in
//! their order: the viewer drops slices that overlap.

use crate::story::Step;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use unacked_sim::trace::Mark;

/// A nanosecond, in the format's microseconds.
const TICK: f64 = 0.001;

/// How long the arrival of a request is drawn, at most.
const VISIT: f64 = 1_000.0;

/// The trace of a whole run, one event a line.
pub fn perfetto(title: &str, steps: &[Step]) -> String {
    let stage = Stage::of(steps);
    let mut events: Vec<(f64, Value)> = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        events.push((stage.times[at], stage.drawn(at, step)));
        events.extend(stage.flow(at, step));
    }
    events.sort_by(|a, b| a.0.total_cmp(&b.0));
    let lines = stage.named(title).into_iter().chain(events.into_iter().map(|(_, event)| event));
    let lines: Vec<String> = lines.map(|line| line.to_string()).collect();
    format!("{{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n{}\n]}}\n", lines.join(",\n"))
}

/// The steps with all that drawing needs to know.
struct Stage<'s> {
    steps: &'s [Step],
    /// Place of a step by its number.
    places: BTreeMap<u32, usize>,
    cast: Vec<&'s str>,
    /// When each step is drawn.
    times: Vec<f64>,
    /// When the call of each send was over for its caller.
    ends: BTreeMap<usize, f64>,
}

impl<'s> Stage<'s> {
    fn of(steps: &'s [Step]) -> Stage<'s> {
        let mut stage = Stage {
            steps,
            places: steps.iter().enumerate().map(|(at, step)| (step.number, at)).collect(),
            cast: Vec::new(),
            times: Vec::new(),
            ends: BTreeMap::new(),
        };
        steps.iter().flat_map(|s| [s.actor.as_str(), s.peer.as_str()]).for_each(|name| stage.cast(name));
        stage.tick();
        (0..steps.len()).for_each(|at| stage.end_calls(at));
        stage
    }

    fn cast(&mut self, name: &'s str) {
        if !name.is_empty() && !self.cast.contains(&name) {
            self.cast.push(name);
        }
    }

    /// Sets the events of one actor in one microsecond apart.
    fn tick(&mut self) {
        let mut latest: BTreeMap<&str, f64> = BTreeMap::new();
        for step in self.steps {
            let mut at = step.at.0 as f64;
            if let Some(before) = latest.get(step.actor.as_str()).filter(|before| **before >= at) {
                at = rounded(before + TICK);
            }
            latest.insert(&step.actor, at);
            self.times.push(at);
        }
    }

    /// An answer, a timeout, an input error or a crash ends calls; and so does the next one, since a thread
    /// shows one call at a time.
    fn end_calls(&mut self, at: usize) {
        let step = &self.steps[at];
        let over = self.times[at];
        match step.mark {
            Mark::Arrive if !step.peer.is_empty() => self.end_call(self.origin(at), rounded(over + TICK)),
            Mark::Timeout => self.end_call(self.places.get(&step.cause).copied(), over),
            Mark::Send => self.end_all(at, over),
            Mark::Node if step.text.starts_with("crash") => self.end_all(at, over),
            _ => {}
        }
    }

    fn end_call(&mut self, send: Option<usize>, over: f64) {
        if let Some(send) = send.filter(|send| self.steps[*send].mark == Mark::Send) {
            self.ends.entry(send).or_insert(over);
        }
    }

    fn end_all(&mut self, at: usize, over: f64) {
        let before = self.steps[..at].iter().enumerate().rev();
        let open = before.filter(|(i, s)| s.mark == Mark::Send && !self.ends.contains_key(i));
        let open: Vec<usize> = open.filter(|(_, s)| s.actor == self.steps[at].actor).map(|(i, _)| i).collect();
        open.into_iter().for_each(|send| self.end_call(Some(send), over));
    }

    /// The send that an answer answers.
    fn origin(&self, answer: usize) -> Option<usize> {
        let mut at = answer;
        loop {
            at = *self.places.get(&self.steps[at].cause)?;
            if self.steps[at].mark == Mark::Send && self.steps[at].actor == self.steps[answer].actor {
                return Some(at);
            }
        }
    }

    fn thread(&self, name: &str) -> usize {
        self.cast.iter().position(|c| *c == name).unwrap_or(0) + 1
    }

    fn named(&self, title: &str) -> Vec<Value> {
        let name =
            |what: &str, tid: usize, args: Value| json!({"ph": "M", "pid": 1, "tid": tid, "name": what, "args": args});
        let mut out = vec![name("process_name", 0, json!({"name": title}))];
        for (i, actor) in self.cast.iter().enumerate() {
            out.push(name("thread_name", i + 1, json!({"name": actor})));
            out.push(name("thread_sort_index", i + 1, json!({"sort_index": i + 1})));
        }
        out
    }

    /// One step: a slice if it lasts, an instant if not.
    fn drawn(&self, at: usize, step: &Step) -> Value {
        let ts = self.times[at];
        let mut event = json!({
            "pid": 1, "tid": self.thread(&step.actor), "ts": ts, "name": title(step), "cat": category(step),
            "args": args(step),
        });
        match self.lasts(at, step) {
            Some(length) => {
                event["ph"] = "X".into();
                event["dur"] = length.into();
            }
            None => {
                event["ph"] = "i".into();
                event["s"] = if step.broken { "g" } else { "t" }.into();
            }
        }
        event
    }

    fn lasts(&self, at: usize, step: &Step) -> Option<f64> {
        let end = || self.ends.get(&at).copied().or(self.times.last().map(|last| last + TICK));
        let length = |end: f64| rounded((end - self.times[at]).max(TICK));
        match step.mark {
            Mark::Send => end().map(length),
            Mark::Arrive if step.peer.is_empty() => Some(length(self.next_visit(at))),
            Mark::Arrive => Some(TICK),
            _ => None,
        }
    }

    /// Until when the arrival of a request may be drawn.
    fn next_visit(&self, at: usize) -> f64 {
        let step = &self.steps[at];
        let later = self.steps.iter().enumerate().skip(at + 1);
        let next = later.filter(|(_, s)| s.mark == Mark::Arrive && s.actor == step.actor).map(|(i, _)| self.times[i]);
        next.fold(self.times[at] + VISIT, f64::min)
    }

    /// A message that arrives: an arrow from what sent it.
    fn flow(&self, at: usize, step: &Step) -> Vec<(f64, Value)> {
        let Some(from) = self.places.get(&step.cause).filter(|_| step.mark == Mark::Arrive) else { return Vec::new() };
        let end = |ph: &str, at: usize| {
            let (ts, tid) = (self.times[at], self.thread(&self.steps[at].actor));
            json!({"ph": ph, "id": step.number, "pid": 1, "tid": tid, "ts": ts, "name": "message", "cat": "message"})
        };
        let mut finish = end("f", at);
        finish["bp"] = "e".into();
        vec![(self.times[*from], end("s", *from)), (self.times[at], finish)]
    }
}

/// To the nanosecond.
fn rounded(us: f64) -> f64 {
    (us * 1_000.0).round() / 1_000.0
}

fn title(step: &Step) -> String {
    let margin = match (step.broken, step.fault) {
        (true, _) => "BROKEN HERE: ".to_string(),
        (false, Some(fault)) => format!("fault {fault}: "),
        (false, None) => String::new(),
    };
    format!("{margin}{}", step.text)
}

fn category(step: &Step) -> &'static str {
    match step.mark {
        _ if step.broken => "violation",
        _ if step.fault.is_some() => "fault",
        Mark::Send => "call",
        Mark::Arrive => "arrival",
        Mark::Loss => "loss",
        Mark::Write => "record",
        Mark::Fact => "fact",
        Mark::Node => "node",
        Mark::Timeout => "timeout",
    }
}

fn args(step: &Step) -> Value {
    let mut args = json!({"event": step.number, "cause": step.cause, "virtual time": step.at.to_string()});
    if let Some(fault) = step.fault {
        args["fault"] = fault.into();
    }
    args
}
