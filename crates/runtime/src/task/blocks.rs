//! Memory of explicit tasks: blocks of a few sizes, each with a task's header at its start, in lists of the thread that
//! made them. `README.md` says how blocks move between threads.
//!
//! A block stays a block for ever, so that a thief may read a header that it does not own. When there are many slabs,
//! those whose blocks are all free give their pages back to the system. Their addresses stay, and read as zeros.
//!
//! A payload that is larger than the largest block has memory of its own. So has every payload in a program with a
//! thread sanitizer: only in memory from the heap does the sanitizer see that a second task does not share the first
//! one's data.

use crate::arch;
use crate::heap;
use crate::model::atomic::Ordering;
use crate::objects::blocks::{ALIGN, BLOCK_ALIGN, Elsewhere, HEADER, LARGE, SLAB, SLAB_FIRST, behind};
use crate::objects::structures::{PAYLOADS, Slab, Task, TaskThread};
use crate::ompt::races_are_checked;
use crate::stderr;
use std::alloc::Layout;
use std::cell::Cell;

/// What the memory is for, in the message that there is none.
const WHAT: &str = "an explicit task";
const _: () = {
    let mut class = 0;
    while class < PAYLOADS.len() {
        assert!((HEADER + PAYLOADS[class]).is_multiple_of(BLOCK_ALIGN), "blocks stay aligned");
        class += 1;
    }
    assert!(HEADER.is_multiple_of(ALIGN) && BLOCK_ALIGN.is_multiple_of(ALIGN), "payloads stay aligned");
    assert!(
        std::mem::offset_of!(Task, itself) + size_of::<*const Task>() == HEADER,
        "the word is in front of the payload"
    );
};

/// The bytes of a slab that stay when its pages go back: its head lies there.
const HEAD: usize = arch::PAGE;
/// How many slabs one mapping has.
const SLABS_AT_ONCE: usize = 16;
/// A store with more slabs than this (16 MiB) looks for slabs to give back, and then keeps `KEPT` of the free ones
/// (4 MiB). A throttled producer uses some two dozen, so ordinary programs never come here.
const MANY: u32 = 256;
const KEPT: usize = 64;

/// The slab that a block lies in.
fn slab_of(task: &Task) -> &'static Slab {
    let slab = std::ptr::from_ref(task).map_addr(|address| address & !(SLAB - 1)).cast::<Slab>();
    // SAFETY: slabs are aligned to their size, begin with a `Slab`, and stay mapped.
    unsafe { &*slab }
}

const _: () = assert!(size_of::<Slab>() <= SLAB_FIRST);

/// Writes the word that `objects::blocks::task_of` reads.
///
/// # Safety
/// There is a writable word in front of `payload`.
unsafe fn point_back(payload: *mut u8, task: *const Task) {
    // SAFETY: the word is writable, says the caller.
    unsafe { payload.cast::<*const Task>().sub(1).write(task) };
}

/// Added to a link, so that debuggers tell free blocks from tasks: a table has an even address.
const FREE: usize = 1;

/// The next block in the list that the free block `task` is in. The link lies where a task keeps its table.
#[inline(always)]
fn link(task: &Task) -> *const Task {
    task.children.get().cast_const().wrapping_byte_sub(FREE).cast()
}

/// Sets the next block in the list that `task` is in.
#[inline(always)]
fn set_link(task: &Task, next: *const Task) {
    task.children.set(next.wrapping_byte_add(FREE).cast_mut().cast());
}

/// Puts a block in front of a list.
#[inline(always)]
fn push(list: &Cell<*const Task>, task: &Task) {
    set_link(task, list.get());
    list.set(task);
}

/// Takes the first block of a list.
#[inline(always)]
fn pop(list: &Cell<*const Task>) -> Option<&'static Task> {
    // SAFETY: null or a free block, and blocks stay headers for ever.
    let task: &'static Task = unsafe { list.get().as_ref() }?;
    list.set(link(task));
    Some(task)
}

