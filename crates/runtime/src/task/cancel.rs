//! What cancellation means for tasks (OpenMP 5.1 §2.20.1): tasks of a cancelled taskgroup or parallel region that have
//! not begun are discarded, which completes them. `life.rs` discards them.

use super::reduction;
use crate::objects::structures::{Group, Task, Thread};
use crate::objects::task::flag;

/// Whether tasks that `task` generates now are discarded, so that they need not be generated at all.
#[inline]
pub fn are_cancelled(task: &Task) -> bool {
    task.has(flag::CANCELLABLE) && is_taskgroup_cancelled(task)
}

/// Whether the innermost taskgroup region around what `task` executes has been cancelled.
pub fn is_taskgroup_cancelled(task: &Task) -> bool {
    task.taskgroup().is_some_and(Group::is_cancelled)
}

/// Whether the taskgroup region around `task`, or the parallel region of `thread`'s team, has been cancelled, so that
/// the task is to end.
pub fn is_cancelled(thread: &Thread, task: &Task) -> bool {
    let cancelled = is_taskgroup_cancelled(task) || thread.member().team().is_cancelled();
    if cancelled && task.is_explicit() {
        task.change_flags(flag::CANCELLED, 0);
    }
    cancelled
}

/// Notes that `task`, the current one, knows that its parallel region is cancelled. Returns whether it did not know
/// before.
pub fn learn_of_cancellation(task: &Task) -> bool {
    let first = !task.has(flag::CANCELLED);
    task.change_flags(flag::CANCELLED, 0);
    first
}

/// Cancels the innermost taskgroup region around what `task`, the current one, executes. Without such a region the task
/// alone ends.
///
/// The group of a construct with a task reduction is not a taskgroup region of the program's. It is cancelled with the
/// group around it, or by itself if there is none.
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
