//! The operator queue: what was handed over to a person, and what the person stated.

use unacked_workflow::order::Statement;
use unacked_workflow::tool::Tool;

/// What was handed over, in the order of time. It outlives every crash.
#[derive(Clone, Debug, Default)]
pub struct OperatorQueue {
    entries: Vec<Entry>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    order: u32,
    tool: Tool,
    key: u64,
    statement: Option<Statement>,
}

impl Entry {
    fn is_about(&self, order: u32, tool: Tool, key: u64) -> bool {
        (self.order, self.tool, self.key) == (order, tool, key)
    }
}

impl OperatorQueue {
    /// Empty again; the memory is kept.
    pub(crate) fn reset(&mut self) {
        self.entries.clear();
    }

    /// As it was in `to`, a copy taken earlier.
    pub(crate) fn rewind(&mut self, to: &OperatorQueue) {
        self.entries.clone_from(&to.entries);
    }

    /// Takes in an operation. Returns whether that is news: an entry that waits is not made twice.
    pub(crate) fn open(&mut self, order: u32, tool: Tool, key: u64) -> bool {
        let waits = |e: &Entry| e.is_about(order, tool, key) && e.statement.is_none();
        let news = !self.entries.iter().any(waits);
        if news {
            self.entries.push(Entry { order, tool, key, statement: None });
        }
        news
    }

    /// A person has established what became of it.
    pub(crate) fn state(&mut self, order: u32, tool: Tool, key: u64, statement: Statement) -> bool {
        let waits = |e: &&mut Entry| e.is_about(order, tool, key) && e.statement.is_none();
        let Some(entry) = self.entries.iter_mut().find(waits) else { return false };
        entry.statement = Some(statement);
        true
    }

    /// What has been stated about it, the latest first.
    pub fn statement(&self, order: u32, tool: Tool, key: u64) -> Option<Statement> {
        self.entries.iter().rev().find(|e| e.is_about(order, tool, key))?.statement
    }
}
