//! Entry points about the process as a whole: pausing the runtime, and whether target regions are offloaded.

use crate::abi::routines;
use crate::icv;
use crate::objects::current;
use crate::process::down;
use crate::thread::pool;

/// `kmp_pause_status_t`.
const NOT_PAUSED: i32 = 0;
const SOFT: i32 = 1;
const HARD: i32 = 2;

routines! {
    /// `__kmpc_pause_resource`: levels 1 and 2 pause as `omp_pause_resource` does for the host; level 0 ends a pause
    /// that no region has ended. Returns 0 on success, else 1.
    pub fn __kmpc_pause_resource(level: i32) -> i32 {
        let done = match level {
            NOT_PAUSED => pool::resume(),
            SOFT => down::pause(false),
            HARD => down::pause(true),
            _ => false,
        };
        i32::from(!done)
    }

    /// `__kmpc_get_target_offload`: target-offload-var, 0 disabled, 1 default, 2 mandatory.
    pub fn __kmpc_get_target_offload() -> i32 {
        current::current();
        icv::settings().target_offload as i32
    }
}
