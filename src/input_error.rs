//! An input error: why something could not be run, in one sentence that contains the fix.

use std::fmt;

/// Why something could not be run. Bad input, never a violation and never a bug of ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputError(pub String);

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for InputError {}

impl From<String> for InputError {
    fn from(text: String) -> InputError {
        InputError(text)
    }
}
