//! The `error` directive at execution time (`__kmpc_error`; OpenMP 5.1 §2.5.4).

use super::Ident;
use crate::abi::door;
use crate::error::{self, Place, Severity};
use std::ffi::{CStr, c_char};

/// `severity_fatal`; 1 is a warning.
const FATAL: i32 = 2;

door! {
    /// `__kmpc_error`: prints the message, and ends the program where the severity is fatal.
    pub fn __kmpc_error(loc: *const Ident, severity: i32, message: *const c_char), |call| {
        let source = loc.as_ref().and_then(|loc| text(loc.source));
        let severity = if severity == FATAL { Severity::Fatal } else { Severity::Warning };
        error::directive(severity, source.and_then(place), text(message).unwrap_or_default(), call);
    }
}

/// # Safety
/// Null, or a string that outlives the result.
unsafe fn text<'a>(string: *const c_char) -> Option<&'a [u8]> {
    // SAFETY: the caller's.
    (!string.is_null()).then(|| unsafe { CStr::from_ptr(string) }.to_bytes())
}

/// File and line of `;file;function;line;column;;`; `None` where the compiler does not say.
fn place(source: &[u8]) -> Option<Place<'_>> {
    let mut parts = source.split(|&byte| byte == b';');
    let (file, line) = (parts.nth(1)?, parts.nth(1)?);
    (file != b"unknown" && !line.is_empty()).then_some(Place { file, line })
}

#[cfg(test)]
mod tests {
    use super::place;

    #[test]
    fn places() {
        let found = place(b";dir/a.c;main;12;3;;").expect("file and line");
        assert_eq!((found.file, found.line), (&b"dir/a.c"[..], &b"12"[..]));
        assert!(place(b";unknown;unknown;0;0;;").is_none() && place(b"").is_none());
    }
}
