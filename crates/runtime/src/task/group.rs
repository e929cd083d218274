//! Taskgroups: how many tasks of each are not complete, and whether the group has been cancelled (OpenMP 5.1 §2.19.6).

use crate::model::atomic::{AtomicPtr, AtomicU8, AtomicU64, Ordering};
use crate::objects::structures::{Group, Task, Thread};

/// The region has been cancelled: tasks that have not begun are discarded.
const CANCELLED: u8 = 1;

/// A task of the group has been recorded.
const NOTED: u8 = 2;

impl Task {
    /// The innermost taskgroup around what the task executes now.
    #[inline(always)]
    pub(super) fn taskgroup(&self) -> Option<&'static Group> {
        // SAFETY: null, or a group that lives until its tasks are complete. This task is one, or has begun the group.
        unsafe { self.group.get().as_ref() }
    }
}

impl Group {
    /// A group inside `outer`, without tasks.
    pub(super) fn new(thread: &Thread, outer: *const Group) -> &'static Group {
        let block = thread.tasks.take(size_of::<Group>());
        let group = block.payload().cast::<Group>();
        let reductions = AtomicPtr::new(std::ptr::null_mut());
        // SAFETY: the payload has room for a group and is aligned for it, and no other thread knows it.
        unsafe {
            group.write(Group { outer, block, tasks: AtomicU64::new(0), reductions, marks: AtomicU8::new(0) });
            &*group
        }
    }

    /// The group around this one.
    pub(crate) fn outer(&self) -> Option<&'static Group> {
        // SAFETY: null or a group that ends after this one.
        unsafe { self.outer.as_ref() }
    }

    /// Frees the group, which is over and known to no task any more.
    pub(super) fn give_back(&self, thread: &Thread) {
        thread.tasks.give(self.block);
    }

    /// Counts another task. The caller is a task of the group, or the task that began it.
    #[inline(always)]
    pub(super) fn enter(&self) {
        // Relaxed: the group cannot come to its end meanwhile.
        self.tasks.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a task that is complete. Returns whether it was the last; then the group may be gone.
    #[inline(always)]
    pub(super) fn leave(&self) -> bool {
        // Sequentially consistent, like every change that a sleeper waits for.
        self.tasks.fetch_sub(1, Ordering::SeqCst) == 1
    }

    /// Whether all tasks of the group are complete.
    #[inline(always)]
    pub(super) fn is_over(&self) -> bool {
        // Acquire: the effects of the tasks are visible after.
        self.tasks.load(Ordering::Acquire) == 0
    }

    /// Cancels the taskgroup region.
    pub(super) fn cancel(&self) {
        // Release: a thread that finds the group cancelled sees what led to the cancellation.
        self.marks.fetch_or(CANCELLED, Ordering::Release);
    }

    /// Whether the taskgroup region, or one around it, has been cancelled.
    pub(super) fn is_cancelled(&self) -> bool {
        self.marks.load(Ordering::Acquire) & CANCELLED != 0 || self.outer().is_some_and(Group::is_cancelled)
    }

    /// Whether the group has reductions.
    #[inline(always)]
    pub(super) fn has_reductions(&self) -> bool {
        !self.reductions.load(Ordering::Relaxed).is_null()
    }
}

/// Whether a taskgroup around `task` has reductions; the innermost one is left out if `outer`.
#[cold]
pub(super) fn in_reduction(task: &Task, outer: bool) -> bool {
    std::iter::successors(task.taskgroup(), |group| group.outer()).skip(usize::from(outer)).any(Group::has_reductions)
}

/// Whether this has been asked before for a task of the innermost taskgroup around `task`.
#[cold]
pub(super) fn was_noted(task: &Task) -> bool {
    task.taskgroup().is_none_or(|group| group.marks.fetch_or(NOTED, Ordering::Relaxed) & NOTED != 0)
}
