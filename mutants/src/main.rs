//! `cargo run -p unacked-mutants`: breaks the product on purpose and says what notices.

use clap::Parser;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use unacked_mutants::copy::Copy;
use unacked_mutants::mutation::{Layer, Mutation, read};
use unacked_mutants::table::{HEAD, Tried, is_deaf, shares};
use unacked_mutants::trial::{Effort, trial};

/// Applies small mutations one at a time to a copy of the sources, builds it, runs `check`, `check --policy all`
/// and the tests of the layer, and prints what noticed each. About ten seconds a
/// mutation on two cores.
#[derive(Debug, Parser)]
#[command(name = "mutants")]
struct Arguments {
    /// Only mutations of this layer: workflow, oracles, providers, engine
    #[arg(long)]
    layer: Option<String>,
    /// Only mutations whose name contains this
    #[arg(long)]
    only: Option<String>,
    /// Run the tests of the layer even where `check` has noticed
    #[arg(long)]
    tests: bool,
    /// Where the copy is kept
    #[arg(long, default_value = "target/mutants")]
    copy: PathBuf,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(false) => ExitCode::SUCCESS,
        Ok(true) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

/// Whether a mutation was missed.
fn run(arguments: &Arguments) -> Result<bool, String> {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let chosen = choose(arguments, read(&repository.join("mutants/tables"))?)?;
    let copy = Copy::of(&repository, std::path::absolute(&arguments.copy).map_err(|e| e.to_string())?)?;
    let effort = Effort { tests: arguments.tests };
    println!("{HEAD}");
    let mut all = Vec::new();
    for (layer, mutation) in chosen {
        let noticed = copy.mutated(&mutation, || trial(copy.root(), layer, effort))??;
        let tried = Tried { layer, mutation, noticed };
        println!("{}", tried.line());
        all.push(tried);
    }
    print!("\n{}", shares(&all));
    Ok(is_deaf(&all))
}

fn choose(arguments: &Arguments, all: Vec<(Layer, Mutation)>) -> Result<Vec<(Layer, Mutation)>, String> {
    let layer = arguments.layer.as_deref().map(named).transpose()?;
    let wanted = |(of, mutation): &(Layer, Mutation)| {
        layer.is_none_or(|l| l == *of) && arguments.only.as_ref().is_none_or(|o| mutation.id.contains(o.as_str()))
    };
    let chosen: Vec<_> = all.into_iter().filter(wanted).collect();
    if chosen.is_empty() { Err("no mutation is called so; see mutants/tables".into()) } else { Ok(chosen) }
}

fn named(name: &str) -> Result<Layer, String> {
    let all = || Layer::ALL.map(Layer::name).join(", ");
    Layer::ALL.into_iter().find(|l| l.name() == name).ok_or_else(|| format!("no layer `{name}`: one of {}", all()))
}
