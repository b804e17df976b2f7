//! Colour, which only emphasises: the text alone suffices.

const BAD: &str = "\u{1b}[1;31m";
const GOOD: &str = "\u{1b}[32m";
const STRONG: &str = "\u{1b}[1m";
const FAULT: &str = "\u{1b}[33m";
const PLAIN: &str = "\u{1b}[0m";

/// All there are: what may reach a terminal.
pub(super) const CODES: [&str; 5] = [BAD, GOOD, STRONG, FAULT, PLAIN];

/// Whether to colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paint(pub bool);

impl Paint {
    /// No colour.
    pub const PLAIN: Paint = Paint(false);

    /// What is wrong.
    pub fn bad(self, text: &str) -> String {
        self.dyed(BAD, text)
    }

    /// What is right.
    pub fn good(self, text: &str) -> String {
        self.dyed(GOOD, text)
    }

    /// What stands out.
    pub fn strong(self, text: &str) -> String {
        self.dyed(STRONG, text)
    }

    /// What fault struck.
    pub fn fault(self, text: &str) -> String {
        self.dyed(FAULT, text)
    }

    fn dyed(self, code: &str, text: &str) -> String {
        if self.0 { format!("{code}{text}{PLAIN}") } else { text.into() }
    }
}
