//! What taskgroups and teams keep of task reductions: list items, and where their copies lie.

use crate::protocol::shared::{Entry, Slot};

use std::ffi::c_void;

/// A list item of a reduction.
#[derive(Clone, Copy)]
pub struct Item {
    /// The original list item, as tasks name it.
    pub address: usize,
    /// How many bytes into a thread's part its copy lies.
    pub offset: usize,
    /// How copies are made and combined; `None` where the program's own code does it.
    pub operations: Option<Operations>,
}

/// What the compiler made for a list item whose copies the runtime makes and combines.
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
    /// It is one.
    Zeroed,
    /// By this function.
    Alone(unsafe extern "C" fn(*mut c_void)),
    /// By this function, which may read the original list item at this address.
    From(unsafe extern "C" fn(*mut c_void, *mut c_void), usize),
}

/// All threads' copies of the list items of a layout.
pub(crate) struct Copies {
    pub(crate) memory: *mut u8,
    pub(crate) layout: Layout,
    pub(crate) nthreads: u32,
}

/// The reductions of a taskgroup. Made by the task that began the group before it generates tasks; read
/// by those.
pub struct Reductions {
    pub(crate) copies: Vec<Copies>,
    pub(crate) end: End,
}

/// What happens to the copies at the end of the group.
#[derive(Clone, Copy)]
pub(crate) enum End {
    /// The program combines and releases them.
    Program,
    /// They are combined and released.
    Combined,
    /// As `Combined`, by the last member that comes to the end.
    Shared(Construct, *const Entry<Shared>),
    /// There are none: the team has one thread, whose tasks use the list items themselves.
    Alone,
}

/// The memory of each layout of copies that the members of a team share.
pub(crate) struct Shared(pub(crate) Vec<*mut u8>);

impl Drop for Shared {
    fn drop(&mut self) {
        for &memory in &self.0 {
            // SAFETY: made by `begin_shared`, and nobody uses it any more.
            unsafe { free(memory) };
        }
    }
}

/// What the members of a team share now, by [`Construct`].
#[derive(Default)]
pub struct SharedByTeam(pub(crate) [Slot<Shared>; 2]);

/// Where the copies of a construct lie, before they have memory.
pub struct Layout {
    /// Bytes of a thread's part.
    pub part: usize,
    /// How the block is aligned; a power of two.
    pub align: usize,
    /// The list items, by ascending offset.
    pub items: Vec<Item>,
}

impl Layout {
    /// Gives the items, of so many bytes each, offsets, behind a byte for each that says whether a
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

/// Which construct's reduction a team shares.
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
        // SAFETY: the word in front was written by `zeroed`.
        unsafe { libc::free(memory.cast::<*mut c_void>().sub(1).read()) };
    }
}

/// Parts, and copies that the core lays out, begin on cache lines of their own.
pub(crate) const LINE: usize = 64;
