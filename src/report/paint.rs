//! Colour, which only emphasises: the text alone suffices.

/// Whether to colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paint(pub bool);

impl Paint {
    /// No colour.
    pub const PLAIN: Paint = Paint(false);

    /// What is wrong.
    pub fn bad(self, text: &str) -> String {
        self.dyed("1;31", text)
    }

    /// What is right.
    pub fn good(self, text: &str) -> String {
        self.dyed("32", text)
    }

    /// What stands out.
    pub fn strong(self, text: &str) -> String {
        self.dyed("1", text)
    }

    /// What fault struck.
    pub fn fault(self, text: &str) -> String {
        self.dyed("33", text)
    }

    fn dyed(self, code: &str, text: &str) -> String {
        if self.0 { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.into() }
    }
}
