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

// SAFETY: bytes are handed out once, by an atomic count.
unsafe impl Sync for Region {}

static REGION: Region = Region(UnsafeCell::new([0; BYTES]));
/// How many bytes of the region are handed out.
static TAKEN: AtomicUsize = AtomicUsize::new(0);
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

/// The calling thread, as `pthread_self` has it.
pub fn caller() -> usize {
    // SAFETY: only asks for the caller's identity.
    unsafe { libc::pthread_self() as usize }
}

/// A block of the region, if the calling thread is in the first use and there is room. Blocks are zeroed, and none is
/// taken back.
#[inline]
pub fn take(layout: Layout) -> Option<*mut u8> {
    if STARTER.load(Ordering::Relaxed) == 0 { None } else { take_now(layout) }
}

#[cold]
fn take_now(layout: Layout) -> Option<*mut u8> {
    let base = REGION.0.get().cast::<u8>();
    if STARTER.load(Ordering::Relaxed) != caller() || layout.align() > align_of::<Region>() {
        return None;
    }
    let mut first = 0;
    let place = |taken: usize| {
        first = taken.next_multiple_of(layout.align());
        first.checked_add(layout.size()).filter(|&end| end <= BYTES)
    };
    TAKEN.fetch_update(Ordering::Relaxed, Ordering::Relaxed, place).ok()?;
    // SAFETY: the block ends inside the region.
    Some(unsafe { base.add(first) })
}

/// Whether a block is one of the region's.
pub fn is_ours(block: *mut u8) -> bool {
    block.addr().wrapping_sub(REGION.0.get().addr()) < BYTES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_of_the_first_use_lie_in_the_region_and_may_grow_and_go() {
        let during = {
            let _first_use = begin();
            let mut list: Vec<u64> = (0..100).collect();
            assert!(is_ours(list.as_mut_ptr().cast()));
            list.extend(100..300);
            assert!(is_ours(list.as_mut_ptr().cast()));
            list
        };
        let mut after = during;
        after.extend(300..2000);
        assert!(!is_ours(after.as_mut_ptr().cast()), "grown behind the first use");
        assert!(after.iter().copied().eq(0..2000));
    }

    #[test]
    fn what_does_not_fit_comes_from_the_c_library() {
        let _first_use = begin();
        let mut large = vec![1u8; 2 * BYTES];
        assert!(!is_ours(large.as_mut_ptr()));
        let mut aligned = Box::new(Aligned(1));
        assert!(!is_ours(&raw mut aligned.0), "larger alignment than the region's");
    }

    #[repr(align(8192))]
    struct Aligned(u8);
}
