//! Memory for variables of `allocate` directives and clauses and for `uses_allocators` (`__kmpc_alloc` and its kin;
//! OpenMP 5.1 §2.13), and the `kmp_malloc` family, which libomp has beside the routines of OpenMP.

use std::ffi::{c_int, c_void};

use crate::abi::omp::memory::{AllocTrait, init_allocator};
use crate::abi::{entry_point, wide_entry_point};
use crate::mem::{self, Request};

entry_point! {
    /// `__kmpc_alloc`: memory for a variable.
    pub fn __kmpc_alloc(_gtid: i32, size: usize, allocator: usize) -> *mut u8, |call| {
        mem::allocate_variable(allocator, Request { size, alignment: 1, zeroed: false, routine: "allocate", call })
    }

    /// `__kmpc_aligned_alloc`: memory for a variable with an `align` clause.
    pub fn __kmpc_aligned_alloc(_gtid: i32, alignment: usize, size: usize, allocator: usize) -> *mut u8, |call| {
        mem::allocate_variable(allocator, Request { size, alignment: alignment.max(1), zeroed: false, routine: "allocate", call })
    }

    /// `__kmpc_calloc`: as `omp_calloc`.
    pub fn __kmpc_calloc(_gtid: i32, count: usize, size: usize, allocator: usize) -> *mut u8, |call| {
        mem::allocate(allocator, Request::of_zeroes(count, size, 1, "__kmpc_calloc", call))
    }

    /// `__kmpc_free`: the end of a variable's memory, which is null or a block of an allocator.
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

/// `__kmpc_init_allocator`: as `omp_init_allocator`, for an allocator of `uses_allocators`.
///
/// # Safety
/// `traits` points to as many traits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __kmpc_init_allocator(
    _gtid: i32,
    space: usize,
    count: c_int,
    traits: *const AllocTrait,
) -> usize {
    // SAFETY: by the caller.
    unsafe { init_allocator(space, i64::from(count), traits) }
}

/// `__kmpc_destroy_allocator`: as `omp_destroy_allocator`.
#[unsafe(no_mangle)]
pub extern "C" fn __kmpc_destroy_allocator(_gtid: i32, allocator: usize) {
    mem::destroy(allocator, "__kmpc_destroy_allocator");
}

/// `__kmpc_set_default_allocator`: as `omp_set_default_allocator`.
#[unsafe(no_mangle)]
pub extern "C" fn __kmpc_set_default_allocator(_gtid: i32, allocator: usize) {
    mem::set_default_allocator(allocator, "__kmpc_set_default_allocator");
}

/// `__kmpc_get_default_allocator`: as `omp_get_default_allocator`.
#[unsafe(no_mangle)]
pub extern "C" fn __kmpc_get_default_allocator(_gtid: i32) -> usize {
    mem::default_allocator() as usize
}

/// Defines a routine of the `kmp_malloc` family under its two C names, `kmp_` and `kmpc_`, and as Fortran calls it,
/// with every argument by reference. Their memory is the C library's.
macro_rules! kmp_routines {
    ($($(#[$meta:meta])* fn $name:ident, $second:ident, $fortran:ident($($arg:ident: $ty:ty),*)
        $(-> $ret:ty)? $body:block)*) => {$(
        $(#[$meta])*
        #[allow(clippy::missing_safety_doc, reason = "as the C library's routines")]
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($arg: $ty),*) $(-> $ret)? {
            #[allow(unused_unsafe, reason = "some routines ask for nothing")]
            // SAFETY: the caller upholds what the C library asks for.
            unsafe { $body }
        }

        #[doc = concat!("As [`", stringify!($name), "`].")]
        #[allow(clippy::missing_safety_doc, reason = "as the C library's routines")]
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $second($($arg: $ty),*) $(-> $ret)? {
            // SAFETY: by the caller.
            unsafe { $name($($arg),*) }
        }

        #[doc = concat!("[`", stringify!($name), "`] as Fortran calls it.")]
        #[allow(clippy::missing_safety_doc, reason = "as the C library's routines")]
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $fortran($($arg: *const $ty),*) $(-> $ret)? {
            // SAFETY: by the caller; arguments point to values.
            unsafe { $name($(*$arg),*) }
        }
    )*};
}

kmp_routines! {
    /// As `malloc`.
    fn kmp_malloc, kmpc_malloc, kmp_malloc_(size: usize) -> *mut c_void { libc::malloc(size) }

    /// As `calloc`.
    fn kmp_calloc, kmpc_calloc, kmp_calloc_(count: usize, size: usize) -> *mut c_void { libc::calloc(count, size) }

    /// As `realloc`; the memory may be aligned memory.
    fn kmp_realloc, kmpc_realloc, kmp_realloc_(pointer: *mut c_void, size: usize)
        -> *mut c_void { libc::realloc(pointer, size) }

    /// As `free`; the memory may be aligned memory.
    fn kmp_free, kmpc_free, kmp_free_(pointer: *mut c_void) { libc::free(pointer) }

    /// As `aligned_alloc`, with the size first. Null and `EINVAL` where the alignment is no power of two.
    fn kmp_aligned_malloc, kmpc_aligned_malloc, kmp_aligned_malloc_(size: usize, alignment: usize) -> *mut c_void {
        let mut memory = std::ptr::null_mut();
        // The C library's own smallest one, of which any smaller power of two is a part.
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
