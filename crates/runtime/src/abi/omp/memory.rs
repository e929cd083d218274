//! Memory management routines (OpenMP 5.1 §3.13), and the constants of LLVM's `omp.h` that libomp also exports as data.
//! Fortran binds to the C names, except where a routine has a Fortran spelling below. Like every routine, these bring
//! the runtime up.

use crate::allocators::{self, spaces, table};
use crate::objects::current;
use std::ffi::c_int;

use crate::abi::{entry_point, list, routines};
use crate::mem::{self, Request};

/// `omp_alloctrait_t`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct AllocTrait {
    key: u32,
    value: usize,
}

entry_point! {
    /// `size` bytes, with the allocator's alignment (§3.13.6).
    "OMP_5.0.1" pub fn omp_alloc(size: usize, allocator: usize) -> *mut u8, |call| {
        current::current();
        mem::allocate(allocator, Request { size, alignment: 1, zeroed: false, routine: "omp_alloc", call })
    }

    /// `size` bytes, with at least this alignment (§3.13.6).
    "OMP_5.0.2" pub fn omp_aligned_alloc(alignment: usize, size: usize, allocator: usize) -> *mut u8, |call| {
        current::current();
        mem::allocate(allocator, Request { size, alignment, zeroed: false, routine: "omp_aligned_alloc", call })
    }

    /// `count` items of `size` bytes, all zero (§3.13.8).
    "OMP_5.0.2" pub fn omp_calloc(count: usize, size: usize, allocator: usize) -> *mut u8, |call| {
        current::current();
        mem::allocate(allocator, Request::of_zeroes(count, size, 1, "omp_calloc", call))
    }

    /// `count` items of `size` bytes, all zero, with at least this alignment (§3.13.8).
    "OMP_5.0.2" pub fn omp_aligned_calloc(alignment: usize, count: usize, size: usize, allocator: usize) -> *mut u8,
        |call| {
        current::current();
        mem::allocate(allocator, Request::of_zeroes(count, size, alignment, "omp_aligned_calloc", call))
    }

    /// Gives a block of these routines another size, and another allocator where `allocator` names one (§3.13.9). The
    /// block itself has the allocator that it came from. Null means no block.
    "OMP_5.0.2" pub fn omp_realloc(pointer: *mut u8, size: usize, allocator: usize, _free_allocator: usize) -> *mut u8,
        |call| {
        current::current();
        mem::reallocate(pointer, size, allocator, "omp_realloc", call)
    }

    /// Frees a block of these routines; null is allowed (§3.13.7). The block itself has the allocator that it came
    /// from.
    "OMP_5.0.1" pub fn omp_free(pointer: *mut u8, _allocator: usize), |call| {
        mem::free(pointer, "omp_free", call);
    }
}

routines! {
    /// Makes an allocator; 0 (`omp_null_allocator`) where the space or a trait does not exist (§3.13.2).
    ///
    /// # Safety
    /// `traits` points to as many traits.
    "OMP_5.0.1" pub fn omp_init_allocator(space: usize, count: c_int, traits: *const AllocTrait) -> usize,
        fortran: omp_init_allocator_ omp_init_allocator_8_ {
        current::current();
        if count < 0 || count > 0 && traits.is_null() {
            return allocators::NULL as usize;
        }
        let traits = list(count, traits).iter().map(|its| (its.key, its.value));
        mem::make(space, traits).unwrap_or(allocators::NULL) as usize
    }

    /// Ends an allocator (§3.13.3). flang binds to the C name, gfortran to Fortran's.
    "OMP_5.0.1" pub fn omp_destroy_allocator(allocator: usize), fortran: omp_destroy_allocator_ {
        mem::destroy(allocator, "omp_destroy_allocator");
    }

    /// Sets def-allocator-var (§3.13.4). flang binds to the C name, gfortran to Fortran's.
    "OMP_5.0.1" pub fn omp_set_default_allocator(allocator: usize), fortran: omp_set_default_allocator_ {
        mem::set_default_allocator(allocator, "omp_set_default_allocator");
    }

    /// def-allocator-var (§3.13.5).
    "OMP_5.0.1" pub fn omp_get_default_allocator() -> usize, fortran: omp_get_default_allocator_ {
        mem::default_allocator() as usize
    }
}

/// Handles as data, for programs that look up these names; headers and modules for this system have the numbers
/// themselves. The numbers are those of LLVM 21 and later. Older releases have another number for the default space;
/// routines take both.
macro_rules! constants {
    ($($name:ident = $value:expr;)*) => {$(
        /// The handle as data.
        #[allow(non_upper_case_globals, reason = "the name is the header's")]
        #[unsafe(no_mangle)]
        pub static $name: usize = $value;
    )*};
}

constants! {
    omp_null_allocator = 0;
    omp_default_mem_alloc = 1;
    omp_large_cap_mem_alloc = 2;
    omp_const_mem_alloc = 3;
    omp_high_bw_mem_alloc = 4;
    omp_low_lat_mem_alloc = 5;
    omp_cgroup_mem_alloc = 6;
    omp_pteam_mem_alloc = 7;
    omp_thread_mem_alloc = 8;
    omp_null_mem_space = 0;
    omp_default_mem_space = 99;
    omp_large_cap_mem_space = 1;
    omp_const_mem_space = 2;
    omp_high_bw_mem_space = 3;
    omp_low_lat_mem_space = 4;
    omp_cgroup_mem_space = 5;
    kmp_max_mem_space = spaces::LAST_SPACE;
    kmp_max_mem_alloc = table::LAST_PREDEFINED as usize;
}
