//! Which kinds of choices a world has: what the scenario says, plus and minus what the user asks for.

use unacked_sim::kind::{Class, Kinds};

/// Kinds added and taken away on the command line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Breaches and undocumented behaviour to add.
    pub include: Vec<String>,
    /// Kinds to take away.
    pub exclude: Vec<String>,
}

impl Filter {
    /// Checks the names.
    ///
    /// # Errors
    /// Names the unknown kind and the nearest known one.
    pub fn check(&self, kinds: &Kinds) -> Result<(), String> {
        let unknown = |name: &&String| kinds.named(name).is_none();
        match self.include.iter().chain(&self.exclude).find(unknown) {
            None => Ok(()),
            Some(name) => {
                let nearest = nearest(name, kinds.iter().map(|(_, k)| k.name));
                Err(format!("there is no fault named `{name}`{nearest}; `list faults` shows them all"))
            }
        }
    }

    /// Whether a kind takes part, given whether the scenario names it.
    pub fn allows(&self, name: &str, class: Class, named: bool) -> bool {
        let opt_in = matches!(class, Class::Breach | Class::Undocumented);
        !self.exclude.iter().any(|e| e == name) && (!opt_in || named || self.include.iter().any(|i| i == name))
    }
}

/// `; did you mean …?`, or nothing where no known name is close.
pub fn nearest<'a>(wanted: &str, known: impl Iterator<Item = &'a str>) -> String {
    let best = known.map(|name| (distance(wanted, name), name)).min();
    match best {
        Some((far, name)) if far <= wanted.len().max(3) / 2 => format!("; did you mean `{name}`?"),
        _ => String::new(),
    }
}

/// Edits between two words.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.chars().count()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.chars().enumerate() {
            let substituted = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row.last().copied().unwrap_or(0)
}
