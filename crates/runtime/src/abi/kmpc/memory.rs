//! Memory for variables of `allocate` directives and clauses and for `uses_allocators` (`__kmpc_alloc` and its kin;
//! OpenMP 5.1 §2.13), and the `kmp_malloc` family, which libomp has beside the routines of OpenMP.

use std::ffi::{c_int, c_void};

use crate::abi::omp::memory::{AllocTrait, omp_init_allocator};
use crate::abi::{entry_point, routines, wide_entry_point};
use crate::mem::{self, Request};

entry_point! {
    /// `__kmpc_alloc`: memory for a variable.
    pub fn __kmpc_alloc(_gtid: i32, size: usize, allocator: usize) -> *mut u8, |call| {
        mem::allocate_variable(allocator, Request { size, alignment: 1, zeroed: false, routine: "allocate", call })
    }

    /// `__kmpc_aligned_alloc`: memory for a variable with an `align` clause.
    pub fn __kmpc_aligned_alloc(_gtid: i32, alignment: usize, size: usize, allocator: usize) -> *mut u8, |call| {
        let alignment = alignment.max(1);
        mem::allocate_variable(allocator, Request { size, alignment, zeroed: false, routine: "allocate", call })
    }

    /// `__kmpc_calloc`: as `omp_calloc`.
    pub fn __kmpc_calloc(_gtid: i32, count: usize, size: usize, allocator: usize) -> *mut u8, |call| {
        mem::allocate(allocator, Request::of_zeroes(count, size, 1, "__kmpc_calloc", call))
    }

    /// `__kmpc_free`: frees a variable's memory, which is null or a block of an allocator.
    pub fn __kmpc_free(_gtid: i32, pointer: *mut u8, _allocator: usize), |call| {
        mem::free(pointer, "__kmpc_free", call);
    }
}

wide_entry_point! {
    /// `__kmpc_realloc`: as `omp_realloc`.
    pub fn __kmpc_realloc(_gtid: i32, pointer: *mut u8, size: usize, allocator: usize, _free_allocator: usize)
        -> *mut u8, |call| {
        mem::reallocate(pointer, size, allocator, "__kmpc_realloc", call)
    }
}

routines! {
    /// `__kmpc_init_allocator`: as `omp_init_allocator`, for an allocator of `uses_allocators`.
    ///
    /// # Safety
    /// `traits` points to as many traits.
    pub fn __kmpc_init_allocator(gtid: i32, space: usize, count: c_int, traits: *const AllocTrait) -> usize {
        omp_init_allocator(space, count, traits)
    }

    /// `__kmpc_destroy_allocator`: as `omp_destroy_allocator`.
    pub fn __kmpc_destroy_allocator(gtid: i32, allocator: usize) {
        mem::destroy(allocator, "__kmpc_destroy_allocator");
    }

    /// `__kmpc_set_default_allocator`: as `omp_set_default_allocator`.
    pub fn __kmpc_set_default_allocator(gtid: i32, allocator: usize) {
        mem::set_default_allocator(allocator, "__kmpc_set_default_allocator");
    }

    /// `__kmpc_get_default_allocator`: as `omp_get_default_allocator`.
    pub fn __kmpc_get_default_allocator(gtid: i32) -> usize { mem::default_allocator() as usize }
}

// The `kmp_malloc` family. Its memory is the C library's, and the routines ask for what the C library's ask for.
routines! {
    /// As `malloc`.
    pub fn kmp_malloc(size: usize) -> *mut c_void, also: kmpc_malloc, fortran: kmp_malloc_ { libc::malloc(size) }

    /// As `calloc`.
    pub fn kmp_calloc(count: usize, size: usize) -> *mut c_void, also: kmpc_calloc, fortran: kmp_calloc_ {
        libc::calloc(count, size)
    }

    /// As `realloc`; the memory may be from [`kmp_aligned_malloc`].
    pub fn kmp_realloc(pointer: *mut c_void, size: usize) -> *mut c_void, also: kmpc_realloc {
        libc::realloc(pointer, size)
    }

    /// [`kmp_realloc`] as Fortran calls it. Unlike other routines, Fortran passes the address by reference as well.
    pub fn kmp_realloc_(pointer: *const *mut c_void, size: *const usize) -> *mut c_void {
        kmp_realloc(*pointer, *size)
    }

    /// As `free`; the memory may be from [`kmp_aligned_malloc`].
    pub fn kmp_free(pointer: *mut c_void), also: kmpc_free { libc::free(pointer) }

    /// [`kmp_free`] as Fortran calls it, with the address by reference.
    pub fn kmp_free_(pointer: *const *mut c_void) { kmp_free(*pointer) }

    /// As `aligned_alloc`, with the size first. Null and `EINVAL` where the alignment is no power of two.
    pub fn kmp_aligned_malloc(size: usize, alignment: usize) -> *mut c_void, also: kmpc_aligned_malloc,
        fortran: kmp_aligned_malloc_ {
        let mut memory = std::ptr::null_mut();
        // The C library's smallest alignment. A block with this alignment also has every smaller one.
        let smallest = size_of::<usize>();
        let alignment = if alignment.is_power_of_two() { alignment.max(smallest) } else { alignment };
        match libc::posix_memalign(&mut memory, alignment, size) {
            0 => memory,
            why => {
                *libc::__errno_location() = why;
                std::ptr::null_mut()
            }
        }
    }
}
