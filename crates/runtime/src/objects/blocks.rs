//! Where a block of an explicit task has what: header, payload, and the slab that it lies in.

use crate::layout::place;
use crate::objects::structures::{PAYLOADS, Slab, Task};

/// Bytes in front of the payload of a small task: the header, whose last word points to itself.
pub(crate) const HEADER: usize = size_of::<Task>();

/// Bytes that are asked of the system at a time.
pub(crate) const SLAB: usize = 64 << 10;

/// Where the first block of a slab lies.
pub(crate) const SLAB_FIRST: usize = BLOCK_ALIGN;

/// How payloads are aligned: clang's programs keep vectors of any width in theirs and expect as much.
pub const ALIGN: usize = 64;

/// How blocks are aligned.
pub(crate) const BLOCK_ALIGN: usize = align_of::<Task>();

/// The class of tasks whose payload lies elsewhere.
pub(crate) const LARGE: u8 = PAYLOADS.len() as u8;

/// The task that a payload belongs to.
///
/// # Safety
/// `payload` is the payload of a live task.
#[inline(always)]
pub unsafe fn task_of(payload: *const u8) -> &'static Task {
    // SAFETY: the word in front of each payload points to its header.
    unsafe { &**payload.cast::<*const Task>().sub(1) }
}

/// How many bytes a block of a class has.
pub(crate) const fn bytes_of_class(class: usize) -> usize {
    HEADER + PAYLOADS[class]
}

/// Where a slab leads to the one before: for debuggers, which find each block of a thread by them.
pub(crate) const SLAB_NEXT: ompd_layout::Entry = place!(Slab, next);

/// What lies behind a header of the class `LARGE`: where its payload is, and how many bytes it has.
#[derive(Clone, Copy)]
pub(crate) struct Elsewhere {
    pub(crate) memory: *mut u8,
    pub(crate) bytes: usize,
}

/// What lies behind the header.
#[inline(always)]
pub(crate) fn behind(task: &Task) -> *mut u8 {
    // SAFETY: blocks have room behind the header.
    unsafe { std::ptr::from_ref(task).cast_mut().cast::<u8>().add(HEADER) }
}

/// Where the payload of a task is.
#[inline(always)]
pub fn payload(task: &Task) -> *mut u8 {
    let behind = behind(task);
    if task.class.get() == LARGE {
        // SAFETY: `take_large` has written it.
        return unsafe { (*behind.cast::<Elsewhere>()).memory };
    }
    behind
}
