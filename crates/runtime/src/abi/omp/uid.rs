//! The unique identifiers of devices (OpenMP 6.0, sections 24.7 and 24.8). gcc's `omp.h` and LLVM's have different
//! numbers for `omp_invalid_device`, and gfortran calls routines with strings in its own way, so that gcc's routines
//! are other functions.

use crate::objects::current;
use std::ffi::{CStr, c_char, c_int};

use super::{saturated, versions};
use crate::device::uid;

/// `omp_invalid_device` in LLVM's `omp.h`.
const INVALID_OF_LLVM: c_int = -2;
/// The same in gcc's.
const INVALID_OF_GCC: c_int = -4;

/// The identifier of a device; null for a number that no device has.
#[unsafe(no_mangle)]
pub extern "C" fn omp_get_uid_from_device(device: c_int) -> *const c_char {
    current::current();
    uid::of(device).map_or(std::ptr::null(), CStr::as_ptr)
}

/// The number of the device with this identifier, or `invalid`.
///
/// # Safety
/// The identifier is null or a string.
unsafe fn device(identifier: *const c_char, invalid: c_int) -> c_int {
    current::current();
    // SAFETY: the caller's.
    let found = unsafe { identifier.as_ref() }.and_then(|text| uid::find(unsafe { CStr::from_ptr(text) }.to_bytes()));
    found.unwrap_or(invalid)
}

/// The number of the device with this identifier, `omp_initial_device` for the host; `omp_invalid_device` where there
/// is none.
///
/// # Safety
/// The identifier is null or a string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_get_device_from_uid(identifier: *const c_char) -> c_int {
    // SAFETY: the caller's.
    unsafe { device(identifier, INVALID_OF_LLVM) }
}

/// [`omp_get_device_from_uid`], as gcc-built programs call it.
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gomp_get_device_from_uid(identifier: *const c_char) -> c_int {
    // SAFETY: the caller's.
    unsafe { device(identifier, INVALID_OF_GCC) }
}

/// [`omp_get_uid_from_device`] under the name that libomp has for Fortran, with C's arguments.
#[unsafe(no_mangle)]
pub extern "C" fn omp_get_uid_from_device_(device: c_int) -> *const c_char {
    omp_get_uid_from_device(device)
}

/// [`omp_get_device_from_uid`] under the name that libomp has for Fortran, with C's arguments.
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_get_device_from_uid_(identifier: *const c_char) -> c_int {
    // SAFETY: the caller's.
    unsafe { omp_get_device_from_uid(identifier) }
}

/// [`omp_get_uid_from_device`] as gfortran calls it: the string's address and length go to the first two arguments.
///
/// # Safety
/// Both can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gomp_get_uid_from_device_(answer: *mut *const c_char, length: *mut usize, device: c_int) {
    current::current();
    let identifier = uid::of(device);
    // SAFETY: the caller's.
    unsafe {
        *answer = identifier.map_or(std::ptr::null(), CStr::as_ptr);
        *length = identifier.map_or(0, |identifier| identifier.to_bytes().len());
    }
}

/// [`gomp_get_uid_from_device_`] with an integer of 8 bytes.
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gomp_get_uid_from_device_8_(answer: *mut *const c_char, length: *mut usize, device: i64) {
    // SAFETY: the caller's.
    unsafe { gomp_get_uid_from_device_(answer, length, saturated(device)) };
}

/// [`gomp_get_device_from_uid`] as gfortran calls it.
///
/// # Safety
/// The string has `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gomp_get_device_from_uid_(identifier: *const c_char, length: usize) -> c_int {
    current::current();
    // SAFETY: the caller's.
    let text = unsafe { std::slice::from_raw_parts(identifier.cast(), length) };
    uid::find(text).unwrap_or(INVALID_OF_GCC)
}

// clang-built programs that offload bind to the last one, which their libomptarget has.
versions! {
    omp_get_uid_from_device: "OMP_6.0" "GOMP_6.0" "VERS1.0";
    omp_get_device_from_uid: "OMP_6.0" "VERS1.0";
    omp_get_uid_from_device_: "OMP_6.0";
    omp_get_device_from_uid_: "OMP_6.0";
}

crate::arch::directives!(
    ".symver gomp_get_device_from_uid, omp_get_device_from_uid@GOMP_6.0, remove",
    ".symver gomp_get_uid_from_device_, omp_get_uid_from_device_@GOMP_6.0, remove",
    ".symver gomp_get_uid_from_device_8_, omp_get_uid_from_device_8_@GOMP_6.0, remove",
    ".symver gomp_get_device_from_uid_, omp_get_device_from_uid_@GOMP_6.0, remove",
);
