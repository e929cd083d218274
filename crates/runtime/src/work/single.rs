//! Single regions: the first thread to arrive executes, and may give its values to the others (OpenMP 5.1 §2.10.2,
//! §2.21.6.2).

use crate::barrier;
use crate::model::atomic::Ordering;
use crate::objects::call::Caller;
use crate::objects::loops::{BITS, Counter, MASK};
use crate::objects::structures::Thread;
use crate::ompt;
use ::ompt::{ScopeEndpoint, SyncRegion, Work};
use std::ffi::c_void;

impl Counter {
    /// Whether the caller is the first member to encounter region `number`.
    ///
    /// The counter is never below the number of a region that a member has encountered: the member has passed all
    /// earlier regions, and each had moved the counter on by then.
    #[inline(always)]
    pub fn claim(&self, number: u64) -> bool {
        let mut now = self.0.load(Ordering::Relaxed);
        loop {
            if is_after(now, number) {
                return false;
            }
            // Relaxed: the counter publishes nothing. The region's barrier, if there is one, orders its values.
            match self.0.compare_exchange_weak(now, (number + 1) & MASK, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return true,
                Err(other) => now = other,
            }
        }
    }

    /// Starts anew with region `number`. The primary thread calls this between regions of the team.
    pub fn renew(&self, number: u64) {
        self.0.store(number, Ordering::Relaxed);
    }
}

/// Whether `a` comes after `b`, wherever the numbers wrap.
fn is_after(a: u64, b: u64) -> bool {
    (a.wrapping_sub(b) << (64 - BITS)) as i64 > 0
}

/// Encounters a single region. Returns whether the thread executes the region; if so, the thread calls [`end`].
#[inline]
pub fn begin(thread: &Thread, call: impl Caller) -> bool {
    let executes = claim(thread);
    match executes {
        true => ompt::work(thread, Work::SINGLE_EXECUTOR, ScopeEndpoint::BEGIN, 1, call),
        false => ompt::work_without_end(thread, Work::SINGLE_OTHER, 1, call),
    }
    executes
}

/// Begins a single region that the thread executes although another thread was chosen: the region was cancelled, so the
/// executor's values will never come. The thread calls [`end`].
#[cold]
pub fn begin_alone(thread: &Thread, call: impl Caller) {
    ompt::work(thread, Work::SINGLE_EXECUTOR, ScopeEndpoint::BEGIN, 1, call);
}

/// As [`begin`], for programs that do not call [`end`].
#[inline]
pub fn begin_without_end(thread: &Thread, call: impl Caller) -> bool {
    let executes = claim(thread);
    let role = if executes { Work::SINGLE_EXECUTOR } else { Work::SINGLE_OTHER };
    ompt::work_without_end(thread, role, 1, call);
    executes
}

/// Leaves a single region that the thread has executed.
#[inline]
pub fn end(thread: &Thread, call: impl Caller) {
    ompt::work(thread, Work::SINGLE_EXECUTOR, ScopeEndpoint::END, 1, call);
}

#[inline]
fn claim(thread: &Thread) -> bool {
    let member = thread.member();
    let team = member.team();
    team.nthreads() == 1 || team.work.single.claim(member.work.take_single_number())
}

/// Gives `data` to the other members of the team, each of which calls [`copied`].
pub fn copy(thread: &'static Thread, data: *mut c_void, call: impl Caller) {
    // Relaxed: the barrier orders the store before the loads.
    thread.member().team().work.copied.store(data, Ordering::Relaxed);
    barrier::barrier(thread, SyncRegion::BARRIER_IMPLEMENTATION, call);
}

/// The `data` of the executor's [`copy`], valid until the next barrier. Null if the parallel region has been cancelled,
/// because the executor may have left it. The region cannot be cancelled between the two barriers: all of its threads
/// are there.
pub fn copied(thread: &'static Thread, call: impl Caller) -> *mut c_void {
    barrier::barrier(thread, SyncRegion::BARRIER_IMPLEMENTATION, call);
    let team = thread.member().team();
    if team.is_cancelled() {
        return std::ptr::null_mut();
    }
    team.work.copied.load(Ordering::Relaxed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::atomic::AtomicU64;

    #[test]
    fn each_region_has_one_executor() {
        let counter = Counter::default();
        assert!(counter.claim(0));
        assert!(!counter.claim(0));
        assert!(counter.claim(1));
        assert!(!counter.claim(0));
        assert!(!counter.claim(1));
    }

    #[test]
    fn numbers_wrap() {
        let counter = Counter(AtomicU64::new(MASK));
        assert!(counter.claim(MASK));
        assert!(!counter.claim(MASK));
        assert!(counter.claim(0));
        assert!(!counter.claim(MASK));
    }
}
