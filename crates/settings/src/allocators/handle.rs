//! Handles of allocators.

/// The name of an allocator: 0 for none, others as in [`table`](super::table).
pub type Handle = u32;

/// `omp_null_allocator`.
pub const NULL: Handle = 0;

/// `omp_default_mem_alloc`: ordinary memory, without a fallback.
pub const DEFAULT: Handle = 1;
