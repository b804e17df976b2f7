//! A refusal: why something could not be run, in one sentence that contains the fix.

use std::fmt;

/// Why something could not be run. Bad input, never a violation and never a bug of ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal(pub String);

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Refusal {}

impl From<String> for Refusal {
    fn from(text: String) -> Refusal {
        Refusal(text)
    }
}
