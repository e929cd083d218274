//! Memory of explicit tasks: blocks of a few sizes, each with a task's header at its start, in lists
//! of the thread that made them (OpenMP 5.1 says nothing of it; `task/README.md` does).
//!
//! A block stays a block for ever, so that a thief may read a header that it does not own. A payload
//! that is larger than the largest block has memory of its own; so has every payload where a thread sanitizer
//! watches the program, because it knows only of the heap that what one task has left there is no other task's.

use super::Task;
use crate::heap;
use crate::ompd::{Shown, place};
use crate::ompt::races_watched;
use crate::stderr;
use ompd_layout::Field;
use std::alloc::Layout;
use std::cell::Cell;
use std::sync::atomic::{AtomicPtr, Ordering};

/// Bytes in front of the payload of a small task: the header, whose last word points to itself.
const HEADER: usize = size_of::<Task>();
/// Payload bytes of each size.
const PAYLOADS: [usize; 4] = [128, 384, 896, 1920];
/// Bytes that are asked of the system at a time.
pub(super) const SLAB: usize = 64 << 10;
/// Where the first block of a slab lies.
pub(super) const SLAB_FIRST: usize = BLOCK_ALIGN;
/// How payloads are aligned: clang's programs keep vectors of any width in theirs and expect as much.
pub const ALIGN: usize = 64;
/// How blocks are aligned.
const BLOCK_ALIGN: usize = align_of::<Task>();
/// The class of tasks whose payload lies elsewhere.
const LARGE: u8 = PAYLOADS.len() as u8;

const _: () = {
    let mut class = 0;
    while class < PAYLOADS.len() {
        assert!((HEADER + PAYLOADS[class]).is_multiple_of(BLOCK_ALIGN), "blocks stay aligned");
        class += 1;
    }
    assert!(HEADER.is_multiple_of(ALIGN) && BLOCK_ALIGN.is_multiple_of(ALIGN), "payloads stay aligned");
    assert!(std::mem::offset_of!(Task, itself) + size_of::<*const Task>() == HEADER, "the word is in front of the payload");
};

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
pub(super) const fn bytes_of_class(class: usize) -> usize {
    HEADER + PAYLOADS[class]
}

/// What a slab begins with.
struct Slab {
    /// The slab that the thread made before, null for its first. Written once.
    next: *const Slab,
}

/// Where a slab leads to the one before: for debuggers, which find each block of a thread by them.
pub(super) const SLAB_NEXT: ompd_layout::Entry = place!(Slab, next);

const _: () = assert!(size_of::<Slab>() <= SLAB_FIRST);

/// What lies behind a header of the class `LARGE`: where its payload is, and how many bytes it has.
#[derive(Clone, Copy)]
struct Elsewhere {
    memory: *mut u8,
    bytes: usize,
}

