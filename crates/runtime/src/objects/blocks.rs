//! The layout of blocks of explicit tasks: header, payload, and the slab around them.

use crate::objects::structures::{PAYLOADS, Task};

/// The bytes before the payload of a small task: the header, whose last word points to itself.
pub(crate) const HEADER: usize = size_of::<Task>();

/// The size of a slab in bytes.
pub(crate) const SLAB: usize = 64 << 10;

/// The offset of the first block in a slab.
pub(crate) const SLAB_FIRST: usize = BLOCK_ALIGN;

/// The alignment of payloads: programs that clang compiled keep vectors of any width there.
pub const ALIGN: usize = 64;

/// The alignment of blocks.
pub(crate) const BLOCK_ALIGN: usize = align_of::<Task>();

/// The class of tasks whose payload lies outside the block.
pub(crate) const LARGE: u8 = PAYLOADS.len() as u8;

/// The task that a payload belongs to.
///
/// # Safety
/// `payload` is the payload of a live task.
#[inline(always)]
pub unsafe fn task_of(payload: *const u8) -> &'static Task {
    // SAFETY: the caller passes a payload, and the word before each payload points to its header.
    unsafe { &**payload.cast::<*const Task>().sub(1) }
}

/// The size of a block of this class in bytes.
pub(crate) const fn bytes_of_class(class: usize) -> usize {
    HEADER + PAYLOADS[class]
}

/// What lies after a header of the class `LARGE`: the address of the payload, and its size.
#[derive(Clone, Copy)]
pub(crate) struct Elsewhere {
    pub(crate) memory: *mut u8,
    pub(crate) bytes: usize,
}

/// The memory after the header.
#[inline(always)]
pub(crate) fn behind(task: &Task) -> *mut u8 {
    // SAFETY: each block has memory after the header.
    unsafe { std::ptr::from_ref(task).cast_mut().cast::<u8>().add(HEADER) }
}