impl TaskThread {
    /// Takes a block with room for `bytes` of payload. Its header is as its last task left it.
    #[inline(always)]
    pub fn take(&self, bytes: usize) -> &'static Task {
        let class = if bytes <= self.small.get() { 0 } else { self.class_of(bytes) };
        let task = match self.free.get(class) {
            Some(list) => pop(list).unwrap_or_else(|| self.take_slowly(class)),
            None => self.take_large(bytes),
        };
        debug_assert!(std::ptr::eq(task.owner.get(), self));
        task
    }

    /// Takes a prepared header. The caller makes the block a task.
    #[inline(always)]
    pub(super) fn take_prepared(&self) -> Option<&'static Task> {
        pop(&self.prepared_headers)
    }

    /// Puts a prepared header in front of the others.
    #[inline(always)]
    pub(super) fn give_prepared(&self, task: &Task) {
        push(&self.prepared_headers, task);
    }

    /// Whether no header is prepared.
    pub(super) fn has_no_prepared(&self) -> bool {
        self.prepared_headers.get().is_null()
    }

    /// Frees the prepared headers.
    pub(super) fn give_all_prepared(&self) {
        in_list(self.prepared_headers.replace(std::ptr::null())).for_each(|task| self.keep(task));
    }

    /// Frees a block of any store. Its task is complete, and no thread refers to the task any more.
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

    /// Sets the header of a task aside that is complete, as its children are. Returns how many there are.
    pub(super) fn set_aside(&self, task: &Task) -> u32 {
        push(&self.aside, task);
        self.aside_count.set(self.aside_count.get() + 1);
        self.aside_count.get()
    }

    /// Takes the headers that were set aside.
    pub(super) fn take_aside(&self) -> impl Iterator<Item = &'static Task> {
        self.aside_count.set(0);
        in_list(self.aside.replace(std::ptr::null()))
    }

    /// Whether headers are aside.
    #[inline(always)]
    pub(super) fn has_aside(&self) -> bool {
        self.aside_count.get() != 0
    }

    /// Gives all free memory back, when the thread ends. The descriptor's next thread finds the rest in its place.
    pub fn release(&self) {
        self.trim(0);
    }

    /// Gives memory back if there is much, after many tasks may have come to their end.
    #[inline]
    pub fn relax(&self) {
        if self.dressed.get() > self.look_at.get().max(MANY) {
            self.trim(KEPT);
            // What is left is in use, perhaps for long. Another look pays when there is twice as much.
            self.look_at.set(2 * self.dressed.get());
        }
    }

    /// Gives back the pages of all slabs whose blocks are all free, but for `keep` slabs.
    #[cold]
    pub fn trim(&self, keep: usize) {
        self.nodes.trim();
        self.collect();
        self.slabs().for_each(|slab| slab.free.set(0));
        for list in &self.free {
            in_list(list.get()).for_each(|task| slab_of(task).free.set(slab_of(task).free.get() + 1));
        }
        let is_free = |slab: &&Slab| slab.free.get() == slab.cut.get() && !std::ptr::eq(*slab, self.cutting.get());
        let mut going = 0;
        for slab in self.slabs().filter(|slab| !slab.bare.get()).filter(is_free).skip(keep) {
            slab.bare.set(true);
            going += 1;
        }
        if going == 0 {
            return;
        }
        for list in &self.free {
            let all = in_list(list.replace(std::ptr::null()));
            all.filter(|task| !slab_of(task).bare.get()).for_each(|task| push(list, task));
        }
        self.dressed.set(self.dressed.get() - going);
        self.bare.set(self.bare.get() + going);
        self.slabs().filter(|slab| slab.bare.get() && slab.cut.get() != 0).for_each(undress);
    }

    /// All slabs, the newest first.
    fn slabs(&self) -> impl Iterator<Item = &'static Slab> {
        // SAFETY: null or a slab; slabs stay mapped.
        let newest = unsafe { self.slab.load(Ordering::Relaxed).as_ref() };
        // SAFETY: as above.
        std::iter::successors(newest, |slab| unsafe { slab.next.as_ref() })
    }

    #[inline(always)]
    fn keep(&self, task: &Task) {
        push(&self.free[usize::from(task.class.get()) % PAYLOADS.len()], task);
    }

    /// Hands a block back from another thread.
    fn give_back(&self, task: &Task) {
        self.returned.give(task, |next| set_link(task, next));
    }

    /// Sorts the blocks that others have returned, and the prepared headers, into the lists.
    fn collect(&self) {
        in_list(self.returned.take_all()).for_each(|task| self.keep(task));
        self.give_all_prepared();
    }

    /// The class of a payload of so many bytes. The first call makes the short way through [`take`](Self::take) known.
    #[inline(never)]
    fn class_of(&self, bytes: usize) -> usize {
        if races_are_checked() {
            return usize::from(LARGE);
        }
        self.small.set(PAYLOADS[0]);
        PAYLOADS.iter().position(|&most| bytes <= most).unwrap_or(PAYLOADS.len())
    }

    #[cold]
    fn take_slowly(&self, class: usize) -> &'static Task {
        self.collect();
        pop(&self.free[class]).unwrap_or_else(|| self.cut(class))
    }

    /// Makes a new block at the end of those that the slab has.
    fn cut(&self, class: usize) -> &'static Task {
        let bytes = HEADER + PAYLOADS[class];
        if self.rest_bytes.get() < bytes {
            self.add_slab();
        }
        let block = self.rest.get();
        self.rest_bytes.set(self.rest_bytes.get() - bytes);
        let task = block.cast::<Task>();
        // SAFETY: the slab has room for the block, is aligned for a header, and is never unmapped.
        unsafe {
            let slab = &*self.cutting.get();
            slab.cut.set(slab.cut.get() + 1);
            self.rest.set(block.add(bytes));
            self.end_blocks();
            Task::make_at(task, self.again.get());
            (*task).owner.set(self);
            (*task).class.set(class as u8);
            set_link(&*task, std::ptr::null());
            point_back(block.add(HEADER), task);
            &*task
        }
    }

    /// Starts to cut a slab: one whose pages went back, or a new one.
    fn add_slab(&self) {
        self.dressed.set(self.dressed.get() + 1);
        if self.bare.get() > 0
            && let Some(slab) = self.slabs().find(|slab| slab.bare.get())
        {
            self.bare.set(self.bare.get() - 1);
            self.again.set(self.again.get().wrapping_add(1));
            slab.bare.set(false);
            return self.start_cutting(slab);
        }
        let place = self.new_slab();
        let next = self.slab.load(Ordering::Relaxed);
        let head = Slab { next, cut: Cell::new(0), free: Cell::new(0), bare: Cell::new(false) };
        // SAFETY: just mapped, aligned for more than this, and the first block lies behind it.
        let slab = unsafe {
            place.cast::<Slab>().write(head);
            &*place.cast::<Slab>()
        };
        self.start_cutting(slab);
        // Release: a debugger that stops the thread anywhere finds a complete slab.
        self.slab.store(place.cast(), Ordering::Release);
    }

    fn start_cutting(&self, slab: &'static Slab) {
        self.cutting.set(slab);
        // SAFETY: the first block lies behind the head.
        self.rest.set(unsafe { std::ptr::from_ref(slab).cast_mut().cast::<u8>().add(SLAB_FIRST) });
        self.rest_bytes.set(SLAB - SLAB_FIRST);
        self.end_blocks();
    }

    /// Memory for a slab.
    fn new_slab(&self) -> *mut u8 {
        if self.unmade_slabs.get() == 0 {
            self.unmade.set(map(SLABS_AT_ONCE * SLAB));
            self.unmade_slabs.set(SLABS_AT_ONCE);
        }
        let slab = self.unmade.get();
        // SAFETY: the mapping has that many slabs.
        self.unmade.set(unsafe { slab.add(SLAB) });
        self.unmade_slabs.set(self.unmade_slabs.get() - 1);
        slab
    }

    /// Marks the end of the blocks, so that debuggers do not take for a block what has not been cut yet.
    fn end_blocks(&self) {
        if self.rest_bytes.get() >= HEADER {
            // SAFETY: there is room for a header, which no thread uses yet.
            unsafe { point_back(self.rest.get().add(HEADER), std::ptr::null()) };
        }
    }

    /// Takes a small block whose payload lies elsewhere.
    #[cold]
    fn take_large(&self, bytes: usize) -> &'static Task {
        let task = self.take(0);
        let layout = Layout::from_size_align(bytes + ALIGN, ALIGN);
        let layout = layout.unwrap_or_else(|_| stderr::no_memory(bytes, WHAT));
        // SAFETY: the layout has a size, and room in front of the payload; and there is room behind the header.
        unsafe {
            let memory = heap::take(layout, WHAT).add(ALIGN);
            point_back(memory, task);
            behind(task).cast::<Elsewhere>().write(Elsewhere { memory, bytes });
        }
        task.class.set(LARGE);
        task
    }
}

