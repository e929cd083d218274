//! The functions that debuggers put breakpoints on (OpenMP 5.1 §5.6). Each does nothing, at an address of its own.
//! While `OMP_DEBUG` is `enabled`, each is called at the events that the specification names.

use crate::icv;
use crate::model::atomic::{AtomicBool, Ordering};

/// Whether `OMP_DEBUG` is `enabled`, once the runtime is up.
static DEBUGGING: AtomicBool = AtomicBool::new(false);

/// Whether breakpoint functions are called, and states and frames kept for a debugger. One relaxed load.
#[inline(always)]
pub fn debugging() -> bool {
    cfg!(feature = "ompt") && DEBUGGING.load(Ordering::Relaxed)
}

/// Follows `OMP_DEBUG` from here on: events before this are not reported to debuggers. Returns [`debugging`].
pub fn start_debugging() -> bool {
    DEBUGGING.store(icv::settings().debug == icv::ToolSetting::Enabled, Ordering::Relaxed);
    debugging()
}

/// Defines the breakpoint functions, and a caller for each: one load and a branch where no debugger is expected.
macro_rules! breakpoints {
    ($($(#[$meta:meta])* $exported:ident, $call:ident;)*) => {$(
        $(#[$meta])*
        // A naked function: compilers merge equal functions into one.
        #[unsafe(no_mangle)]
        // SAFETY: the body is assembly that keeps to the ABI.
        #[unsafe(naked)]
        pub extern "C" fn $exported() {
            crate::arch::return_at_once!()
        }

        $(#[$meta])*
        #[inline(always)]
        pub fn $call() {
            if debugging() {
                std::hint::cold_path();
                $exported();
            }
        }
    )*};
}

breakpoints! {
    /// A parallel or teams region begins: the calling thread's current region is the new one, its current task the one
    /// that encountered the construct (§5.6.1).
    ompd_bp_parallel_begin, parallel_begins;
    /// The calling thread's current region ends, which is still the current one; its current task is the one that
    /// encountered the construct (§5.6.2).
    ompd_bp_parallel_end, parallel_ends;
    /// The calling thread's current task begins: an implicit, initial, explicit or target task (§5.6.3).
    ompd_bp_task_begin, task_begins;
    /// The calling thread's current task has come to the end of its code (§5.6.4).
    ompd_bp_task_end, task_ends;
    /// The calling thread is an OpenMP thread from here on (§5.6.5).
    ompd_bp_thread_begin, thread_begins;
    /// The calling thread is no OpenMP thread any more (§5.6.6).
    ompd_bp_thread_end, thread_ends;
    /// A device has been made ready (§5.6.7).
    ompd_bp_device_begin, device_begins;
    /// A device is not used any more (§5.6.8).
    ompd_bp_device_end, device_ends;
}

/// [`ompd_dll_locations`](super::locations::ompd_dll_locations) has its value (§5.2.3).
#[unsafe(no_mangle)]
// SAFETY: the body is assembly that keeps to the ABI.
#[unsafe(naked)]
pub extern "C" fn ompd_dll_locations_valid() {
    crate::arch::return_at_once!()
}
