//! Routines about devices (OpenACC 2.6, 3.2.1–8, 3.2.17, and CUDA's in A.2), in C's spelling and in that of gfortran's
//! module, which passes by reference.

use crate::abi::omp::affinity::copy_to_fortran;
use crate::abi::routines;
use crate::acc::device;
use crate::objects::current;
use std::ffi::{CStr, c_char, c_int, c_void};

/// Properties with this bit are strings.
const STRING: c_int = 0x10000;
/// `acc_property_name`, `acc_property_vendor`, `acc_property_driver`
const NAME: c_int = 0x10001;
const VENDOR: c_int = 0x10002;
const DRIVER: c_int = 0x10003;

routines! {
    /// How many devices of a type there are (3.2.1).
    pub fn acc_get_num_devices(kind: c_int) -> c_int, fortran: acc_get_num_devices_h_ {
        device::count(kind)
    }

    /// Which type the thread uses from here on (3.2.2): the host's, or the program ends.
    pub fn acc_set_device_type(kind: c_int), fortran: acc_set_device_type_h_ {
        device::set_type(current::current(), kind);
    }

    /// The type that the thread uses (3.2.3).
    pub fn acc_get_device_type() -> c_int, fortran: acc_get_device_type_h_ {
        device::its_type(current::current())
    }

    /// Which device of a type the thread uses from here on (3.2.4): number 0, or the program ends.
    pub fn acc_set_device_num(number: c_int, kind: c_int), fortran: acc_set_device_num_h_ {
        device::set_number(current::current(), number, kind);
    }

    /// Which device of a type the thread uses (3.2.5).
    pub fn acc_get_device_num(kind: c_int) -> c_int, fortran: acc_get_device_num_h_ {
        device::number(current::current(), kind)
    }

    /// Activates the device (3.2.7).
    pub fn acc_init(kind: c_int), fortran: acc_init_h_ {
        device::init(current::current(), kind);
    }

    /// Ends the use of the device (3.2.8).
    pub fn acc_shutdown(kind: c_int), fortran: acc_shutdown_h_ {
        device::shutdown(kind);
    }

    /// 1 where the caller runs on a device of this type (3.2.17).
    pub fn acc_on_device(kind: c_int) -> c_int, fortran: acc_on_device_h_ {
        device::is_on(kind).into()
    }
}

fn text(number: c_int, kind: c_int, property: c_int) -> Option<&'static CStr> {
    if property & STRING == 0 {
        return None;
    }
    device::require_property_of_host(current::current(), number, kind);
    match property {
        NAME => Some(c"host"),
        VENDOR => Some(c"ferromp"),
        DRIVER => CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()).ok(),
        _ => None,
    }
}

routines! {
    /// A property of a device that is a number (3.2.6); 0 for those that the host does not have, and for its memory.
    /// Fortran has a second name, with C's arguments.
    pub fn acc_get_property(number: c_int, kind: c_int, property: c_int) -> usize, also: acc_get_property_h_ {
        if property & STRING == 0 {
            device::require_property_of_host(current::current(), number, kind);
        }
        0
    }

    /// A property of a device that is a string (3.2.6); null for those that the host does not have.
    pub fn acc_get_property_string(number: c_int, kind: c_int, property: c_int) -> *const c_char {
        text(number, kind, property).map_or(std::ptr::null(), CStr::as_ptr)
    }

    /// [`acc_get_property_string`] as Fortran calls it: into a string, which blanks fill up.
    ///
    /// # Safety
    /// The string has `size` bytes.
    pub fn acc_get_property_string_h_(number: c_int, kind: c_int, property: c_int, string: *mut c_char, size: usize) {
        copy_to_fortran(text(number, kind, property).map_or(&[], CStr::to_bytes), string, size);
    }

    /// CUDA's device that the thread uses, or its context (A.2.1): none.
    pub fn acc_get_current_cuda_device() -> *mut c_void, also: acc_get_current_cuda_context { std::ptr::null_mut() }

    /// CUDA's stream behind a queue (A.2.1): none.
    pub fn acc_get_cuda_stream(queue: c_int) -> *mut c_void { std::ptr::null_mut() }

    /// Puts a stream of CUDA's behind a queue (A.2.1): the answer is -1, as the host's queues have none; 0 where there
    /// is no such queue or no stream.
    pub fn acc_set_cuda_stream(queue: c_int, stream: *mut c_void) -> c_int {
        if queue < -2 || stream.is_null() { 0 } else { -1 }
    }
}
