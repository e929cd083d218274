//! Routines that LLVM's and Intel's `omp.h` have beyond OpenMP's: the time that threads spin, their stacks, the kind of
//! library, warnings. `kmp_*` and `kmpc_*` take values, `kmp_*_` addresses, as Fortran passes them. What each does is
//! what LLVM's does.

use crate::model::atomic::AtomicI32;
use crate::objects::current;
use crate::process::up;
use crate::stack;
use crate::thread::roster;
use crate::warnings;
use std::ffi::{CStr, c_char, c_int, c_void};

use crate::abi::kmpc::cancel::construct;
use crate::icv::{self, Library};
use crate::ompt;
use crate::team::{limits, query};
use crate::thread::{pool, wait};
use crate::work::{cancel, threadprivate};

/// Defines routines without arguments, which are the same in C and Fortran.
macro_rules! plain {
    ($($(#[$meta:meta])* fn $name:ident, $fortran:ident $(-> $ret:ty)? $body:block)*) => {$(
        $(#[$meta])*
        #[unsafe(no_mangle)]
        pub extern "C" fn $name() $(-> $ret)? $body

        #[doc = concat!("[`", stringify!($name), "`] as Fortran calls it.")]
        #[unsafe(no_mangle)]
        pub extern "C" fn $fortran() $(-> $ret)? {
            $name()
        }
    )*};
}

/// Defines routines with one argument, which Fortran passes by reference, under their two names in C where there are
/// two.
macro_rules! setters {
    ($($(#[$meta:meta])* fn $name:ident $(= $alias:ident)?, $fortran:ident($arg:ident: $ty:ty)
        $(-> $ret:ty)? $body:block)*) => {$(
        $(#[$meta])*
        #[unsafe(no_mangle)]
        pub extern "C" fn $name($arg: $ty) $(-> $ret)? $body

        $(
            #[doc = concat!("[`", stringify!($name), "`] under its other name.")]
            #[unsafe(no_mangle)]
            pub extern "C" fn $alias($arg: $ty) {
                $name($arg);
            }
        )?

        #[doc = concat!("[`", stringify!($name), "`] as Fortran calls it.")]
        ///
        /// # Safety
        /// The argument points to an integer.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $fortran($arg: *const $ty) $(-> $ret)? {
            // SAFETY: the caller upholds it.
            $name(unsafe { *$arg })
        }
    )*};
}

plain! {
    /// Milliseconds that a waiting thread spins before it sleeps; the largest `int` where it never sleeps.
    fn kmp_get_blocktime, kmp_get_blocktime_ -> c_int {
        current::current();
        wait::blocktime()
    }

    /// Bytes of stack of each worker; the largest `int` where that does not hold them.
    fn kmp_get_stacksize, kmp_get_stacksize_ -> c_int { c_int::try_from(kmp_get_stacksize_s()).unwrap_or(c_int::MAX) }

    /// Bytes of stack of each worker.
    fn kmp_get_stacksize_s, kmp_get_stacksize_s_ -> usize {
        current::current();
        stack::stack_size()
    }

    /// The library in use: 1 serial, 2 turnaround, 3 throughput.
    fn kmp_get_library, kmp_get_library_ -> c_int {
        current::current();
        limits::library()
    }

    /// From now on every parallel region has one thread.
    fn kmp_set_library_serial, kmp_set_library_serial_ { set_library(Library::Serial); }

    /// From now on waiting threads keep their CPUs.
    fn kmp_set_library_turnaround, kmp_set_library_turnaround_ { set_library(Library::Turnaround); }

    /// From now on waiting threads leave their CPUs to others, at the latest after the usual time.
    fn kmp_set_library_throughput, kmp_set_library_throughput_ { set_library(Library::Throughput); }

    /// Threads that the runtime knows: those that use it and those that it keeps.
    fn kmp_get_num_known_threads, kmp_get_num_known_threads_ -> c_int {
        current::current();
        roster::live()
    }

    /// Turns warnings on, those that are off by default included.
    fn kmp_set_warnings_on, kmp_set_warnings_on_ {
        current::current();
        warnings::set(true);
    }

    /// Turns warnings off.
    fn kmp_set_warnings_off, kmp_set_warnings_off_ {
        current::current();
        warnings::set(false);
    }
}

setters! {
    /// Sets the milliseconds that waiting threads spin before they sleep, for all threads; less than 0 counts as 0, and
    /// the largest `int` means for ever.
    fn kmp_set_blocktime = kmpc_set_blocktime, kmp_set_blocktime_(ms: c_int) {
        current::current();
        wait::set_blocktime(ms);
    }

    /// Sets the bytes of stack of each worker. Without effect once workers have been created.
    fn kmp_set_stacksize = kmpc_set_stacksize, kmp_set_stacksize_(bytes: c_int) {
        kmp_set_stacksize_s(usize::try_from(bytes).unwrap_or(0));
    }

    /// Sets the bytes of stack of each worker. Without effect once workers have been created.
    fn kmp_set_stacksize_s = kmpc_set_stacksize_s, kmp_set_stacksize_s_(bytes: usize) {
        current::current();
        pool::set_stack_size(bytes);
    }

    /// Chooses the library: 1 serial, 2 turnaround, 3 throughput.
    fn kmp_set_library = kmpc_set_library, kmp_set_library_(number: c_int) {
        match number {
            1 => set_library(Library::Serial),
            2 => set_library(Library::Turnaround),
            3 => set_library(Library::Throughput),
            _ => warnings::warn(&format!("ferromp: kmp_set_library({number}): there is no such library; ignored\n")),
        }
    }

    /// 1 where the innermost region of the kind has been cancelled: 1 parallel, 2 loop, 3 sections, 4 taskgroup; else
    /// 0. So a thread can clean up before a cancellation point.
    fn kmp_get_cancellation_status, kmp_get_cancellation_status_(kind: c_int) -> c_int {
        let thread = current::current();
        c_int::from(construct(kind).is_some_and(|construct| cancel::status(thread, construct)))
    }

    /// Sets how many worksharing constructs a team can have under way at once, as far as there is need to: the number
    /// that the runtime has is fixed, so that a larger one is named in a line. Ignored once the runtime is up, as in
    /// LLVM's.
    fn kmp_set_disp_num_buffers = kmpc_set_disp_num_buffers, kmp_set_disp_num_buffers_(count: c_int) {
        let have = crate::protocol::ring::LENGTH;
        if current::try_current().is_none() && i64::from(count) > i64::from(have) {
            warnings::warn(&format!("ferromp: kmp_set_disp_num_buffers({count}): there are {have} buffers; using these\n"));
        }
    }
}

/// The whole process has the library; the calling task's nthreads-var follows. Not inside a parallel region.
fn set_library(library: Library) {
    let thread = current::current();
    if query::in_parallel() {
        warnings::warn("ferromp: kmp_set_library: called in a parallel region; ignored\n");
        return;
    }
    thread.icvs_mut().nthreads = if library == Library::Serial { 1 } else { icv::initial().nthreads };
    limits::set_library(library);
    if library == Library::Throughput {
        wait::spin_no_longer_for_ever();
    }
}

/// Settings in the form `NAME=value|NAME=value`, as if they stood in the environment.
///
/// # Safety
/// `text` is null or a C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kmp_set_defaults(text: *const c_char) {
    if !text.is_null() {
        // SAFETY: the caller upholds it.
        up::set_defaults(&unsafe { CStr::from_ptr(text) }.to_string_lossy());
    }
}

/// [`kmp_set_defaults`] under its other name.
///
/// # Safety
/// As for [`kmp_set_defaults`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kmpc_set_defaults(text: *const c_char) {
    // SAFETY: the caller upholds it.
    unsafe { kmp_set_defaults(text) };
}

/// [`kmp_set_defaults`] as Fortran calls it: the length follows, and blanks fill the text up.
///
/// # Safety
/// `text` points to `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kmp_set_defaults_(text: *const u8, length: c_int) {
    // SAFETY: the caller upholds it.
    let bytes = unsafe { std::slice::from_raw_parts(text, usize::try_from(length).unwrap_or(0)) };
    let text = String::from_utf8_lossy(bytes);
    up::set_defaults(text.trim_end_matches(['\0', ' ']));
}

