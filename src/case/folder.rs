//! Many cases, one after another: a folder of a user's, or the regressions that ship.

use super::{Replayed, read, replay};
use crate::conclusion::Conclusion;
use crate::input_error::InputError;
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
    pub result: Result<Replayed, InputError>,
    /// What its reader should know.
    pub notices: Vec<String>,
}

impl Row {
    /// What it means for the exit code.
    pub fn conclusion(&self) -> Conclusion {
        self.result.as_ref().map_or(Conclusion::Error, |replayed| replayed.fate.conclusion())
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
        result: Err(InputError(String::new())),
    };
    let text = text.map_err(|why| InputError(format!("{name}: {why}")));
    row.result = text.and_then(|text| Ok((text, read(name, text)?))).and_then(|(text, case)| {
        row.scenario = case.scenario.name.clone();
        row.promise = case.broke.promise.clone();
        row.note = case.note.clone();
        let ready = case.ready_from(name, text, policy)?;
        row.notices = ready.notices.clone();
        Ok(replay(&ready, |_, _, _| ()).0)
    });
    row
}
