//! The `error` directive at execution time (OpenMP 5.1 §2.5.4): the program's message, and the program's end if the
//! severity is `fatal`. A strict `num_threads` clause that cannot be met has the same effect (OpenMP 6.0, section
//! 12.1.2).

use crate::objects::call::Call;
use crate::objects::clauses::{Place, Severity};
use crate::objects::current;
use crate::ompt;
use crate::stderr;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

/// What raises an error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cause {
    /// An `error` directive.
    Directive,
    /// A parallel construct with a strict `num_threads` clause that gets another number of threads.
    Threads { wanted: u32, had: u32 },
}

/// Raises the error: reports it, and writes one line to stderr. `place` is the construct's place in the source, if the
/// compiler passes it. `message` is empty without such a clause. If the severity is fatal, the program ends as
/// `exit(1)` ends it, and this does not return.
#[cold]
pub fn raise(cause: Cause, severity: Severity, place: Option<Place>, message: &[u8], call: Call) {
    ompt::error(current::current(), ::ompt::Severity(severity as _), message, call);
    let line = line(cause, severity, place, message);
    if severity == Severity::Fatal {
        stderr::terminate(&line);
    }
    stderr::write_stderr(&line);
}

fn line(cause: Cause, severity: Severity, place: Option<Place>, message: &[u8]) -> String {
    let text = |bytes| OsStr::from_bytes(bytes).display();
    let mut line = String::from("ferromp: ");
    line += match severity {
        Severity::Warning => "warning by ",
        Severity::Fatal => "",
    };
    line += &match cause {
        Cause::Directive if severity == Severity::Warning => String::from("an error directive"),
        Cause::Directive => String::from("error directive"),
        Cause::Threads { wanted, .. } => format!("num_threads(strict: {wanted})"),
    };
    if let Some(place) = place {
        line += &format!(" at {}:{}", text(place.file), text(place.line));
    }
    if let Cause::Threads { had, .. } = cause {
        line += &format!(", which gets {had} {}", if had == 1 { "thread" } else { "threads" });
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
        let directive = |severity, place, message| line(Cause::Directive, severity, place, message);
        assert_eq!(
            directive(Severity::Warning, place, b"low"),
            "ferromp: warning by an error directive at a b.c:7: low\n"
        );
        assert_eq!(directive(Severity::Fatal, None, b""), "ferromp: error directive; the program ends\n");
        let threads = |severity, place, message, had| line(Cause::Threads { wanted: 4, had }, severity, place, message);
        assert_eq!(
            threads(Severity::Warning, None, b"few", 2),
            "ferromp: warning by num_threads(strict: 4), which gets 2 threads: few\n"
        );
        assert_eq!(
            threads(Severity::Fatal, place, b"", 1),
            "ferromp: num_threads(strict: 4) at a b.c:7, which gets 1 thread; the program ends\n"
        );
    }
}
