//! Which reductions have few values, learnt from the time that their values take to be added.
//!
//! Compilers say how many variables a reduction has, and not whether a variable is an array. Scalars are added fastest
//! by atomic operations, and arrays under a lock or in pairs: with 16 threads, 729 numbers took 111 µs by atomic
//! operations. Reductions begin with atomic operations. One that comes again and again is tried under its lock, where
//! the program's code for adding the values is timed. If this code is short, the reduction goes back to atomic
//! operations.
//!
//! All members of a team must choose the same method: `protocol/learnt.rs` sees to that. Merge functions stand for
//! reductions, as each reduction has one of its own.

use crate::objects::work::UnderLock;
use crate::protocol::learnt::{Entry, Learnt};
use crate::thread::wait;
use std::ffi::c_void;

/// Merges the values behind the second pointer into those behind the first.
pub type Merge = unsafe extern "C" fn(*mut c_void, *mut c_void);

/// How the values of a reduction are added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adding {
    /// Atomic operations are fastest, as far as is known.
    Atomic,
    /// The code is timed, under the reduction's lock.
    Timed,
    /// The code takes long.
    Long,
}

/// More merge functions than most programs have. Those without room stay with atomic operations.
const FUNCTIONS: usize = 128;
/// A reduction is tried when a team has met it so often. Before that, tools see the events that they know from libomp.
const OFTEN: u32 = 8;
/// The shortest of so many times decides. In the others, threads were interrupted or waited for cache lines.
const ENOUGH: u32 = 16;
/// Adding scalars takes less, where their cache lines are there. A hundred numbers take longer.
const SHORT_NS: u32 = 100;

/// Properties of a merge function: its reduction is tried; its code is short; its code is long.
const TRIED: usize = 0;
const SHORT: usize = 1;
const LONG: usize = 2;

static MERGES: Learnt<FUNCTIONS> = Learnt::new();

/// What a region that begins now keeps, for [`adding`].
#[inline(always)]
pub fn known_now() -> u32 {
    MERGES.now()
}

/// How the members of a region with this knowledge add the values of a reduction. `tid` is the number of the calling
/// member in its team.
#[inline(never)]
pub fn adding(known: u32, merge: Merge, tid: u32) -> Adding {
    let Some(entry) = MERGES.entry(merge as usize) else { return Adding::Atomic };
    if entry.holds(SHORT, known) {
        Adding::Atomic
    } else if entry.holds(LONG, known) {
        Adding::Long
    } else if entry.holds(TRIED, known) {
        Adding::Timed
    } else {
        if tid == 0 && !entry.has(TRIED) && entry.meet() >= OFTEN {
            MERGES.found(entry, TRIED);
        }
        Adding::Atomic
    }
}

/// The thread has the lock of a reduction with this merge function, and begins to add its values.
#[cold]
pub fn begin(merge: Merge) -> UnderLock {
    let entry = MERGES.entry(merge as usize).filter(|entry| !entry.has(SHORT) && !entry.has(LONG));
    entry.map_or(UnderLock::Untimed, |entry| UnderLock::Timed(entry, wait::now_ns()))
}

/// The thread has added its values, since a moment of [`begin`].
#[cold]
pub fn end(entry: &Entry, since: u64) {
    let now = wait::now_ns();
    // Less what reading the clock takes.
    let reading = wait::now_ns().saturating_sub(now);
    let ns = now.saturating_sub(since).saturating_sub(reading);
    if let Some(least) = entry.measure(u32::try_from(ns).unwrap_or(u32::MAX), ENOUGH) {
        MERGES.found(entry, if least <= SHORT_NS { SHORT } else { LONG });
    }
}

/// In a forked child: no other thread is learning anything.
pub fn after_fork() {
    MERGES.after_fork();
}
