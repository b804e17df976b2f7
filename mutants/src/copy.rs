//! A copy of the sources, in which one file at a time is changed and put back.

use crate::mutation::Mutation;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A copy of the tracked files of a repository. Kept between runs, so that little is built anew.
#[derive(Debug)]
pub struct Copy {
    root: PathBuf,
}

impl Copy {
    /// Brings the copy up to date with the working tree.
    ///
    /// # Errors
    /// What could not be listed, read or written.
    pub fn of(repository: &Path, root: PathBuf) -> Result<Copy, String> {
        for name in tracked(repository)? {
            let from = repository.join(&name);
            if from.is_file() {
                renew(&from, &root.join(&name))?;
            }
        }
        Ok(Copy { root })
    }

    /// Where it lies.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Makes one change, does the work, and takes the change back.
    ///
    /// # Errors
    /// The mutation is stale, or the file cannot be read or written.
    pub fn mutated<R>(&self, mutation: &Mutation, work: impl FnOnce() -> R) -> Result<R, String> {
        let path = self.root.join(&mutation.file);
        let whole = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", mutation.file))?;
        write(&path, mutation.apply(&whole)?.as_bytes())?;
        let done = work();
        write(&path, whole.as_bytes())?;
        Ok(done)
    }
}

fn tracked(repository: &Path) -> Result<Vec<String>, String> {
    let mut git = Command::new("git");
    git.args(["ls-files", "-z"]).current_dir(repository);
    let listed = git.output().map_err(|e| format!("git ls-files: {e}"))?;
    let text = String::from_utf8(listed.stdout).map_err(|e| format!("git ls-files: {e}"))?;
    Ok(text.split('\0').filter(|name| !name.is_empty()).map(String::from).collect())
}

/// Copies a file only if it differs: what is unchanged keeps its time and is not built again.
fn renew(from: &Path, to: &Path) -> Result<(), String> {
    let new = fs::read(from).map_err(|e| format!("{}: {e}", from.display()))?;
    if fs::read(to).is_ok_and(|old| old == new) {
        return Ok(());
    }
    let folder = to.parent().unwrap_or(to);
    fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    write(to, &new)
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    fs::write(path, bytes).map_err(|e| format!("{}: {e}", path.display()))
}
