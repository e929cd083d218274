//! What the runtime says on standard error, and how it ends a program that cannot go on: with one line that names the
//! culprit. `cargo xtask tidy` sees to it that nothing else in the runtime aborts.

use crate::model::hardware::{AtomicBool, Ordering};
use std::fmt::{Arguments, Write};
use std::time::Duration;

/// Writes text to standard error in one piece, so that lines of several threads or processes do not mix.
pub fn write(text: &[u8]) {
    let mut rest = text;
    // Without the standard library's lock, which another thread may hold when the process is forked.
    while !rest.is_empty() {
        // SAFETY: writes that many bytes of the slice.
        let written = unsafe { libc::write(libc::STDERR_FILENO, rest.as_ptr().cast(), rest.len()) };
        match usize::try_from(written) {
            Ok(written) if written > 0 => rest = &rest[written..],
            _ if std::io::Error::last_os_error().kind() == std::io::ErrorKind::Interrupted => {}
            // There is no other place to report that standard error fails.
            _ => return,
        }
    }
}

/// Whether a thread has said why the program ends.
static ENDING: AtomicBool = AtomicBool::new(false);

/// Ends the program at once, with the line `ferromp: WHY; aborting`. The line is made without allocating, since it may
/// be about memory.
#[cold]
pub fn abort(why: Arguments<'_>) -> ! {
    let mut line = Line::new();
    line.put(b"ferromp: ");
    // A line that is too long loses its end.
    let _ = line.write_fmt(why);
    line.end(b"; aborting\n");
    // Several threads of a team may lack the same thing at once: the first one says so for all, and ends them.
    if ENDING.swap(true, Ordering::Relaxed) {
        std::thread::sleep(Duration::from_secs(1));
    } else {
        write(line.text());
    }
    std::process::abort()
}

/// Ends the program because memory for `what` is missing.
#[cold]
pub fn no_memory(bytes: usize, what: &str) -> ! {
    abort(format_args!("no memory for {what} ({bytes} bytes)"))
}

/// Bytes of the longest line, its end included.
const LONGEST: usize = 1024;

/// A line in the making, on the stack.
struct Line {
    bytes: [u8; LONGEST],
    length: usize,
}

impl Line {
    fn new() -> Line {
        Line { bytes: [0; LONGEST], length: 0 }
    }

    fn put(&mut self, text: &[u8]) {
        let taken = text.len().min(LONGEST - self.length);
        self.bytes[self.length..][..taken].copy_from_slice(&text[..taken]);
        self.length += taken;
    }

    /// The last words, which even a long line has.
    fn end(&mut self, text: &[u8]) {
        self.length = self.length.min(LONGEST - text.len());
        self.put(text);
    }

    fn text(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}

impl Write for Line {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.put(text.as_bytes());
        Ok(())
    }
}

/// Ends the program in the way that the specification calls error termination, after the caller has said why: buffers
/// are written, and tools hear of the end.
#[cfg(not(loom))]
pub fn terminate() -> ! {
    // SAFETY: takes a number; any thread may call it.
    unsafe { libc::exit(1) }
}

/// Writes text to standard error in one piece, so that lines of several threads or processes do not mix.
#[cfg(not(loom))]
pub fn write_stderr(text: &str) {
    crate::stderr::write(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_keeps_its_end() {
        let mut line = Line::new();
        line.put(b"ferromp: ");
        line.write_fmt(format_args!("{}", "x".repeat(3 * LONGEST))).unwrap();
        line.end(b"; aborting\n");
        assert_eq!(line.text().len(), LONGEST);
        assert!(line.text().starts_with(b"ferromp: xxx") && line.text().ends_with(b"xxx; aborting\n"));
    }
}
