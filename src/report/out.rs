//! Where text leaves the program: whole or with an error, and without characters that drive a terminal.

use super::paint::CODES;
use crate::input_error::InputError;
use std::io::{ErrorKind, Write, stderr, stdout};

/// Prints to standard output. A reader that has gone away (`| head`) is no error.
///
/// # Errors
/// It cannot be written: the disk is full, for example.
pub fn out(text: &str) -> Result<(), InputError> {
    let mut to = stdout().lock();
    let written = to.write_all(harmless(text).as_bytes()).and_then(|()| to.flush());
    written.or_else(|e| match e.kind() {
        ErrorKind::BrokenPipe => Ok(()),
        _ => Err(InputError(format!("standard output: cannot write the report: {e}; send it where there is room"))),
    })
}

/// Prints an error.
pub fn complain(text: &str) {
    let _ = writeln!(stderr(), "error: {}", harmless(text));
}

/// Prints what belongs to this run only, never to its report: speed, progress.
pub fn remark(text: &str) {
    let _ = writeln!(stderr(), "{}", harmless(text));
}

/// Characters that drive a terminal or turn the text around, as `\u001b`: right in JSON too. Our own
/// colours stay.
fn harmless(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(drives) {
        let (before, driver) = rest.split_at(at);
        out += before;
        let own = CODES.into_iter().find(|code| driver.starts_with(code));
        let character = driver.chars().next().map_or(0, char::len_utf8);
        let length = own.map_or(character, str::len);
        match own {
            Some(code) => out += code,
            None => driver[..character].encode_utf16().for_each(|unit| out += &format!("\\u{unit:04x}")),
        }
        rest = &driver[length..];
    }
    out + rest
}

fn drives(c: char) -> bool {
    let turns = matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    (c.is_control() && c != '\n' && c != '\t') || turns
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Paint;

    #[test]
    fn what_drives_a_terminal_is_shown_and_our_own_colours_stay() {
        let check = |text: &str, shown: &str| assert_eq!(harmless(text), shown);
        check("a\n\tb é 漢", "a\n\tb é 漢");
        check("\u{1b}[2J\u{7}\r\u{9b}2J\u{202e}x", "\\u001b[2J\\u0007\\u000d\\u009b2J\\u202ex");
        check("\u{1b}]0;title\u{7}", "\\u001b]0;title\\u0007");
        let dyed = Paint(true).bad("x") + &Paint(true).good("y") + &Paint(true).strong("z") + &Paint(true).fault("w");
        check(&dyed, &dyed);
    }
}
