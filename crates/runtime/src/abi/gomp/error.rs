//! The `error` directive at execution time (`GOMP_error`, `GOMP_warning`; OpenMP 5.1 §2.5.4).

use crate::abi::entry_point;
use crate::error;
use crate::error::Cause;
use crate::objects::call::Call;
use crate::objects::clauses::Severity;
use std::ffi::{CStr, c_char};

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

/// A message of length −1 ends with a zero; others, Fortran's, have `length` bytes.
///
/// # Safety
/// As the ABI says.
unsafe fn directive(severity: Severity, message: *const c_char, length: usize, call: Call) {
    // SAFETY: the caller's.
    let text = unsafe {
        match length {
            _ if message.is_null() => &[],
            usize::MAX => CStr::from_ptr(message).to_bytes(),
            length => std::slice::from_raw_parts(message.cast(), length),
        }
    };
    error::raise(Cause::Directive, severity, None, text, call);
}
