//! Memory management routines (OpenMP 5.1 §3.13), and the constants of LLVM's `omp.h` that libomp also exports as data.
//! Fortran binds to the C names but where a routine has a Fortran spelling below. Like every routine, they bring the
//! runtime up, if only to be heard by a tool.

use crate::allocators;
use crate::allocators::{spaces, table};
use crate::objects::current;
use std::ffi::c_int;

use super::versions;
use crate::abi::entry_point;
use crate::mem::{self, Request};

/// `omp_alloctrait_t`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct AllocTrait {
    key: u32,
    value: usize,
}

/// Pairs of an array of traits; `None` for an array that cannot be one.
///
/// # Safety
/// `traits` is null or points to as many traits.
pub(crate) unsafe fn pairs<'a>(
    count: i64,
    traits: *const AllocTrait,
) -> Option<impl Iterator<Item = (u32, usize)> + 'a> {
    let list: &[AllocTrait] = match usize::try_from(count).ok()? {
        0 => &[],
        _ if traits.is_null() => return None,
        // SAFETY: by the caller.
        count => unsafe { std::slice::from_raw_parts(traits, count) },
    };
    Some(list.iter().map(|one| (one.key, one.value)))
}

/// The handle of an allocator with these traits, 0 where there can be none.
///
/// # Safety
/// As for [`pairs`].
pub(crate) unsafe fn init_allocator(space: usize, count: i64, traits: *const AllocTrait) -> usize {
    current::current();
    // SAFETY: by the caller.
    let made = unsafe { pairs(count, traits) }.and_then(|pairs| mem::make(space, pairs));
    made.unwrap_or(allocators::NULL) as usize
}

entry_point! {
    /// `size` bytes, aligned as the allocator says (§3.13.6).
    pub fn omp_alloc(size: usize, allocator: usize) -> *mut u8, |call| {
        current::current();
        mem::allocate(allocator, Request { size, alignment: 1, zeroed: false, routine: "omp_alloc", call })
    }

    /// `size` bytes, aligned at least so (§3.13.6).
    pub fn omp_aligned_alloc(alignment: usize, size: usize, allocator: usize) -> *mut u8, |call| {
        current::current();
        mem::allocate(allocator, Request { size, alignment, zeroed: false, routine: "omp_aligned_alloc", call })
    }

    /// `count` items of `size` bytes, all zero (§3.13.8).
    pub fn omp_calloc(count: usize, size: usize, allocator: usize) -> *mut u8, |call| {
        current::current();
        mem::allocate(allocator, Request::of_zeroes(count, size, 1, "omp_calloc", call))
    }

    /// `count` items of `size` bytes, all zero, aligned at least so (§3.13.8).
    pub fn omp_aligned_calloc(alignment: usize, count: usize, size: usize, allocator: usize) -> *mut u8, |call| {
        current::current();
        mem::allocate(allocator, Request::of_zeroes(count, size, alignment, "omp_aligned_calloc", call))
    }

    /// Moves a block that one of these routines gave to another size, and to another allocator than the one that gave
    /// it if `allocator` names one (§3.13.9). Which allocator gave it, the block itself tells. Null stands for no
    /// block.
    pub fn omp_realloc(pointer: *mut u8, size: usize, allocator: usize, _free_allocator: usize) -> *mut u8, |call| {
        current::current();
        mem::reallocate(pointer, size, allocator, "omp_realloc", call)
    }

    /// Frees a block that one of these routines gave; null is allowed (§3.13.7). Which allocator gave it, the block
    /// itself tells.
    pub fn omp_free(pointer: *mut u8, _allocator: usize), |call| {
        mem::free(pointer, "omp_free", call);
    }
}

/// Makes an allocator; 0 (`omp_null_allocator`) where the space or a trait does not exist (§3.13.2).
///
/// # Safety
/// `traits` points to as many traits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_init_allocator(space: usize, count: c_int, traits: *const AllocTrait) -> usize {
    // SAFETY: by the caller.
    unsafe { init_allocator(space, i64::from(count), traits) }
}

/// [`omp_init_allocator`] as Fortran calls it.
///
/// # Safety
/// As for [`omp_init_allocator`]; the others point to integers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_init_allocator_(
    space: *const usize,
    count: *const i32,
    traits: *const AllocTrait,
) -> usize {
    // SAFETY: by the caller.
    unsafe { init_allocator(*space, i64::from(*count), traits) }
}

/// [`omp_init_allocator`] as Fortran calls it with integers of 8 bytes.
///
/// # Safety
/// As for [`omp_init_allocator_`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_init_allocator_8_(
    space: *const usize,
    count: *const i64,
    traits: *const AllocTrait,
) -> usize {
    // SAFETY: by the caller.
    unsafe { init_allocator(*space, *count, traits) }
}

/// Ends an allocator (§3.13.3).
#[unsafe(no_mangle)]
pub extern "C" fn omp_destroy_allocator(allocator: usize) {
    mem::destroy(allocator, "omp_destroy_allocator");
}

/// [`omp_destroy_allocator`] as gfortran calls it; flang binds to the C name.
///
/// # Safety
/// The argument points to a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_destroy_allocator_(allocator: *const usize) {
    // SAFETY: by the caller.
    mem::destroy(unsafe { *allocator }, "omp_destroy_allocator");
}

/// Sets def-allocator-var (§3.13.4).
#[unsafe(no_mangle)]
pub extern "C" fn omp_set_default_allocator(allocator: usize) {
    mem::set_default_allocator(allocator, "omp_set_default_allocator");
}

/// [`omp_set_default_allocator`] as gfortran calls it; flang binds to the C name.
///
/// # Safety
/// The argument points to a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_set_default_allocator_(allocator: *const usize) {
    // SAFETY: by the caller.
    mem::set_default_allocator(unsafe { *allocator }, "omp_set_default_allocator");
}

/// def-allocator-var (§3.13.5).
#[unsafe(no_mangle)]
pub extern "C" fn omp_get_default_allocator() -> usize {
    mem::default_allocator() as usize
}

/// [`omp_get_default_allocator`] as Fortran calls it.
#[unsafe(no_mangle)]
pub extern "C" fn omp_get_default_allocator_() -> usize {
    omp_get_default_allocator()
}

versions! {
    omp_alloc: "OMP_5.0.1";
    omp_aligned_alloc: "OMP_5.0.2";
    omp_calloc: "OMP_5.0.2";
    omp_aligned_calloc: "OMP_5.0.2";
    omp_realloc: "OMP_5.0.2";
    omp_free: "OMP_5.0.1";
    omp_init_allocator: "OMP_5.0.1";
    omp_init_allocator_: "OMP_5.0.1";
    omp_init_allocator_8_: "OMP_5.0.1";
    omp_destroy_allocator: "OMP_5.0.1";
    omp_destroy_allocator_: "OMP_5.0.1";
    omp_set_default_allocator: "OMP_5.0.1";
    omp_set_default_allocator_: "OMP_5.0.1";
    omp_get_default_allocator: "OMP_5.0.1";
    omp_get_default_allocator_: "OMP_5.0.1";
}

/// Handles as data, for who looks the names up: headers and modules for this system have the numbers themselves. The
/// numbers are those of LLVM 21 and later; where an older one differs, that of the default space, routines take both.
macro_rules! constants {
    ($($name:ident = $value:expr;)*) => {$(
        #[doc = concat!("`", stringify!($name), "` as data.")]
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
