//! Task reductions (`__kmpc_taskred_*`, `__kmpc_task_reduction_*`; OpenMP 5.1 §2.21.5.4–6).
//!
//! List items come in two forms. The older one has no field for the original list item, which an initialiser may read.
//! In a team of one thread, tasks change the original itself.

use super::Ident;
use crate::abi::{self, entry_point, routines, wide_entry_point};
use crate::objects::call::Call;
use crate::objects::current;
use crate::objects::reductions::{Construct, Initialise, Item, Layout, Operations};
use crate::objects::structures::Group;
use crate::ompt::Entered;
use crate::task::{self, reduction};
use std::ffi::c_void;

type Alone = unsafe extern "C" fn(*mut c_void);
type Pair = unsafe extern "C" fn(*mut c_void, *mut c_void);

/// What a compiler's structure says of a list item.
#[repr(C)]
pub struct ListItem<Original, Initialise> {
    /// The list item that is reduced into.
    shared: *mut c_void,
    /// The original list item, which the initialiser may read; null if that is `shared`.
    original: Original,
    /// Its size in bytes.
    size: usize,
    /// Initialises a zeroed copy; may be missing.
    initialise: Option<Initialise>,
    /// Ends a copy's life; may be missing.
    finalise: Option<Alone>,
    /// Combines the second into the first.
    combine: Pair,
    /// Whether a copy may be made when it is first needed. This runtime makes all copies then.
    flags: u32,
}

/// `kmp_task_red_input_t`: the older form, which does not name the original list item.
pub type OldItem = ListItem<(), Alone>;

/// `kmp_taskred_input_t`: the newer form, whose initialiser gets the original.
pub type NewItem = ListItem<*mut c_void, Pair>;

impl<Original, I> ListItem<Original, I> {
    /// The item as the core knows it, with this initialiser, and its size.
    fn with(&self, initialise: Initialise) -> (Item, usize) {
        let operations = Operations { initialise, finalise: self.finalise, combine: self.combine };
        (Item { address: self.shared as usize, offset: 0, operations: Some(operations) }, self.size)
    }
}

impl OldItem {
    /// The item as the core knows it, and its size.
    fn item(&self) -> (Item, usize) {
        self.with(self.initialise.map_or(Initialise::Zeroed, Initialise::Alone))
    }
}

impl NewItem {
    /// As [`OldItem::item`].
    fn item(&self) -> (Item, usize) {
        let original = if self.original.is_null() { self.shared } else { self.original };
        self.with(self.initialise.map_or(Initialise::Zeroed, |function| Initialise::From(function, original as usize)))
    }
}

/// Gives the innermost taskgroup of the current task a reduction. Returns the taskgroup's handle.
fn reduce(items: impl ExactSizeIterator<Item = (Item, usize)>) -> *const Group {
    let thread = current::current();
    if reduction::has_copies(thread) {
        reduction::reduce(thread, Layout::of(items));
    }
    thread.task().group.get()
}

/// Begins the taskgroup of a parallel or worksharing construct with the `task` modifier. Returns the taskgroup's
/// handle.
fn begin(worksharing: i32, items: impl ExactSizeIterator<Item = (Item, usize)>, call: Call) -> *const Group {
    let thread = current::current();
    let _in = Entered::new(thread, call);
    task::taskgroup_begin(thread, call);
    if reduction::has_copies(thread) {
        let construct = if worksharing == 0 { Construct::Parallel } else { Construct::Workshare };
        reduction::begin_shared(thread, construct, vec![Layout::of(items)]);
    } else {
        reduction::begin_alone(thread);
    }
    thread.task().group.get()
}

routines! {
    /// `__kmpc_task_reduction_init`: the taskgroup that has just begun has a `task_reduction` clause.
    ///
    /// # Safety
    /// `list` has `count` elements that describe the list items.
    pub fn __kmpc_task_reduction_init(gtid: i32, count: i32, list: *const OldItem) -> *const Group {
        reduce(abi::list(count, list).iter().map(OldItem::item))
    }

    /// `__kmpc_taskred_init`: as [`__kmpc_task_reduction_init`], with the newer form of list items.
    ///
    /// # Safety
    /// `list` has `count` elements that describe the list items.
    pub fn __kmpc_taskred_init(gtid: i32, count: i32, list: *const NewItem) -> *const Group {
        reduce(abi::list(count, list).iter().map(NewItem::item))
    }

    /// `__kmpc_task_reduction_get_th_data`: the calling thread's copy of a list item. `data` is the original or any
    /// thread's copy. `group` is the taskgroup, or null for the innermost one.
    ///
    /// # Safety
    /// `group` is null or comes from one of the other entry points and has not ended.
    pub fn __kmpc_task_reduction_get_th_data(gtid: i32, group: *const Group, data: *mut c_void) -> *mut c_void {
        let thread = current::current();
        if !reduction::has_copies(thread) {
            return data;
        }
        match reduction::copy(thread, group.as_ref(), data as usize) {
            Some((copy, _)) => copy.cast(),
            None => {
                reduction::not_found(data as usize);
                data
            }
        }
    }
}

wide_entry_point! {
    /// `__kmpc_task_reduction_modifier_init`: a parallel (`worksharing` is 0) or worksharing construct
    /// with `reduction(task, …)` begins.
    pub fn __kmpc_task_reduction_modifier_init(loc: *const Ident, gtid: i32, worksharing: i32, count: i32,
        list: *const OldItem) -> *const Group, |call| {
        begin(worksharing, abi::list(count, list).iter().map(OldItem::item), call)
    }

    /// `__kmpc_taskred_modifier_init`: as [`__kmpc_task_reduction_modifier_init`], with the newer form of
    /// list items.
    pub fn __kmpc_taskred_modifier_init(loc: *const Ident, gtid: i32, worksharing: i32, count: i32,
        list: *const NewItem) -> *const Group, |call| {
        begin(worksharing, abi::list(count, list).iter().map(NewItem::item), call)
    }
}

entry_point! {
    /// `__kmpc_task_reduction_modifier_fini`: the construct ends. Waits for its tasks. The last member to call this
    /// function combines the copies into its own list items.
    pub fn __kmpc_task_reduction_modifier_fini(loc: *const Ident, gtid: i32, worksharing: i32), |thread, call, _in| {
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
