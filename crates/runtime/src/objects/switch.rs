//! The flags that every construct reads: whether a tool or debugger is active, and cancel-var.

use crate::icv;
use crate::model::atomic::{AtomicBool, Ordering};

/// Whether a tool or a debugger is active.
pub(crate) static ACTIVE: AtomicBool = AtomicBool::new(false);

/// Whether there may be a tool. False once it is certain that there is none, and that none will come.
pub(crate) static MAY_HAVE_TOOL: AtomicBool = AtomicBool::new(true);

/// Whether constructs have to look for a tool. One relaxed load.
#[inline(always)]
pub(crate) fn may_have_tool() -> bool {
    cfg!(feature = "ompt") && MAY_HAVE_TOOL.load(Ordering::Relaxed)
}

/// Whether a tool or a debugger is active, so that states and frames are kept. One relaxed load.
#[inline(always)]
pub fn active() -> bool {
    cfg!(feature = "ompt") && ACTIVE.load(Ordering::Relaxed)
}

/// cancel-var: written once, before the first region.
pub(crate) static ENABLED: AtomicBool = AtomicBool::new(false);

/// Reads cancel-var from the environment. Called when the runtime comes up.
pub fn set_up() {
    ENABLED.store(icv::settings().cancellation, Ordering::Relaxed);
}

/// cancel-var.
#[inline(always)]
pub fn enabled() -> bool {
    ENABLED.load(Ordering::Relaxed)
}
