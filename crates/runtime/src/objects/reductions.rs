//! Task reductions, as taskgroups and teams keep them: list items, and where their copies lie.

use crate::protocol::shared::{Entry, Slot};

use std::ffi::c_void;

/// A list item of a reduction.
#[derive(Clone, Copy)]
pub struct Item {
    /// The address of the original list item, by which tasks name it.
    pub address: usize,
    /// The offset of the copy in a thread's part, in bytes.
    pub offset: usize,
    /// How copies are made and combined; `None` if the program's own code does it.
    pub operations: Option<Operations>,
}

/// The compiler's functions for a list item whose copies the runtime makes and combines.
#[derive(Clone, Copy)]
pub struct Operations {
    /// Makes a zeroed copy an initialised one.
    pub initialise: Initialise,
    /// Ends a copy's life.
    pub finalise: Option<unsafe extern "C" fn(*mut c_void)>,
    /// Combines its second argument into its first.
    pub combine: unsafe extern "C" fn(*mut c_void, *mut c_void),
}

/// How a zeroed copy becomes an initialised one.
#[derive(Clone, Copy)]
pub enum Initialise {
    /// A zeroed copy is initialised.
    Zeroed,
    /// This function initialises it.
    Alone(unsafe extern "C" fn(*mut c_void)),
    /// This function initialises it, and may read the original list item at this address.
    From(unsafe extern "C" fn(*mut c_void, *mut c_void), usize),
}

/// All threads' copies of the list items of a layout.
pub(crate) struct Copies {
    pub(crate) memory: *mut u8,
    pub(crate) layout: Layout,
    pub(crate) nthreads: u32,
}

/// The reductions of a taskgroup. The task that began the group makes them before it generates tasks. These read them.
pub struct Reductions {
    pub(crate) copies: Vec<Copies>,
    pub(crate) end: End,
}

/// What happens to the copies at the end of the group.
#[derive(Clone, Copy)]
pub(crate) enum End {
    /// The program combines and releases them.
    Program,
    /// The runtime combines and releases them.
    Combined,
    /// As `Combined`, by the last member that arrives at the end.
    Shared(Construct, *const Entry<Shared>),
    /// There are no copies: the team has one thread, whose tasks use the list items themselves.
    Alone,
}

/// The memory of each layout of copies that the members of a team share.
pub(crate) struct Shared(pub(crate) Vec<*mut u8>);

impl Drop for Shared {
    fn drop(&mut self) {
        for &memory in &self.0 {
            // SAFETY: `begin_shared` has made the memory, and no thread uses it any more.
            unsafe { free(memory) };
        }
    }
}

/// The shared copies of a team, by [`Construct`].
#[derive(Default)]
pub struct SharedByTeam(pub(crate) [Slot<Shared>; 2]);

/// Where the copies of a construct lie within their memory.
pub struct Layout {
    /// The size of a thread's part in bytes.
    pub part: usize,
    /// The alignment of the memory; a power of two.
    pub align: usize,
    /// The list items, by ascending offset.
    pub items: Vec<Item>,
}

impl Layout {
    /// Lays out items, each with its size in bytes. Each part begins with a byte for each item, which says whether the
    /// thread's copy is initialised.
    pub fn of(items: impl ExactSizeIterator<Item = (Item, usize)>) -> Layout {
        let mut part = items.len().next_multiple_of(LINE);
        let items = items
            .map(|(item, bytes)| {
                let item = Item { offset: part, ..item };
                part += bytes.max(1).next_multiple_of(LINE);
                item
            })
            .collect();
        Layout { part, align: LINE, items }
    }
}

/// The construct whose reduction a team shares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Construct {
    Parallel = 0,
    Workshare = 1,
}

/// Releases the copies that [`register`] or [`begin_parallel`] has handed to the program.
///
/// # Safety
/// `memory` is null, or comes from there and has not been released.
pub unsafe fn free(memory: *mut u8) {
    if !memory.is_null() {
        // SAFETY: the caller's `memory`: the word before it, which `zeroed` has written, is the allocation's address.
        unsafe { libc::free(memory.cast::<*mut c_void>().sub(1).read()) };
    }
}

/// The alignment of parts, and of copies that the core lays out, so that no two share a cache line.
pub(crate) const LINE: usize = 64;
