//! Numbers of the host's tasks. Records name the task that encountered a target construct by "an ID, which must be
//! initialized by the OpenMP implementation" (OpenMP 5.1 §4.5.2).
//!
//! Few tasks have a number, so a task's header has no field for it. The numbers lie in a table, by the addresses of the
//! headers. A flag in the header says whether the entry is this task's, or that of an earlier task in the same memory.

use crate::model::atomic::Ordering;
use crate::objects::structures::Task;
use crate::ompt::target::unique;
use crate::park::mutex::Mutex;
use ::ompt::Id;
use std::collections::BTreeMap;

/// The last number of a task at each address. At most as many entries as there are headers.
static NUMBERS: Mutex<BTreeMap<usize, Id>> = Mutex::new(BTreeMap::new());

/// The number of `task`. Nothing else that records name has the same number. The task, or a child of it, must not be
/// over.
pub fn of(task: &Task) -> Id {
    NUMBERS.with(|numbers| {
        let number = numbers.entry(std::ptr::from_ref(task) as usize).or_default();
        // Relaxed, here and where a header gets its next task: the lock orders the threads that name a task, and a task
        // is created before it is named.
        if !task.recorded.swap(true, Ordering::Relaxed) || *number == ::ompt::ID_NONE {
            *number = unique();
        }
        *number
    })
}

/// In a forked child: the thread that was changing the table may not exist. Tasks get other numbers.
pub fn after_fork() {
    NUMBERS.renew_after_fork();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn task_keeps_its_number_and_the_next_one_in_its_memory_gets_another() {
        let (task, other) = (Task::new_implicit(), Task::new_implicit());
        let number = of(&task);
        assert_ne!(number, ::ompt::ID_NONE);
        assert_eq!(of(&task), number);
        assert_ne!(of(&other), number);
        task.recorded.store(false, Ordering::Relaxed);
        assert_ne!(of(&task), number);
    }
}
