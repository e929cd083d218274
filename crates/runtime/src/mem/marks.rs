//! Marks of variables in memory of allocators. gfortran frees an allocatable variable in code that cannot see its
//! allocation. The `allocators` construct (OpenMP 5.2 §6.7) marks variables of allocators, and the code looks for the
//! mark before it frees a variable.

use crate::model::atomic::{AtomicUsize, Ordering};
use crate::park::mutex::Mutex;
use std::collections::BTreeSet;

/// The number of marks. A thread that frees a marked variable has seen the mark counted: for its variables, 0 means
/// that there is no mark.
static COUNT: AtomicUsize = AtomicUsize::new(0);
static MARKED: Mutex<BTreeSet<usize>> = Mutex::new(BTreeSet::new());

/// Marks a variable; null is ignored.
pub fn add(variable: *mut u8) {
    if !variable.is_null() {
        COUNT.fetch_add(MARKED.with(|marked| marked.insert(variable as usize)).into(), Ordering::Relaxed);
    }
}

/// Removes a variable's mark; whether there was one.
pub fn take(variable: *mut u8) -> bool {
    if COUNT.load(Ordering::Relaxed) == 0 {
        return false;
    }
    let found = MARKED.with(|marked| marked.remove(&(variable as usize)));
    COUNT.fetch_sub(found.into(), Ordering::Relaxed);
    found
}

/// In a forked child, which has the marked variables, too. A list that another thread was changing is lost.
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
