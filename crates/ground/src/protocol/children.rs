//! The account of a task's children: how many there are, how many are complete, whether the task waits for them, and
//! which thread frees the header when the task completes before its children.
//!
//! The protocol stands in `task/README.md`; `tests/loom_children.rs` checks this very code.

use crate::model::atomic::{AtomicI64, AtomicU32, Ordering};
use crate::model::mutation;
use std::cell::Cell;

/// Set in `held` when the task is complete and so are its children.
const OVER: u32 = 1 << 31;
/// In `awaited` of a task in a queue: free agents may take the task. No queue has a task that waits for its children,
/// so the two meanings never meet.
const OFFERED: u32 = u32::MAX;

/// A task's account of its children. The first three words are other threads' to change, and lie on the header's first
/// cache line; the other two are the executing thread's, and lie on the second.
#[repr(C)]
#[derive(Default)]
pub struct Children {
    /// Children that other threads completed. When the task is complete, less the number of those that the task has to
    /// wait for: whoever makes the number zero completes the last child.
    done_elsewhere: AtomicI64,
    /// Completed children whose headers stay because they have children themselves; [`OVER`].
    held: AtomicU32,
    /// The low half of the value of `done_elsewhere` that the executing thread may be asleep for; [`OFFERED`].
    awaited: AtomicU32,
    /// Deferred children that were generated. Executing thread only.
    created: Cell<u64>,
    /// Those that the task's own executing thread completed. Executing thread only.
    done_here: Cell<u64>,
}

/// What the completion of a child by another thread means for the parent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Completion {
    /// The parent does something else, or waits for more.
    Plain,
    /// The parent's thread may be asleep until this child is complete: the caller wakes the thread.
    Awaited,
    /// The parent is complete, and this was the last child: the caller goes on with [`Children::seal`].
    Last,
}

impl Children {
    /// The header is for a new task.
    #[inline(always)]
    pub fn reset(&self) {
        self.created.set(0);
        self.done_here.set(0);
        self.done_elsewhere.store(0, Ordering::Relaxed);
        self.awaited.store(0, Ordering::Relaxed);
        self.held.store(0, Ordering::Relaxed);
    }

    /// The task has generated a deferred child. Executing thread only.
    #[inline(always)]
    pub fn generate(&self) {
        self.created.set(self.created.get() + 1);
    }

    /// How many deferred children the task has generated since the last wait. Executing thread only.
    #[inline(always)]
    pub fn generated(&self) -> u64 {
        self.created.get()
    }

    /// The task's executing thread has completed a child.
    #[inline(always)]
    pub fn complete_here(&self) {
        self.done_here.set(self.done_here.get() + 1);
    }

    /// A thread that does not execute the task has completed a child. The header may be gone afterwards, unless the
    /// result is [`Completion::Last`].
    #[inline(always)]
    pub fn complete_elsewhere(&self) -> Completion {
        // Sequentially consistent, here and in `announce`: either the parent sees this child's completion before the
        // parent sleeps, or this thread sees how many children the parent waits for. The release also hands what the
        // child has written to whoever waits for the child.
        let before =
            self.done_elsewhere.fetch_add(1, mutation::or_relaxed("children: completed relaxed", Ordering::SeqCst));
        sequential("children: no order between completion and look");
        if before >= 0 && self.awaited.load(Ordering::SeqCst) == (before + 1) as u32 {
            return Completion::Awaited;
        }
        if before == -1 { Completion::Last } else { Completion::Plain }
    }

    /// Says how many completions the executing thread is about to sleep for. The thread looks once more at
    /// [`are_complete`](Self::are_complete) between this and the sleep.
    pub fn announce(&self) {
        self.awaited.store(self.others() as u32, Ordering::SeqCst);
        sequential("children: no order between announcement and look");
    }

