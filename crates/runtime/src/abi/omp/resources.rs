//! Routines by which a program has the runtime give back the resources that the runtime keeps between regions (OpenMP
//! 5.1 §3.6).

use crate::objects::current;
use crate::process::down;
use crate::thread::pool;
use crate::tool::end;
use std::ffi::c_int;

use crate::abi::routines;
use crate::device;

/// `kmp_not_paused`, in LLVM's own numbering of levels.
const NOT_PAUSED: c_int = 0;
/// `omp_pause_soft`: the state of OpenMP persists, except the threadprivate variables of threads that end.
const SOFT: c_int = 1;
/// `omp_pause_hard`: the state need not persist.
const HARD: c_int = 2;
/// `omp_pause_stop_tool` (OpenMP 6.0): a hard pause, after which tools receive no more events.
const STOP_TOOL: c_int = 3;

routines! {
    /// Gives back what the runtime keeps for a device between regions: 0 where that is done, else 1. To be called
    /// outside of all parallel and teams regions; inside, nothing is done (§3.6.1).
    "OMP_5.0" pub fn omp_pause_resource(kind: c_int, device: c_int) -> c_int, fortran: omp_pause_resource_ {
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
    "OMP_5.0" pub fn omp_pause_resource_all(kind: c_int) -> c_int, fortran: omp_pause_resource_all_ {
        current::current();
        let paused = pause_host(kind);
        if paused {
            device::pause_all();
        }
        c_int::from(!paused)
    }

    /// `__kmpc_pause_resource`: levels 1 and 2 pause as [`omp_pause_resource`] does for the host; level 0 ends a pause
    /// that no region has ended. Returns 0 on success, else 1.
    pub fn __kmpc_pause_resource(level: c_int) -> c_int {
        c_int::from(!match level {
            NOT_PAUSED => pool::resume(),
            SOFT | HARD => pause_host(level),
            _ => false,
        })
    }
}

fn pause_host(kind: c_int) -> bool {
    let paused = matches!(kind, SOFT | HARD | STOP_TOOL) && down::pause(kind != SOFT);
    if paused && kind == STOP_TOOL {
        end::end_each();
    }
    paused
}
