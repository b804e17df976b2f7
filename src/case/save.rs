//! Writes cases while the search goes on, and keeps exactly those that are reported, beside what was there before.
//! Until it is known what is reported, a case stands under a name that no other process uses: nobody takes away what
//! somebody else has written.

use super::{Case, read};
use crate::input_error::InputError;
use crate::minimal::Finding;
use crate::mount::BuiltIn;
use crate::text_file;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A folder for cases.
#[derive(Debug)]
pub struct Saver {
    folder: PathBuf,
    written: Mutex<Written>,
}

#[derive(Debug, Default)]
struct Written {
    /// Files that this run wrote before it was known what is reported.
    early: BTreeSet<String>,
    error: Option<InputError>,
}

/// The same until it is known whether it is reported: `charged-once-5f2c….4711.json`.
fn early_name(finding: &Finding) -> String {
    file_name(finding).replace(".json", &format!(".{}.json", std::process::id()))
}

/// `charged-once-5f2c….json`.
pub fn file_name(finding: &Finding) -> String {
    format!("{}-{:016x}.json", finding.signature.promise, finding.fingerprint)
}

impl Saver {
    /// Makes the folder if there is none, and tries whether it can be written to.
    ///
    /// # Errors
    /// It cannot be made, or not be written to.
    pub fn new(folder: &str) -> Result<Saver, InputError> {
        if folder.is_empty() {
            return Err(InputError("--save: an empty name is no folder; name one, such as cases".into()));
        }
        let saver = Saver { folder: folder.into(), written: Mutex::default() };
        let trial = saver.folder.join(format!(".{}.tmp", std::process::id()));
        let tried =
            fs::create_dir_all(folder).and_then(|()| fs::write(&trial, "")).and_then(|()| fs::remove_file(&trial));
        tried.map_err(|e| {
            InputError(format!("--save {folder}: cannot write into this folder: {e}; name one that can be written to"))
        })?;
        Ok(saver)
    }

    /// Writes a finding's case at once, unless there is one of the same fingerprint.
    pub fn save(&self, finding: &Finding, mount: &BuiltIn<'_>) {
        let name = early_name(finding);
        let mut written = self.written();
        if !self.folder.join(file_name(finding)).exists() && !written.early.contains(&name) {
            match put(&self.folder.join(&name), &Case::of(finding, mount)) {
                Ok(()) => drop(written.early.insert(name)),
                Err(error) => drop(written.error.get_or_insert(error)),
            }
        }
    }

    /// Writes what is reported, over an older case of the same fingerprint too, and names its files.
    pub fn keep(&self, findings: &mut [Finding], mount: &BuiltIn<'_>) {
        for finding in findings {
            let name = file_name(finding);
            let (path, case) = (self.folder.join(&name), Case::of(finding, mount));
            let done = if path.exists() { renew(&path, case) } else { put(&path, &case) };
            if let Err(error) = done {
                self.written().error.get_or_insert(error);
            }
            finding.case = Some(name);
        }
    }

    /// Takes away what this run wrote early: what is reported stands under its own name by now.
    ///
    /// # Errors
    /// Something could not be written.
    pub fn finish(&self) -> Result<(), InputError> {
        let mut written = self.written();
        for name in std::mem::take(&mut written.early) {
            // A file that somebody else took away meanwhile is gone all the same.
            let _ = fs::remove_file(self.folder.join(name));
        }
        written.error.take().map_or(Ok(()), Err)
    }

    fn written(&self) -> MutexGuard<'_, Written> {
        self.written.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Writes over an older case of the same fingerprint. A note that somebody wrote stays, and what is no case.
fn renew(path: &Path, mut case: Case) -> Result<(), InputError> {
    let old = text_file::read(path).map_err(InputError).and_then(|text| read("this file", &text));
    case.note = old.map_err(|e| InputError(format!("{}: is in the way: {e}; move it away", path.display())))?.note;
    put(path, &case)
}

/// Writes beside, then renames: a reader never sees half a case.
fn put(path: &Path, case: &Case) -> Result<(), InputError> {
    let beside = path.with_extension(format!("json.{}.tmp", std::process::id()));
    let written = fs::write(&beside, case.to_json()).and_then(|()| fs::rename(&beside, path));
    written.map_err(|e| {
        let _ = fs::remove_file(&beside);
        InputError(format!("{}: cannot write this case: {e}; name a folder that can be written to", path.display()))
    })
}
