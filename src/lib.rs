//! `unacked` runs a side-effecting workflow against providers that misbehave the way real ones do,
//! and hands back the shortest story of how it charges twice, ships twice, loses an order or lies
//! about one.
//!
//! A run is a pure function of (scenario, subject, plan); the seed only writes the plan.
//!
//! # Your own code
//!
//! A [`sim::lab::Subject`] is ordinary async code that calls the shop's providers. Here is one that
//! somebody might write, with a mistake: each attempt at the charge gets a fresh key.
//!
//! ```
//! use unacked::prelude::*;
//!
//! struct Stranger;
//!
//! impl Subject for Stranger {
//!     type World = Shop;
//!
//!     async fn run<'w>(&'w self, cx: Cx<'w, Shop>, node: NodeId) {
//!         if node.0 > 0 {
//!             return; // one worker does it all
//!         }
//!         let (order, intent) = (0, cx.world(|shop| shop.intents[0]));
//!         let done = |got| matches!(got, Reception::Reply(Reply { says: Says::Done, .. }));
//!         cx.call(client::reserve(&intent, order)).key(1).timeout(Span::secs(3)).await;
//!         let mut attempt = 0;
//!         loop {
//!             attempt += 1;
//!             let key = 100 + attempt; // the mistake
//!             if done(cx.call(client::charge(&intent, order)).key(key).timeout(Span::secs(30)).await) {
//!                 break;
//!             }
//!             if attempt == 5 {
//!                 return;
//!             }
//!         }
//!         let question = client::approve(&intent, order, 3);
//!         cx.call(question).key(2).timeout(Span::secs(5)).await;
//!         for _ in 0..500 {
//!             cx.sleep(Span::mins(10)).await;
//!             if done(cx.call(client::look_up(question)).key(2).timeout(Span::secs(5)).await) {
//!                 cx.call(client::fulfill(&intent, order)).key(3).timeout(Span::secs(30)).await;
//!                 return;
//!             }
//!         }
//!     }
//! }
//!
//! let report = check_subject(&Stranger, "checkout", 0..200)?;
//! let text = report.to_string();
//! println!("{text}");
//! assert!(!report.is_kept());
//! assert!(text.contains("violation[charged-once]: order 1 was charged twice"));
//! assert!(text.contains("1 needed"));
//! assert!(text.contains("not judged")); // what needs records of its own is not called kept
//! # Ok::<(), unacked::input_error::InputError>(())
//! ```
//!
//! What the report needs of a subject's own records it can have: keep them through the shop's books
//! and say so with [`Check::sees_store`]. Existing tokio or reqwest code does not run in here: a call
//! goes through [`sim::cx::Cx`].
//!
//! # Reading order
//!
//! Where things come from (source), what is run (mount, search, statistics), what is made of it
//! (minimal, free, rescue, story, mistake, compare, coverage, runset, exhaust, case), your own code
//! (subject), and how it is told (report).

pub mod case;
#[cfg(feature = "cli")]
pub mod cli;
pub mod compare;
pub mod coverage;
pub mod input_error;
pub mod mistake;
pub mod mount;
pub mod prelude;
pub mod regressions;
pub mod report;
pub mod reproduce;
pub mod runset;
pub mod source;
pub mod spec;
pub mod subject;
mod text_file;

pub use subject::{Check, Report, check_subject};
pub use unacked_mock_providers as mock_providers;
pub use unacked_scenarios as scenarios;
pub use unacked_search::{
    bound, conclusion, exhaust, free, minimal, parallel, reach, rescue, search, statistics, story, unsteady, watch,
};
pub use unacked_sim as sim;
pub use unacked_workflow as workflow;
