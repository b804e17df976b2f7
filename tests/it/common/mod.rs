//! Runs the real binary: text in, text out.

pub(crate) mod cases;
pub(crate) mod unsteady;

use std::process::{Command, Output};

/// What the program said.
pub(crate) struct Said {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// Runs `unacked` with these words, as if it had been installed.
pub(crate) fn unacked(words: &str) -> Said {
    said(program().args(words.split_whitespace()))
}

/// The program, not started by cargo.
pub(crate) fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_unacked"));
    command.env_remove("CARGO").current_dir(env!("CARGO_MANIFEST_DIR"));
    command
}

pub(crate) fn said(command: &mut Command) -> Said {
    let Output { status, stdout, stderr } = command.output().expect("the binary starts");
    let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
    Said { code: status.code().unwrap_or(-1), out: text(stdout), err: text(stderr) }
}

/// Words as a shell would split them; only what reports print: plain words and 'quoted ones'.
pub(crate) fn shell_words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (i, part) in line.split('\'').enumerate() {
        if i % 2 == 1 {
            words.push(part.to_string());
        } else {
            words.extend(part.split_whitespace().map(String::from));
        }
    }
    words
}
