//! Runs so many seeds of a scenario and nothing else, for `instructions.sh`, which counts what that takes.
//!
//! `counted SCENARIO SEEDS [ORDERS]`: a name or a file; with ORDERS, its first order so many times. Prints
//! the broken promises, if there are any, and a digest.

use std::process::ExitCode;
use unacked::scenarios::filter::Filter;
use unacked::source;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let Some(name) = words.first() else { return ExitCode::SUCCESS };
    let number = |at: usize| words.get(at).and_then(|word| word.parse::<u32>().ok());
    let (Ok(mut model), Ok(policy)) = (source::scenario(name), source::policy("reference")) else {
        eprintln!("there is no scenario `{name}`");
        return ExitCode::from(2);
    };
    if let Some(orders) = number(2) {
        model.scenario.order.truncate(1);
        model.scenario.order[0].count = orders;
        model.scenario.stock.units = None;
    }
    let seeds = u64::from(number(1).unwrap_or(1));
    let broken = model.with_orchestrator(&policy, &Filter::default(), |lab| {
        let mut broken = 0;
        let mut digest = 0u64;
        for seed in 0..seeds {
            let outcome = lab.run_seed(seed);
            digest = digest.rotate_left(1) ^ outcome.digest;
            broken += outcome.violations.len();
            outcome.violations.iter().for_each(|v| println!("seed {seed}: {}: {}", v.signature(), v.headline));
        }
        println!("digest {digest:016x}");
        broken
    });
    ExitCode::from(u8::from(broken > 0))
}
