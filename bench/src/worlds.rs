//! The load worlds that ship with the library. A test holds the list against the folder.

use crate::load::World;

macro_rules! embedded {
    ($($file:literal),* $(,)?) => {
        /// The text of every load world, by name.
        pub const WORLDS: &[(&str, &str)] =
            &[$(($file, include_str!(concat!("../worlds/", $file, ".toml")))),*];
    };
}

embedded! { "checkout-outage", "flat-failure", "surge-collapse" }

/// A load world by name.
///
/// # Errors
/// No world has this name: all names.
pub fn world(name: &str) -> Result<World, String> {
    let found = WORLDS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text);
    let names: Vec<&str> = WORLDS.iter().map(|(known, _)| *known).collect();
    World::read(found.ok_or_else(|| format!("no load world is named `{name}`; there are {}", names.join(", ")))?)
}
