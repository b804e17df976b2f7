//! Text files of users: whole, of a sane size, UTF-8, without a byte order mark.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

/// No scenario, policy, contract or case is larger: what is larger is a device or a mistake.
const MOST_BYTES: u64 = 8 * 1_024 * 1_024;

/// The text of a file.
///
/// # Errors
/// Why there is none, to be put behind the file's name.
pub(crate) fn read(path: &Path) -> Result<String, String> {
    let kind = fs::metadata(path).map_err(|e| format!("cannot read this file: {e}"))?;
    if kind.is_dir() {
        return Err("this is a folder, not a file; name a file in it".into());
    }
    let mut bytes = Vec::new();
    let file = File::open(path).and_then(|file| file.take(MOST_BYTES + 1).read_to_end(&mut bytes));
    file.map_err(|e| format!("cannot read this file: {e}"))?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(format!("more than {MOST_BYTES} bytes are no such file; name another one"));
    }
    let text = String::from_utf8(bytes).map_err(|e| not_utf8(&e))?;
    Ok(text.strip_prefix('\u{feff}').map(String::from).unwrap_or(text))
}

fn not_utf8(error: &std::string::FromUtf8Error) -> String {
    let before = error.as_bytes().iter().take(error.utf8_error().valid_up_to());
    let line = before.filter(|byte| **byte == b'\n').count() + 1;
    format!("line {line}: not UTF-8 text; save it as UTF-8")
}
