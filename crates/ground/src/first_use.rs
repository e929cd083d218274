//! Memory for the process's first use of OpenMP. A signal handler that interrupts `malloc` itself may be that use, and
//! must not enter `malloc` again. So the thread that brings the runtime up takes its memory from a region of the
//! library's own (`heap.rs` asks here).

use crate::model::hardware::{AtomicUsize, Ordering};
use std::alloc::Layout;
use std::cell::UnsafeCell;

/// How much the first use may take from the region; what does not fit comes from the C library. The descriptor, the
/// first team and the settings take some 30 KiB; pages that are not used cost nothing.
const BYTES: usize = 256 << 10;

/// The region.
#[repr(align(4096))]
struct Region(UnsafeCell<[u8; BYTES]>);

// SAFETY: bytes are handed out, taken back and resized by one thread at a time, the one in the first use.
unsafe impl Sync for Region {}

static REGION: Region = Region(UnsafeCell::new([0; BYTES]));
/// How many bytes of the region are handed out.
static TAKEN: AtomicUsize = AtomicUsize::new(0);
/// How many bytes at the region's begin have been handed out at any time. Those behind them are zeros.
static USED: AtomicUsize = AtomicUsize::new(0);
/// The thread whose memory comes from the region, as `pthread_self` has it; 0 if there is none.
static STARTER: AtomicUsize = AtomicUsize::new(0);

/// The calling thread's memory comes from the region until this is dropped.
pub struct FirstUse(());

/// The calling thread begins the process's first use of OpenMP. One thread at a time.
pub fn begin() -> FirstUse {
    STARTER.store(caller(), Ordering::Relaxed);
    FirstUse(())
}

impl Drop for FirstUse {
    fn drop(&mut self) {
        STARTER.store(0, Ordering::Relaxed);
    }
}

/// In a forked child. The thread in the first use may not be there, and a new thread may get its stack and so its
/// identity.
pub fn after_fork() {
    if !is_starter() {
        STARTER.store(0, Ordering::Relaxed);
    }
}

/// The calling thread, as `pthread_self` has it.
pub fn caller() -> usize {
    // SAFETY: only asks for the caller's identity.
    unsafe { libc::pthread_self() as usize }
}

/// A block of the region, if the calling thread is in the first use and there is room.
#[inline]
pub fn take(layout: Layout) -> Option<*mut u8> {
    if STARTER.load(Ordering::Relaxed) == 0 { None } else { take_now(layout, false) }
}

/// As [`take`], of zeros.
#[inline]
pub fn take_zeroed(layout: Layout) -> Option<*mut u8> {
    if STARTER.load(Ordering::Relaxed) == 0 { None } else { take_now(layout, true) }
}

#[cold]
fn take_now(layout: Layout, zeroed: bool) -> Option<*mut u8> {
    if !is_starter() || layout.align() > align_of::<Region>() {
        return None;
    }
    // Only the thread in the first use changes the numbers.
    let first = TAKEN.load(Ordering::Relaxed).next_multiple_of(layout.align());
    let end = first.checked_add(layout.size()).filter(|&end| end <= BYTES)?;
    let used = USED.load(Ordering::Relaxed);
    TAKEN.store(end, Ordering::Relaxed);
    USED.store(used.max(end), Ordering::Relaxed);
    // SAFETY: the block ends inside the region.
    let block = unsafe { REGION.0.get().cast::<u8>().add(first) };
    if zeroed {
        // SAFETY: the block was handed out to the caller alone, and ends at `end`.
        unsafe { block.write_bytes(0, used.clamp(first, end) - first) };
    }
    Some(block)
}

/// Takes a block of the region back, if it is the last one that was handed out. Most blocks of the first use are texts
/// that are given back soon: without this, each would take up memory for ever.
pub fn give_back(block: *mut u8, layout: Layout) {
    let first = block.addr() - REGION.0.get().addr();
    if is_starter() && first + layout.size() == TAKEN.load(Ordering::Relaxed) {
        TAKEN.store(first, Ordering::Relaxed);
    }
}

/// Makes a block of the region larger or smaller where it is, if it is the last one that was handed out and there is
/// room.
pub fn resize(block: *mut u8, layout: Layout, size: usize) -> bool {
    let first = block.addr() - REGION.0.get().addr();
    let Some(end) = first.checked_add(size).filter(|&end| end <= BYTES) else { return false };
    let may = is_starter() && first + layout.size() == TAKEN.load(Ordering::Relaxed);
    if may {
        TAKEN.store(end, Ordering::Relaxed);
        USED.store(USED.load(Ordering::Relaxed).max(end), Ordering::Relaxed);
    }
    may
}

/// Whether the calling thread is in the first use.
fn is_starter() -> bool {
    STARTER.load(Ordering::Relaxed) == caller()
}

/// Whether a block is one of the region's.
pub fn is_ours(block: *mut u8) -> bool {
    block.addr().wrapping_sub(REGION.0.get().addr()) < BYTES
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Mutex, MutexGuard, PoisonError};

    /// One thread at a time may be in the first use, also where a process runs all tests.
    fn turn() -> MutexGuard<'static, ()> {
        static TURN: Mutex<()> = Mutex::new(());
        TURN.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[test]
    fn blocks_of_the_first_use_lie_in_the_region_and_may_grow_and_go() {
        let _turn = turn();
        let during = {
            let _first_use = begin();
            let mut list: Vec<u64> = (0..100).collect();
            assert!(is_ours(list.as_mut_ptr().cast()));
            list.extend(100..300);
            assert!(is_ours(list.as_mut_ptr().cast()));
            list
        };
        let again = {
            let _first_use = begin();
            let block = Box::new([1u8; 64]);
            let first = std::ptr::from_ref(&*block).addr();
            drop(block);
            let zeros = vec![0u8; 256];
            assert_eq!(zeros.as_ptr().addr(), first, "a block that was given back comes again");
            zeros
        };
        assert!(again.iter().all(|&byte| byte == 0), "of zeros, if they are asked for");
        let mut after = during;
        after.extend(300..2000);
        assert!(!is_ours(after.as_mut_ptr().cast()), "grown behind the first use");
        assert!(after.iter().copied().eq(0..2000));
    }

    #[test]
    fn what_does_not_fit_comes_from_the_c_library() {
        let _turn = turn();
        let _first_use = begin();
        let mut large = vec![1u8; 2 * BYTES];
        assert!(!is_ours(large.as_mut_ptr()));
        let mut aligned = Box::new(Aligned(1));
        assert!(!is_ours(&raw mut aligned.0), "larger alignment than the region's");
    }

    #[repr(align(8192))]
    struct Aligned(u8);
}
