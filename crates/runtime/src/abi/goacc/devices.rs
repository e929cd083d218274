//! Routines about devices (OpenACC 2.6, 3.2.1–8, 3.2.17, and CUDA's in A.2), in C's spelling and in that of gfortran's
//! module, which passes by reference.

use super::fortran::routines;
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
    fn acc_get_num_devices, acc_get_num_devices_h_(kind: c_int) -> c_int {
        device::count(kind)
    }

    /// Which type the thread uses from here on (3.2.2): the host's, or the program ends.
    fn acc_set_device_type, acc_set_device_type_h_(kind: c_int) -> () {
        device::set_type(current::current(), kind);
    }

    /// The type that the thread uses (3.2.3).
    fn acc_get_device_type, acc_get_device_type_h_() -> c_int {
        device::its_type(current::current())
    }

    /// Which device of a type the thread uses from here on (3.2.4): number 0, or the program ends.
    fn acc_set_device_num, acc_set_device_num_h_(number: c_int, kind: c_int) -> () {
        device::set_number(current::current(), number, kind);
    }

    /// Which device of a type the thread uses (3.2.5).
    fn acc_get_device_num, acc_get_device_num_h_(kind: c_int) -> c_int {
        device::number(current::current(), kind)
    }

    /// Activates the device (3.2.7).
    fn acc_init, acc_init_h_(kind: c_int) -> () {
        device::init(current::current(), kind);
    }

    /// Ends the use of the device (3.2.8).
    fn acc_shutdown, acc_shutdown_h_(kind: c_int) -> () {
        device::shutdown(kind);
    }

    /// 1 where the caller runs on a device of this type (3.2.17).
    fn acc_on_device, acc_on_device_h_(kind: c_int) -> c_int {
        device::is_on(kind).into()
    }
}

/// A number that tells of a device (3.2.6); 0 for those that the host does not tell, as its memory.
#[unsafe(no_mangle)]
pub extern "C" fn acc_get_property(number: c_int, kind: c_int, property: c_int) -> usize {
    if property & STRING == 0 {
        device::require_property_of_host(current::current(), number, kind);
    }
    0
}

/// [`acc_get_property`] as Fortran calls it.
#[unsafe(no_mangle)]
pub extern "C" fn acc_get_property_h_(number: c_int, kind: c_int, property: c_int) -> usize {
    acc_get_property(number, kind, property)
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

/// A string that tells of a device (3.2.6); null for those that the host does not tell.
#[unsafe(no_mangle)]
pub extern "C" fn acc_get_property_string(number: c_int, kind: c_int, property: c_int) -> *const c_char {
    text(number, kind, property).map_or(std::ptr::null(), CStr::as_ptr)
}

/// [`acc_get_property_string`] as Fortran calls it: into a string, which blanks fill up.
///
/// # Safety
/// The string has `room` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acc_get_property_string_h_(
    number: c_int,
    kind: c_int,
    property: c_int,
    string: *mut c_char,
    room: usize,
) {
    let text = text(number, kind, property).map_or(&[][..], CStr::to_bytes);
    let taken = text.len().min(room);
    // SAFETY: the caller's.
    unsafe {
        string.cast::<u8>().copy_from_nonoverlapping(text.as_ptr(), taken);
        string.add(taken).write_bytes(b' ', room - taken);
    }
}

/// CUDA's device that the thread uses (A.2.1): none.
#[unsafe(no_mangle)]
pub extern "C" fn acc_get_current_cuda_device() -> *mut c_void {
    std::ptr::null_mut()
}

/// CUDA's context that the thread uses (A.2.1): none.
#[unsafe(no_mangle)]
pub extern "C" fn acc_get_current_cuda_context() -> *mut c_void {
    std::ptr::null_mut()
}

/// CUDA's stream behind a queue (A.2.1): none.
#[unsafe(no_mangle)]
pub extern "C" fn acc_get_cuda_stream(_queue: c_int) -> *mut c_void {
    std::ptr::null_mut()
}

/// Puts a stream of CUDA's behind a queue (A.2.1): the answer is -1, as the host's queues have none; 0 where there is
/// no such queue or no stream.
#[unsafe(no_mangle)]
pub extern "C" fn acc_set_cuda_stream(queue: c_int, stream: *mut c_void) -> c_int {
    if queue < -2 || stream.is_null() { 0 } else { -1 }
}
