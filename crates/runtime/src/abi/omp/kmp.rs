//! Routines that LLVM's and Intel's `omp.h` have beyond OpenMP's: the time that threads spin, their stacks, the kind of
//! library, warnings. `kmp_*` and `kmpc_*` take values, `kmp_*_` addresses, as Fortran passes them. Each behaves as
//! LLVM's does.

use crate::model::atomic::AtomicI32;
use crate::objects::current;
use crate::process::up;
use crate::stack;
use crate::warnings;
use std::ffi::{CStr, c_char, c_int, c_void};

use crate::abi::kmpc::cancel::construct;
use crate::abi::{list, routines};
use crate::icv::{self, Library};
use crate::ompt;
use crate::team::{limits, query};
use crate::thread::{pool, roster, wait};
use crate::work::{cancel, threadprivate};

routines! {
    /// Milliseconds that a waiting thread spins before it sleeps; the largest `int` where it never sleeps.
    pub fn kmp_get_blocktime() -> c_int, fortran: kmp_get_blocktime_ {
        current::current();
        wait::blocktime()
    }

    /// Bytes of stack of each worker; the largest `int` where the number does not fit.
    pub fn kmp_get_stacksize() -> c_int, fortran: kmp_get_stacksize_ {
        c_int::try_from(kmp_get_stacksize_s()).unwrap_or(c_int::MAX)
    }

    /// Bytes of stack of each worker.
    pub fn kmp_get_stacksize_s() -> usize, fortran: kmp_get_stacksize_s_ {
        current::current();
        stack::stack_size()
    }

    /// The library in use: 1 serial, 2 turnaround, 3 throughput.
    pub fn kmp_get_library() -> c_int, fortran: kmp_get_library_ {
        current::current();
        limits::library()
    }

    /// From now on every parallel region has one thread.
    pub fn kmp_set_library_serial(), fortran: kmp_set_library_serial_ { set_library(Library::Serial); }

    /// From now on waiting threads keep their CPUs.
    pub fn kmp_set_library_turnaround(), fortran: kmp_set_library_turnaround_ { set_library(Library::Turnaround); }

    /// From now on waiting threads leave their CPUs to others, at the latest after the usual time.
    pub fn kmp_set_library_throughput(), fortran: kmp_set_library_throughput_ { set_library(Library::Throughput); }

    /// Threads that the runtime knows: those that use it and those that it keeps.
    pub fn kmp_get_num_known_threads() -> c_int, fortran: kmp_get_num_known_threads_ {
        current::current();
        roster::live()
    }

    /// Turns warnings on, those that are off by default included.
    pub fn kmp_set_warnings_on(), fortran: kmp_set_warnings_on_ {
        current::current();
        warnings::set_up(Some(true));
    }

    /// Turns warnings off.
    pub fn kmp_set_warnings_off(), fortran: kmp_set_warnings_off_ {
        current::current();
        warnings::set_up(Some(false));
    }

    /// Sets the milliseconds that waiting threads spin before they sleep, for all threads; less than 0 counts as 0, and
    /// the largest `int` means for ever.
    pub fn kmp_set_blocktime(ms: c_int), also: kmpc_set_blocktime, fortran: kmp_set_blocktime_ {
        current::current();
        wait::set_blocktime(ms);
    }

    /// Sets the bytes of stack of each worker. Without effect once workers have been created.
    pub fn kmp_set_stacksize(bytes: c_int), also: kmpc_set_stacksize, fortran: kmp_set_stacksize_ {
        kmp_set_stacksize_s(usize::try_from(bytes).unwrap_or(0));
    }

    /// Sets the bytes of stack of each worker. Without effect once workers have been created.
    pub fn kmp_set_stacksize_s(bytes: usize), also: kmpc_set_stacksize_s, fortran: kmp_set_stacksize_s_ {
        current::current();
        pool::set_stack_size(bytes);
    }

    /// Chooses the library: 1 serial, 2 turnaround, 3 throughput.
    pub fn kmp_set_library(number: c_int), also: kmpc_set_library, fortran: kmp_set_library_ {
        match number {
            1 => set_library(Library::Serial),
            2 => set_library(Library::Turnaround),
            3 => set_library(Library::Throughput),
            _ => warnings::warn(&format!("ferromp: kmp_set_library({number}): there is no such library; ignored\n")),
        }
    }

    /// 1 where the innermost region of the kind has been cancelled, else 0. The kinds are 1 parallel, 2 loop, 3
    /// sections, 4 taskgroup. A thread can thus clean up before a cancellation point.
    pub fn kmp_get_cancellation_status(kind: c_int) -> c_int, fortran: kmp_get_cancellation_status_ {
        let thread = current::current();
        c_int::from(construct(kind).is_some_and(|construct| cancel::status(thread, construct)))
    }

    /// Sets how many worksharing constructs a team can have under way at once. This runtime's number is fixed: a larger
    /// one gets a warning. Ignored once the runtime is up, as in LLVM's.
    pub fn kmp_set_disp_num_buffers(count: c_int), also: kmpc_set_disp_num_buffers, fortran: kmp_set_disp_num_buffers_ {
        let have = crate::protocol::ring::LENGTH;
        if current::try_current().is_none() && i64::from(count) > i64::from(have) {
            let asked = format!("kmp_set_disp_num_buffers({count})");
            warnings::warn(&format!("ferromp: {asked}: there are {have} buffers; using these\n"));
        }
    }
}

