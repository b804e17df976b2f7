//! Where output goes: a report that cannot be written is an error, a reader that has gone away is none,
//! and nothing from a file drives the terminal.

use crate::common::{program, said};
use std::fs::File;
use std::process::Stdio;

#[test]
#[cfg(target_os = "linux")]
fn a_report_that_cannot_be_written_is_an_error() {
    let case = "replay scenarios/regressions --policy reference";
    for words in ["list promises", "explain crash", "check checkout --seeds 0..5", "exhaust checkout --faults 0", case]
    {
        let full = File::options().write(true).open("/dev/full").expect("a full device");
        let mut command = program();
        let done = command.args(words.split(' ')).stdout(full).stderr(Stdio::piped()).output().expect("it starts");
        let error = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(2), "{words}: {error}");
        assert!(error.contains("error: standard output: cannot write the report"), "{words}: {error}");
    }
}

#[test]
fn a_reader_that_has_gone_away_is_no_error() {
    let mut child = program()
        .args(["check", "checkout", "--seeds", "0..50"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    drop(child.stdout.take());
    let done = child.wait_with_output().expect("it ends");
    let error = String::from_utf8_lossy(&done.stderr);
    assert_eq!(done.status.code(), Some(0), "{error}");
    assert!(!error.contains("error") && !error.contains("panicked"), "{error}");
}

#[test]
fn nothing_from_a_file_drives_the_terminal() {
    let folder = format!("{}/driving", env!("CARGO_TARGET_TMPDIR"));
    std::fs::create_dir_all(&folder).expect("a folder");
    let put = |name: &str, text: &str| {
        let path = format!("{folder}/{name}");
        std::fs::write(&path, text).expect("written");
        path
    };
    let about = "about = \"\\u001b]0;mine\\u0007 \\u009b2J \\u202e\"\n[[order]]\namount = \"1.00 EUR\"\n";
    let scenario = put("driving.toml", about);
    let policy = put("driver.toml", "about = \"\\u001b[2J\"\nhome = [\"\\u001b[2J\"]\nbreaks = [\"\\u001b\"]\n");
    let wrong = put("wrong.toml", &format!("{about}[weights]\n\"\\u001b[2J\" = 1\n"));
    let raw = put("raw.toml", "about = \"\u{1b}[2J\"\n");
    let (_, text) = unacked::scenarios::catalog::REGRESSIONS[0];
    let case = put(
        "case.json",
        &text
            .replacen('{', "{\n  \"note\": \"\\u001b[2J \\u0085\",", 1)
            .replace("\"headline\": \"", "\"headline\": \"\\u001b[2J"),
    );
    let odd = put("odd.json", "{ \"\\u001b[2J\": 1 }");
    let runs: [&[&str]; 9] = [
        &["explain", &scenario],
        &["explain", &policy],
        &["check", &scenario, "--seeds", "0..5"],
        &["check", &scenario, "--seeds", "0..5", "--format", "json"],
        &["check", &wrong],
        &["check", &raw],
        &["replay", &case],
        &["replay", &odd],
        &["replay", &folder],
    ];
    for words in runs {
        let said = said(program().args(words));
        let drives = |c: char| c.is_control() && c != '\n' || c == '\u{202e}';
        assert!(!said.out.contains(drives), "{words:?}: {:?}", said.out);
        assert!(!said.err.contains(drives), "{words:?}: {:?}", said.err);
    }
}
