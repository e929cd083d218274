//! Numbers for the host's tasks, by which records name the task that encountered a target construct: "an ID, which
//! must be initialized by the OpenMP implementation" (OpenMP 5.1 §4.5.2).
//!
//! A task's header has no room for a number that so few tasks have. The numbers lie in a table, by the addresses of
//! the headers, and a flag in the header says whether the entry is this task's or that of an earlier task in the same
//! memory.

use crate::model::atomic::Ordering;
use crate::objects::structures::Task;
use crate::ompt::target::unique;
use crate::park::mutex::Mutex;
use ::ompt::Id;
use std::collections::BTreeMap;

/// The last number that the task at each address has got. As many entries as there are headers, at most.
static NUMBERS: Mutex<BTreeMap<usize, Id>> = Mutex::new(BTreeMap::new());

/// The number of `task`, which no other task of the process has, nor anything else that records name. The task is not
/// over, or a child of it is not.
pub fn of(task: &Task) -> Id {
    NUMBERS.with(|numbers| {
        let number = numbers.entry(std::ptr::from_ref(task) as usize).or_default();
        // Relaxed, here and where a header gets its next task: the lock orders those who name a task, and a task is
        // made before it is named.
        if !task.recorded.swap(true, Ordering::Relaxed) || *number == ::ompt::ID_NONE {
            *number = unique();
        }
        *number
    })
}

/// In a forked child: a thread that was in the middle of a change is not there. Tasks get other numbers.
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
