//! Retry policies side by side: safety first, then completion and cost, each against the baseline.

use super::TOOL;
use super::json::pretty;
use serde_json::{Value, json};
use std::ops::Range;
use unacked_bench::comparison::{Line, Record, Versus};
use unacked_bench::load::Tally;
use unacked_bench::statistics::{Difference, Histogram, Quantile};

/// A comparison, ready to be told.
pub struct Benched<'a> {
    /// The world, as it was typed.
    pub world: &'a str,
    /// What it is.
    pub about: &'a str,
    /// The seeds asked for.
    pub seeds: &'a Range<u64>,
    /// The policy that the others are compared with.
    pub baseline: &'a str,
    /// One line per policy.
    pub lines: &'a [Line],
    /// What they were made from.
    pub records: &'a [Record],
}

const HEAD: [&str; 9] =
    ["policy", "safe", "duplicates", "unknown", "done", "against baseline", "per order", "p50", "p99"];

/// Quantiles that are told, in parts of a thousand.
const QUANTILES: [(&str, u64); 4] = [("p50", 500), ("p90", 900), ("p99", 990), ("p999", 999)];

/// For people: a table, the safe ones first, the most complete first among them.
pub fn benched(of: &Benched<'_>) -> String {
    let rows: Vec<[String; 9]> = sorted(of.lines).into_iter().map(row).collect();
    let widths: Vec<usize> = (0..HEAD.len()).map(|column| width(&rows, column)).collect();
    let mut out = head(of);
    out += &aligned(&HEAD.map(String::from), &widths);
    rows.iter().for_each(|row| out += &aligned(row, &widths));
    out + &foot(of)
}

/// The same as Markdown.
pub fn benched_markdown(of: &Benched<'_>) -> String {
    let mut out = head(of);
    out += &format!("| {} |\n|{}\n", HEAD.join(" | "), " --- |".repeat(HEAD.len()));
    sorted(of.lines).into_iter().for_each(|line| out += &format!("| {} |\n", row(line).join(" | ")));
    out + &foot(of)
}

fn head(of: &Benched<'_>) -> String {
    format!(
        "load world {}: {}\nseeds {}..{}, the same for every policy; baseline {}\n\n",
        of.world, of.about, of.seeds.start, of.seeds.end, of.baseline
    )
}

fn foot(of: &Benched<'_>) -> String {
    let seeds = of.lines.first().map_or(0, |line| line.charging_twice.of);
    let mut out = format!(
        "\n{seeds} seeds a policy. done: orders known to be charged before the horizon; against baseline: paired difference in\n\
         points with its 95 % interval over seeds, `~` where it cannot be told from none (Holm over all policies);\n\
         per order: requests; unknown: charged, and nobody ever learned of it; p50, p99: over all orders, done or not\n"
    );
    for line in of.lines.iter().filter(|line| !line.is_safe()) {
        out += &format!("disqualified: {} charges twice: {}\n", line.policy, line.charging_twice);
    }
    if let Some(line) = of.lines.iter().find(|line| line.is_safe()) {
        out += &format!("no double charge under the others: {}\n", line.charging_twice);
    }
    out
}

fn sorted(lines: &[Line]) -> Vec<&Line> {
    let mut sorted: Vec<&Line> = lines.iter().collect();
    sorted.sort_by(|a, b| {
        let by = (b.is_safe().cmp(&a.is_safe())).then(b.completion.total_cmp(&a.completion));
        by.then(a.amplification.total_cmp(&b.amplification)).then(a.policy.cmp(&b.policy))
    });
    sorted
}

fn row(line: &Line) -> [String; 9] {
    [
        line.policy.clone(),
        if line.is_safe() { "yes".into() } else { "NO".into() },
        line.duplicates.to_string(),
        line.unknown.to_string(),
        format!("{:.2} %", 100.0 * line.completion),
        line.versus.map_or("baseline".into(), |versus| against(&versus)),
        format!("{:.3}", line.amplification),
        line.times.quantile(500, 1000).to_string(),
        line.times.quantile(990, 1000).to_string(),
    ]
}

fn against(versus: &Versus) -> String {
    let Difference { mean, low, high, .. } = versus.completion;
    let mark = if versus.verdict() == 0 { " ~" } else { "" };
    format!("{:+.2} ({:+.2} to {:+.2}){mark}", 100.0 * mean, 100.0 * low, 100.0 * high)
}

fn width(rows: &[[String; 9]], column: usize) -> usize {
    rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0).max(HEAD[column].len())
}

fn aligned(row: &[String; 9], widths: &[usize]) -> String {
    let mut line = format!("{:<1$}", row[0], widths[0]);
    row.iter().zip(widths).skip(1).for_each(|(cell, width)| line += &format!("  {cell:>width$}"));
    line + "\n"
}

/// For programs.
pub fn benched_json(of: &Benched<'_>) -> String {
    let lines: Vec<Value> = of.lines.iter().map(line_json).collect();
    pretty(&json!({
        "format": 1,
        "tool": TOOL,
        "world": of.world,
        "seeds": { "from": of.seeds.start, "to": of.seeds.end },
        "baseline": of.baseline,
        "policies": lines,
    }))
}

fn line_json(line: &Line) -> Value {
    json!({
        "policy": line.policy,
        "safe": line.is_safe(),
        "seeds": line.charging_twice.of,
        "seeds_charging_twice": line.charging_twice.events,
        "charging_twice_at_most": line.charging_twice.bound_of_none(0.95).unwrap_or(line.charging_twice.exact(0.95).high),
        "duplicates": line.duplicates,
        "unknown": line.unknown,
        "orders": line.orders,
        "completion": line.completion,
        "requests_per_order": line.amplification,
        "denied": line.denied,
        "micros": quantiles(&line.times),
        "completion_against_baseline": line.versus.map(|v| difference(&v.completion, v.completion_p)),
        "requests_against_baseline": line.versus.map(|v| difference(&v.amplification, v.amplification_p)),
    })
}

/// Microseconds; null beyond the horizon.
fn quantiles(times: &Histogram) -> Value {
    let value = |parts| match times.quantile(parts, 1000) {
        Quantile::Within(span) => Some(span.0),
        Quantile::Beyond | Quantile::Nothing => None,
    };
    QUANTILES
        .iter()
        .map(|(name, parts)| (name.to_string(), json!(value(*parts))))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

fn difference(of: &Difference, adjusted: f64) -> Value {
    json!({
        "mean": of.mean, "low": of.low, "high": of.high, "p": of.p, "p_adjusted": adjusted,
        "correlation": of.correlation, "variance_reduction": of.gain,
    })
}

/// One row per policy and seed.
pub fn benched_csv(of: &Benched<'_>) -> String {
    let mut out = String::from("policy,seed,orders,done,attempts,duplicates,unknown,denied,p50_us,p99_us\n");
    for record in of.records {
        for (seed, tally) in of.seeds.clone().zip(&record.tallies) {
            out += &csv_row(&record.policy, seed, tally);
        }
    }
    out
}

fn csv_row(policy: &str, seed: u64, tally: &Tally) -> String {
    let micros = |parts| match tally.times.quantile(parts, 1000) {
        Quantile::Within(span) => span.0.to_string(),
        Quantile::Beyond | Quantile::Nothing => String::new(),
    };
    let Tally { orders, done, attempts, duplicates, unknown, denied, .. } = tally;
    format!(
        "{policy},{seed},{orders},{done},{attempts},{duplicates},{unknown},{denied},{},{}\n",
        micros(500),
        micros(990)
    )
}
