//! Reports: the only code that prints. Data in, text out; the text is the same on every machine.

mod benched;
mod block;
mod cases;
mod checked;
mod comparison;
mod demands;
mod exhausted;
mod explain;
mod json;
mod listing;
mod mermaid;
mod out;
mod paint;
mod perfetto;
mod policies;
mod preset;
mod summary;
mod trace;

pub use benched::{Benched, benched, benched_csv, benched_json, benched_markdown};
pub use block::{block, blocks, unsteady};
pub use cases::{Around, case, case_json, cases, cases_json, regressions};
pub use checked::check_json;
pub use comparison::{comparison, comparison_json};
pub use exhausted::{exhausted, exhausted_json};
pub use explain::explain;
pub use json::{Rest, replay_json, without_json};
pub use listing::{Row, list, list_json, rows};
pub use mermaid::mermaid;
pub use out::{complain, out, remark};
pub use paint::Paint;
pub use perfetto::perfetto;
pub use policies::{Caught, policies, policies_json};
pub use summary::{human, summary};
pub use trace::{trace, trace_json};

/// Name and version, as reports carry them.
pub const TOOL: &str = concat!("unacked ", env!("CARGO_PKG_VERSION"));

/// 1234567 as `1,234,567`.
pub fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `1 run`, `2 runs`.
pub fn counted(n: u64, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{} {what}s", grouped(n)) }
}
