//! Routines that say where a thread runs, and in which format (OpenMP 5.1 §3.3.8–§3.3.11). Fortran passes the length of
//! a string behind the other arguments, and blanks fill up a string that Fortran receives.

use crate::objects::current;
use std::ffi::{c_char, c_int};

use crate::abi::{list, routines, text};
use crate::place::display;
use crate::team::places::standing;

/// Copies as much of a text as the buffer holds, and ends the copy with a null byte. Returns the text's length.
///
/// # Safety
/// `buffer` is null or points to `size` bytes that may be written.
unsafe fn copy_to_c(text: &[u8], buffer: *mut c_char, size: usize) -> usize {
    if !buffer.is_null() && size > 0 {
        let length = text.len().min(size - 1);
        // SAFETY: the caller keeps to the `# Safety` section, and the length is less than the size.
        unsafe {
            buffer.copy_from_nonoverlapping(text.as_ptr().cast(), length);
            buffer.add(length).write(0);
        }
    }
    text.len()
}

/// Copies as much of a text as the buffer holds, and fills the rest with blanks. Returns the text's length.
///
/// # Safety
/// `buffer` is null or points to `size` bytes that may be written.
pub(in crate::abi) unsafe fn copy_to_fortran(text: &[u8], buffer: *mut c_char, size: usize) -> c_int {
    if !buffer.is_null() {
        let length = text.len().min(size);
        // SAFETY: the caller keeps to the `# Safety` section, and the length is at most the size.
        unsafe {
            buffer.copy_from_nonoverlapping(text.as_ptr().cast(), length);
            buffer.add(length).write_bytes(b' ', size - length);
        }
    }
    c_int::try_from(text.len()).unwrap_or(c_int::MAX)
}

routines! {
    /// Sets affinity-format-var (§3.3.8).
    ///
    /// # Safety
    /// `format` is null, which changes nothing, or a C string.
    "OMP_5.0" pub fn omp_set_affinity_format(format: *const c_char), also: ompc_set_affinity_format {
        current::current();
        if !format.is_null() {
            display::set_format(text(format));
        }
    }

    /// Copies affinity-format-var into a buffer and returns its length, the ending null byte not counted (§3.3.9).
    ///
    /// # Safety
    /// `buffer` is null or points to `size` bytes that may be written.
    "OMP_5.0" pub fn omp_get_affinity_format(buffer: *mut c_char, size: usize) -> usize,
        also: ompc_get_affinity_format {
        current::current();
        copy_to_c(&display::format(), buffer, size)
    }

    /// Prints where the calling thread runs, in a format or, without one, as affinity-format-var says (§3.3.10).
    ///
    /// # Safety
    /// `format` is null or a C string.
    "OMP_5.0" pub fn omp_display_affinity(format: *const c_char), also: ompc_display_affinity {
        display::display(text(format), &standing(current::current()));
    }

    /// Writes what [`omp_display_affinity`] prints into a buffer; returns its length, the ending null byte not counted
    /// (§3.3.11).
    ///
    /// # Safety
    /// `buffer` is null or points to `size` bytes that may be written; `format` is null or a C string.
    "OMP_5.0" pub fn omp_capture_affinity(buffer: *mut c_char, size: usize, format: *const c_char) -> usize,
        also: ompc_capture_affinity {
        copy_to_c(&display::capture(text(format), &standing(current::current())), buffer, size)
    }

    /// [`omp_set_affinity_format`] as Fortran calls it.
    ///
    /// # Safety
    /// `format` points to `length` bytes.
    "OMP_5.0" pub fn omp_set_affinity_format_(format: *const c_char, length: usize) {
        current::current();
        display::set_format(list(length, format.cast()));
    }

    /// [`omp_get_affinity_format`] as Fortran calls it.
    ///
    /// # Safety
    /// `buffer` points to `size` bytes that may be written.
    "OMP_5.0" pub fn omp_get_affinity_format_(buffer: *mut c_char, size: usize) -> c_int {
        current::current();
        copy_to_fortran(&display::format(), buffer, size)
    }

    /// [`omp_display_affinity`] as Fortran calls it.
    ///
    /// # Safety
    /// `format` points to `length` bytes.
    "OMP_5.0" pub fn omp_display_affinity_(format: *const c_char, length: usize) {
        display::display(list(length, format.cast()), &standing(current::current()));
    }

    /// [`omp_capture_affinity`] as Fortran calls it.
    ///
    /// # Safety
    /// `buffer` points to `size` bytes that may be written, `format` to `length` bytes.
    "OMP_5.0" pub fn omp_capture_affinity_(buffer: *mut c_char, format: *const c_char, size: usize, length: usize)
        -> c_int {
        let text = display::capture(list(length, format.cast()), &standing(current::current()));
        copy_to_fortran(&text, buffer, size)
    }
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
