//! The `error` directive at execution time (`__kmpc_error`; OpenMP 5.1 §2.5.4).

use super::Ident;
use crate::abi::{entry_point, text};
use crate::error::{self, Cause};
use crate::objects::clauses::{Place, Severity};
use std::ffi::c_char;

/// `severity_warning`; 2 is fatal.
const WARNING: i32 = 1;

/// The severity with this number: fatal for every number except that of a warning.
pub(super) fn severity(number: i32) -> Severity {
    if number == WARNING { Severity::Warning } else { Severity::Fatal }
}

entry_point! {
    /// `__kmpc_error`: prints the message, and ends the program where the severity is fatal.
    pub fn __kmpc_error(loc: *const Ident, severity: i32, message: *const c_char), |call| {
        error::raise(Cause::Directive, self::severity(severity), place_of(loc), text(message),
            call);
    }
}

/// The file and line of the construct that `loc` describes; `None` where the compiler does not pass them.
///
/// # Safety
/// Null, or an `ident_t` that outlives the result.
pub(super) unsafe fn place_of(loc: *const Ident) -> Option<Place<'static>> {
    // SAFETY: the caller keeps to the `# Safety` section.
    unsafe { loc.as_ref().and_then(|loc| place(text(loc.source))) }
}

/// File and line of `;file;function;line;column;;`; `None` where the compiler does not pass them.
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
