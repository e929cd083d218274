//! Task reductions (`__kmpc_taskred_*`, `__kmpc_task_reduction_*`; OpenMP 5.1 §2.21.5.4–6).
//!
//! The compiler describes each list item twice over: the older form has no room for the original list
//! item, which an initialiser may read. In a team of one, tasks change the original itself.

use super::Ident;
use crate::abi::{entry_point, wide_entry_point};
use crate::objects::call::Call;
use crate::objects::current;
use crate::objects::reductions::{Construct, Layout};
use crate::objects::reductions::{Initialise, Item, Operations};
use crate::objects::structures::Group;
use crate::ompt::Entered;
use crate::task;
use crate::task::reduction;
use std::ffi::c_void;

type Alone = unsafe extern "C" fn(*mut c_void);
type Pair = unsafe extern "C" fn(*mut c_void, *mut c_void);

/// `kmp_task_red_input_t`: the older form of a list item.
#[repr(C)]
pub struct OldItem {
    /// The list item that is reduced into.
    shared: *mut c_void,
    /// Its size in bytes.
    size: usize,
    /// Initialises a zeroed copy; may be missing.
    initialise: Option<Alone>,
    /// Ends a copy's life; may be missing.
    finalise: Option<Alone>,
    /// Combines the second into the first.
    combine: Pair,
    /// Whether copies may be made when they are needed first, which all are here.
    flags: u32,
}

/// `kmp_taskred_input_t`: a list item.
#[repr(C)]
pub struct NewItem {
    /// The list item that is reduced into.
    shared: *mut c_void,
    /// The original list item, which the initialiser may read; null if it is `shared`.
    original: *mut c_void,
    /// Its size in bytes.
    size: usize,
    /// Initialises a zeroed copy, given the original; may be missing.
    initialise: Option<Pair>,
    /// Ends a copy's life; may be missing.
    finalise: Option<Alone>,
    /// Combines the second into the first.
    combine: Pair,
    /// As in [`OldItem`].
    flags: u32,
}

trait Described {
    /// The item as the core knows it, and its size.
    fn item(&self) -> (Item, usize);
}

impl Described for OldItem {
    fn item(&self) -> (Item, usize) {
        let initialise = self.initialise.map_or(Initialise::Zeroed, Initialise::Alone);
        let operations = Operations { initialise, finalise: self.finalise, combine: self.combine };
        (Item { address: self.shared as usize, offset: 0, operations: Some(operations) }, self.size)
    }
}

impl Described for NewItem {
    fn item(&self) -> (Item, usize) {
        let original = if self.original.is_null() { self.shared } else { self.original };
        let initialise =
            self.initialise.map_or(Initialise::Zeroed, |function| Initialise::From(function, original as usize));
        let operations = Operations { initialise, finalise: self.finalise, combine: self.combine };
        (Item { address: self.shared as usize, offset: 0, operations: Some(operations) }, self.size)
    }
}

/// # Safety
/// `list` has `count` elements.
unsafe fn layout<T: Described>(count: i32, list: *const T) -> Layout {
    let count = usize::try_from(count).unwrap_or(0);
    // SAFETY: the caller says so.
    let items = if count == 0 { &[] } else { unsafe { std::slice::from_raw_parts(list, count) } };
    Layout::of(items.iter().map(T::item))
}

/// The innermost taskgroup of the current task gets a reduction. Returns what names the taskgroup.
///
/// # Safety
/// As [`layout`].
unsafe fn reduce<T: Described>(count: i32, list: *const T) -> *const Group {
    let thread = current::current();
    if reduction::has_copies(thread) {
        // SAFETY: the caller says so.
        reduction::reduce(thread, unsafe { layout(count, list) });
    }
    thread.task().group()
}

/// A parallel or worksharing construct with the `task` modifier begins. Returns what names its taskgroup.
///
/// # Safety
/// As [`layout`].
unsafe fn begin<T: Described>(worksharing: i32, count: i32, list: *const T, call: Call) -> *const Group {
    let thread = current::current();
    let _in = Entered::new(thread, call);
    task::taskgroup_begin(thread, call);
    if reduction::has_copies(thread) {
        let construct = if worksharing == 0 { Construct::Parallel } else { Construct::Workshare };
        // SAFETY: the caller says so.
        reduction::begin_shared(thread, construct, vec![unsafe { layout(count, list) }]);
    } else {
        reduction::begin_alone(thread);
    }
    thread.task().group()
}

/// `__kmpc_task_reduction_init`: the taskgroup that has just begun has a `task_reduction` clause.
///
/// # Safety
/// `list` has `count` elements that describe the list items.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __kmpc_task_reduction_init(_gtid: i32, count: i32, list: *const OldItem) -> *const Group {
    // SAFETY: the caller says so.
    unsafe { reduce(count, list) }
}

/// `__kmpc_taskred_init`: as [`__kmpc_task_reduction_init`], with the newer form of list items.
///
/// # Safety
/// `list` has `count` elements that describe the list items.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __kmpc_taskred_init(_gtid: i32, count: i32, list: *const NewItem) -> *const Group {
    // SAFETY: the caller says so.
    unsafe { reduce(count, list) }
}

/// `__kmpc_task_reduction_get_th_data`: the calling thread's copy of the list item at `data`, which is
/// the original or a thread's copy, for a task in `group`, or in the innermost taskgroup if that is null.
///
/// # Safety
/// `group` is null or comes from one of the other entry points and has not ended.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __kmpc_task_reduction_get_th_data(
    _gtid: i32,
    group: *const Group,
    data: *mut c_void,
) -> *mut c_void {
    let thread = current::current();
    if !reduction::has_copies(thread) {
        return data;
    }
    // SAFETY: the caller says so.
    match reduction::copy(thread, unsafe { group.as_ref() }, data as usize) {
        Some((copy, _)) => copy.cast(),
        None => {
            reduction::not_found(data as usize);
            data
        }
    }
}

wide_entry_point! {
    /// `__kmpc_task_reduction_modifier_init`: a parallel (`worksharing` is 0) or worksharing construct
    /// with `reduction(task, …)` begins.
    pub fn __kmpc_task_reduction_modifier_init(loc: *const Ident, gtid: i32, worksharing: i32, count: i32,
        list: *const OldItem) -> *const Group, |call| {
        begin(worksharing, count, list, call)
    }

    /// `__kmpc_taskred_modifier_init`: as [`__kmpc_task_reduction_modifier_init`], with the newer form of
    /// list items.
    pub fn __kmpc_taskred_modifier_init(loc: *const Ident, gtid: i32, worksharing: i32, count: i32,
        list: *const NewItem) -> *const Group, |call| {
        begin(worksharing, count, list, call)
    }
}

entry_point! {
    /// `__kmpc_task_reduction_modifier_fini`: the construct ends: waits for its tasks; the last member
    /// that comes here has the copies combined into its own list items.
    pub fn __kmpc_task_reduction_modifier_fini(loc: *const Ident, gtid: i32, worksharing: i32), |call| {
        let thread = current::current();
        let _in = Entered::new(thread, call);
        task::taskgroup_end(thread, call);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_as_large_as_the_compiler_makes_them() {
        assert_eq!((size_of::<OldItem>(), size_of::<NewItem>()), (48, 56));
    }
}
