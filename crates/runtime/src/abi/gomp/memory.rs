//! Memory for variables of `allocate` directives and clauses (`GOMP_alloc`, `GOMP_free`), and the marks of gfortran's
//! `allocators` construct (`GOMP_add_alloc`, `GOMP_is_alloc`; OpenMP 5.1 §2.13.4).

use crate::abi::entry_point;
use crate::mem::{self, Request, marks};

entry_point! {
    /// `GOMP_alloc`: memory for a variable.
    pub fn GOMP_alloc(alignment: usize, size: usize, allocator: usize) -> *mut u8, |call| {
        mem::allocate_variable(allocator, Request { size, alignment: alignment.max(1), zeroed: false, routine: "allocate", call })
    }

    /// `GOMP_free`: the end of a variable's memory, which is null or a block of an allocator.
    pub fn GOMP_free(pointer: *mut u8, _allocator: usize), |call| {
        mem::free(pointer, "GOMP_free", call);
    }
}

/// `GOMP_add_alloc`: gfortran has allocated a variable with [`GOMP_alloc`], and whoever frees it will want to know.
#[unsafe(no_mangle)]
pub extern "C" fn GOMP_add_alloc(pointer: *mut u8) {
    marks::add(pointer);
}

/// `GOMP_is_alloc`: whether a variable that is about to be freed or moved was said to be from [`GOMP_alloc`], which is
/// forgotten then.
#[unsafe(no_mangle)]
pub extern "C" fn GOMP_is_alloc(pointer: *mut u8) -> bool {
    marks::take(pointer)
}
