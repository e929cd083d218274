//! The last words of a tool that finds no memory.

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write;

/// The system's allocator, for a tool's `#[global_allocator]`: where there is no memory, the process ends with one line
/// that begins with the name here. The standard library's own line would not say which library of the process wanted
/// memory.
pub struct Heap(pub &'static str);

// SAFETY: the system's allocator, which is one; what it refuses does not return.
unsafe impl GlobalAlloc for Heap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `GlobalAlloc`, which is passed on unchanged.
        self.given(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `GlobalAlloc`, which is passed on unchanged.
        self.given(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `GlobalAlloc`, which is passed on unchanged.
        self.given(unsafe { System.realloc(block, layout, size) }, size)
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `GlobalAlloc`, which is passed on unchanged.
        unsafe { System.dealloc(block, layout) }
    }
}

impl Heap {
    #[inline(always)]
    fn given(&self, block: *mut u8, bytes: usize) -> *mut u8 {
        if block.is_null() {
            self.end(bytes);
        }
        block
    }

    /// Says that there is no memory, and ends the process. Nothing here allocates.
    #[cold]
    fn end(&self, bytes: usize) -> ! {
        let mut line = [0; 200];
        let mut rest = &mut line[..];
        // A name that is too long loses its end.
        let _ = writeln!(rest, "{}: no memory for {bytes} bytes; aborting", self.0);
        let left = rest.len();
        let text = &line[..line.len() - left];
        // A failure of standard error itself cannot be reported.
        let _ = std::io::stderr().write_all(text);
        std::process::abort()
    }
}
