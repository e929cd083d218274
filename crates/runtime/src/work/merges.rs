//! Which reductions have few values, learnt from their merge functions.
//!
//! Compilers say how many variables a reduction has, and not whether a variable is an array. Scalars are added fastest
//! by atomic operations, and arrays by merging in pairs: with 16 threads, 729 numbers took 111 µs by atomic operations.
//! A merge function adds the values of one thread to those of another, so its time tells. Reductions begin by merging in
//! pairs. Once a merge function was found to be short, later regions use atomic operations.
//!
//! All members of a team must choose the same method: `protocol/learnt.rs` sees to that.

use super::reduction::Merge;
use crate::arch;
use crate::protocol::learnt::Learnt;
use crate::thread::wait;
use std::ffi::c_void;

/// More merge functions than most programs have. Those without room count as short.
const FUNCTIONS: usize = 128;
/// The shortest of at least so many merges decides, as the others may have been interrupted.
const ENOUGH: u32 = 4;
/// A merge function is given up after so many.
const MOST: u32 = 16;
/// A merge of scalars whose cache lines are there takes less. Fifty numbers take longer.
const SHORT_NS: u32 = 60;
/// Prefetched cache lines arrive in this many pauses.
const ARRIVAL: u32 = 40;

static MERGES: Learnt<FUNCTIONS> = Learnt::new();

/// What a region that begins now keeps, for [`are_short`].
#[inline(always)]
pub fn known_now() -> u32 {
    MERGES.now()
}

/// Whether the members of a region with this knowledge take a merge function as short.
#[inline]
pub fn are_short(known: u32, merge: Merge) -> bool {
    MERGES.entry(merge as usize).is_none_or(|entry| entry.holds(known))
}

/// Merges the values behind `other` into those behind `mine`, and learns from that.
///
/// # Safety
/// The pointers are as the merge function takes them, each to pointers to `variables` variables.
pub unsafe fn merge(merge: Merge, mine: *mut c_void, other: *mut c_void, variables: u32) {
    let entry = MERGES.entry(merge as usize).filter(|entry| entry.is_open(MOST));
    let Some(entry) = entry else {
        // SAFETY: as the caller promises.
        unsafe { merge(mine, other) };
        return;
    };
    for list in [mine, other] {
        for variable in 0..variables as usize {
            // SAFETY: the list has a pointer for each variable. The pointer need not be valid for a prefetch.
            arch::prefetch(unsafe { *list.cast::<*const c_void>().add(variable) });
        }
    }
    (0..ARRIVAL).for_each(|_| std::hint::spin_loop());
    let asked = wait::now_ns();
    let begin = wait::now_ns();
    // SAFETY: the caller's promise.
    unsafe { merge(mine, other) };
    // Less what reading the clock takes.
    let ns = wait::now_ns().saturating_sub(begin).saturating_sub(begin.saturating_sub(asked));
    let least = entry.measure(u32::try_from(ns).unwrap_or(u32::MAX), ENOUGH);
    if least.is_some_and(|ns| ns <= SHORT_NS) {
        MERGES.found(entry);
    }
}
