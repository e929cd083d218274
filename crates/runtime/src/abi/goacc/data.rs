//! Routines about data (OpenACC 2.6, 3.2.18–35). The host shares its memory with the program. A device address is
//! therefore the program's own address, and nothing is copied.

use super::fortran::Descriptor;
use crate::abi::routines;
use crate::acc::{self, check_data, device};
use crate::objects::current;
use crate::objects::structures::Thread;
use std::ffi::{c_int, c_void};

/// The calling thread, which has a device then.
fn attached() -> &'static Thread {
    let thread = current::current();
    device::attach(thread);
    thread
}

/// A size as Fortran passes it; 0 for a negative one.
fn size(bytes: impl TryInto<usize>) -> usize {
    bytes.try_into().unwrap_or(0)
}

// Routines that copy data to the device. An `_async` routine takes a queue, which does not matter: nothing is ever
// under way. The same holds for those below.
routines! {
    /// Data come to the device (3.2.20–21); the answer is their address there. Those for a queue take it as a further
    /// argument, and have no answer.
    pub fn acc_copyin(data: *mut c_void, bytes: usize) -> *mut c_void,
        also: acc_present_or_copyin acc_pcopyin acc_create acc_present_or_create acc_pcreate acc_copyin_async
            acc_create_async {
        check_data(data as usize, bytes);
        attached();
        data
    }

    /// As [`acc_copyin`], from Fortran, with a size of four bytes. Those for a queue take it as a further argument.
    pub fn acc_copyin_32_h_(data: *mut c_void, bytes: *const i32),
        also: acc_present_or_copyin_32_h_ acc_create_32_h_ acc_present_or_create_32_h_ acc_copyin_async_32_h_
            acc_create_async_32_h_ {
        acc_copyin(data, size(*bytes));
    }

    /// As [`acc_copyin_32_h_`], with a size of eight bytes.
    pub fn acc_copyin_64_h_(data: *mut c_void, bytes: *const i64),
        also: acc_present_or_copyin_64_h_ acc_create_64_h_ acc_present_or_create_64_h_ acc_copyin_async_64_h_
            acc_create_async_64_h_ {
        acc_copyin(data, size(*bytes));
    }

    /// As [`acc_copyin_32_h_`], of an array that has its own size.
    pub fn acc_copyin_array_h_(array: *const Descriptor),
        also: acc_present_or_copyin_array_h_ acc_create_array_h_ acc_present_or_create_array_h_
            acc_copyin_async_array_h_ acc_create_async_array_h_ {
        acc_copyin((*array).address(), (*array).bytes());
    }
}

// Routines that do nothing but give the thread a device. Their arguments, which differ, do not matter on the host: data
// are the same on both sides at all times.
routines! {
    /// Data leave the device (3.2.22–23), or are made the same on both sides (3.2.24–25), in each case at once or in a
    /// queue. Fortran's forms have a size of four bytes or of eight, or an array that has its own size.
    pub fn acc_copyout(),
        also: acc_copyout_finalize acc_delete acc_delete_finalize acc_update_device acc_update_self acc_copyout_async
            acc_copyout_finalize_async acc_delete_async acc_delete_finalize_async acc_update_device_async
            acc_update_self_async acc_copyout_32_h_ acc_copyout_finalize_32_h_ acc_delete_32_h_
            acc_delete_finalize_32_h_ acc_update_device_32_h_ acc_update_self_32_h_ acc_copyout_async_32_h_
            acc_copyout_finalize_async_32_h_ acc_delete_async_32_h_ acc_delete_finalize_async_32_h_
            acc_update_device_async_32_h_ acc_update_self_async_32_h_ acc_copyout_64_h_ acc_copyout_finalize_64_h_
            acc_delete_64_h_ acc_delete_finalize_64_h_ acc_update_device_64_h_ acc_update_self_64_h_
            acc_copyout_async_64_h_ acc_copyout_finalize_async_64_h_ acc_delete_async_64_h_
            acc_delete_finalize_async_64_h_ acc_update_device_async_64_h_ acc_update_self_async_64_h_
            acc_copyout_array_h_ acc_copyout_finalize_array_h_ acc_delete_array_h_ acc_delete_finalize_array_h_
            acc_update_device_array_h_ acc_update_self_array_h_ acc_copyout_async_array_h_
            acc_copyout_finalize_async_array_h_ acc_delete_async_array_h_ acc_delete_finalize_async_array_h_
            acc_update_device_async_array_h_ acc_update_self_async_array_h_ {
        attached();
    }

    /// Attaches or detaches a pointer (3.2.34–35), at once or in a queue: the device's copy of the pointer is the
    /// program's own.
    pub fn acc_attach(),
        also: acc_detach acc_detach_finalize acc_attach_async acc_detach_async acc_detach_finalize_async {
        attached();
    }

    /// Ends what [`acc_map_data`] has begun (3.2.27).
    pub fn acc_unmap_data() {
        attached();
    }
}

routines! {
    /// 1 where the device has the data (3.2.30).
    pub fn acc_is_present(data: *mut c_void, bytes: usize) -> c_int {
        acc::is_present(attached(), data as usize, bytes).into()
    }

    /// As [`acc_is_present`], from Fortran, with a size of four bytes.
    pub fn acc_is_present_32_h_(data: *mut c_void, bytes: *const i32) -> c_int { acc_is_present(data, size(*bytes)) }

    /// As [`acc_is_present`], from Fortran, with a size of eight bytes.
    pub fn acc_is_present_64_h_(data: *mut c_void, bytes: *const i64) -> c_int { acc_is_present(data, size(*bytes)) }

    /// As [`acc_is_present`], from Fortran, of an array that has its own size.
    pub fn acc_is_present_array_h_(array: *const Descriptor) -> c_int {
        acc_is_present((*array).address(), (*array).bytes())
    }

    /// Memory of the device (3.2.18); null where there is none, and for no bytes.
    pub fn acc_malloc(bytes: usize) -> *mut c_void {
        attached();
        if bytes == 0 { std::ptr::null_mut() } else { libc::malloc(bytes) }
    }

    /// Gives memory of the device back (3.2.19).
    ///
    /// # Safety
    /// The memory is null or from [`acc_malloc`], and is not used any more.
    pub fn acc_free(memory: *mut c_void) { libc::free(memory) }

    /// The device's address of data (3.2.28), or the program's address of the device's data (3.2.29): they are the
    /// same.
    pub fn acc_deviceptr(data: *mut c_void) -> *mut c_void, also: acc_hostptr {
        attached();
        data
    }

    /// Makes memory of the device stand for the program's data (3.2.26). The program ends where the two are not the
    /// same, as they are on the host.
    pub fn acc_map_data(data: *mut c_void, memory: *mut c_void, bytes: usize) {
        attached();
        if data != memory {
            acc::end("acc_map_data: the host has its data where the program has them, and nowhere else");
        }
    }

    /// Copies memory of the program and the device (3.2.31–33); both are the host's. Those for a queue take it as a
    /// further argument.
    ///
    /// # Safety
    /// There are as many bytes at both.
    pub fn acc_memcpy_to_device(to: *mut c_void, from: *const c_void, bytes: usize),
        also: acc_memcpy_from_device acc_memcpy_device acc_memcpy_to_device_async acc_memcpy_from_device_async
            acc_memcpy_device_async {
        attached();
        to.copy_from(from, bytes);
    }
}
