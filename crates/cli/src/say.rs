//! What this command says: its answers on stdout, its remarks on stderr.

use std::fmt::Display;
use std::io::{Write, stderr, stdout};

use ferromp_trace::escape;
use serde_json::Value;

use crate::failure::{Failure, reason};

/// Writes an answer to stdout without changes: names from outside are escaped already. A full disk behind a redirection
/// is a failure.
pub fn answer(text: &str) -> Result<(), Failure> {
    let mut out = stdout().lock();
    let done = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    done.map_err(|error| Failure::new(format!("cannot write to stdout: {}", reason(&error))))
}

/// Writes one line to stderr, marked as this command's. Names in it are escaped, so that they neither break the line
/// nor control the terminal. A failure to write stderr is ignored, because there is nowhere to report it.
pub fn note(line: impl Display) {
    let _ = writeln!(stderr().lock(), "ferromp: {}", escape::line(&line.to_string()));
}

/// A JSON document as text. Control characters are escaped, also where JSON does not ask for it.
pub fn document(value: &Value) -> String {
    escape::json(&format!("{value:#}\n")).into_owned()
}

/// Writes several lines to stderr without changes: names from outside are escaped already.
pub fn beside(text: &str) {
    let _ = stderr().lock().write_all(text.as_bytes());
}
