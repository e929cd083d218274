//! Task reductions (`GOMP_taskgroup_reduction_*`, `GOMP_task_reduction_remap`, …; OpenMP 5.1
//! §2.21.5.4–6).
//!
//! The program makes and combines the copies; the runtime gives it their memory, and tells tasks where
//! their thread's copies are. A description is a chain of arrays of words: how many list items; bytes of
//! a thread's part; the alignment, in whose place the memory's address goes; the allocator, or −1; the
//! next array; two words for the runtime; then for each item its address, the offset of its copy in a
//! part, and one word for the runtime.

use crate::abi::entry_point;
use crate::objects::current;
use crate::objects::reductions;
use crate::objects::reductions::Item;
use crate::objects::reductions::Layout;
use crate::objects::structures::Thread;
use crate::ompt::Entered;
use crate::task;
use crate::task::reduction;

// Where the words of a description are.
const COUNT: usize = 0;
const PART: usize = 1;
/// First the alignment, then the memory.
const MEMORY: usize = 2;
const NEXT: usize = 4;
const ITEMS: usize = 7;
/// Words an item.
const ITEM: usize = 3;

/// The arrays of a chain.
struct Chain(*mut usize);

impl Iterator for Chain {
    type Item = *mut usize;
    fn next(&mut self) -> Option<*mut usize> {
        if self.0.is_null() {
            return None;
        }
        let array = self.0;
        // SAFETY: whoever made the chain vouches for it.
        self.0 = unsafe { *array.add(NEXT) } as *mut usize;
        Some(array)
    }
}

/// # Safety
/// `data` is a description that the compiler made.
pub(super) unsafe fn layouts(data: *mut usize) -> Vec<Layout> {
    Chain(data)
        .map(|array| {
            // SAFETY: the caller says so.
            let at = |index: usize| unsafe { *array.add(index) };
            let item = |index: usize| ITEMS + index * ITEM;
            let items = (0..at(COUNT))
                .map(|index| Item { address: at(item(index)), offset: at(item(index) + 1), operations: None })
                .collect();
            Layout { part: at(PART), align: at(MEMORY).max(1).next_power_of_two(), items }
        })
        .collect()
}

/// Tells the program where the copies are.
///
/// # Safety
/// As [`layouts`].
pub(super) unsafe fn hand_over(data: *mut usize, memory: &[*mut u8]) {
    for (array, &memory) in Chain(data).zip(memory) {
        // SAFETY: the caller says so.
        unsafe { *array.add(MEMORY) = memory as usize };
    }
}

/// The innermost taskgroup of the current task has the reductions of a description.
///
/// # Safety
/// As [`layouts`].
pub(super) unsafe fn register(thread: &Thread, data: *mut usize) {
    // SAFETY: the caller says so.
    unsafe { hand_over(data, &reduction::register(thread, layouts(data))) };
}

/// A worksharing or scope region has the reductions of a description, which all members share.
///
/// # Safety
/// As [`layouts`].
pub(super) unsafe fn register_workshare(thread: &'static Thread, data: *mut usize) {
    // SAFETY: the caller says so.
    unsafe { hand_over(data, &task::begin_workshare(thread, layouts(data))) };
}

/// `GOMP_taskgroup_reduction_register`: the taskgroup that has just begun has a `task_reduction` clause.
///
/// # Safety
/// `data` is a description that the compiler made.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn GOMP_taskgroup_reduction_register(data: *mut usize) {
    // SAFETY: the caller says so.
    unsafe { register(current::current(), data) };
}

/// `GOMP_taskgroup_reduction_unregister`: the program has combined the copies, whose memory is released.
///
/// # Safety
/// `data` is a description that has been registered, of a region that has ended.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn GOMP_taskgroup_reduction_unregister(data: *mut usize) {
    for array in Chain(data) {
        // SAFETY: the caller says so.
        unsafe { reductions::free(*array.add(MEMORY) as *mut u8) };
    }
}

/// `GOMP_task_reduction_remap`: replaces each of `count` addresses of list items, originals or copies, by
/// that of the calling thread's copy. Those of the originals of the first `originals` follow them.
///
/// # Safety
/// `addresses` has room for that many words.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn GOMP_task_reduction_remap(count: usize, originals: usize, addresses: *mut usize) {
    let thread = current::current();
    for index in 0..count {
        // SAFETY: the caller says so.
        let address = unsafe { &mut *addresses.add(index) };
        let original = match reduction::copy(thread, None, *address) {
            Some((copy, original)) => {
                *address = copy as usize;
                original
            }
            None => {
                reduction::not_found(*address);
                *address
            }
        };
        if index < originals {
            // SAFETY: as above.
            unsafe { *addresses.add(count + index) = original };
        }
    }
}

entry_point! {
    /// `GOMP_workshare_task_reduction_unregister`: the member has done its part of combining the copies
    /// of a worksharing or scope region. Waits for the others, unless the region has been cancelled.
    pub fn GOMP_workshare_task_reduction_unregister(cancelled: bool), |call| {
        let thread = current::current();
        let _in = Entered::new(thread, call);
        task::end_workshare(thread);
        if !cancelled {
            crate::barrier::barrier(thread, ::ompt::SyncRegion::BARRIER_IMPLICIT_WORKSHARE, call);
        }
    }
}
