//! The routines for affinity masks that clang's and Intel's `omp.h` has besides OpenMP's: `kmp_set_affinity` and its
//! kin. A handle is a pointer, which the program keeps in a variable of its own and passes by reference.

use crate::objects::current;
use crate::thread::masks;
use std::ffi::{c_int, c_void};

use crate::place::mask::{self, Mask};

/// A program's variable that holds a mask.
type Handle = *mut *mut c_void;

/// Makes an empty mask and stores its handle.
///
/// # Safety
/// `handle` points to a handle that may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kmp_create_affinity_mask(handle: Handle) {
    current::current();
    // SAFETY: the caller upholds it.
    unsafe { handle.write(mask::create()) };
}

/// Ends a mask and sets its handle to null.
///
/// # Safety
/// `handle` points to the handle of a mask, which nobody else uses.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kmp_destroy_affinity_mask(handle: Handle) {
    current::current();
    // SAFETY: the caller upholds it.
    unsafe { mask::destroy(handle.replace(std::ptr::null_mut())) };
}

/// Calls `body` with the mask of a handle; -1 where there is none.
///
/// # Safety
/// `handle` is null or points to null or to the handle of a mask that nobody else uses meanwhile.
unsafe fn with(handle: Handle, body: impl FnOnce(&mut Mask) -> c_int) -> c_int {
    // SAFETY: the caller upholds it.
    let mask = unsafe { handle.as_ref().and_then(|mask| mask.cast::<Mask>().as_mut()) };
    mask.map_or(-1, body)
}

/// Binds the calling thread to the processors of a mask; 0, -1 or the system's error number.
///
/// # Safety
/// `handle` points to the handle of a mask.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kmp_set_affinity(handle: Handle) -> c_int {
    let thread = current::current();
    // SAFETY: the caller upholds it.
    unsafe { with(handle, |mask| masks::bind(thread, mask)) }
}

/// Makes a mask the calling thread's; 0 or -1.
///
/// # Safety
/// `handle` points to the handle of a mask.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kmp_get_affinity(handle: Handle) -> c_int {
    current::current();
    // SAFETY: the caller upholds it.
    unsafe { with(handle, mask::copy_of_caller) }
}

/// One more than the largest processor number; 0 where masks cannot be used.
#[unsafe(no_mangle)]
pub extern "C" fn kmp_get_affinity_max_proc() -> c_int {
    current::current();
    mask::numbers()
}

/// Gives the calling thread the processors that the process came with; 0, -1 for a thread that is not OpenMP's or where
/// masks cannot be used, or the system's error number.
#[unsafe(no_mangle)]
pub extern "C" fn kmp_set_thread_affinity_mask_initial() -> c_int {
    current::try_current().filter(|thread| thread.is_set_up()).map_or(-1, masks::free)
}

/// Defines the routines that take a processor and a mask: their C name, which `omp.h` of Intel's older compilers uses,
/// the name in clang's `omp.h`, and Fortran's.
macro_rules! of_processors {
    ($($(#[$meta:meta])* $name:ident, $clang:ident, $fortran:ident = $body:expr;)*) => {$(
        $(#[$meta])*
        ///
        /// # Safety
        /// `handle` points to the handle of a mask.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(processor: c_int, handle: Handle) -> c_int {
            current::current();
            // SAFETY: the caller upholds it.
            unsafe { with(handle, |mask| $body(mask, processor)) }
        }

        #[doc = concat!("[`", stringify!($name), "`] under the name that clang's `omp.h` gives it.")]
        ///
        /// # Safety
        /// `handle` points to the handle of a mask.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $clang(processor: c_int, handle: Handle) -> c_int {
            // SAFETY: the caller upholds it.
            unsafe { $name(processor, handle) }
        }

        #[doc = concat!("[`", stringify!($name), "`] as Fortran calls it.")]
        ///
        /// # Safety
        /// `processor` points to an integer, `handle` to the handle of a mask.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $fortran(processor: *const c_int, handle: Handle) -> c_int {
            // SAFETY: the caller upholds it.
            unsafe { $name(*processor, handle) }
        }
    )*};
}

of_processors! {
    /// Adds a processor to a mask; 0, -1 for a number that no processor has, -2 for a processor that the process may
    /// not use.
    kmp_set_affinity_mask_proc, kmpc_set_affinity_mask_proc, kmp_set_affinity_mask_proc_ = mask::add;
    /// Takes a processor out of a mask; 0, -1 for a number that no processor has, -2 for one that the process may not
    /// use.
    kmp_unset_affinity_mask_proc, kmpc_unset_affinity_mask_proc, kmp_unset_affinity_mask_proc_ = mask::remove;
    /// 1 if a mask holds a processor, 0 if not, -1 for a number that no processor has.
    kmp_get_affinity_mask_proc, kmpc_get_affinity_mask_proc, kmp_get_affinity_mask_proc_ = mask::holds;
}

/// [`kmp_create_affinity_mask`] as Fortran calls it.
///
/// # Safety
/// As for [`kmp_create_affinity_mask`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kmp_create_affinity_mask_(handle: Handle) {
    // SAFETY: the caller upholds it.
    unsafe { kmp_create_affinity_mask(handle) }
}

/// [`kmp_destroy_affinity_mask`] as Fortran calls it.
///
/// # Safety
/// As for [`kmp_destroy_affinity_mask`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kmp_destroy_affinity_mask_(handle: Handle) {
    // SAFETY: the caller upholds it.
    unsafe { kmp_destroy_affinity_mask(handle) }
}

/// [`kmp_set_affinity`] as Fortran calls it.
///
/// # Safety
/// As for [`kmp_set_affinity`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kmp_set_affinity_(handle: Handle) -> c_int {
    // SAFETY: the caller upholds it.
    unsafe { kmp_set_affinity(handle) }
}

/// [`kmp_get_affinity`] as Fortran calls it.
///
/// # Safety
/// As for [`kmp_get_affinity`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kmp_get_affinity_(handle: Handle) -> c_int {
    // SAFETY: the caller upholds it.
    unsafe { kmp_get_affinity(handle) }
}

/// [`kmp_get_affinity_max_proc`] as Fortran calls it.
#[unsafe(no_mangle)]
pub extern "C" fn kmp_get_affinity_max_proc_() -> c_int {
    kmp_get_affinity_max_proc()
}
