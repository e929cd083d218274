//! The team's own queue: tasks with a priority (OpenMP 5.1 §2.12.1), and tasks whose body has
//! returned and whose event has been fulfilled (§2.12.1, `detach`), which any member may complete.
//!
//! One lock, because both are rare; a counter in front of it, so that nobody takes it for nothing.

use crate::model::atomic::Ordering;
use crate::objects::structures::Task;
use crate::objects::structures::{Entry, Queue};
use crate::objects::task::flag;
use std::collections::BTreeMap;
use std::collections::VecDeque;

impl Queue {
    /// Whether there was nothing a moment ago.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.length.load(Ordering::Relaxed) == 0
    }

    /// Queues a task. The caller wakes who sleeps.
    #[cold]
    pub fn put(&self, task: &Task) {
        let mut lists = self.lock();
        // What only has to be completed goes first: others may wait for it.
        let rank = if task.has(flag::FINISHED) { i32::MAX } else { task.priority.get() };
        lists.entry(std::cmp::Reverse(rank)).or_default().push_back(Entry(task));
        self.length.fetch_add(1, Ordering::SeqCst);
    }

    /// Takes the first task that `allowed` agrees to.
    #[cold]
    pub fn take(&self, allowed: impl Fn(&Task) -> bool) -> Option<&'static Task> {
        let mut lists = self.lock();
        for list in lists.values_mut() {
            // SAFETY: queued tasks are alive.
            let found = list.iter().position(|entry| allowed(unsafe { &*entry.0 }));
            if let Some(entry) = found.and_then(|index| list.remove(index)) {
                self.length.fetch_sub(1, Ordering::SeqCst);
                // SAFETY: as above.
                return Some(unsafe { &*entry.0 });
            }
        }
        None
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<std::cmp::Reverse<i32>, VecDeque<Entry>>> {
        // A panic aborts the process, so nobody ever sees a lock that one poisoned.
        self.lists.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}
