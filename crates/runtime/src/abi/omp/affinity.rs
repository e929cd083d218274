//! Routines that say where a thread runs, and in which format (OpenMP 5.1 §3.3.8–§3.3.11). A string of Fortran comes
//! with its length as an argument behind the others, and a string for Fortran is filled up with blanks.

use crate::objects::current;
use std::ffi::{CStr, c_char, c_int};

use super::versions;
use crate::team::display;

/// The bytes of a C string; none for a null pointer.
///
/// # Safety
/// `text` is null or a C string, which stays as it is while the result is used.
unsafe fn c_bytes<'a>(text: *const c_char) -> &'a [u8] {
    if text.is_null() {
        return &[];
    }
    // SAFETY: the caller upholds it.
    unsafe { CStr::from_ptr(text) }.to_bytes()
}

/// The bytes of a Fortran string.
///
/// # Safety
/// `text` is null or points to `length` bytes, which stay as they are while the result is used.
unsafe fn fortran_bytes<'a>(text: *const c_char, length: usize) -> &'a [u8] {
    if text.is_null() {
        return &[];
    }
    // SAFETY: the caller upholds it.
    unsafe { std::slice::from_raw_parts(text.cast(), length) }
}

/// Copies as much of a text as there is room for, and ends it as C does. Returns the text's length.
///
/// # Safety
/// `buffer` is null or points to `size` bytes that may be written.
unsafe fn copy_to_c(text: &[u8], buffer: *mut c_char, size: usize) -> usize {
    if !buffer.is_null() && size > 0 {
        let length = text.len().min(size - 1);
        // SAFETY: the caller upholds it, and the length is less than the size.
        unsafe {
            buffer.copy_from_nonoverlapping(text.as_ptr().cast(), length);
            buffer.add(length).write(0);
        }
    }
    text.len()
}

/// Copies as much of a text as there is room for, and fills up with blanks. Returns the text's length.
///
/// # Safety
/// `buffer` is null or points to `size` bytes that may be written.
unsafe fn copy_to_fortran(text: &[u8], buffer: *mut c_char, size: usize) -> c_int {
    if !buffer.is_null() {
        let length = text.len().min(size);
        // SAFETY: the caller upholds it, and the length is at most the size.
        unsafe {
            buffer.copy_from_nonoverlapping(text.as_ptr().cast(), length);
            buffer.add(length).write_bytes(b' ', size - length);
        }
    }
    c_int::try_from(text.len()).unwrap_or(c_int::MAX)
}

/// Sets affinity-format-var (§3.3.8).
///
/// # Safety
/// `format` is null, which changes nothing, or a C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_set_affinity_format(format: *const c_char) {
    current::current();
    if !format.is_null() {
        // SAFETY: the caller upholds it.
        display::set_format(unsafe { c_bytes(format) });
    }
}

/// Copies affinity-format-var into a buffer and returns its length, the ending null byte not counted (§3.3.9).
///
/// # Safety
/// `buffer` is null or points to `size` bytes that may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_get_affinity_format(buffer: *mut c_char, size: usize) -> usize {
    current::current();
    // SAFETY: the caller upholds it.
    unsafe { copy_to_c(&display::format(), buffer, size) }
}

/// Prints where the calling thread runs, in a format or, without one, as affinity-format-var says (§3.3.10).
///
/// # Safety
/// `format` is null or a C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_display_affinity(format: *const c_char) {
    current::current();
    // SAFETY: the caller upholds it.
    display::display(unsafe { c_bytes(format) });
}

/// Writes what [`omp_display_affinity`] prints into a buffer; returns its length, the ending null byte not counted
/// (§3.3.11).
///
/// # Safety
/// `buffer` is null or points to `size` bytes that may be written; `format` is null or a C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_capture_affinity(buffer: *mut c_char, size: usize, format: *const c_char) -> usize {
    current::current();
    // SAFETY: the caller upholds it.
    unsafe { copy_to_c(&display::capture(c_bytes(format)), buffer, size) }
}

/// [`omp_set_affinity_format`] as Fortran calls it.
///
/// # Safety
/// `format` points to `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_set_affinity_format_(format: *const c_char, length: usize) {
    current::current();
    // SAFETY: the caller upholds it.
    display::set_format(unsafe { fortran_bytes(format, length) });
}

