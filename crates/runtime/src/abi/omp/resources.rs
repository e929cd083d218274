//! Routines by which a program has the runtime give back what it holds on to between regions (OpenMP 5.1 §3.6).

use crate::objects::current;
use crate::process::down;
use crate::tool::end;
use std::ffi::c_int;

use super::versions;
use crate::device;

/// `omp_pause_soft`: the state of OpenMP persists, but for threadprivate variables of threads that end.
const SOFT: c_int = 1;
/// `omp_pause_hard`: the state need not persist.
const HARD: c_int = 2;
/// `omp_pause_stop_tool` (OpenMP 6.0): a hard pause, and tools hear of nothing any more.
const STOP_TOOL: c_int = 3;

/// Gives back what the runtime holds on to for a device: 0 where that is done, else 1. To be called outside of all
/// parallel and teams regions; inside nothing is done (§3.6.1).
#[unsafe(no_mangle)]
pub extern "C" fn omp_pause_resource(kind: c_int, device: c_int) -> c_int {
    current::current();
    if device::is_host(device) {
        return c_int::from(!pause_host(kind));
    }
    match device::find(device) {
        Some(device) if matches!(kind, SOFT | HARD | STOP_TOOL) => {
            device.pause();
            0
        }
        _ => 1,
    }
}

/// As [`omp_pause_resource`], for every device (§3.6.2).
#[unsafe(no_mangle)]
pub extern "C" fn omp_pause_resource_all(kind: c_int) -> c_int {
    current::current();
    let paused = pause_host(kind);
    if paused {
        device::pause_all();
    }
    c_int::from(!paused)
}

fn pause_host(kind: c_int) -> bool {
    match kind {
        SOFT => down::pause(false),
        HARD => down::pause(true),
        STOP_TOOL => {
            let paused = down::pause(true);
            if paused {
                end::end_each();
            }
            paused
        }
        _ => false,
    }
}

/// [`omp_pause_resource`] as Fortran calls it.
///
/// # Safety
/// Both arguments point to integers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_pause_resource_(kind: *const c_int, device: *const c_int) -> c_int {
    // SAFETY: the caller upholds it.
    unsafe { omp_pause_resource(*kind, *device) }
}

/// [`omp_pause_resource_all`] as Fortran calls it.
///
/// # Safety
/// The argument points to an integer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_pause_resource_all_(kind: *const c_int) -> c_int {
    // SAFETY: the caller upholds it.
    unsafe { omp_pause_resource_all(*kind) }
}

versions! {
    omp_pause_resource: "OMP_5.0";
    omp_pause_resource_: "OMP_5.0";
    omp_pause_resource_all: "OMP_5.0";
    omp_pause_resource_all_: "OMP_5.0";
}
