//! Task reductions (OpenMP 5.1 §2.21.5.4–6): each thread that executes participating tasks has its own
//! copy of the list items, which are combined when all those tasks are complete.
//!
//! The copies of a construct lie in one block of memory, a part for each thread. A taskgroup knows them
//! ([`Reductions`]), so that its tasks, and those of the groups inside, find their thread's copy by the
//! address of the original list item, or of any thread's copy of it. Where all members of a team take
//! part in one reduction, they share the copies.

use crate::heap;
use crate::objects::reductions::LINE;
use crate::objects::reductions::{Construct, Layout, free};
use crate::objects::reductions::{Copies, End, Initialise, Reductions, Shared, SharedByTeam};
use crate::objects::structures::Group;
use crate::objects::structures::Thread;
use crate::objects::switch;
use crate::ompt;
use std::ffi::c_void;
use std::sync::atomic::{AtomicU8, Ordering};

impl SharedByTeam {
    /// A region that has been cancelled is over. Called by the primary thread when no member is left in it.
    pub fn clear(&self) {
        for slot in &self.0 {
            slot.clear();
        }
    }
}

impl Copies {
    fn new(layout: Layout, nthreads: u32) -> Copies {
        Copies { memory: zeroed(layout.part, nthreads, layout.align), layout, nthreads }
    }

    /// Thread `tid`'s copy of the list item that `address` names, and the original.
    fn find(&self, address: usize, tid: u32) -> Option<(*mut u8, usize)> {
        let part = self.layout.part;
        let items = &self.layout.items;
        let offset = address.wrapping_sub(self.memory as usize);
        let (index, offset) = if offset < part * self.nthreads as usize {
            let offset = offset % part;
            (items.partition_point(|item| item.offset <= offset).checked_sub(1)?, offset)
        } else {
            let index = items.iter().position(|item| item.address == address)?;
            (index, items[index].offset)
        };
        if items[index].operations.is_some() {
            self.initialised(index, tid);
        }
        // SAFETY: the offset lies within a part, and there is one for each thread number.
        let copy = unsafe { self.part(tid).add(offset) };
        Some((copy, items[index].address))
    }

    /// The part of thread `tid`.
    fn part(&self, tid: u32) -> *mut u8 {
        debug_assert!(tid < self.nthreads);
        // SAFETY: the block has a part for each thread.
        unsafe { self.memory.add(self.layout.part * tid as usize) }
    }

    /// Whether thread `tid`'s copy of an item with operations is initialised. Written by that thread,
    /// read by it, and by whoever combines, after all tasks.
    fn state(&self, index: usize, tid: u32) -> &AtomicU8 {
        // SAFETY: a part that `Layout::of` made begins with a byte for each item.
        unsafe { AtomicU8::from_ptr(self.part(tid).add(index)) }
    }

    /// Initialises thread `tid`'s copy of an item with operations, if it is not.
    fn initialised(&self, index: usize, tid: u32) {
        let state = self.state(index, tid);
        // Relaxed: the thread's own.
        if state.load(Ordering::Relaxed) != 0 {
            return;
        }
        let item = &self.layout.items[index];
        let Some(operations) = item.operations else { return };
        // SAFETY: the compiler's functions for this item, on a zeroed copy of it.
        unsafe {
            let copy = self.part(tid).add(item.offset).cast();
            match operations.initialise {
                Initialise::Zeroed => {}
                Initialise::Alone(function) => function(copy),
                Initialise::From(function, original) => function(copy, original as *mut c_void),
            }
        }
        state.store(1, Ordering::Relaxed);
    }

    /// Combines the copies of items with operations into the original list items. All tasks are complete.
    fn combine(&self) {
        for (index, item) in self.layout.items.iter().enumerate() {
            let Some(operations) = item.operations else { continue };
            for tid in 0..self.nthreads {
                if self.state(index, tid).load(Ordering::Relaxed) == 0 {
                    continue;
                }
                // SAFETY: the compiler's functions for this item; nobody else uses the copies now.
                unsafe {
                    let copy = self.part(tid).add(item.offset).cast();
                    (operations.combine)(item.address as *mut c_void, copy);
                    if let Some(finalise) = operations.finalise {
                        finalise(copy);
                    }
                }
            }
        }
    }

