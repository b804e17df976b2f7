//! What may be typed.

use crate::search::Verify;
use crate::statistics::FailOn;
use clap::{Args as Group, Parser, Subcommand, ValueEnum};
use std::ops::Range;
use unacked_sim::time::{Span, parse_span};

/// Runs an order workflow against providers that misbehave, and tells the shortest story of how it breaks.
#[derive(Debug, Parser)]
#[command(
    name = "unacked",
    version,
    after_help = "exit codes: 0 kept, 1 violated (or something that must be reached was not), 2 could not run,\n\
                  3 not deterministic, 4 stale case, 130 interrupted"
)]
pub(super) struct Args {
    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Run seeds, shrink what fails, and say what was covered
    Check(Check),
    /// Run a saved case, a folder of them or one seed again
    Replay(Replay),
    /// Place every combination of up to K choices, each exactly once
    Exhaust(Exhaust),
    /// Compare retry policies on the same seeds of a load world
    Bench(Bench),
    /// List what there is
    List(List),
    /// Explain a scenario, policy, promise, fault, contract or rule
    Explain(Explain),
}

#[derive(Debug, Group)]
pub(super) struct Check {
    /// Names of scenarios, or paths to .toml files; all embedded ones if none is given
    #[arg(value_name = "SCENARIO")]
    pub(super) scenarios: Vec<String>,
    /// Name of a policy, path to a .toml file, or `all`: every wrong policy has to be caught at home
    /// [default: the scenario's own, else reference]
    #[arg(long, value_name = "NAME|FILE|all")]
    pub(super) policy: Option<String>,
    /// Seeds to run, the end not included [default: 0..20000; 0..2000 for wrong policies under `all`]
    #[arg(long, value_name = "A..B", value_parser = seeds, conflicts_with = "time")]
    pub(super) seeds: Option<Range<u64>>,
    /// Run seeds from 0 for this long, per scenario
    #[arg(long = "for", value_name = "TIME", value_parser = time)]
    pub(super) time: Option<Span>,
    /// Threads [default: as many as the machine offers]
    #[arg(long, value_name = "N", value_parser = jobs)]
    pub(super) jobs: Option<usize>,
    /// Count violations of this promise only
    #[arg(long, value_name = "PROMISE")]
    pub(super) only: Option<String>,
    #[command(flatten)]
    pub(super) kinds: Kinds,
    /// How to report
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(super) format: Format,
    /// Write every shrunk case into this folder, at once
    #[arg(long, value_name = "DIR")]
    pub(super) save: Option<String>,
    /// Stop soon after the first failing run
    #[arg(long)]
    pub(super) fail_fast: bool,
    /// The gravest blame that fails; what is graver is listed and exits 0
    #[arg(long, value_enum, default_value_t = Blame::Workflow)]
    pub(super) fail_on: Blame,
    /// Which runs are made again to prove that they are deterministic
    #[arg(long, value_enum, default_value_t = Again::Sample)]
    pub(super) verify: Again,
}

#[derive(Debug, Group)]
pub(super) struct Kinds {
    /// Add a kind of breach or undocumented behaviour; repeatable
    #[arg(long, value_name = "FAULT")]
    pub(super) include: Vec<String>,
    /// Take a kind of fault away; repeatable
    #[arg(long, value_name = "FAULT")]
    pub(super) exclude: Vec<String>,
}

#[derive(Debug, Group)]
pub(super) struct Replay {
    /// CASE.json or a folder of cases; SCENARIO:SEED, such as checkout:17 (holds for this version only);
    /// or SCENARIO with choices by --with
    #[arg(value_name = "CASE|DIR|SCENARIO:SEED")]
    pub(super) what: String,
    /// Name of a policy or path to a .toml file [default: the case's or the scenario's own, else reference]
    #[arg(long, value_name = "NAME|FILE")]
    pub(super) policy: Option<String>,
    /// A choice in words, such as 'order-1 charge #1 reply: reply-lost'; repeatable
    #[arg(long, value_name = "CHOICE")]
    pub(super) with: Vec<String>,
    /// Leave out the fault with this number of the case or of the shrunk plan
    #[arg(long, value_name = "N")]
    pub(super) without: Option<usize>,
    #[command(flatten)]
    pub(super) kinds: Kinds,
    /// Run the same plan under this policy too, and show both side by side
    #[arg(long, value_name = "NAME|FILE", conflicts_with_all = ["trace", "without"])]
    pub(super) compare: Option<String>,
    /// Print every event
    #[arg(long)]
    pub(super) trace: bool,
    /// How to report; mermaid: a sequence diagram; perfetto: trace events for ui.perfetto.dev
    #[arg(long, value_enum, default_value_t = View::Human)]
    pub(super) format: View,
}

