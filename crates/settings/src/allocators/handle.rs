//! Handles of allocators.

/// What names an allocator: 0 none, others as in [`table`](super::table).
pub type Handle = u32;

/// `omp_null_allocator`.
pub const NULL: Handle = 0;

/// `omp_default_mem_alloc`: ordinary memory, and nothing to fall back to.
pub const DEFAULT: Handle = 1;
