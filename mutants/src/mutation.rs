//! A mutation: one text in one file replaced by another, and whose business it is to notice.

use serde::Deserialize;
use std::fs;
use std::path::Path;

/// Which part of the product it breaks; decides what has to notice it.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "lowercase")]
pub enum Layer {
    /// The built-in workflow: `check` or `check --policy all` has to notice.
    Workflow,
    /// A clause of an oracle: a unit test and a wrong policy or subject have to notice.
    Oracles,
    /// A mock provider or desk: a unit test or `check`.
    Providers,
    /// Engine, search, shrinker, store: a unit test or `check`.
    Engine,
}

impl Layer {
    /// All of them, in the order of the table.
    pub const ALL: [Layer; 4] = [Layer::Workflow, Layer::Oracles, Layer::Providers, Layer::Engine];

    /// The word used in files and output.
    pub const fn name(self) -> &'static str {
        match self {
            Layer::Workflow => "workflow",
            Layer::Oracles => "oracles",
            Layer::Providers => "providers",
            Layer::Engine => "engine",
        }
    }

    /// Crates whose tests are its unit tests.
    pub const fn crates(self) -> &'static [&'static str] {
        match self {
            Layer::Workflow => &["unacked-workflow"],
            Layer::Oracles => &["unacked-scenarios"],
            Layer::Providers => &["unacked-mock-providers"],
            Layer::Engine => &["unacked-sim", "unacked-search", "unacked-scenarios"],
        }
    }
}

/// One small change of meaning.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Mutation {
    /// Its name, unique among all.
    pub id: String,
    /// What goes wrong, in a few words.
    pub says: String,
    /// The file, from the root of the repository.
    pub file: String,
    /// The text that is replaced: it stands in the file exactly once.
    pub from: String,
    /// The text put in its place.
    pub to: String,
    /// The rules or clauses that it breaks, for the reader.
    #[serde(default)]
    pub breaks: String,
    /// Why nothing can notice it, where that is proved.
    pub equivalent: Option<String>,
}

/// A file of mutations.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Listed {
    layer: Layer,
    #[serde(default)]
    mutation: Vec<Mutation>,
}

/// Reads the tables of a folder, by layer.
///
/// # Errors
/// A sentence that names the file and what is wrong with it.
pub fn read(folder: &Path) -> Result<Vec<(Layer, Mutation)>, String> {
    let mut all = Vec::new();
    for layer in Layer::ALL {
        let path = folder.join(format!("{}.toml", layer.name()));
        let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let listed: Listed = toml::from_str(&text).map_err(|e| format!("{}: {e}", path.display()))?;
        all.extend(listed.mutation.into_iter().map(|m| (listed.layer, m)));
    }
    match twice(&all) {
        Some(id) => Err(format!("two mutations are called `{id}`: rename one")),
        None => Ok(all),
    }
}

fn twice(all: &[(Layer, Mutation)]) -> Option<&str> {
    let mut names: Vec<&str> = all.iter().map(|(_, m)| m.id.as_str()).collect();
    names.sort_unstable();
    names.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0])
}

impl Mutation {
    /// The file's text with the change made.
    ///
    /// # Errors
    /// The text to be replaced is not there, or more than once: the mutation is stale.
    pub fn apply(&self, text: &str) -> Result<String, String> {
        match text.matches(self.from.as_str()).count() {
            1 => Ok(text.replacen(self.from.as_str(), &self.to, 1)),
            n => Err(format!("mutation `{}` is stale: its text stands {n} times in {}", self.id, self.file)),
        }
    }
}
