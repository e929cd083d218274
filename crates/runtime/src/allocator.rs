//! Where the runtime's own structures lie: in the C library's memory, but for those of the process's first use of OpenMP. That may
//! come from a signal handler that interrupts `malloc` itself, which must not be entered again. So the thread that brings the runtime
//! up takes its memory from a region of ours.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How much the first use may take from the region; what does not fit comes from the C library. The descriptor, the first team and the
/// settings take some 30 KiB; pages that are not used cost nothing.
const BYTES: usize = 256 << 10;

/// The region.
#[repr(align(4096))]
struct Region(UnsafeCell<[u8; BYTES]>);

// SAFETY: bytes are handed out once, by an atomic count.
unsafe impl Sync for Region {}

static REGION: Region = Region(UnsafeCell::new([0; BYTES]));
/// How many bytes of the region are handed out. Blocks are not taken back.
static TAKEN: AtomicUsize = AtomicUsize::new(0);
/// The thread whose memory comes from the region, as `pthread_self` has it; 0 if there is none.
static STARTER: AtomicUsize = AtomicUsize::new(0);

/// The calling thread's memory comes from the region until this is dropped.
pub struct FirstUse(());

/// The calling thread begins the process's first use of OpenMP. One thread at a time.
pub fn first_use() -> FirstUse {
    STARTER.store(caller(), Ordering::Relaxed);
    FirstUse(())
}

impl Drop for FirstUse {
    fn drop(&mut self) {
        STARTER.store(0, Ordering::Relaxed);
    }
}

fn caller() -> usize {
    // SAFETY: only asks for the caller's identity.
    unsafe { libc::pthread_self() as usize }
}

/// A block of the region, if the calling thread is to have one and there is room.
#[cold]
fn take(layout: Layout) -> Option<*mut u8> {
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
fn is_ours(block: *mut u8) -> bool {
    block.addr().wrapping_sub(REGION.0.get().addr()) < BYTES
}

/// The runtime's allocator.
struct Memory;

#[global_allocator]
static MEMORY: Memory = Memory;

// SAFETY: blocks come from the C library, to which they go back, or once from the region, where they stay.
unsafe impl GlobalAlloc for Memory {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if STARTER.load(Ordering::Relaxed) != 0
            && let Some(block) = take(layout)
        {
            return block;
        }
        // SAFETY: the caller's layout.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if !is_ours(block) {
            // SAFETY: the caller's block, which came from there.
            unsafe { System.dealloc(block, layout) }
        }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, bytes: usize) -> *mut u8 {
        if !is_ours(block) && STARTER.load(Ordering::Relaxed) == 0 {
            // SAFETY: the caller's block, which came from there.
            return unsafe { System.realloc(block, layout, bytes) };
        }
        // SAFETY: the caller says that the size fits; the new block has room for what is copied, and is not the old one.
        unsafe {
            let new = self.alloc(Layout::from_size_align_unchecked(bytes, layout.align()));
            if !new.is_null() {
                std::ptr::copy_nonoverlapping(block, new, layout.size().min(bytes));
                self.dealloc(block, layout);
            }
            new
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_of_the_first_use_lie_in_the_region_and_may_grow_and_go() {
        let during = {
            let _first_use = first_use();
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
        let _first_use = first_use();
        let mut large = vec![1u8; 2 * BYTES];
        assert!(!is_ours(large.as_mut_ptr()));
        let mut aligned = Box::new(Aligned(1));
        assert!(!is_ours(std::ptr::from_mut(&mut *aligned).cast()), "larger alignment than the region's");
    }

    #[repr(align(8192))]
    #[allow(dead_code, reason = "only its place matters")]
    struct Aligned(u8);
}