    fn release(&self) {
        // SAFETY: the copies' own memory, which nobody uses any more.
        unsafe { free(self.memory) };
    }
}

/// Zeroed memory for `nthreads` parts. Released by [`free`].
fn zeroed(part: usize, nthreads: u32, align: usize) -> *mut u8 {
    let align = align.max(LINE).next_power_of_two();
    // The word in front of what is handed out says where the block begins.
    let bytes = part.checked_mul(nthreads as usize).and_then(|bytes| bytes.checked_add(align + size_of::<usize>()));
    // What cannot be counted cannot be had either.
    let block = heap::zeros(bytes.unwrap_or(usize::MAX), "the private copies of a task reduction").cast::<u8>();
    // SAFETY: there are `align` bytes and a word more than asked for.
    unsafe {
        let first = block.add(size_of::<usize>());
        let memory = first.add(first.align_offset(align));
        memory.cast::<*mut u8>().sub(1).write(block);
        memory
    }
}

/// The reductions of a group, if it has some.
fn of_group(group: &Group) -> Option<&Reductions> {
    // SAFETY: null, or a box that lives until the group's end. Relaxed: a task of the group that reads
    // this was queued after the write.
    unsafe { group.reductions.load(Ordering::Relaxed).as_ref() }
}

/// Whether the group came with a construct that has the `task` modifier.
pub(super) fn is_implicit(group: &Group) -> bool {
    matches!(of_group(group), Some(Reductions { end: End::Shared(..) | End::Alone, .. }))
}

/// Makes the reductions known to `group`.
fn attach(group: &Group, copies: Vec<Copies>, end: End) {
    let present = group.reductions.load(Ordering::Relaxed);
    // SAFETY: as in `of_group`; no task has been generated that could read it.
    if let Some(present) = unsafe { present.as_mut() } {
        present.copies.extend(copies);
        return;
    }
    group.reductions.store(Box::into_raw(Box::new(Reductions { copies, end })), Ordering::Relaxed);
}

/// The innermost taskgroup of the current task.
fn group(thread: &Thread) -> Option<&'static Group> {
    // SAFETY: null or a group that lasts at least as long as the task.
    unsafe { thread.task().group.get().as_ref() }
}

/// Whether tasks have copies of the list items: in a team of one they use the items themselves, unless a tool is to
/// hear how they are combined.
pub fn has_copies(thread: &Thread) -> bool {
    thread.member().team().nthreads() > 1 || switch::active()
}

/// The current task's innermost taskgroup region has a reduction, whose copies the runtime combines at
/// its end (`task_reduction` clause).
pub fn reduce(thread: &Thread, layout: Layout) {
    let nthreads = thread.member().team().nthreads();
    match group(thread) {
        Some(group) => attach(group, vec![Copies::new(layout, nthreads)], End::Combined),
        None => nowhere(),
    }
}

/// As [`reduce`], with copies that the program combines, and releases by [`free`]. Returns their memory
/// by layout.
pub fn register(thread: &Thread, layouts: Vec<Layout>) -> Vec<*mut u8> {
    let nthreads = thread.member().team().nthreads();
    let copies: Vec<Copies> = layouts.into_iter().map(|layout| Copies::new(layout, nthreads)).collect();
    let memory = copies.iter().map(|copies| copies.memory).collect();
    match group(thread) {
        Some(group) => attach(group, copies, End::Program),
        None => nowhere(),
    }
    memory
}

#[cold]
fn nowhere() {
    crate::stderr::write_stderr(
        "ferromp: a task reduction outside of all taskgroup regions; its list items are not reduced\n",
    );
}