    /// Whether all children are complete. Executing thread only.
    #[inline(always)]
    pub fn are_complete(&self) -> bool {
        let others = self.others();
        // Acquire: the children's effects are visible after. Sequentially consistent, for the last look before the
        // thread sleeps.
        others == 0
            || self.done_elsewhere.load(mutation::or_relaxed("children: seen relaxed", Ordering::SeqCst)) as u64
                == others
    }

    /// How many children are not complete, about. Executing thread only.
    pub fn incomplete(&self) -> u64 {
        self.others().saturating_sub(self.done_elsewhere.load(Ordering::Relaxed) as u64)
    }

    /// Whether a descendant that was generated since the last wait has not completed. Executing thread only.
    pub fn has_incomplete_descendants(&self) -> bool {
        !self.are_complete() || self.held.load(Ordering::Acquire) != 0
    }

    /// Starts counting afresh: all children are complete. Executing thread only.
    #[inline(always)]
    pub fn forget(&self) {
        if self.others() != 0 {
            self.done_elsewhere.store(0, Ordering::Relaxed);
        }
        self.created.set(0);
        self.done_here.set(0);
    }

    /// Whether the task, which is complete, has neither children that it has not waited for nor headers of children to
    /// keep. Executing thread only.
    #[inline(always)]
    pub fn are_none(&self) -> bool {
        self.created.get() == 0 && self.held.load(Ordering::Relaxed) == 0
    }

    /// The task is complete. Returns whether all children are complete and their headers gone, so that the caller frees
    /// the task's header. If not, the last of the children frees the header, and `parent`, the account of the task's
    /// parent, keeps the parent's header until then.
    pub fn hand_over(&self, parent: &Children) -> bool {
        let others = self.others() as i64;
        // Before the subtraction: from then on the last child may take the count back. Relaxed: the parent is
        // incomplete until the calling thread says so, by a release.
        parent.held.fetch_add(1, Ordering::Relaxed);
        // Acquire and release: what the children did to this header comes before the header's next use.
        let before = self.done_elsewhere.fetch_sub(others, Ordering::AcqRel);
        let whole = before == others && self.seal();
        if whole {
            // Nobody has seen the count.
            parent.held.fetch_sub(1, Ordering::Relaxed);
        }
        whole
    }

    /// The task and its children are complete. Returns whether the children's headers are gone as well; if not, the
    /// last of those headers to go takes this one along.
    pub fn seal(&self) -> bool {
        if mutation::is("children: sealed in two steps") {
            let gone = self.held.load(Ordering::Acquire) == 0;
            self.held.store(self.held.load(Ordering::Relaxed) | OVER, Ordering::Release);
            return gone;
        }
        // Acquire and release: as in `hand_over`, for the headers of children.
        self.held.load(Ordering::Acquire) == 0 || self.held.fetch_or(OVER, Ordering::AcqRel) == 0
    }

    /// The header of a completed child that had children is gone. Returns whether this task's header goes as well.
    pub fn let_go(&self) -> bool {
        let order = mutation::or_relaxed("children: header let go relaxed", Ordering::AcqRel);
        self.held.fetch_sub(1, order) == OVER + 1
    }

    /// Free agents may take the task, which is about to be queued.
    pub fn offer(&self) {
        self.awaited.store(OFFERED, Ordering::Relaxed);
    }

    /// Whether free agents may take the task, which was in a queue a moment ago.
    pub fn is_offered(&self) -> bool {
        self.awaited.load(Ordering::Relaxed) == OFFERED
    }

    /// How many children other threads have to complete, or have completed. Executing thread only.
    #[inline(always)]
    fn others(&self) -> u64 {
        self.created.get() - self.done_here.get()
    }
}

/// What orders two sequentially consistent operations on two words. The operations do so themselves; loom takes them
/// for acquire and release ones and needs a fence, which the mutation `name` leaves out.
#[inline(always)]
fn sequential(_name: &str) {
    #[cfg(loom)]
    if !mutation::is(_name) {
        crate::model::atomic::fence(Ordering::SeqCst);
    }
}
