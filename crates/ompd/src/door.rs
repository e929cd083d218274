//! What the functions that the debugger calls have in common: arguments that may be null, and answers (OpenMP 5.1, section 5.5).
//!
//! Nothing behind the doors panics: whatever was read is checked before it is used, because a panic would end the debugger.

use crate::Rc;

/// The answer of a function.
pub fn answer(result: Result<(), Rc>) -> Rc {
    match result {
        Ok(()) => Rc::OK,
        Err(code) => code,
    }
}

/// Where the debugger wants something written; `ompd_rc_bad_input` for null.
///
/// # Safety
/// `place` is null or may be written to.
pub unsafe fn place<'a, T>(place: *mut T) -> Result<&'a mut T, Rc> {
    // SAFETY: the caller says so.
    unsafe { place.as_mut() }.ok_or(Rc::BAD_INPUT)
}
