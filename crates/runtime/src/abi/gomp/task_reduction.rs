//! Task reductions (`GOMP_taskgroup_reduction_*`, `GOMP_task_reduction_remap`, …; OpenMP 5.1
//! §2.21.5.4–6).
//!
//! The program initialises and combines the copies. The runtime allocates their memory and finds the copies of a task's
//! thread.
//!
//! A description is a chain of arrays of words. The words of an array are, in this order: the number of list items; the
//! bytes of one thread's part; the alignment, which the memory's address replaces; the allocator, or −1; the next
//! array; two words for the runtime; for each list item its address, the offset of its copy in a part, and one word for
//! the runtime.

use crate::abi::{entry_point, routines};
use crate::objects::current;
use crate::objects::reductions::{self, Item, Layout};
use crate::objects::structures::Thread;
use crate::task::{self, reduction};

// Where the words of a description are.
const COUNT: usize = 0;
const PART: usize = 1;
/// At first the alignment, later the memory's address.
const MEMORY: usize = 2;
const NEXT: usize = 4;
const ITEMS: usize = 7;
/// Words of each list item.
const ITEM: usize = 3;

/// The arrays of a chain, which ends with null.
///
/// # Safety
/// `data` is a description that the compiler made.
unsafe fn chain(data: *mut usize) -> impl Iterator<Item = *mut usize> {
    let array = |word: *mut usize| (!word.is_null()).then_some(word);
    // SAFETY: the caller keeps to the `# Safety` section.
    std::iter::successors(array(data), move |previous| array(unsafe { *previous.add(NEXT) } as *mut usize))
}

/// # Safety
/// `data` is a description that the compiler made.
pub(super) unsafe fn layouts(data: *mut usize) -> Vec<Layout> {
    let layout = |array: *mut usize| {
        // SAFETY: the caller keeps to the `# Safety` section.
        let at = |index: usize| unsafe { *array.add(index) };
        let item = |index: usize| ITEMS + index * ITEM;
        let items = (0..at(COUNT))
            .map(|index| Item { address: at(item(index)), offset: at(item(index) + 1), operations: None })
            .collect();
        Layout { part: at(PART), align: at(MEMORY).max(1).next_power_of_two(), items }
    };
    // SAFETY: the caller keeps to the `# Safety` section.
    unsafe { chain(data) }.map(layout).collect()
}

/// Writes the addresses of the copies' memory into a description.
///
/// # Safety
/// As [`layouts`].
pub(super) unsafe fn hand_over(data: *mut usize, memory: &[*mut u8]) {
    // SAFETY: the caller keeps to the `# Safety` section.
    for (array, &memory) in unsafe { chain(data) }.zip(memory) {
        // SAFETY: the caller keeps to the `# Safety` section.
        unsafe { *array.add(MEMORY) = memory as usize };
    }
}

/// Gives the innermost taskgroup of the current task the reductions of a description.
///
/// # Safety
/// As [`layouts`].
pub(super) unsafe fn register(thread: &Thread, data: *mut usize) {
    // SAFETY: the caller keeps to the `# Safety` section.
    unsafe { hand_over(data, &reduction::register(thread, layouts(data))) };
}

/// Gives a worksharing or scope region the reductions of a description, which all members share.
///
/// # Safety
/// As [`layouts`].
pub(super) unsafe fn register_workshare(thread: &'static Thread, data: *mut usize) {
    // SAFETY: the caller keeps to the `# Safety` section.
    unsafe { hand_over(data, &task::begin_workshare(thread, layouts(data))) };
}

routines! {
    /// `GOMP_taskgroup_reduction_register`: the taskgroup that has just begun has a `task_reduction` clause.
    ///
    /// # Safety
    /// `data` is a description that the compiler made.
    pub fn GOMP_taskgroup_reduction_register(data: *mut usize) {
        register(current::current(), data);
    }

    /// `GOMP_taskgroup_reduction_unregister`: the program has combined the copies. Frees the copies' memory.
    ///
    /// # Safety
    /// `data` is a description that has been registered, of a region that has ended.
    pub fn GOMP_taskgroup_reduction_unregister(data: *mut usize) {
        for array in chain(data) {
            reductions::free(*array.add(MEMORY) as *mut u8);
        }
    }

    /// `GOMP_task_reduction_remap`: replaces the addresses of `count` list items, originals or copies, by the addresses
    /// of the calling thread's copies. Writes the addresses of the first `originals` originals behind them.
    ///
    /// # Safety
    /// `addresses` points to as many words.
    pub fn GOMP_task_reduction_remap(count: usize, originals: usize, addresses: *mut usize) {
        let thread = current::current();
        for index in 0..count {
            let address = &mut *addresses.add(index);
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
                *addresses.add(count + index) = original;
            }
        }
    }
}

entry_point! {
    /// `GOMP_workshare_task_reduction_unregister`: the member has combined its share of the copies of a worksharing or
    /// scope region. Waits for the other members, unless the region has been cancelled.
    pub fn GOMP_workshare_task_reduction_unregister(cancelled: bool), |thread, call, _in| {
        task::end_workshare(thread);
        if !cancelled {
            crate::barrier::barrier(thread, ::ompt::SyncRegion::BARRIER_IMPLICIT_WORKSHARE, call);
        }
    }
}
