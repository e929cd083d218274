//! The common part of the entry points that the debugger calls: arguments that may be null, and answers (OpenMP 5.1,
//! section 5.5).
//!
//! No entry point panics, because a panic would end the debugger. Whatever was read is checked before use.

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

/// The place that the debugger wants written; `ompd_rc_bad_input` for null.
///
/// # Safety
/// `place` is null or may be written to.
pub unsafe fn place<'a, T>(place: *mut T) -> Result<&'a mut T, Rc> {
    // SAFETY: the pointer is null or valid by the contract above.
    unsafe { place.as_mut() }.ok_or(Rc::BAD_INPUT)
}

/// Answers a query about `subject`: writes what `find` finds to `to`. `ompd_rc_bad_input` if `to` is null.
///
/// # Safety
/// `to` is null or may be written to.
pub unsafe fn write<S, T>(to: *mut T, subject: Result<S, Rc>, find: impl FnOnce(S) -> Result<T, Rc>) -> Rc {
    let write = || {
        let subject = subject?;
        // SAFETY: the pointer is null or valid by the contract above.
        let to = unsafe { place(to) }?;
        *to = find(subject)?;
        Ok(())
    };
    answer(write())
}

/// Writes -1, 0 or 1: the order of two handles of one kind, by the `key` of their objects. `find` finds the object of a
/// handle and its address space. `ompd_rc_bad_input` if the address spaces differ.
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
        // SAFETY: the pointer is null or valid by the contract above.
        let value = unsafe { place(value) }?;
        if !space_of_one.is_as(&space_of_other) {
            return Err(Rc::BAD_INPUT);
        }
        *value = key(one).cmp(&key(other)) as c_int;
        Ok(())
    };
    answer(compare())
}