/// [`omp_get_affinity_format`] as Fortran calls it.
///
/// # Safety
/// `buffer` points to `size` bytes that may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_get_affinity_format_(buffer: *mut c_char, size: usize) -> c_int {
    current::current();
    // SAFETY: the caller upholds it.
    unsafe { copy_to_fortran(&display::format(), buffer, size) }
}

/// [`omp_display_affinity`] as Fortran calls it.
///
/// # Safety
/// `format` points to `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_display_affinity_(format: *const c_char, length: usize) {
    current::current();
    // SAFETY: the caller upholds it.
    display::display(unsafe { fortran_bytes(format, length) });
}

/// [`omp_capture_affinity`] as Fortran calls it.
///
/// # Safety
/// `buffer` points to `size` bytes that may be written, `format` to `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_capture_affinity_(
    buffer: *mut c_char,
    format: *const c_char,
    size: usize,
    length: usize,
) -> c_int {
    current::current();
    // SAFETY: the caller upholds it.
    unsafe { copy_to_fortran(&display::capture(fortran_bytes(format, length)), buffer, size) }
}

versions! {
    omp_set_affinity_format: "OMP_5.0";
    omp_set_affinity_format_: "OMP_5.0";
    omp_get_affinity_format: "OMP_5.0";
    omp_get_affinity_format_: "OMP_5.0";
    omp_display_affinity: "OMP_5.0";
    omp_display_affinity_: "OMP_5.0";
    omp_capture_affinity: "OMP_5.0";
    omp_capture_affinity_: "OMP_5.0";
}

/// [`omp_set_affinity_format`] under the name that clang's `omp.h` gives it.
///
/// # Safety
/// As for [`omp_set_affinity_format`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompc_set_affinity_format(format: *const c_char) {
    // SAFETY: the caller upholds it.
    unsafe { omp_set_affinity_format(format) }
}

/// [`omp_get_affinity_format`] under the name that clang's `omp.h` gives it.
///
/// # Safety
/// As for [`omp_get_affinity_format`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompc_get_affinity_format(buffer: *mut c_char, size: usize) -> usize {
    // SAFETY: the caller upholds it.
    unsafe { omp_get_affinity_format(buffer, size) }
}

/// [`omp_display_affinity`] under the name that clang's `omp.h` gives it.
///
/// # Safety
/// As for [`omp_display_affinity`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompc_display_affinity(format: *const c_char) {
    // SAFETY: the caller upholds it.
    unsafe { omp_display_affinity(format) }
}

/// [`omp_capture_affinity`] under the name that clang's `omp.h` gives it.
///
/// # Safety
/// As for [`omp_capture_affinity`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompc_capture_affinity(buffer: *mut c_char, size: usize, format: *const c_char) -> usize {
    // SAFETY: the caller upholds it.
    unsafe { omp_capture_affinity(buffer, size, format) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn copied(copy: impl Fn(*mut c_char, usize), size: usize) -> Vec<u8> {
        let mut buffer = vec![b'#'; 8];
        copy(buffer.as_mut_ptr().cast(), size);
        buffer
    }

    #[test]
    fn strings_for_c_end_with_a_null_byte() {
        // SAFETY: the buffer has 8 bytes.
        let copy = |buffer: *mut c_char, size| assert_eq!(unsafe { copy_to_c(b"abcd", buffer, size) }, 4);
        assert_eq!(copied(copy, 8), *b"abcd\0###");
        assert_eq!(copied(copy, 4), *b"abc\0####");
        assert_eq!(copied(copy, 1), *b"\0#######");
        assert_eq!(copied(copy, 0), *b"########");
    }

    #[test]
    fn strings_for_fortran_are_filled_with_blanks() {
        // SAFETY: the buffer has 8 bytes.
        let copy = |buffer: *mut c_char, size| assert_eq!(unsafe { copy_to_fortran(b"abcd", buffer, size) }, 4);
        assert_eq!(copied(copy, 7), *b"abcd   #");
        assert_eq!(copied(copy, 4), *b"abcd####");
        assert_eq!(copied(copy, 2), *b"ab######");
    }
}
