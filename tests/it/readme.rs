//! What the README shows is what the program prints. `RENEW=1 cargo test --test it readme` renews it.

use crate::common::{program, said, shell_words};

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
const PROMPT: &str = "$ cargo run --release -- ";

/// The README with every shown output replaced by the real one.
fn renewed(readme: &str) -> (String, usize) {
    let mut out = String::new();
    let mut shown = 0;
    for (i, block) in readme.split("```").enumerate() {
        let (fence, body) = if i == 0 { ("", block) } else { ("```", block) };
        out += fence;
        let command = body.strip_prefix("console\n").and_then(|rest| rest.lines().next()?.strip_prefix(PROMPT));
        match command.filter(|_| i % 2 == 1) {
            Some(command) => {
                shown += 1;
                out += &format!(
                    "console\n{PROMPT}{command}\n{}",
                    said(program().args(shell_words(command)).env("CARGO", "cargo")).out
                );
            }
            None => out += body,
        }
    }
    (out, shown)
}

#[test]
fn shown_output_is_real() {
    let readme = std::fs::read_to_string(PATH).expect("there is a README");
    let (real, shown) = renewed(&readme);
    assert!(shown > 0, "the README shows a violation");
    if std::env::var_os("RENEW").is_some() {
        return std::fs::write(PATH, real).expect("the README is written");
    }
    for (shown, real) in readme.lines().zip(real.lines()) {
        assert_eq!(shown, real, "the README is out of date; run RENEW=1 cargo test --test it readme");
    }
    assert_eq!(readme.lines().count(), real.lines().count());
}
