//! What this command says: its answers on stdout, its remarks on stderr.

use std::fmt::Display;
use std::io::{Write, stderr, stdout};

use crate::failure::{Failure, reason};

/// Writes an answer to stdout, as it is. A full disk behind a redirection is a failure.
pub fn answer(text: &str) -> Result<(), Failure> {
    let mut out = stdout().lock();
    let done = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    done.map_err(|error| Failure::new(format!("cannot write to stdout: {}", reason(&error))))
}

/// Writes one line to stderr, marked as this command's. Where stderr cannot be written there is nobody to tell.
pub fn note(line: impl Display) {
    let _ = writeln!(stderr().lock(), "ferromp: {line}");
}

/// Writes several lines to stderr, as they are.
pub fn beside(text: &str) {
    let _ = stderr().lock().write_all(text.as_bytes());
}