/// A threadprivate variable's copy, as [`kmp_threadprivate_insert`] describes it.
#[repr(C)]
pub struct PrivateCopy {
    /// Used by LLVM's tables; null.
    next: *const c_void,
    /// Used by LLVM's tables; null.
    link: *const c_void,
    /// The variable.
    global: *mut c_void,
    /// The calling thread's copy.
    copy: *mut c_void,
    /// Bytes of each.
    size: usize,
}

/// Makes the calling thread's copy of the threadprivate variable at `data`, unless there is one, and describes it. The
/// description is the caller's for good.
///
/// # Safety
/// `data` points to `size` bytes, and `image` to as many, with which copies begin.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kmp_threadprivate_insert(
    _gtid: c_int,
    data: *mut c_void,
    image: *const c_void,
    size: usize,
) -> *mut PrivateCopy {
    let thread = current::current();
    // SAFETY: the caller's.
    let copy = unsafe {
        threadprivate::set_image(data, image, size);
        threadprivate::address(thread, data, size, std::ptr::null_mut())
    };
    let nothing = std::ptr::null();
    Box::leak(Box::new(PrivateCopy { next: nothing, link: nothing, global: data, copy, size }))
}

/// Says what copies of the threadprivate variable at `data` begin with, unless that is known already.
///
/// # Safety
/// As for [`kmp_threadprivate_insert`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kmp_threadprivate_insert_private_data(
    _gtid: c_int,
    data: *mut c_void,
    image: *const c_void,
    size: usize,
) {
    // SAFETY: the caller's.
    unsafe { threadprivate::set_image(data, image, size) };
}

/// Defines the levels of debugging output that LLVM's runtime has in builds for debugging. Nothing reads them in other
/// builds of it, and nothing does here.
macro_rules! debug_levels {
    ($($name:ident)*) => {$(
        #[doc = "A level of debugging output: see the macro."]
        #[unsafe(no_mangle)]
        #[allow(non_upper_case_globals, reason = "the name that programs link to")]
        pub static $name: AtomicI32 = AtomicI32::new(0);
    )*};
}

debug_levels! { kmp_a_debug kmp_b_debug kmp_c_debug kmp_d_debug kmp_e_debug kmp_f_debug kmp_diag }

/// An implementation of mutual exclusion: its name and its number for OMPT tools.
#[repr(C)]
pub struct MutexImplementation {
    name: *const c_char,
    number: c_int,
}

// SAFETY: the names are constants.
unsafe impl Sync for MutexImplementation {}

/// What `ompt_enumerate_mutex_impls` tells (OpenMP 5.1 §4.6.1.2), in LLVM's form.
#[unsafe(no_mangle)]
#[allow(non_upper_case_globals, reason = "the name that programs link to")]
pub static kmp_mutex_impl_info: [MutexImplementation; 2] = [
    MutexImplementation { name: c"none".as_ptr(), number: ::ompt::MUTEX_IMPL_NONE as c_int },
    MutexImplementation { name: ompt::MUTEX_FUTEX_NAME.as_ptr(), number: ompt::MUTEX_FUTEX as c_int },
];