/// Sets the library of the whole process and the calling task's nthreads-var. Ignored inside a parallel region.
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

routines! {
    /// Settings in the form `NAME=value|NAME=value`, as if they stood in the environment.
    ///
    /// # Safety
    /// `text` is null or a C string.
    pub fn kmp_set_defaults(text: *const c_char), also: kmpc_set_defaults {
        if !text.is_null() {
            up::set_defaults(&CStr::from_ptr(text).to_string_lossy());
        }
    }

    /// [`kmp_set_defaults`] as Fortran calls it: the length follows, and blanks fill the text up.
    ///
    /// # Safety
    /// `text` points to `length` bytes.
    pub fn kmp_set_defaults_(text: *const u8, length: c_int) {
        up::set_defaults(String::from_utf8_lossy(list(length, text)).trim_end_matches(['\0', ' ']));
    }
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

routines! {
    /// Makes the calling thread's copy of the threadprivate variable at `data`, unless there is one, and describes the
    /// copy. The description is the caller's for good.
    ///
    /// # Safety
    /// `data` points to `size` bytes, and `image` to as many, with which copies begin.
    pub fn kmp_threadprivate_insert(gtid: c_int, data: *mut c_void, image: *const c_void, size: usize)
        -> *mut PrivateCopy {
        let thread = current::current();
        threadprivate::set_image(data, image, size);
        let copy = threadprivate::address(thread, data, size, std::ptr::null_mut());
        let nothing = std::ptr::null();
        Box::leak(Box::new(PrivateCopy { next: nothing, link: nothing, global: data, copy, size }))
    }

    /// Says what copies of the threadprivate variable at `data` begin with, unless that is known already.
    ///
    /// # Safety
    /// As for [`kmp_threadprivate_insert`].
    pub fn kmp_threadprivate_insert_private_data(gtid: c_int, data: *mut c_void, image: *const c_void, size: usize) {
        threadprivate::set_image(data, image, size);
    }
}

/// Defines the levels of debugging output of LLVM's debug builds. Nothing reads them in LLVM's other builds, and
/// nothing does here.
macro_rules! debug_levels {
    ($($name:ident)*) => {$(
        /// A level of debugging output: see the macro.
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

/// The implementations that `ompt_enumerate_mutex_impls` lists (OpenMP 5.1 §4.6.1.2), in LLVM's form.
#[unsafe(no_mangle)]
#[allow(non_upper_case_globals, reason = "the name that programs link to")]
pub static kmp_mutex_impl_info: [MutexImplementation; 2] = [
    MutexImplementation { name: c"none".as_ptr(), number: ::ompt::MUTEX_IMPL_NONE as c_int },
    MutexImplementation { name: ompt::MUTEX_FUTEX_NAME.as_ptr(), number: ompt::MUTEX_FUTEX as c_int },
];
