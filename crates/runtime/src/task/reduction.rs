//! Task reductions (OpenMP 5.1 §2.21.5.4–6): each thread that executes participating tasks has its own copy of the list
//! items. The copies are combined when all those tasks are complete.
//!
//! The copies of a construct lie in one block of memory, a part for each thread. A taskgroup knows them
//! ([`Reductions`]). So its tasks, and those of the groups inside, find their thread's copy by the address of the
//! original list item, or of any thread's copy of it. Where all members of a team take part in one reduction, they
//! share the copies. `README.md` says why that is safe.

use crate::heap;
use crate::model::atomic::{AtomicU8, Ordering};
use crate::objects::reductions::LINE;
use crate::objects::reductions::{Construct, Layout, free};
use crate::objects::reductions::{Copies, End, Initialise, Reductions, Shared, SharedByTeam};
use crate::objects::structures::{Group, Thread};
use crate::objects::switch;
use crate::ompt;
use std::ffi::c_void;

impl SharedByTeam {
    /// Takes down what a cancelled region has left. Called by the primary thread when no member is left in the region.
    pub fn clear(&self) {
        self.0.iter().for_each(|slot| slot.clear());
    }
}

impl Copies {
    fn new(layout: Layout, nthreads: u32) -> Copies {
        Copies { memory: zeroed(&layout, nthreads), layout, nthreads }
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
        self.initialise(index, tid);
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

    /// Whether thread `tid`'s copy of an item with operations is initialised. Written by that thread. Read by that
    /// thread and, after all tasks, by the one that combines.
    fn state(&self, index: usize, tid: u32) -> &AtomicU8 {
        // SAFETY: a part that `Layout::of` made begins with a byte for each item.
        unsafe { AtomicU8::from_ptr(self.part(tid).add(index)) }
    }

    /// Initialises thread `tid`'s copy of an item with operations, unless that has been done.
    fn initialise(&self, index: usize, tid: u32) {
        let item = &self.layout.items[index];
        let Some(operations) = item.operations else { return };
        let state = self.state(index, tid);
        // Relaxed: the state is the thread's own.
        if state.load(Ordering::Relaxed) != 0 {
            return;
        }
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
                // SAFETY: the compiler's functions for this item; no thread uses the copies now.
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
        // SAFETY: the copies' own memory, which no task uses any more.
        unsafe { free(self.memory) };
    }
}

/// Zeroed memory for a layout's copies, a part for each of `nthreads`. Released by [`free`].
fn zeroed(layout: &Layout, nthreads: u32) -> *mut u8 {
    let align = layout.align.max(LINE).next_power_of_two();
    // The word in front of what is handed out says where the block begins.
    let parts = layout.part.checked_mul(nthreads as usize);
    let bytes = parts.and_then(|bytes| bytes.checked_add(align + size_of::<usize>()));
    // A size that overflows is memory that cannot be had either.
    let block = heap::zeros(bytes.unwrap_or(usize::MAX), "the private copies of a task reduction").cast::<u8>();
    // SAFETY: the block has `align` bytes and a word more than the parts need.
    unsafe {
        let first = block.add(size_of::<usize>());
        let memory = first.add(first.align_offset(align));
        memory.cast::<*mut u8>().sub(1).write(block);
        memory
    }
}

/// The reductions of a group, if it has some.
fn of_group(group: &Group) -> Option<&Reductions> {
    // SAFETY: null, or a box that lives until the group's end. Relaxed: a task of the group that reads the pointer was
    // queued after the write.
    unsafe { group.reductions.load(Ordering::Relaxed).as_ref() }
}

/// Whether the group came with a construct that has the `task` modifier.
pub(super) fn is_implicit(group: &Group) -> bool {
    matches!(of_group(group), Some(Reductions { end: End::Shared(..) | End::Alone, .. }))
}

/// Makes copies known to `group`.
fn attach(group: &Group, copies: Vec<Copies>, end: End) {
    let present = group.reductions.load(Ordering::Relaxed);
    // SAFETY: as in `of_group`; no task has been generated that could read it.
    if let Some(present) = unsafe { present.as_mut() } {
        present.copies.extend(copies);
    } else {
        group.reductions.store(Box::into_raw(Box::new(Reductions { copies, end })), Ordering::Relaxed);
    }
}

/// As [`attach`], with new copies for `nthreads` threads. Returns their memory by layout. Without a group the list
/// items are not reduced, which costs a line.
fn attach_new(group: Option<&Group>, layouts: Vec<Layout>, nthreads: u32, end: End) -> Vec<*mut u8> {
    let copies: Vec<Copies> = layouts.into_iter().map(|layout| Copies::new(layout, nthreads)).collect();
    let memory = copies.iter().map(|copies| copies.memory).collect();
    match group {
        Some(group) => attach(group, copies, end),
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

/// Whether tasks have copies of the list items. In a team of one they use the items themselves, unless a tool is to
/// hear how copies are combined.
pub fn has_copies(thread: &Thread) -> bool {
    thread.member().team().nthreads() > 1 || switch::active()
}

/// Begins a reduction of the current task's innermost taskgroup region, whose copies the runtime combines at its end
/// (`task_reduction` clause).
pub fn reduce(thread: &Thread, layout: Layout) {
    attach_new(thread.task().taskgroup(), vec![layout], thread.member().team().nthreads(), End::Combined);
}

/// As [`reduce`], with copies that the program combines, and releases by [`free`]. Returns their memory by layout.
pub fn register(thread: &Thread, layouts: Vec<Layout>) -> Vec<*mut u8> {
    attach_new(thread.task().taskgroup(), layouts, thread.member().team().nthreads(), End::Program)
}

/// Begins a construct with the `task` modifier for the current task, which all members of the team have a counterpart
/// of. Its taskgroup has begun. Returns the memory of the layouts, which all members share.
pub fn begin_shared(thread: &Thread, construct: Construct, layouts: Vec<Layout>) -> Vec<*mut u8> {
    let team = thread.member().team();
    let nthreads = team.nthreads();
    let Some(group) = thread.task().taskgroup() else { return Vec::new() };
    if team.is_cancelled() {
        // Members do not keep together any more: another may still be in the construct before this one. So the member
        // has copies of its own.
        return attach_new(Some(group), layouts, nthreads, End::Combined);
    }
    let slot = &team.tasks.shared.0[construct as usize];
    let make = || Shared(layouts.iter().map(|layout| zeroed(layout, nthreads)).collect());
    let entry = slot.enter(depth(thread, construct), make);
    // SAFETY: the entry stays until this member leaves it.
    let memory = unsafe { &*entry }.value.0.clone();
    let copies =
        layouts.into_iter().zip(&memory).map(|(layout, &memory)| Copies { memory, layout, nthreads }).collect();
    attach(group, copies, End::Shared(construct, entry));
    memory
}

/// As [`begin_shared`], in a team of one.
pub fn begin_alone(thread: &Thread) {
    if let Some(group) = thread.task().taskgroup() {
        attach(group, Vec::new(), End::Alone);
    }
}

/// How many constructs of a kind are around the current task that its team shares copies for.
fn depth(thread: &Thread, construct: Construct) -> u32 {
    let groups = std::iter::successors(thread.task().taskgroup(), |group| group.outer());
    let ends = groups.filter_map(of_group).map(|reductions| &reductions.end);
    ends.filter(|end| matches!(end, End::Shared(kind, _) if *kind == construct)).count() as u32
}

/// Takes the reductions from `group`, which has some and whose tasks are all complete.
fn take(group: &Group) -> Box<Reductions> {
    let reductions = group.reductions.swap(std::ptr::null_mut(), Ordering::Relaxed);
    // SAFETY: `attach` made the box, and no task of the group is left that could read it.
    unsafe { Box::from_raw(reductions) }
}

/// Ends the reductions of `group`, whose tasks are complete. The program ended the group at `codeptr`.
#[cold]
pub(super) fn end_group(thread: &Thread, group: &Group, codeptr: *const c_void) {
    let reductions = take(group);
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

/// Combines what the runtime combines of the copies of a construct. The program ended the construct at `codeptr`.
fn combine(thread: &Thread, copies: &[Copies], codeptr: *const c_void) {
    if copies.iter().any(|copies| copies.layout.items.iter().any(|item| item.operations.is_some())) {
        let _combining = ompt::Combining::new(thread, codeptr);
        copies.iter().for_each(Copies::combine);
    }
}

/// Drops the reductions of `group`, whose region has been cancelled: nothing is combined. [`SharedByTeam::clear`] takes
/// the copies down that members share.
pub(super) fn abandon(group: &Group) {
    let reductions = take(group);
    if let End::Combined = reductions.end {
        reductions.copies.iter().for_each(Copies::release);
    }
}

/// Makes a taskgroup around a whole parallel region. Its implicit tasks begin inside it, and its copies are for up to
/// `nthreads` threads. Returns the group and the memory of the layouts, which the program releases.
pub fn begin_parallel(thread: &Thread, layouts: Vec<Layout>, nthreads: u32) -> (&'static Group, Vec<*mut u8>) {
    let group = Group::new(thread, std::ptr::null());
    (group, attach_new(Some(group), layouts, nthreads, End::Program))
}

/// Ends the taskgroup that [`begin_parallel`] made. The parallel region has ended.
pub fn end_parallel(thread: &Thread, group: &'static Group) {
    end_group(thread, group, std::ptr::null());
    group.give_back(thread);
}

/// The current thread's copy of the list item that `address` names, and the address of the original, for a task inside
/// `group`, or inside the current task's innermost taskgroup.
pub fn copy(thread: &Thread, group: Option<&Group>, address: usize) -> Option<(*mut u8, usize)> {
    let tid = thread.member().tid;
    std::iter::successors(group.or_else(|| thread.task().taskgroup()), |group| group.outer())
        .filter_map(of_group)
        .find_map(|reductions| reductions.copies.iter().find_map(|copies| copies.find(address, tid)))
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
            let memory = zeroed(&Layout { part: 24, align, items: Vec::new() }, 5);
            assert_eq!(memory as usize % align, 0);
            // SAFETY: five parts of 24 zeroed bytes.
            unsafe {
                assert!((0..120).all(|index| *memory.add(index) == 0));
                free(memory);
            }
        }
    }
}
