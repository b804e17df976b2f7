//! Where in the text of a case a value stands. Errors begin with the path of the value they are about,
//! such as `choices[0].site: …`.

use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// The error with the line of its value in front, if the text has it.
pub(super) fn placed(text: &str, error: &str) -> String {
    let path = error.split([':', ',']).next().unwrap_or_default();
    line_of(text, path).map_or(error.to_string(), |line| format!("line {line}: {error}"))
}

/// The line, from 1, of the value at a path.
fn line_of(text: &str, path: &str) -> Option<usize> {
    let mut value: &RawValue = serde_json::from_str(text).ok()?;
    for step in path.split(['.', '[']).map(|step| step.trim_end_matches(']')) {
        value = child(value, step)?;
    }
    // What was parsed borrows from the text, so that it stands in it.
    let before = text.get(..value.get().as_ptr().addr().checked_sub(text.as_ptr().addr())?)?;
    Some(before.matches('\n').count() + 1)
}

fn child<'a>(value: &'a RawValue, step: &str) -> Option<&'a RawValue> {
    match step.parse::<usize>() {
        Ok(at) => serde_json::from_str::<Vec<&RawValue>>(value.get()).ok()?.get(at).copied(),
        Err(_) => serde_json::from_str::<BTreeMap<String, &RawValue>>(value.get()).ok()?.remove(step),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_found_by_its_path() {
        let text = "{\n \"a\": {\n  \"b\": 1 },\n \"list\": [\n  { \"x\": 1 },\n  { \"x\":\n 2 } ]\n}";
        for (path, line) in [("a", Some(2)), ("a.b", Some(3)), ("list[1].x", Some(7)), ("list[2].x", None), ("c", None)]
        {
            assert_eq!(line_of(text, path), line, "{path}");
        }
        assert_eq!(placed(text, "a.b: wrong"), "line 3: a.b: wrong");
        assert_eq!(placed(text, "wrong: it is"), "wrong: it is");
    }
}
