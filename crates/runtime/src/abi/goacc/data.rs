//! Routines about data (OpenACC 2.6, 3.2.18–35). The host shares its memory with the program: data are where they are,
//! so that a device address is the program's own and nothing is copied.

use super::fortran::Descriptor;
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

/// Data come to the device; the answer is their address there.
fn enter(data: *mut c_void, bytes: usize) -> *mut c_void {
    check_data(data as usize, bytes);
    attached();
    data
}

/// As [`enter`], without an answer.
fn bring(data: *mut c_void, bytes: usize) {
    enter(data, bytes);
}

/// Data leave the device, or become the same on both sides: they are.
fn keep(_data: *mut c_void, _bytes: usize) {
    attached();
}

/// 1 where the device has the data.
fn present(data: *mut c_void, bytes: usize) -> c_int {
    acc::is_present(attached(), data as usize, bytes).into()
}

/// Defines routines that do with data what another function does: `does -> its answer: name …`.
macro_rules! c_routines {
    ($($does:ident -> $ret:ty: $($name:ident)*;)*) => {$($(
        #[doc = concat!("As [`", stringify!($does), "`].")]
        #[unsafe(no_mangle)]
        pub extern "C" fn $name(data: *mut c_void, bytes: usize) -> $ret {
            $does(data, bytes)
        }
    )*)*};
}

/// As [`c_routines`], with a queue, and without an answer.
macro_rules! queued_routines {
    ($($does:ident: $($name:ident)*;)*) => {$($(
        #[doc = concat!("As [`", stringify!($does), "`], in the place of a queue.")]
        #[unsafe(no_mangle)]
        pub extern "C" fn $name(data: *mut c_void, bytes: usize, _queue: c_int) {
            $does(data, bytes);
        }
    )*)*};
}

/// As [`c_routines`], as Fortran calls them: with the size as an integer of four or of eight bytes, and with an array
/// that has its own. A queue may follow, which does not matter.
macro_rules! fortran_routines {
    ($($does:ident -> $ret:ty: $($narrow:ident $wide:ident $array:ident)*;)*) => {$($(
        #[doc = concat!("As [`", stringify!($does), "`].")]
        ///
        /// # Safety
        /// The size points to an integer.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $narrow(data: *mut c_void, bytes: *const i32) -> $ret {
            // SAFETY: the caller upholds it.
            let bytes = usize::try_from(unsafe { *bytes }).unwrap_or(0);
            $does(data, bytes)
        }

        #[doc = concat!("As [`", stringify!($does), "`].")]
        ///
        /// # Safety
        /// The size points to an integer.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $wide(data: *mut c_void, bytes: *const i64) -> $ret {
            // SAFETY: the caller upholds it.
            let bytes = usize::try_from(unsafe { *bytes }).unwrap_or(0);
            $does(data, bytes)
        }

        #[doc = concat!("As [`", stringify!($does), "`].")]
        ///
        /// # Safety
        /// The array's descriptor is gfortran's.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $array(array: *const Descriptor) -> $ret {
            // SAFETY: the caller upholds it.
            let array = unsafe { &*array };
            $does(array.address(), array.bytes())
        }
    )*)*};
}

c_routines! {
    enter -> *mut c_void: acc_copyin acc_present_or_copyin acc_pcopyin acc_create acc_present_or_create acc_pcreate;
    keep -> (): acc_copyout acc_copyout_finalize acc_delete acc_delete_finalize acc_update_device acc_update_self;
    present -> c_int: acc_is_present;
}

queued_routines! {
    bring: acc_copyin_async acc_create_async;
    keep: acc_copyout_async acc_copyout_finalize_async acc_delete_async acc_delete_finalize_async acc_update_device_async
        acc_update_self_async;
}

