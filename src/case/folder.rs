//! Many cases, one after another: a folder of a user's, or the regressions that ship.

use super::{Replayed, read, replay};
use crate::refusal::Refusal;
use crate::verdict::Verdict;
use unacked_scenarios::policy::PolicyFile;

/// What became of one case.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its file.
    pub file: String,
    /// Its scenario; empty if it cannot be read.
    pub scenario: String,
    /// The promise it broke; empty if it cannot be read.
    pub promise: String,
    /// The line on what it once broke.
    pub note: Option<String>,
    /// What became of it, or why it could not be run.
    pub result: Result<Replayed, Refusal>,
    /// What its reader should know.
    pub notices: Vec<String>,
}

impl Row {
    /// What it means for the exit code.
    pub fn verdict(&self) -> Verdict {
        self.result.as_ref().map_or(Verdict::Error, |replayed| replayed.fate.verdict())
    }
}

/// Replays cases given by file name and text, or why there is no text; `policy` in place of their own.
pub fn replay_all<'a>(
    files: impl IntoIterator<Item = (&'a str, Result<&'a str, &'a String>)>,
    policy: Option<&PolicyFile>,
) -> Vec<Row> {
    files.into_iter().map(|(name, text)| row(name, text, policy)).collect()
}

fn row(name: &str, text: Result<&str, &String>, policy: Option<&PolicyFile>) -> Row {
    let mut row = Row {
        scenario: String::new(),
        file: name.into(),
        promise: String::new(),
        note: None,
        notices: vec![],
        result: Err(Refusal(String::new())),
    };
    let text = text.map_err(|why| Refusal(format!("{name}: {why}")));
    row.result = text.and_then(|text| read(name, text)).and_then(|case| {
        row.scenario = case.scenario.name.clone();
        row.promise = case.broke.promise.clone();
        row.note = case.note.clone();
        let ready = case.ready(name, policy)?;
        row.notices = ready.notices.clone();
        Ok(replay(&ready, |_, _, _| ()).0)
    });
    row
}
