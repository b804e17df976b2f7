//! Writes cases while the hunt goes on, and keeps exactly those that are reported.

use super::{Case, read};
use crate::minimal::Finding;
use crate::refusal::Refusal;
use crate::rig::BuiltIn;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A folder for cases.
#[derive(Debug)]
pub struct Saver {
    folder: PathBuf,
    /// Names of the files written so far.
    written: Mutex<Written>,
}

#[derive(Debug, Default)]
struct Written {
    names: BTreeSet<String>,
    kept: BTreeSet<String>,
    error: Option<Refusal>,
}

/// `charged-once-5f2c….json`.
pub fn file_name(finding: &Finding) -> String {
    format!("{}-{:016x}.json", finding.signature.promise, finding.fingerprint)
}

impl Saver {
    /// Makes the folder if there is none.
    ///
    /// # Errors
    /// It cannot be made.
    pub fn new(folder: &str) -> Result<Saver, Refusal> {
        let made = fs::create_dir_all(folder);
        made.map_err(|e| {
            Refusal(format!("--save {folder}: cannot make this folder: {e}; name one that can be written to"))
        })?;
        Ok(Saver { folder: folder.into(), written: Mutex::default() })
    }

    /// Writes a finding's case unless a case of the same fingerprint has been written already.
    pub fn save(&self, finding: &Finding, rig: &BuiltIn<'_>) {
        let name = file_name(finding);
        let mut written = self.written();
        if !written.names.contains(&name) {
            match put(&self.folder.join(&name), Case::of(finding, rig)) {
                Ok(()) => drop(written.names.insert(name)),
                Err(refusal) => drop(written.error.get_or_insert(refusal)),
            }
        }
    }

    /// Marks what is reported, and names its files.
    pub fn keep(&self, findings: &mut [Finding], rig: &BuiltIn<'_>) {
        for finding in findings {
            self.save(finding, rig);
            finding.case = Some(file_name(finding));
            self.written().kept.insert(file_name(finding));
        }
    }

    /// Takes away what was written and is not reported.
    ///
    /// # Errors
    /// Something could not be written.
    pub fn finish(&self) -> Result<(), Refusal> {
        let mut written = self.written();
        for name in written.names.difference(&written.kept) {
            // A file that somebody else took away meanwhile is gone all the same.
            let _ = fs::remove_file(self.folder.join(name));
        }
        written.error.take().map_or(Ok(()), Err)
    }

    fn written(&self) -> MutexGuard<'_, Written> {
        self.written.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Writes beside, then renames: a reader never sees half a case. A note that somebody wrote stays.
fn put(path: &Path, mut case: Case) -> Result<(), Refusal> {
    case.note = fs::read_to_string(path).ok().and_then(|text| read("", &text).ok()).and_then(|old| old.note);
    let beside = path.with_extension(format!("json.{}.tmp", std::process::id()));
    let written = fs::write(&beside, case.to_json()).and_then(|()| fs::rename(&beside, path));
    written.map_err(|e| {
        let _ = fs::remove_file(&beside);
        Refusal(format!("{}: cannot write this case: {e}; name a folder that can be written to", path.display()))
    })
}
