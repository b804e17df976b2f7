//! The specification, as `docs/` says it: rules (`R7`), legal ends (`L2`), cases nobody can win (`no-win-9`).

/// The chapters whose headings are ids, in reading order.
const CHAPTERS: [(&str, &str); 3] = [
    ("rule", include_str!("../docs/rules.md")),
    ("legal end", include_str!("../docs/promises.md")),
    ("case nobody can win", include_str!("../docs/no-win.md")),
];

/// One thing that the specification numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Section {
    /// `rule`, `legal end` or `case nobody can win`.
    pub sort: &'static str,
    /// The heading: `R7`.
    pub id: &'static str,
    /// What it comes down to.
    pub title: &'static str,
    /// All of it, as Markdown.
    pub text: &'static str,
}

/// All of them, in the order of the chapters. A heading without a number is none.
pub fn sections() -> impl Iterator<Item = Section> {
    CHAPTERS
        .into_iter()
        .flat_map(|(sort, chapter)| chapter.split("\n## ").skip(1).filter_map(move |s| section(sort, s)))
}

/// The one of this id, in capitals or not.
pub fn named(id: &str) -> Option<Section> {
    sections().find(|section| section.id.eq_ignore_ascii_case(id))
}

fn section(sort: &'static str, text: &'static str) -> Option<Section> {
    let (id, text) = text.split_once('\n')?;
    let text = text.trim();
    let title = text.strip_prefix("**")?.split("**").next()?.trim_end_matches(['.', ',']);
    Some(Section { sort, id, title, text })
}
