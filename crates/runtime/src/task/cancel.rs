//! What cancellation means for tasks: those of a cancelled taskgroup or parallel region that have not
//! begun are discarded, which completes them (OpenMP 5.1 §2.20.1).

use super::reduction;
use crate::objects::structures::Group;
use crate::objects::structures::Task;
use crate::objects::structures::Thread;
use crate::objects::task::flag;

impl Task {
    /// The innermost taskgroup around what the task executes now.
    pub(super) fn taskgroup(&self) -> Option<&Group> {
        // SAFETY: null or a group that lives until its tasks, of which this is one, are complete.
        unsafe { self.group.get().as_ref() }
    }
}

impl Task {
    /// Whether the task was discarded: its code has not run.
    pub fn was_discarded(&self) -> bool {
        self.has(flag::DISCARDED)
    }
}

/// Whether tasks that `task` generates now are discarded, so that they need not be generated at all.
#[inline]
pub fn are_cancelled(task: &Task) -> bool {
    task.has(flag::CANCELLABLE) && is_taskgroup_cancelled(task)
}

/// Whether the taskgroup region around `task`, or the parallel region of `thread`'s team, has been
/// cancelled, so that the task is to end.
pub fn is_cancelled(thread: &Thread, task: &Task) -> bool {
    let cancelled = is_taskgroup_cancelled(task) || thread.member().team().is_cancelled();
    if cancelled && task.is_explicit() {
        task.change_flags(flag::CANCELLED, 0);
    }
    cancelled
}

/// Notes that `task`, the current one, knows that its parallel region is cancelled. Returns whether it is told for the
/// first time.
pub fn learn_of_cancellation(task: &Task) -> bool {
    let first = !task.has(flag::CANCELLED);
    task.change_flags(flag::CANCELLED, 0);
    first
}

/// Whether the innermost taskgroup region around what `task` executes has been cancelled.
pub fn is_taskgroup_cancelled(task: &Task) -> bool {
    task.taskgroup().is_some_and(Group::is_cancelled)
}

/// Cancels the innermost taskgroup region around what `task`, the current one, executes. Without one the task alone
/// ends. The group that a construct with a task reduction brings is not a taskgroup region of the program's: it is
/// cancelled with the one around it, or by itself where there is none.
pub fn cancel_taskgroup(task: &Task) {
    let mut innermost = task.taskgroup();
    while let Some(group) = innermost
        && reduction::is_implicit(group)
        && group.outer().is_some()
    {
        innermost = group.outer();
    }
    if let Some(group) = innermost {
        group.cancel();
    }
    if task.is_explicit() {
        task.change_flags(flag::CANCELLED, 0);
    }
}