/// The current task, which all members of the team have a counterpart of, begins a construct with the
/// `task` modifier; its taskgroup has begun. Returns the memory of the layouts, which all members share.
pub fn begin_shared(thread: &Thread, construct: Construct, layouts: Vec<Layout>) -> Vec<*mut u8> {
    let team = thread.member().team();
    let nthreads = team.nthreads();
    if team.is_cancelled() {
        // Members do not keep together any more: another may still be in the construct before this one.
        return begin_apart(thread, layouts, nthreads);
    }
    let slot = &team.tasks.shared.0[construct as usize];
    let make = || Shared(layouts.iter().map(|layout| zeroed(layout.part, nthreads, layout.align)).collect());
    let entry = slot.enter(depth(thread, construct), make);
    // SAFETY: this member has not left it.
    let memory = unsafe { &*entry }.value.0.clone();
    let copies =
        layouts.into_iter().zip(&memory).map(|(layout, &memory)| Copies { memory, layout, nthreads }).collect();
    if let Some(group) = group(thread) {
        attach(group, copies, End::Shared(construct, entry));
    }
    memory
}

/// As [`begin_shared`], in a team of one.
pub fn begin_alone(thread: &Thread) {
    if let Some(group) = group(thread) {
        attach(group, Vec::new(), End::Alone);
    }
}

/// As [`begin_shared`], in a cancelled region: the member has copies of its own.
#[cold]
fn begin_apart(thread: &Thread, layouts: Vec<Layout>, nthreads: u32) -> Vec<*mut u8> {
    let copies: Vec<Copies> = layouts.into_iter().map(|layout| Copies::new(layout, nthreads)).collect();
    let memory = copies.iter().map(|copies| copies.memory).collect();
    if let Some(group) = group(thread) {
        attach(group, copies, End::Combined);
    }
    memory
}

/// How many constructs of a kind are around the current task that its team shares copies for.
fn depth(thread: &Thread, construct: Construct) -> u32 {
    let groups = std::iter::successors(group(thread), |group| group.outer());
    let shared = |group: &&Group| matches!(of_group(group), Some(Reductions { end: End::Shared(kind, _), .. }) if *kind == construct);
    groups.filter(shared).count() as u32
}

/// The tasks of `group` are complete: its reductions, if it has some, come to their end. `codeptr` is where the program
/// ended the group.
#[cold]
pub(super) fn end_group(thread: &Thread, group: &Group, codeptr: *const c_void) {
    let reductions = group.reductions.swap(std::ptr::null_mut(), Ordering::Relaxed);
    // SAFETY: made by `attach`; no task of the group is left that could read it.
    let reductions = unsafe { Box::from_raw(reductions) };
    match reductions.end {
        End::Program | End::Alone => {}
        End::Combined => {
            combine(thread, &reductions.copies, codeptr);
            reductions.copies.iter().for_each(Copies::release);
        }
        End::Shared(construct, entry) => {
            let team = thread.member().team();
            // SAFETY: this member entered, and leaves once.
            if let Some(memory) = unsafe { team.tasks.shared.0[construct as usize].leave(entry, team.nthreads()) } {
                combine(thread, &reductions.copies, codeptr);
                drop(memory);
            }
        }
    }
}

/// Combines what the runtime combines of the copies of a construct, whose end the program has met at `codeptr`.
fn combine(thread: &Thread, copies: &[Copies], codeptr: *const c_void) {
    if copies.iter().any(|copies| copies.layout.items.iter().any(|item| item.operations.is_some())) {
        let _combining = ompt::Combining::new(thread, codeptr);
        copies.iter().for_each(Copies::combine);
    }
}

/// The region that `group` belonged to has been cancelled: nothing is combined. Copies that members share
/// are taken down by [`SharedByTeam::clear`].
pub(super) fn abandon(group: &Group) {
    let reductions = group.reductions.swap(std::ptr::null_mut(), Ordering::Relaxed);
    // SAFETY: made by `attach`; no task of the group is left that could read it.
    let reductions = unsafe { Box::from_raw(reductions) };
    if let End::Combined = reductions.end {
        for copies in &reductions.copies {
            copies.release();
        }
    }
}

