//! Searching, shrinking, placing and proving in a world that is no shop.

mod bell;
mod replays;
mod searches;
