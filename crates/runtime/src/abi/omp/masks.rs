//! The routines for affinity masks that clang's and Intel's `omp.h` have besides OpenMP's (`kmp_set_affinity` and its
//! kin). A handle is a pointer, which the program keeps in a variable of its own and passes by reference.

use crate::objects::current;
use std::ffi::{c_int, c_void};

use crate::abi::routines;
use crate::place::mask::{self, Mask};

/// A program's variable that holds a mask.
type Handle = *mut *mut c_void;

/// Calls `body` with the mask of a handle; -1 where there is none.
///
/// # Safety
/// `handle` is null, or points to null, or points to a mask that no other thread uses meanwhile.
unsafe fn with(handle: Handle, body: impl FnOnce(&mut Mask) -> c_int) -> c_int {
    current::current();
    // SAFETY: the caller keeps to the `# Safety` section.
    let mask = unsafe { handle.as_ref().and_then(|mask| mask.cast::<Mask>().as_mut()) };
    mask.map_or(-1, body)
}

// Each `handle` points to the handle of a mask that no other thread uses meanwhile. The names `kmpc_*` are those in
// clang's `omp.h`; Intel's older compilers use `kmp_*`.
routines! {
    /// Makes an empty mask and stores its handle.
    ///
    /// # Safety
    /// `handle` points to a handle that may be written.
    pub fn kmp_create_affinity_mask(handle: Handle), fortran: kmp_create_affinity_mask_ {
        current::current();
        handle.write(mask::create());
    }

    /// Ends a mask and sets its handle to null.
    pub fn kmp_destroy_affinity_mask(handle: Handle), fortran: kmp_destroy_affinity_mask_ {
        current::current();
        mask::destroy(handle.replace(std::ptr::null_mut()));
    }

    /// Binds the calling thread to the processors of a mask; 0, -1 or the system's error number.
    pub fn kmp_set_affinity(handle: Handle) -> c_int, fortran: kmp_set_affinity_ {
        let thread = current::current();
        with(handle, |mask| mask::bind(&thread.place, &mut thread.icvs_mut().bind, mask))
    }

    /// Makes a mask the calling thread's; 0 or -1.
    pub fn kmp_get_affinity(handle: Handle) -> c_int, fortran: kmp_get_affinity_ { with(handle, mask::copy_of_caller) }

    /// One more than the largest processor number; 0 where masks cannot be used.
    pub fn kmp_get_affinity_max_proc() -> c_int, fortran: kmp_get_affinity_max_proc_ {
        current::current();
        mask::numbers()
    }

    /// Gives the calling thread the processors that the process came with; 0, -1 for a thread that is not OpenMP's or
    /// where masks cannot be used, or the system's error number.
    pub fn kmp_set_thread_affinity_mask_initial() -> c_int {
        current::try_current().filter(|thread| thread.is_set_up()).map_or(-1, |thread| mask::free(&thread.place))
    }

    /// Adds a processor to a mask; 0, -1 for a number that no processor has, -2 for a processor that the process may
    /// not use.
    pub fn kmp_set_affinity_mask_proc(processor: c_int, handle: Handle) -> c_int, also: kmpc_set_affinity_mask_proc,
        fortran: kmp_set_affinity_mask_proc_ { with(handle, |mask| mask::set(mask, processor, true)) }

    /// Takes a processor out of a mask; 0, -1 for a number that no processor has, -2 for a processor that the process
    /// may not use.
    pub fn kmp_unset_affinity_mask_proc(processor: c_int, handle: Handle) -> c_int, also: kmpc_unset_affinity_mask_proc,
        fortran: kmp_unset_affinity_mask_proc_ { with(handle, |mask| mask::set(mask, processor, false)) }

    /// 1 if a mask holds a processor, 0 if not, -1 for a number that no processor has.
    pub fn kmp_get_affinity_mask_proc(processor: c_int, handle: Handle) -> c_int, also: kmpc_get_affinity_mask_proc,
        fortran: kmp_get_affinity_mask_proc_ { with(handle, |mask| mask::holds(mask, processor)) }
}
