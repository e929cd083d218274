//! Addresses that a compiler wants to know again. gfortran frees an allocatable variable in code that cannot see who
//! allocated it: the `allocators` construct (OpenMP 5.2 §6.7) marks the variables that an allocator gave, and the code
//! asks before it frees one.

use crate::model::atomic::{AtomicUsize, Ordering};
use crate::park::mutex::Mutex;
use std::collections::BTreeSet;

/// How many there are. Who frees a marked variable knows of its mark, so that 0 is enough to know that a variable of
/// one's own has none.
static COUNT: AtomicUsize = AtomicUsize::new(0);
static MARKED: Mutex<BTreeSet<usize>> = Mutex::new(BTreeSet::new());

/// Marks a variable; null, which is none, is not marked.
pub fn add(variable: *mut u8) {
    if !variable.is_null() {
        COUNT.fetch_add(MARKED.with(|marked| marked.insert(variable as usize)).into(), Ordering::Relaxed);
    }
}

/// Takes the mark off, and says whether there was one.
pub fn take(variable: *mut u8) -> bool {
    if COUNT.load(Ordering::Relaxed) == 0 {
        return false;
    }
    let found = MARKED.with(|marked| marked.remove(&(variable as usize)));
    COUNT.fetch_sub(found.into(), Ordering::Relaxed);
    found
}

/// In a forked child, which has the marked variables too. A list that somebody was changing is lost.
pub fn after_fork() {
    MARKED.renew_if_held_after_fork();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_taken_once() {
        let variable = std::ptr::dangling_mut();
        assert!(!take(variable));
        add(variable);
        add(std::ptr::null_mut());
        assert_eq!([take(variable), take(variable), take(std::ptr::null_mut())], [true, false, false]);
    }
}
