//! The `error` directive at execution time (`GOMP_error`, `GOMP_warning`; OpenMP 5.1 §2.5.4).

use crate::abi::{entry_point, list, text};
use crate::error::{self, Cause};
use crate::objects::call::Call;
use crate::objects::clauses::Severity;
use std::ffi::c_char;

entry_point! {
    /// `GOMP_error`: prints the message and ends the program.
    pub fn GOMP_error(message: *const c_char, length: usize), |call| {
        directive(Severity::Fatal, message, length, call);
    }

    /// `GOMP_warning`: prints the message.
    pub fn GOMP_warning(message: *const c_char, length: usize), |call| {
        directive(Severity::Warning, message, length, call);
    }
}

/// A message of length −1 ends with a null byte. Other messages are Fortran's and have `length` bytes.
///
/// # Safety
/// `message` is null or such a message.
unsafe fn directive(severity: Severity, message: *const c_char, length: usize, call: Call) {
    // SAFETY: the caller keeps to the `# Safety` section.
    let text = unsafe {
        match length {
            usize::MAX => text(message),
            length => list(length, message.cast()),
        }
    };
    error::raise(Cause::Directive, severity, None, text, call);
}
