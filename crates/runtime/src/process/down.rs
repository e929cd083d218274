//! Giving resources back: at a pause, at the end of the last root, at the end of the program.

use crate::model::atomic::Ordering;
use crate::objects::{current, switch};
use crate::team::hot;
use crate::thread::{pool, roster};
use crate::tool::end::{end_idle_workers, end_tool};
use crate::{device, ompt, stderr, task};

/// Gives back what the runtime keeps between parallel regions: the workers with their stacks, and for a `hard` pause
/// the memory that they had used (OpenMP 5.1 §3.6). The next region gets new workers. Inside a region, returns false
/// and does nothing.
pub fn pause(hard: bool) -> bool {
    let thread = current::current();
    let member = thread.member();
    if !thread.is_outside_regions() {
        return false;
    }
    hot::disband_children(member);
    pool::dismiss_all();
    pool::join_dismissed();
    if hard {
        thread.tasks.trim(0);
        // SAFETY: the call has no preconditions.
        unsafe { libc::malloc_trim(0) };
    }
    pool::PAUSED.store(true, Ordering::Relaxed);
    true
}

/// Ends the threads that the runtime keeps for later use. Called when the last root has ended. The C library ends the
/// process with its last thread, so these threads would keep the process alive. A new root gets new ones.
#[cold]
pub fn rest() {
    task::helper::rest();
    task::agents::end();
    if roster::is_any_left() {
        return;
    }
    device::rest_all();
    ompt::trace::rest();
    end_idle_workers();
}

/// The end of the program: the tool is finalised. An `atexit` handler.
pub(crate) extern "C" fn finish() {
    stderr::begin_exit();
    device::step_out();
    if switch::active() {
        end_tool();
    }
}
