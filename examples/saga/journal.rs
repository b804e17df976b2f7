//! The saga's durable state: a page per order, appended to and never changed.

use crate::order::state::{Entry, State};
use unacked::prelude::*;

/// All pages.
#[derive(Clone, Debug, Default)]
pub(crate) struct Journal {
    pages: Vec<Vec<Entry>>,
}

impl Journal {
    /// Where an order stands, by its page.
    pub(crate) fn state(&self, order: u32) -> State {
        self.pages.get(order as usize).into_iter().flatten().fold(State::default(), State::after)
    }

    /// Appends to a page that had this many entries when it was read. Returns whether the entry is there,
    /// now or since an earlier try.
    pub(crate) fn append(&mut self, order: u32, seen: usize, entry: Entry) -> bool {
        let Some(page) = self.pages.get_mut(order as usize) else { return false };
        if page.len() == seen {
            page.push(entry);
        }
        page.get(seen) == Some(&entry)
    }
}

impl Records for Journal {
    fn reset(&mut self, intents: &[Intent], _workers: u8) {
        self.pages.resize_with(intents.len(), Vec::new);
        self.pages.iter_mut().for_each(Vec::clear);
    }

    fn project(&self, order: u32) -> Projection {
        self.state(order).project()
    }
}
