//! The table at the end of `check`, and the statement of what was covered.

use super::block::field;
use super::demands::unmet;
use super::{Paint, blocks, counted, grouped, unsteady};
use crate::conclusion::Conclusion;
use crate::runset::RunSet;
use unacked_scenarios::told::HANDED_OFF;

/// Everything about these run sets: blocks, then the table.
pub fn human(sets: &[RunSet], paint: Paint) -> String {
    let mut out = String::new();
    for set in sets {
        out += &blocks(set, paint);
        out += &unmet(set, paint);
        if let Some(differs) = &set.result.unsteady {
            out += &unsteady(differs, &set.scenario, paint);
            out.push('\n');
        }
    }
    out + &summary(sets, paint)
}

/// The table and what stands under it.
pub fn summary(sets: &[RunSet], paint: Paint) -> String {
    let mut rows = vec![HEAD.map(String::from)];
    rows.extend(sets.iter().map(row));
    let mut out = table(&rows);
    out.push('\n');
    sets.iter().for_each(|set| out += &covered(set));
    out += &verdict(sets, paint);
    out
}

const HEAD: [&str; 7] = ["scenario", "policy", "runs", "faults reached", "hand-offs", "violations", "rate at most"];

fn row(set: &RunSet) -> [String; 7] {
    let statistics = &set.result.statistics;
    let (reached, possible) = set.reach();
    let strikes: u64 = statistics.faults.iter().sum();
    [
        set.scenario.clone(),
        set.policy.clone(),
        grouped(statistics.runs),
        format!("{reached} of {possible} ({})", grouped(strikes)),
        grouped(statistics.ended(HANDED_OFF)),
        grouped(statistics.failing),
        percent(set.bound()),
    ]
}

/// Two significant digits.
pub(super) fn percent(rate: f64) -> String {
    let percent = rate * 100.0;
    let places = if percent >= 10.0 { 0 } else { (1.0 - libm::floor(libm::log10(percent.max(1e-12)))) as usize };
    format!("{percent:.places$} %")
}

/// Left-aligned words, right-aligned numbers.
pub(super) fn table<const N: usize>(rows: &[[String; N]]) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: [usize; N] = std::array::from_fn(width);
    let number = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
    let right: [bool; N] = std::array::from_fn(|c| rows.len() > 1 && rows[1..].iter().all(|row| number(&row[c])));
    let mut out = String::new();
    for row in rows {
        let cell = |(c, text): (usize, &String)| {
            let width = widths[c];
            if right[c] { format!("{text:>width$}") } else { format!("{text:<width$}") }
        };
        let line: Vec<String> = row.iter().enumerate().map(cell).collect();
        out += line.join("  ").trim_end();
        out.push('\n');
    }
    out
}

/// What was covered, and what was not.
fn covered(set: &RunSet) -> String {
    let coverage = &set.coverage;
    let families: Vec<String> = coverage.families.iter().map(|(name, n)| format!("{n} {name}")).collect();
    let mut text = format!("{}: kinds {}; noisy timing; {}", set.scenario, families.join(", "), coverage.maxima);
    text += &format!("; {} made again", counted(set.result.verified, "run"));
    let mut out = field("covered", &text);
    let listed = |label: &str, names: &[&str]| match names {
        [] => String::new(),
        names => field(label, &names.join(", ")),
    };
    if !coverage.unreached.is_empty() {
        let text = format!("not reached in {}: {}", set.scenario, some_of(&coverage.unreached, set.must_reach));
        out += &field(if set.must_reach { "unreached" } else { "warning" }, &text);
    }
    out += &listed("excused", &coverage.excused);
    out + &listed("not judged", &coverage.not_judged)
}

/// A few names where it only warns, all of them where it fails.
fn some_of(names: &[&str], all: bool) -> String {
    const FEW: usize = 6;
    if all || names.len() <= FEW {
        return names.join(", ");
    }
    format!("{} and {} more", names[..FEW].join(", "), names.len() - FEW)
}

fn verdict(sets: &[RunSet], paint: Paint) -> String {
    let verdict = sets.iter().map(RunSet::conclusion).max().unwrap_or_default();
    let signatures: usize = sets.iter().map(|s| s.result.statistics.found.len() + s.unmet().count()).sum();
    let runs: u64 = sets.iter().map(|s| s.result.statistics.runs).sum();
    let text = match verdict {
        Conclusion::Kept if signatures == 0 => paint.good(&format!("kept: no violation in {}", counted(runs, "run"))),
        Conclusion::Kept => paint.good(&format!("kept: nothing in {} was the workflow's fault", counted(runs, "run"))),
        Conclusion::Violated if signatures == 0 => paint.bad("violated: not everything was reached that has to be"),
        Conclusion::Violated => {
            let ways = counted(signatures as u64, "way");
            paint.bad(&format!("violated in {ways}; {} made", counted(runs, "run")))
        }
        other => paint.bad(other.name()),
    };
    format!("{:>10}  {text}\n", "verdict")
}
