//! Cancellation (OpenMP 5.1 §2.20) is not there yet: programs run as with cancel-var false, which
//! the specification makes the default.

use crate::icv;
use std::sync::Once;

/// Whether the construct that asks has been cancelled: never. Where cancel-var is true, says once
/// that this runtime does not cancel.
pub fn cancelled() -> bool {
    static SAID: Once = Once::new();
    if icv::settings().cancellation {
        SAID.call_once(|| {
            icv::warn("ferromp: OMP_CANCELLATION=true: cancellation is not supported; constructs run to their end\n");
        });
    }
    false
}
