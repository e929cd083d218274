//! Which reductions have few values, learnt from their merge functions.
//!
//! Compilers say how many variables a reduction has, and not whether a variable is an array. Scalars are added fastest
//! by atomic operations, and arrays by merging in pairs: with 16 threads, 729 numbers took 111 µs by atomic operations.
//! A merge function adds the values of one thread to those of another, so its time tells. Reductions begin with atomic
//! operations. One that comes again and again is tried in pairs, which times its merges, and goes back to atomic
//! operations if they are short.
//!
//! All members of a team must choose the same method: `protocol/learnt.rs` sees to that.

use crate::arch;
use crate::protocol::learnt::Learnt;
use crate::thread::wait;
use std::ffi::c_void;

/// Merges the values behind the second pointer into those behind the first.
pub type Merge = unsafe extern "C" fn(*mut c_void, *mut c_void);

/// More merge functions than most programs have. Those without room stay with atomic operations.
const FUNCTIONS: usize = 128;
/// A reduction is tried in pairs when a team has met it so often. Before that, tools see the events that they know from
/// libomp.
const OFTEN: u32 = 8;
/// The shortest of at least so many merges decides, as the others may have been interrupted.
const ENOUGH: u32 = 4;
/// A merge function is timed no more after so many.
const MOST: u32 = 16;
/// A merge of scalars whose cache lines are there takes less. Fifty numbers take longer.
const SHORT_NS: u32 = 60;
/// Prefetched cache lines arrive in this many pauses.
const ARRIVAL: u32 = 40;

/// The property of a merge function that its reductions meet in pairs.
const TRIED: usize = 0;
/// The property of a merge function that its merges are short, so that atomic operations are faster after all.
const SHORT: usize = 1;

static MERGES: Learnt<FUNCTIONS> = Learnt::new();

/// What a region that begins now keeps, for [`in_pairs`].
#[inline(always)]
pub fn known_now() -> u32 {
    MERGES.now()
}

/// Whether the members of a region with this knowledge merge in pairs, rather than use atomic operations. `tid` is the
/// number of the calling member in its team.
#[inline]
pub fn in_pairs(known: u32, merge: Merge, tid: u32) -> bool {
    let Some(entry) = MERGES.entry(merge as usize) else { return false };
    if entry.holds(SHORT, known) {
        return false;
    }
    if entry.holds(TRIED, known) {
        return true;
    }
    if tid == 0 && entry.meet() >= OFTEN {
        MERGES.found(entry, TRIED);
    }
    false
}

/// Merges the values behind `other` into those behind `mine`, and learns from that.
///
/// # Safety
/// The pointers are as the merge function takes them, each to pointers to `variables` variables.
pub unsafe fn merge(merge: Merge, mine: *mut c_void, other: *mut c_void, variables: u32) {
    let entry = MERGES.entry(merge as usize).filter(|entry| !entry.has(SHORT) && entry.was_measured_at_most(MOST));
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
        MERGES.found(entry, SHORT);
    }
}
