//! Memory for variables of `allocate` directives and clauses (`GOMP_alloc`, `GOMP_free`), and the marks of gfortran's
//! `allocators` construct (`GOMP_add_alloc`, `GOMP_is_alloc`; OpenMP 5.1 §2.13.4).

use crate::abi::{entry_point, routines};
use crate::mem::{self, Request, marks};

entry_point! {
    /// `GOMP_alloc`: memory for a variable.
    pub fn GOMP_alloc(alignment: usize, size: usize, allocator: usize) -> *mut u8, |call| {
        let alignment = alignment.max(1);
        mem::allocate_variable(allocator, Request { size, alignment, zeroed: false, routine: "allocate", call })
    }

    /// `GOMP_free`: frees a variable's memory, which is null or a block of an allocator.
    pub fn GOMP_free(pointer: *mut u8, _allocator: usize), |call| {
        mem::free(pointer, "GOMP_free", call);
    }
}

routines! {
    /// `GOMP_add_alloc`: marks a variable that gfortran has allocated with [`GOMP_alloc`]. The code that frees the
    /// variable asks for the mark.
    pub fn GOMP_add_alloc(pointer: *mut u8) {
        marks::add(pointer);
    }

    /// `GOMP_is_alloc`: whether a variable that is about to be freed or moved has a mark from [`GOMP_add_alloc`]. Takes
    /// the mark away.
    pub fn GOMP_is_alloc(pointer: *mut u8) -> bool { marks::take(pointer) }
}
