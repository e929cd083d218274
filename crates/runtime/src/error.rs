//! The `error` directive at execution time (OpenMP 5.1 §2.5.4): a message of the program's, and the program's end where
//! the severity is `fatal`.

use crate::abi::Call;
use crate::icv;
use crate::ompt;
use crate::thread;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

/// The `severity` clause.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Severity {
    Warning,
    Fatal,
}

impl Severity {
    fn for_tools(self) -> ::ompt::Severity {
        match self {
            Severity::Warning => ::ompt::Severity::WARNING,
            Severity::Fatal => ::ompt::Severity::FATAL,
        }
    }
}

/// Executes the directive. `place` is where it stands in the source, if the compiler has said so; `message` is empty where
/// there is no such clause. Does not return where the severity is fatal: the program ends as `exit(1)` ends it.
#[cold]
pub fn directive(severity: Severity, place: Option<Place>, message: &[u8], call: Call) {
    ompt::error(thread::current(), severity.for_tools(), message, call);
    icv::write_stderr(&line(severity, place, message));
    if severity == Severity::Fatal {
        terminate();
    }
}

/// Ends the program in the way that the specification calls error termination, after the caller has said why: buffers are
/// written, and tools hear of the end.
pub fn terminate() -> ! {
    // SAFETY: takes a number; any thread may call it.
    unsafe { libc::exit(1) }
}

/// A place in the program's source.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    pub file: &'a [u8],
    pub line: &'a [u8],
}

fn line(severity: Severity, place: Option<Place>, message: &[u8]) -> String {
    let text = |bytes| OsStr::from_bytes(bytes).display();
    let mut line = String::from("ferromp: ");
    line += match severity {
        Severity::Warning => "warning by an error directive",
        Severity::Fatal => "error directive",
    };
    if let Some(place) = place {
        line += &format!(" at {}:{}", text(place.file), text(place.line));
    }
    if !message.is_empty() {
        line += &format!(": {}", text(message));
    }
    if severity == Severity::Fatal {
        line += "; the program ends";
    }
    line + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines() {
        let place = Some(Place { file: b"a b.c", line: b"7" });
        assert_eq!(line(Severity::Warning, place, b"low"), "ferromp: warning by an error directive at a b.c:7: low\n");
        assert_eq!(line(Severity::Fatal, None, b""), "ferromp: error directive; the program ends\n");
    }
}
