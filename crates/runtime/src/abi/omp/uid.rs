//! The unique identifiers of devices (OpenMP 6.0, sections 24.7 and 24.8). gcc's `omp.h` and LLVM's have different
//! numbers for `omp_invalid_device`, and gfortran calls routines with strings in its own way. gcc-built programs
//! therefore bind to functions of their own, `gomp_*`.

use crate::objects::current;
use std::ffi::{CStr, c_char, c_int};

use crate::abi::routine::saturated;
use crate::abi::{list, routines, text, versions};
use crate::device::{self, uid};
use crate::device_numbers;

/// `omp_invalid_device` in LLVM's `omp.h`.
const INVALID_OF_LLVM: c_int = -2;
/// `omp_invalid_device` in gcc's `omp.h`.
const INVALID_OF_GCC: c_int = -4;

/// The number of the device with this identifier: `host` for the host, `invalid` for none.
fn number_of(identifier: &[u8], host: c_int, invalid: c_int) -> c_int {
    current::current();
    match uid::find(identifier) {
        Some(device_numbers::INITIAL) => host,
        Some(number) => number,
        None => invalid,
    }
}

routines! {
    /// The identifier of a device; null for a number that no device has. libomp has a second name for Fortran, with C's
    /// arguments.
    pub fn omp_get_uid_from_device(device: c_int) -> *const c_char, also: omp_get_uid_from_device_ {
        current::current();
        uid::of(device).map_or(std::ptr::null(), CStr::as_ptr)
    }

    /// The number of the device with this identifier, for the host that of `omp_get_initial_device`;
    /// `omp_invalid_device` where there is none. libomp has a second name for Fortran, with C's arguments.
    ///
    /// # Safety
    /// The identifier is null or a string.
    pub fn omp_get_device_from_uid(identifier: *const c_char) -> c_int, also: omp_get_device_from_uid_ {
        number_of(text(identifier), device::host(), INVALID_OF_LLVM)
    }

    /// [`omp_get_device_from_uid`] as gcc-built programs call it: for the host it gives `omp_initial_device`.
    ///
    /// # Safety
    /// The identifier is null or a string.
    pub fn gomp_get_device_from_uid(identifier: *const c_char) -> c_int {
        number_of(text(identifier), device_numbers::INITIAL, INVALID_OF_GCC)
    }

    /// [`omp_get_uid_from_device`] as gfortran calls it: the string's address and length go to the first two arguments.
    ///
    /// # Safety
    /// The first two arguments can be written.
    pub fn gomp_get_uid_from_device_(answer: *mut *const c_char, length: *mut usize, device: c_int) {
        *answer = omp_get_uid_from_device(device);
        *length = text(*answer).len();
    }

    /// [`gomp_get_uid_from_device_`] with an integer of 8 bytes.
    pub fn gomp_get_uid_from_device_8_(answer: *mut *const c_char, length: *mut usize, device: i64) {
        gomp_get_uid_from_device_(answer, length, saturated(device));
    }

    /// [`gomp_get_device_from_uid`] as gfortran calls it.
    ///
    /// # Safety
    /// The string has `length` bytes.
    pub fn gomp_get_device_from_uid_(identifier: *const c_char, length: usize) -> c_int {
        number_of(list(length, identifier.cast()), device_numbers::INITIAL, INVALID_OF_GCC)
    }
}

// clang-built programs that offload bind to the last node, which their libomptarget has.
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
