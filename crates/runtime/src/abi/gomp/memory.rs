//! Memory for variables of `allocate` directives and clauses (`GOMP_alloc`, `GOMP_free`; OpenMP 5.1 §2.13.4).

use crate::mem::{self, Request};

/// `GOMP_alloc`: memory for a variable.
#[unsafe(no_mangle)]
pub extern "C" fn GOMP_alloc(alignment: usize, size: usize, allocator: usize) -> *mut u8 {
    mem::allocate_variable(allocator, Request { size, alignment: alignment.max(1), zeroed: false, routine: "allocate" })
}

/// `GOMP_free`: the end of a variable's memory.
///
/// # Safety
/// The pointer is null or a block of an allocator.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn GOMP_free(pointer: *mut u8, _allocator: usize) {
    // SAFETY: by the caller.
    unsafe { mem::free(pointer, "GOMP_free") }
}
