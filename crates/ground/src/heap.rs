//! Memory from the system's heap for the runtime's own purposes. Where none is left, the process ends with one line:
//! the standard library's own line about it would not say whose memory it was.

use crate::first_use;
use crate::stderr;
use std::alloc::{GlobalAlloc, Layout, System};
use std::ffi::c_void;

/// The allocator behind the runtime's boxes and vectors: the system's, but for its last words and for the first use of
/// OpenMP.
pub struct Heap;

/// The allocator of the library. The simulator has one of its own, which lays memory out by cache lines.
#[cfg_attr(not(simulated), global_allocator)]
pub static HEAP: Heap = Heap;

/// What boxes and vectors are called in the line about them.
const PLAIN: &str = "the runtime's own data";

// SAFETY: the system's allocator, which is one; what it refuses does not return. Blocks of the first use lie in a
// region of the library's own, which only the thread in the first use hands out and takes back.
unsafe impl GlobalAlloc for Heap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps to the `# Safety` section of the trait.
        let fresh = || given(unsafe { System.alloc(layout) }, layout.size(), PLAIN);
        first_use::take(layout).unwrap_or_else(fresh)
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps to the `# Safety` section of the trait.
        let fresh = || given(unsafe { System.alloc_zeroed(layout) }, layout.size(), PLAIN);
        first_use::take_zeroed(layout).unwrap_or_else(fresh)
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if first_use::is_ours(block) {
            if first_use::resize(block, layout, size) {
                return block;
            }
            // SAFETY: the caller says that the size fits; the new block has room for what is copied, and is not the old
            // one.
            return unsafe {
                let new = self.alloc(Layout::from_size_align_unchecked(size, layout.align()));
                std::ptr::copy_nonoverlapping(block, new, layout.size().min(size));
                new
            };
        }
        // SAFETY: the caller keeps to the `# Safety` section of the trait.
        given(unsafe { System.realloc(block, layout, size) }, size, PLAIN)
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if first_use::is_ours(block) {
            return first_use::give_back(block, layout);
        }
        // SAFETY: the caller keeps to the `# Safety` section of the trait.
        unsafe { System.dealloc(block, layout) }
    }
}

/// The block, if there is one; else the end.
#[inline(always)]
fn given<T>(block: *mut T, bytes: usize, what: &str) -> *mut T {
    if block.is_null() {
        stderr::no_memory(bytes, what);
    }
    block
}

/// Memory of this layout for `what`; never null. Released by `std::alloc::dealloc`.
///
/// # Safety
/// The layout has a size.
#[cfg(not(loom))]
pub unsafe fn take(layout: Layout, what: &str) -> *mut u8 {
    // SAFETY: the caller keeps to the `# Safety` section.
    given(unsafe { System.alloc(layout) }, layout.size(), what)
}

/// As [`take`], of zeros.
///
/// # Safety
/// The layout has a size.
#[cfg(not(loom))]
pub unsafe fn take_zeroed(layout: Layout, what: &str) -> *mut u8 {
    // SAFETY: the caller keeps to the `# Safety` section.
    given(unsafe { System.alloc_zeroed(layout) }, layout.size(), what)
}

/// Zeros, aligned as `malloc` aligns, for `what`; never null. Released by `free`.
pub fn zeros(bytes: usize, what: &str) -> *mut c_void {
    // SAFETY: `calloc` has no precondition; the result is checked.
    given(unsafe { libc::calloc(bytes.max(1), 1) }, bytes, what)
}
