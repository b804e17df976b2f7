//! A subject that is not deterministic.

use std::sync::atomic::{AtomicU64, Ordering};
use unacked::prelude::*;

/// Code whose key depends on how often it has run; it charges after 7 s.
#[derive(Default)]
pub(crate) struct Unsteady(AtomicU64);

impl Subject for Unsteady {
    type World = Shop;

    async fn run<'w>(&'w self, cx: Cx<'w, Shop>, node: NodeId) {
        let intent = cx.world(|shop| shop.intents[0]);
        if node.0 == 0 {
            cx.sleep(Span::secs(7)).await;
            let key = self.0.fetch_add(1, Ordering::Relaxed) + 1;
            cx.call(client::charge(&intent, 0)).key(key).timeout(Span::secs(30)).await;
        }
    }
}
