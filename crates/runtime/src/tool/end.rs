//! The end of a tool, with the events that come before it (OpenMP 5.1 §4.2.4, §4.6.1.20).

use crate::objects::current::try_current;
use crate::objects::structures::Thread;
use crate::ompt::{registry, several};
use crate::team::hot;
use crate::thread::pool;
use crate::tool::active::{finalize_all, finalize_one};
use crate::{device, ompt, task};

/// Ends the activity of all tools: every device is closed, every worker ends, every open scope of the calling thread
/// ends, then the tools are finalised (OpenMP 5.1 §4.2.4). For a thread outside of callbacks. Later regions get new
/// workers.
pub fn end_tool() {
    device::close_all();
    task::helper::end();
    task::agents::end();
    let root = try_current().filter(|thread| thread.is_set_up() && thread.is_outside_regions());
    match root {
        Some(thread) => end_workers(thread),
        None => end_idle_workers(),
    }
    if let Some(thread) = root {
        ompt::initial_task_end(thread);
        ompt::thread_end(thread);
    }
    finalize_all();
}

/// Ends the workers of `thread`, the calling thread, and those in the pool. The thread is outside of regions.
pub fn end_workers(thread: &Thread) {
    hot::disband_children(thread.member());
    end_idle_workers();
}

pub(crate) fn end_idle_workers() {
    pool::dismiss_all();
    pool::release_dismissed();
}

/// Ends each tool as [`end_one`] does, the last initialised first (`omp_pause_stop_tool`; OpenMP 6.0, section 28.1).
pub fn end_each() {
    for number in (0..several::MOST).rev() {
        end_one(number);
    }
}

/// One tool ends itself (`ompt_finalize_tool`). If the calling thread is outside of parallel regions and callbacks, the
/// events of the runtime's shutdown come first. Other tools get the workers' ends, because the workers do end. They do
/// not get the end of the calling thread, which goes on.
pub fn end_one(number: usize) {
    let thread = try_current().filter(|thread| thread.is_set_up());
    let idle = |thread: &&Thread| thread.is_outside_regions() && !thread.tool.in_callback();
    match thread.filter(idle).filter(|_| registry::has_tool()) {
        Some(_) if !several::is_so() => end_tool(),
        Some(thread) => {
            end_workers(thread);
            if thread.tool.begun.get() {
                several::report_end(number, thread);
            }
            finalize_one(number);
        }
        None => finalize_one(number),
    }
}