/// The blocks of a list, from `first` on. A block's link may be changed as soon as the iterator has given the block.
fn in_list(first: *const Task) -> impl Iterator<Item = &'static Task> {
    let mut next = first;
    std::iter::from_fn(move || {
        // SAFETY: null or a free block, and blocks stay headers for ever.
        let task: &'static Task = unsafe { next.as_ref() }?;
        next = link(task);
        Some(task)
    })
}

/// Gives a slab's pages back to the system, but for the first. Its blocks are all free. Thieves may still look at their
/// headers, and find zeros.
fn undress(slab: &Slab) {
    slab.cut.set(0);
    let begin = std::ptr::from_ref(slab).cast_mut().cast::<u8>();
    // SAFETY: the slab has as many bytes, and its blocks are free. The word tells debuggers that there are no blocks.
    unsafe {
        point_back(begin.add(SLAB_FIRST + HEADER), std::ptr::null());
        libc::madvise(begin.add(HEAD).cast(), SLAB - HEAD, libc::MADV_DONTNEED);
    }
}

/// Maps zeroed memory, aligned to the size of a slab.
#[cold]
fn map(bytes: usize) -> *mut u8 {
    let whole = bytes + SLAB;
    let (access, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
    // SAFETY: a new mapping, of which what lies before and behind the aligned part is given back.
    unsafe {
        let begin = libc::mmap(std::ptr::null_mut(), whole, access, kind, -1, 0);
        if begin == libc::MAP_FAILED {
            stderr::no_memory(bytes, WHAT);
        }
        let before = begin.cast::<u8>().align_offset(SLAB);
        if before > 0 {
            libc::munmap(begin, before);
        }
        libc::munmap(begin.cast::<u8>().add(before + bytes).cast(), SLAB - before);
        begin.cast::<u8>().add(before)
    }
}

/// Frees a large payload. The block is an ordinary small one again.
#[cold]
fn free_large(task: &Task) {
    // SAFETY: `take_large` made it, and no task uses the payload any more.
    unsafe {
        let Elsewhere { memory, bytes } = *behind(task).cast::<Elsewhere>();
        let layout = Layout::from_size_align_unchecked(bytes + ALIGN, ALIGN);
        std::alloc::dealloc(memory.sub(ALIGN), layout);
    }
    task.class.set(0);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As many blocks as fill some slabs of each size.
    fn take_many(store: &TaskThread) -> Vec<&'static Task> {
        PAYLOADS.iter().flat_map(|&bytes| std::iter::repeat_n(bytes, 400)).map(|bytes| store.take(bytes)).collect()
    }

    #[test]
    fn slabs_without_a_task_go_back_and_come_again() {
        let store: &'static TaskThread = Box::leak(Box::default());
        let tasks = take_many(store);
        let slabs = store.dressed.get();
        assert!(slabs > 20 && store.bare.get() == 0);
        // One task of the middle is still there: its slab stays.
        let (left, rest) = (tasks[700], tasks.iter().enumerate().filter(|&(index, _)| index != 700));
        left.depth.store(77, Ordering::Relaxed);
        rest.for_each(|(_, task)| store.give(task));
        store.trim(0);
        assert!(store.bare.get() >= slabs - 3, "{} of {slabs}", store.bare.get());
        assert_eq!(store.dressed.get() + store.bare.get(), slabs);
        assert_eq!(left.depth.load(Ordering::Relaxed), 77);
        assert!(store.free.iter().flat_map(|list| in_list(list.get())).all(|task| !slab_of(task).bare.get()));
        // A thief that still looks at a header finds no task.
        assert!(tasks[1].parent().is_none());
        let again = take_many(store);
        assert!(again.iter().all(|task| !std::ptr::eq(*task, left) && std::ptr::eq(task.owner.get(), store)));
        let mut places: Vec<_> = again.iter().map(|task| std::ptr::from_ref(*task)).collect();
        places.sort();
        places.dedup();
        assert_eq!(places.len(), again.len(), "no block twice");
        assert!(store.dressed.get() <= slabs + 1, "{} slabs", store.dressed.get());
        again.into_iter().chain([left]).for_each(|task| store.give(task));
        store.trim(4);
        assert!(store.dressed.get() <= 5);
    }

    #[test]
    fn handles_of_events_in_memory_that_went_back_open_nothing() {
        let store: &'static TaskThread = Box::leak(Box::default());
        let tasks: Vec<_> = std::iter::repeat_with(|| store.take(0)).take(500).collect();
        let (old, number) = (tasks[100], tasks[100].event.arm());
        tasks.iter().for_each(|task| store.give(task));
        store.trim(0);
        let again: Vec<_> = std::iter::repeat_with(|| store.take(0)).take(500).collect();
        assert!(again.iter().any(|task| std::ptr::eq(*task, old)));
        old.event.arm();
        assert_eq!(old.event.fulfil(number), crate::protocol::detach::Fulfilment::Another);
    }
}