fortran_routines! {
    bring -> ():
        acc_copyin_32_h_ acc_copyin_64_h_ acc_copyin_array_h_
        acc_present_or_copyin_32_h_ acc_present_or_copyin_64_h_ acc_present_or_copyin_array_h_
        acc_create_32_h_ acc_create_64_h_ acc_create_array_h_
        acc_present_or_create_32_h_ acc_present_or_create_64_h_ acc_present_or_create_array_h_
        acc_copyin_async_32_h_ acc_copyin_async_64_h_ acc_copyin_async_array_h_
        acc_create_async_32_h_ acc_create_async_64_h_ acc_create_async_array_h_;
    keep -> ():
        acc_copyout_32_h_ acc_copyout_64_h_ acc_copyout_array_h_
        acc_copyout_finalize_32_h_ acc_copyout_finalize_64_h_ acc_copyout_finalize_array_h_
        acc_delete_32_h_ acc_delete_64_h_ acc_delete_array_h_
        acc_delete_finalize_32_h_ acc_delete_finalize_64_h_ acc_delete_finalize_array_h_
        acc_update_device_32_h_ acc_update_device_64_h_ acc_update_device_array_h_
        acc_update_self_32_h_ acc_update_self_64_h_ acc_update_self_array_h_
        acc_copyout_async_32_h_ acc_copyout_async_64_h_ acc_copyout_async_array_h_
        acc_copyout_finalize_async_32_h_ acc_copyout_finalize_async_64_h_ acc_copyout_finalize_async_array_h_
        acc_delete_async_32_h_ acc_delete_async_64_h_ acc_delete_async_array_h_
        acc_delete_finalize_async_32_h_ acc_delete_finalize_async_64_h_ acc_delete_finalize_async_array_h_
        acc_update_device_async_32_h_ acc_update_device_async_64_h_ acc_update_device_async_array_h_
        acc_update_self_async_32_h_ acc_update_self_async_64_h_ acc_update_self_async_array_h_;
    present -> c_int: acc_is_present_32_h_ acc_is_present_64_h_ acc_is_present_array_h_;
}

/// Memory of the device (3.2.18); null where there is none, and for no bytes.
#[unsafe(no_mangle)]
pub extern "C" fn acc_malloc(bytes: usize) -> *mut c_void {
    attached();
    if bytes == 0 {
        return std::ptr::null_mut();
    }
    // SAFETY: takes a size.
    unsafe { libc::malloc(bytes) }
}

/// Gives memory of the device back (3.2.19).
///
/// # Safety
/// It is null or from [`acc_malloc`], and nobody uses it any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acc_free(memory: *mut c_void) {
    // SAFETY: the caller's.
    unsafe { libc::free(memory) };
}

/// The device's address of data (3.2.28): their own.
#[unsafe(no_mangle)]
pub extern "C" fn acc_deviceptr(data: *mut c_void) -> *mut c_void {
    attached();
    data
}

/// The program's address of the device's data (3.2.29): their own.
#[unsafe(no_mangle)]
pub extern "C" fn acc_hostptr(data: *mut c_void) -> *mut c_void {
    attached();
    data
}

/// Makes memory of the device stand for the program's data (3.2.26). The program ends where the two are not the same,
/// as they are on the host.
#[unsafe(no_mangle)]
pub extern "C" fn acc_map_data(data: *mut c_void, memory: *mut c_void, _bytes: usize) {
    attached();
    if data != memory {
        acc::end("acc_map_data: the host has its data where the program has them, and nowhere else");
    }
}

/// Ends what [`acc_map_data`] has begun (3.2.27).
#[unsafe(no_mangle)]
pub extern "C" fn acc_unmap_data(_data: *mut c_void) {
    attached();
}

/// Defines routines that copy bytes from their second argument to their first, alone and in the place of a queue.
macro_rules! copies {
    ($($name:ident $queued:ident)*) => {$(
        /// Copies memory of the program and the device (3.2.31–33); both are the host's.
        ///
        /// # Safety
        /// There are as many bytes at both.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(to: *mut c_void, from: *const c_void, bytes: usize) {
            attached();
            // SAFETY: the caller's.
            unsafe { to.cast::<u8>().copy_from(from.cast::<u8>(), bytes) };
        }

        #[doc = concat!("As [`", stringify!($name), "`], in the place of a queue.")]
        ///
        /// # Safety
        #[doc = concat!("As for [`", stringify!($name), "`].")]
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $queued(to: *mut c_void, from: *const c_void, bytes: usize, _queue: c_int) {
            // SAFETY: the caller's.
            unsafe { $name(to, from, bytes) };
        }
    )*};
}

copies! {
    acc_memcpy_to_device acc_memcpy_to_device_async
    acc_memcpy_from_device acc_memcpy_from_device_async
    acc_memcpy_device acc_memcpy_device_async
}

/// Defines routines that make a pointer of the device's copy point to the device's data, or end that: on the host the
/// pointer is the program's own.
macro_rules! pointers {
    ($($name:ident $queued:ident)*) => {$(
        /// Attaches or detaches a pointer (3.2.34–35), which is the program's own.
        #[unsafe(no_mangle)]
        pub extern "C" fn $name(_pointer: *mut *mut c_void) {
            attached();
        }

        #[doc = concat!("As [`", stringify!($name), "`], in the place of a queue.")]
        #[unsafe(no_mangle)]
        pub extern "C" fn $queued(_pointer: *mut *mut c_void, _queue: c_int) {
            attached();
        }
    )*};
}

pointers! {
    acc_attach acc_attach_async
    acc_detach acc_detach_async
    acc_detach_finalize acc_detach_finalize_async
}
