//! Taskgroups: how many tasks of each are not complete, and whether the group has been cancelled (OpenMP 5.1 §2.19.6).

use crate::model::atomic::AtomicPtr;
use crate::model::atomic::AtomicU8;
use crate::model::atomic::AtomicU64;
use crate::model::atomic::Ordering;
use crate::objects::structures::Group;
use crate::objects::structures::Task;
use crate::objects::structures::Thread;

/// The region has been cancelled: tasks that have not begun are discarded.
const CANCELLED: u8 = 1;

/// A task of the group has been recorded.
const NOTED: u8 = 2;

impl Group {
    /// A group inside `outer`, without tasks.
    pub(super) fn new(thread: &Thread, outer: *const Group) -> &'static Group {
        let block = thread.tasks.take(size_of::<Group>());
        let group = block.payload().cast::<Group>();
        let reductions = AtomicPtr::new(std::ptr::null_mut());
        // SAFETY: the payload has room for a group, is aligned for it, and nobody else knows it.
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

    /// The group is over, and nobody knows it any more.
    pub(super) fn give_back(&self, thread: &Thread) {
        thread.tasks.give(self.block);
    }

    /// Another task. The caller is a task of the group, or the one that began it.
    #[inline(always)]
    pub(super) fn enter(&self) {
        // Relaxed: the group cannot come to its end meanwhile.
        self.tasks.fetch_add(1, Ordering::Relaxed);
    }

    /// Cancels the taskgroup region.
    pub(super) fn cancel(&self) {
        // Release: whoever finds the group cancelled sees what led to that.
        self.marks.fetch_or(CANCELLED, Ordering::Release);
    }

    /// Whether the taskgroup region, or one around it, has been cancelled.
    pub(super) fn is_cancelled(&self) -> bool {
        // SAFETY: null or a group around this one, which its owner takes down later.
        let outer = || unsafe { self.outer.as_ref() };
        self.marks.load(Ordering::Acquire) & CANCELLED != 0 || outer().is_some_and(Group::is_cancelled)
    }

    /// A task is complete. Returns whether it was the last; the group may be gone then.
    #[inline(always)]
    pub(super) fn leave(&self) -> bool {
        // Sequentially consistent, as every change that a sleeper waits for.
        self.tasks.fetch_sub(1, Ordering::SeqCst) == 1
    }
}

/// Whether a taskgroup around `task` has reductions; the innermost one is left out if `outer`.
#[cold]
pub(super) fn in_reduction(task: &Task, outer: bool) -> bool {
    // SAFETY: null or a group that ends after the task.
    let innermost: Option<&Group> = unsafe { task.group.get().as_ref() };
    let groups = std::iter::successors(innermost, |group| group.outer());
    groups.skip(usize::from(outer)).any(|group| !group.reductions.load(Ordering::Relaxed).is_null())
}

/// Whether this has been asked before for a task of the innermost taskgroup around `task`.
#[cold]
pub(super) fn was_noted(task: &Task) -> bool {
    // SAFETY: as in `in_reduction`.
    unsafe { task.group.get().as_ref() }
        .is_none_or(|group: &Group| group.marks.fetch_or(NOTED, Ordering::Relaxed) & NOTED != 0)
}