/// A taskgroup around a whole parallel region: its implicit tasks begin inside it, and their copies are
/// for up to `nthreads` threads. Returns it with the memory of the layouts, which the program releases.
pub fn begin_parallel(thread: &Thread, layouts: Vec<Layout>, nthreads: u32) -> (&'static Group, Vec<*mut u8>) {
    let group = Group::new(thread, std::ptr::null());
    let copies: Vec<Copies> = layouts.into_iter().map(|layout| Copies::new(layout, nthreads)).collect();
    let memory = copies.iter().map(|copies| copies.memory).collect();
    attach(group, copies, End::Program);
    (group, memory)
}

/// The parallel region that [`begin_parallel`] prepared has ended.
pub fn end_parallel(thread: &Thread, group: &'static Group) {
    end_group(thread, group, std::ptr::null());
    group.give_back(thread);
}

/// The current thread's copy of the list item that `address` names, and the address of the original, for
/// a task inside `group`, or inside the current task's innermost taskgroup.
pub fn copy(thread: &Thread, group: Option<&Group>, address: usize) -> Option<(*mut u8, usize)> {
    let tid = thread.member().tid;
    let mut next = group.or_else(|| self::group(thread));
    while let Some(group) = next {
        if let Some(reductions) = of_group(group)
            && let Some(found) = reductions.copies.iter().find_map(|copies| copies.find(address, tid))
        {
            return Some(found);
        }
        next = group.outer();
    }
    None
}

/// Reports that [`copy`] found nothing: the task goes on with what it named.
#[cold]
pub fn not_found(address: usize) {
    crate::stderr::write_stderr(&format!(
        "ferromp: in_reduction: no task reduction around the task has the list item at {address:#x}; the task changes that itself\n"
    ));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::objects::reductions::{Item, Operations};

    unsafe extern "C" fn seven(copy: *mut c_void) {
        // SAFETY: the tests' copies are integers.
        unsafe { *copy.cast::<i64>() += 7 };
    }

    unsafe extern "C" fn add(into: *mut c_void, from: *mut c_void) {
        // SAFETY: as above.
        unsafe { *into.cast::<i64>() += *from.cast::<i64>() };
    }

    fn item(of: &mut i64) -> Item {
        let operations = Operations { initialise: Initialise::Alone(seven), finalise: None, combine: add };
        Item { address: std::ptr::from_mut(of) as usize, offset: 0, operations: Some(operations) }
    }

    #[test]
    fn copies_are_found_by_the_original_and_by_any_copy() {
        let (mut a, mut b) = (100, 1000);
        let items = [(item(&mut a), 8), (item(&mut b), 8)];
        let addresses = items.map(|(item, _)| item.address);
        let copies = Copies::new(Layout::of(items.into_iter()), 3);
        let (mine, original) = copies.find(addresses[1], 2).expect("an original");
        assert_eq!((original, mine as usize % LINE), (addresses[1], 0));
        let (theirs, original) = copies.find(mine as usize, 0).expect("a copy");
        assert_eq!(original, addresses[1]);
        assert_ne!(theirs, mine);
        assert_eq!(copies.find(mine as usize + 4, 0).map(|found| found.0 as usize), Some(theirs as usize + 4));
        assert!(copies.find(addresses[1] + 1, 0).is_none());
        // SAFETY: found above.
        assert_eq!(unsafe { (*mine.cast::<i64>(), *theirs.cast::<i64>()) }, (7, 7));
        copies.combine();
        copies.release();
        assert_eq!((a, b), (100, 1014), "only copies that a task used are combined");
    }

    #[test]
    fn memory_is_aligned_as_asked() {
        for align in [1, 64, 4096] {
            let memory = zeroed(24, 5, align);
            assert_eq!(memory as usize % align, 0);
            // SAFETY: five parts of 24 zeroed bytes.
            unsafe {
                assert!((0..120).all(|index| *memory.add(index) == 0));
                free(memory);
            }
        }
    }
}