/// What lies behind the header.
#[inline(always)]
fn behind(task: &Task) -> *mut u8 {
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

/// Writes the word that [`task_of`] reads.
///
/// # Safety
/// There is a writable word in front of `payload`.
unsafe fn point_back(payload: *mut u8, task: *const Task) {
    // SAFETY: the caller upholds it.
    unsafe { payload.cast::<*const Task>().sub(1).write(task) };
}

/// Added to a link, so that debuggers tell free blocks from tasks: a table has an even address.
const FREE: usize = 1;

/// The next block in the list that the free block `task` is in: in the place of what a task's children know.
#[inline(always)]
fn link(task: &Task) -> *const Task {
    task.children.get().cast_const().wrapping_byte_sub(FREE).cast()
}

/// Changes [`link`].
#[inline(always)]
fn set_link(task: &Task, next: *const Task) {
    task.children.set(next.wrapping_byte_add(FREE).cast_mut().cast());
}

/// A thread's store of blocks. The descriptor's next thread takes it over.
#[derive(Default)]
pub struct TaskThread {
    /// Up to how many bytes a payload goes into a block of the first size without further questions; zero before the
    /// first task. Owner only.
    small: Cell<usize>,
    /// Free blocks by size. Owner only.
    free: [Cell<*const Task>; PAYLOADS.len()],
    /// The part of the newest slab that has not been cut yet. Owner only.
    rest: Cell<*mut u8>,
    rest_bytes: Cell<usize>,
    /// Blocks that other threads have freed, of any size. They push, the owner takes all.
    returned: AtomicPtr<Task>,
    /// The newest slab. Written by the owner, read by debuggers.
    slab: AtomicPtr<Slab>,
}

impl TaskThread {
    /// What debuggers read of it.
    pub(crate) const SHOWN: Shown = &[(Field::ThreadSlab, place!(TaskThread, slab))];

    /// A block with room for `bytes` of payload. Its header is as its last task left it.
    #[inline(always)]
    pub fn take(&self, bytes: usize) -> &'static Task {
        let class = if bytes <= self.small.get() { 0 } else { self.class_of(bytes) };
        let task = match self.free.get(class) {
            Some(list) if !list.get().is_null() => {
                // SAFETY: free blocks are headers of this store, mapped for ever.
                let task: &'static Task = unsafe { &*list.get() };
                list.set(link(task));
                task
            }
            Some(_) => self.take_slowly(class),
            None => self.take_large(bytes),
        };
        debug_assert!(std::ptr::eq(task.owner.get(), self));
        task
    }

    /// Frees a block of any store. The header's task is complete and nobody refers to it.
    #[inline(always)]
    pub fn give(&self, task: &Task) {
        let owner = task.owner.get();
        if task.class.get() == LARGE {
            free_large(task);
        }
        if std::ptr::eq(owner, self) {
            self.keep(task);
        } else {
            // SAFETY: a store is a part of a descriptor, and descriptors live for ever.
            unsafe { &*owner }.give_back(task);
        }
    }

    /// The thread ends: what others returned is in its place for the descriptor's next thread.
    pub fn release(&self) {
        self.collect();
    }

    #[inline(always)]
    fn keep(&self, task: &Task) {
        let list = &self.free[usize::from(task.class.get()) % PAYLOADS.len()];
        set_link(task, list.get());
        list.set(task);
    }

    /// Hands a block back from another thread.
    fn give_back(&self, task: &Task) {
        let mut head = self.returned.load(Ordering::Relaxed);
        loop {
            set_link(task, head);
            let new = std::ptr::from_ref(task).cast_mut();
            // Release: the owner sees the link, and that the header is no longer used.
            match self.returned.compare_exchange_weak(head, new, Ordering::Release, Ordering::Relaxed) {
                Ok(_) => return,
                Err(now) => head = now,
            }
        }
    }

    /// Sorts the blocks that others have returned into the lists.
    fn collect(&self) {
        if self.returned.load(Ordering::Relaxed).is_null() {
            return;
        }
        let mut next = self.returned.swap(std::ptr::null_mut(), Ordering::Acquire).cast_const();
        // SAFETY: a list of headers that is this thread's now.
        while let Some(task) = unsafe { next.as_ref() } {
            next = link(task);
            self.keep(task);
        }
    }

    /// The class of a payload of so many bytes.
    #[inline(never)]
    fn class_of(&self, bytes: usize) -> usize {
        if races_watched() {
            return usize::from(LARGE);
        }
        self.small.set(PAYLOADS[0]);
        PAYLOADS.iter().position(|&room| bytes <= room).unwrap_or(PAYLOADS.len())
    }

    #[cold]
    fn take_slowly(&self, class: usize) -> &'static Task {
        self.collect();
        let list = &self.free[class];
        if list.get().is_null() {
            return self.cut(class);
        }
        // SAFETY: as in `take`.
        let task: &'static Task = unsafe { &*list.get() };
        list.set(link(task));
        task
    }

    /// Cuts a new block from the slab.
    fn cut(&self, class: usize) -> &'static Task {
        let bytes = HEADER + PAYLOADS[class];
        if self.rest_bytes.get() < bytes {
            self.add_slab();
        }
        let block = self.rest.get();
        self.rest_bytes.set(self.rest_bytes.get() - bytes);
        let task = block.cast::<Task>();
        // SAFETY: the slab has room for the block, is aligned for a header, and is never freed.
        unsafe {
            self.rest.set(block.add(bytes));
            self.end_blocks();
            task.write(Task::new_implicit());
            (*task).owner.set(self);
            (*task).class.set(class as u8);
            set_link(&*task, std::ptr::null());
            point_back(block.add(HEADER), task);
            &*task
        }
    }

    /// Starts a new slab.
    fn add_slab(&self) {
        let slab = allocate(SLAB, BLOCK_ALIGN);
        // SAFETY: just allocated, aligned for more than this, and the first block lies behind it.
        unsafe {
            slab.cast::<Slab>().write(Slab { next: self.slab.load(Ordering::Relaxed) });
            self.rest.set(slab.add(SLAB_FIRST));
        }
        self.rest_bytes.set(SLAB - SLAB_FIRST);
        self.end_blocks();
        // Release, for a thread that is stopped anywhere: the slab is whole.
        self.slab.store(slab.cast(), Ordering::Release);
    }

    /// Sees that what has not been cut yet does not look like a block.
    fn end_blocks(&self) {
        if self.rest_bytes.get() >= HEADER {
            // SAFETY: there is room for a header, which nobody uses yet.
            unsafe { point_back(self.rest.get().add(HEADER), std::ptr::null()) };
        }
    }

    /// A small block whose payload lies elsewhere.
    #[cold]
    fn take_large(&self, bytes: usize) -> &'static Task {
        let task = self.take(0);
        let memory = allocate(bytes + ALIGN, ALIGN);
        // SAFETY: just allocated, with room in front; and there is room behind the header.
        unsafe {
            let memory = memory.add(ALIGN);
            point_back(memory, task);
            behind(task).cast::<Elsewhere>().write(Elsewhere { memory, bytes });
        }
        task.class.set(LARGE);
        task
    }
}

/// Frees a large payload; the block is an ordinary small one again.
#[cold]
fn free_large(task: &Task) {
    // SAFETY: made by `take_large`; nobody uses the payload any more.
    unsafe {
        let Elsewhere { memory, bytes } = *behind(task).cast::<Elsewhere>();
        let layout = Layout::from_size_align_unchecked(bytes + ALIGN, ALIGN);
        std::alloc::dealloc(memory.sub(ALIGN), layout);
    }
    task.class.set(0);
}

#[cold]
fn allocate(bytes: usize, align: usize) -> *mut u8 {
    const WHAT: &str = "an explicit task";
    let layout = Layout::from_size_align(bytes, align).unwrap_or_else(|_| stderr::no_memory(bytes, WHAT));
    // SAFETY: the layout has a size.
    unsafe { heap::take(layout, WHAT) }
}
