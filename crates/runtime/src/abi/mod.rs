//! The entry points: what compiled programs call. An entry point translates arguments, notes the caller, and calls one
//! function of the core. Entry points hold no logic.

mod entry_point;
pub mod goacc;
pub mod gomp;
pub mod kmpc;
mod lock_entry;
pub mod omp;
mod routine;
pub mod tgt;

pub(crate) use entry_point::{bind, entry_point, split_entry_point, split_wide_entry_point, wide_entry_point};
pub(crate) use routine::{routines, versions};

use std::ffi::{CStr, c_char};

/// An array that the compiler passes as length and address; empty for a null address, and for a length that is not
/// positive.
///
/// # Safety
/// The array has as many elements, which stay as they are while the result is used.
unsafe fn list<'a, T>(count: impl TryInto<usize>, first: *const T) -> &'a [T] {
    match count.try_into() {
        // SAFETY: the caller keeps to the `# Safety` section.
        Ok(count) if count > 0 && !first.is_null() => unsafe { std::slice::from_raw_parts(first, count) },
        _ => &[],
    }
}

/// The bytes of a C string; none for a null pointer.
///
/// # Safety
/// `string` is null or a C string, which stays as it is while the result is used.
unsafe fn text<'a>(string: *const c_char) -> &'a [u8] {
    // SAFETY: the caller keeps to the `# Safety` section.
    if string.is_null() { &[] } else { unsafe { CStr::from_ptr(string) }.to_bytes() }
}