#[derive(Debug, Group)]
pub(super) struct Exhaust {
    /// Name of a scenario, or path to a .toml file
    #[arg(value_name = "SCENARIO")]
    pub(super) scenario: String,
    /// Most choices in a plan
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u8).range(0..=8))]
    pub(super) faults: u8,
    /// Name of a policy or path to a .toml file [default: the case's or the scenario's own, else reference]
    #[arg(long, value_name = "NAME|FILE")]
    pub(super) policy: Option<String>,
    /// Threads [default: as many as the machine offers]
    #[arg(long, value_name = "N", value_parser = jobs)]
    pub(super) jobs: Option<usize>,
    /// Count violations of this promise only
    #[arg(long, value_name = "PROMISE")]
    pub(super) only: Option<String>,
    #[command(flatten)]
    pub(super) kinds: Kinds,
    /// How to report
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(super) format: Format,
    /// Write every shrunk case into this folder, at once
    #[arg(long, value_name = "DIR")]
    pub(super) save: Option<String>,
}

#[derive(Debug, Group)]
pub(super) struct Bench {
    /// Name of a load world (checkout-outage, flat-failure, surge-collapse), or path to a .toml file
    #[arg(value_name = "WORLD")]
    pub(super) world: String,
    /// Presets (`list presets`) or paths to .toml files, by commas; `all`: every preset that can be acted out
    #[arg(long, value_name = "A,B,C|all", value_delimiter = ',', default_value = "all")]
    pub(super) policies: Vec<String>,
    /// The policy that the others are compared with
    #[arg(long, value_name = "NAME", default_value = "none")]
    pub(super) baseline: String,
    /// Seeds to run under every policy, the end not included
    #[arg(long, value_name = "A..B", value_parser = seeds, default_value = "0..200")]
    pub(super) seeds: Range<u64>,
    /// Threads [default: as many as the machine offers]
    #[arg(long, value_name = "N", value_parser = jobs)]
    pub(super) jobs: Option<usize>,
    /// How to report; csv: one row per policy and seed
    #[arg(long, value_enum, default_value_t = Table::Human)]
    pub(super) format: Table,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Table {
    Human,
    Markdown,
    Json,
    Csv,
}

#[derive(Debug, Group)]
pub(super) struct List {
    /// What to list
    #[arg(value_enum)]
    pub(super) what: Sort,
    /// How to report
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub(super) format: Format,
}

#[derive(Debug, Group)]
pub(super) struct Explain {
    /// Name of a scenario, policy, promise, fault or contract, number of a rule (R7), legal end (L2) or case
    /// nobody can win (no-win-9), or path to a scenario or policy file
    pub(super) name: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    Human,
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum View {
    Human,
    Json,
    Mermaid,
    Perfetto,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Sort {
    Scenarios,
    Policies,
    Promises,
    Faults,
    Contracts,
    Presets,
    Rules,
}

impl Sort {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Sort::Scenarios => "scenarios",
            Sort::Policies => "policies",
            Sort::Promises => "promises",
            Sort::Faults => "faults",
            Sort::Contracts => "contracts",
            Sort::Presets => "presets",
            Sort::Rules => "rules",
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Blame {
    Workflow,
    Undocumented,
    Breach,
}

impl From<Blame> for FailOn {
    fn from(blame: Blame) -> FailOn {
        match blame {
            Blame::Workflow => FailOn::Workflow,
            Blame::Undocumented => FailOn::Undocumented,
            Blame::Breach => FailOn::Breach,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Again {
    Sample,
    All,
}

impl From<Again> for Verify {
    fn from(again: Again) -> Verify {
        match again {
            Again::Sample => Verify::Sample,
            Again::All => Verify::All,
        }
    }
}

fn seeds(text: &str) -> Result<Range<u64>, String> {
    let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    let number = |text: &str| Some(text.trim().replace('_', "")).filter(|t| digits(t))?.parse::<u64>().ok();
    let range = text.split_once("..").and_then(|(a, b)| Some(number(a)?..number(b)?));
    match range {
        None => Err("write FROM..TO with two whole numbers, such as 0..20000".into()),
        Some(range) if range.is_empty() => {
            Err("the range is empty; write FROM..TO with FROM < TO, such as 0..20000".into())
        }
        Some(range) => Ok(range),
    }
}

fn time(text: &str) -> Result<Span, String> {
    match parse_span(text)? {
        Span::ZERO => Err("no time at all; write for example 30s".into()),
        span => Ok(span),
    }
}

fn jobs(text: &str) -> Result<usize, String> {
    let jobs = text.parse().ok().filter(|n| (1..=1_024).contains(n));
    jobs.ok_or_else(|| "write a number of threads from 1 to 1024".into())
}
