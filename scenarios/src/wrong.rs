//! What is wrong with a file that is well-formed: the value it is about, and what to write instead.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// One thing that is wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wrong {
    /// Keys and positions from the top of the file down to the value, with dots between.
    path: String,
    /// What is wrong and how to mend it.
    says: String,
}

impl Wrong {
    /// `path`: keys and positions from the top of the file down to the value, with dots between.
    pub(crate) fn at(path: impl Into<String>, says: impl Into<String>) -> Wrong {
        Wrong { path: path.into(), says: says.into() }
    }

    /// The sentence for people: file, line, key, what is wrong.
    pub(crate) fn in_file(&self, name: &str, text: &str) -> String {
        let line = line_of(text, &self.path).map_or(String::new(), |line| format!("line {line}: "));
        format!("{name}: {line}{}: {}", self.path, self.says)
    }
}

/// The line, from 1, of a value in a TOML text, or of the innermost table around it that is there.
fn line_of(text: &str, path: &str) -> Option<usize> {
    let table = DeTable::parse(text).ok()?;
    let mut steps = path.split('.');
    let mut inside = child_of_table(table.get_ref(), steps.next()?);
    let mut found = None;
    while let Some(value) = inside {
        found = Some(value.span().start);
        inside = steps.next().and_then(|step| child(value.get_ref(), step));
    }
    let before = text.get(..found?)?;
    Some(before.matches('\n').count() + 1)
}

fn child<'a, 'i>(value: &'a DeValue<'i>, step: &str) -> Option<&'a Spanned<DeValue<'i>>> {
    match value {
        DeValue::Table(table) => child_of_table(table, step),
        DeValue::Array(array) => step.parse::<usize>().ok().and_then(|at| array.get(at)),
        _ => None,
    }
}

fn child_of_table<'a, 'i>(table: &'a DeTable<'i>, key: &str) -> Option<&'a Spanned<DeValue<'i>>> {
    table.iter().find(|(name, _)| name.get_ref() == key).map(|(_, value)| value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_found_in_tables_arrays_and_inline() {
        let text = "a = 1\n[t]\nlist = [\n  \"x\",\n  \"y\",\n]\nin = { k = 2 }\n[[o]]\nq = 3\n[[o]]\nq = 4\n";
        let places = [("a", 1), ("t.list.1", 5), ("t.in.k", 7), ("o.1.q", 11), ("o.1.missing", 10), ("t.none", 2)];
        for (path, line) in places {
            assert_eq!(line_of(text, path), Some(line), "{path}");
        }
        assert_eq!(line_of(text, "nowhere"), None);
    }
}
