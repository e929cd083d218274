//! Memory for the simulated programs: each piece begins on a pair of cache lines of its own, so that two runs share
//! lines in the same way.

use std::alloc::{GlobalAlloc, Layout, System};

/// The system's allocator, with the alignment of a pair of lines.
struct OnLines;

#[global_allocator]
static ALLOCATOR: OnLines = OnLines;

fn on_lines(layout: Layout) -> Layout {
    layout.align_to(128).unwrap_or(layout)
}

// SAFETY: the system's allocator does all, always with the layout that belongs to the block.
unsafe impl GlobalAlloc for OnLines {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's layout, with a larger alignment.
        unsafe { System.alloc(on_lines(layout)) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the block has come from `alloc`, which took the same layout.
        unsafe { System.dealloc(block, on_lines(layout)) }
    }
}
