//! What the functions that the debugger calls have in common: arguments that may be null, and answers (OpenMP 5.1,
//! section 5.5).
//!
//! Nothing behind the doors panics: whatever was read is checked before it is used, because a panic would end the
//! debugger.

use crate::Rc;
use crate::space::Space;
use std::ffi::c_int;

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

/// Writes -1, 0 or 1: how two handles of one kind compare by what `key` takes of what they stand for. `find` finds
/// that, and the address spaces, which have to be the same; `ompd_rc_bad_input` for different ones.
///
/// # Safety
/// `value` is null or may be written to.
pub unsafe fn compare<H, R, K: Ord>(
    find: impl Fn(*const H) -> Result<(Space, R), Rc>,
    (one, other): (*mut H, *mut H),
    value: *mut c_int,
    key: impl Fn(R) -> K,
) -> Rc {
    let compare = || {
        let (space_of_one, one) = find(one)?;
        let (space_of_other, other) = find(other)?;
        // SAFETY: the caller says so.
        let value = unsafe { place(value) }?;
        if !space_of_one.is_as(&space_of_other) {
            return Err(Rc::BAD_INPUT);
        }
        *value = key(one).cmp(&key(other)) as c_int;
        Ok(())
    };
    answer(compare())
}
