//! What a construct keeps of its variables on a device: an item for each variable, and what the items have in common.

use super::table::{Entry, Gone, Inner};
use super::types::{MapType, Variable};
use crate::device::driver::{Address, Mark};
use crate::model::atomic::{AtomicPtr, Ordering};
use crate::ompt::Mappings;

/// What is known of an item, and what is to be done with it. The values have no meaning.
pub mod flag {
    /// This construct has made the item's entry.
    pub const MADE: u32 = 1;
    /// The item counts as a reference, which the end of the region releases.
    pub const COUNTED: u32 = 1 << 1;
    /// The item's entry is pinned; the entry of its pointer is pinned.
    pub const PINNED: u32 = 1 << 2;
    pub const POINTER_PINNED: u32 = 1 << 3;
    /// The item is to be copied.
    pub const COPY: u32 = 1 << 4;
    /// The item's pointer is to be attached.
    pub const ATTACH: u32 = 1 << 5;
    /// The device uses the host's memory.
    pub const SHARED: u32 = 1 << 6;
    /// Other items of the list are members of this one.
    pub const WHOLE: u32 = 1 << 7;
    /// An argument or a capture that other items of the list map: looked up after them.
    pub const LATE: u32 = 1 << 8;
    /// The item is copied back for the last time. Other constructs that find the entry wait for the copy.
    pub const LEAVING: u32 = 1 << 9;
    /// The item is the pointer to the next item. The compiler's list has one entry for the two.
    pub const POINTER: u32 = 1 << 10;
    /// The item is listed as a member of another variable and lies outside of it: it has references of its own.
    pub const APART: u32 = 1 << 11;
}

/// Set in the index of a variable that a mapper has made.
pub const COMPONENT: u32 = 1 << 31;
/// The index of an item that is in no list.
pub const NO_INDEX: u32 = u32::MAX;

/// A variable, and what becomes of it.
pub struct Item {
    /// The variable. Its base is that of the variable, never the address of a pointer to it.
    pub variable: Variable,
    /// See [`flag`].
    pub flags: u32,
    /// The index in the construct's own list, with [`COMPONENT`] the index in a mapper's list, or [`NO_INDEX`].
    pub index: u32,
    /// The variable's entry, and where in the entry's range the variable begins.
    pub entry: Option<&'static Entry>,
    pub offset: usize,
    /// The host's address of the pointer to the variable; the pointer's entry, and where in the entry's range the
    /// pointer lies. For a private attachment, the entry of what the pointer points to.
    pub pointer: usize,
    pub pointer_entry: Option<&'static Entry>,
    pub pointer_offset: usize,
    /// The value of the attached pointer on the device. For attachments that have not been looked up yet: the host's
    /// address of what the pointer points to.
    pub pointer_value: Address,
    /// The range of the holes that lie in the variable.
    pub holes: (u32, u32),
}

impl Item {
    pub fn new(variable: Variable, index: u32, flags: u32) -> Self {
        Item {
            variable,
            flags,
            index,
            entry: None,
            offset: 0,
            pointer: 0,
            pointer_entry: None,
            pointer_offset: 0,
            pointer_value: 0,
            holes: (0, 0),
        }
    }

    /// Notes the item's entry, and where in the entry's range the item begins.
    #[inline(always)]
    pub fn set_entry(&mut self, table: &Inner, entry: &'static Entry) {
        self.entry = Some(entry);
        self.offset = self.variable.begin.wrapping_sub(table.state(entry).host);
    }

    #[inline(always)]
    pub fn has(&self, flags: u32) -> bool {
        self.flags & flags != 0
    }

    /// Whether the item has a reference of its own. A member of a structure shares the structure's reference.
    #[inline(always)]
    pub fn is_counted(&self) -> bool {
        let kind = self.variable.kind;
        kind.parent().is_none() || kind.has(MapType::PTR_AND_OBJ) || self.has(flag::APART)
    }

    /// Where the section begins on the device: at its counterpart, which is allocated, or at the host's address.
    #[inline(always)]
    pub fn device_begin(&self) -> Address {
        match self.entry {
            Some(entry) => entry.device().wrapping_add(self.offset),
            None => self.variable.begin,
        }
    }

    /// Where the whole variable would begin on the device.
    #[inline(always)]
    pub fn device_base(&self) -> Address {
        self.device_begin().wrapping_sub(self.variable.begin).wrapping_add(self.variable.base)
    }
}

/// What a construct keeps of its variables until its end. Later constructs reuse the memory of the lists.
#[derive(Default)]
pub struct Work {
    /// The construct's number.
    pub serial: u64,
    pub items: Vec<Item>,
    /// Where attached pointers lie in items that are copied.
    pub holes: Vec<usize>,
    /// The kernel's arguments.
    pub arguments: Vec<usize>,
    /// The device's memory for private variables: its address, 0 for none, and its size.
    pub privates: (Address, usize),
    /// The values of small firstprivate variables, which are transferred together.
    pub packed: Vec<u8>,
    /// Memory that is to be freed.
    pub gone: Vec<Gone>,
    /// The marks of what other constructs have queued for the items' counterparts.
    pub marks: Vec<Mark>,
    /// Mappings, for a tool.
    pub mappings: Mappings,
    /// Whether an entry is pinned.
    pub pinned: bool,
    /// Whether an item is to be looked up late.
    pub late: bool,
    /// Whether an item is a pointer that becomes attached to what other items map.
    pub attaches: bool,
    /// Whether counterparts are to be aligned as the variables are.
    pub aligned_alike: bool,
    /// Whether an entry was not ready when it was found: its mark may come later.
    pub early: bool,
}

// SAFETY: the addresses are the program's, valid on any thread; one thread at a time uses the lists.
unsafe impl Send for Work {}

impl Work {
    /// Forgets the last construct.
    pub fn clear(&mut self) {
        self.items.clear();
        self.holes.clear();
        self.arguments.clear();
        self.packed.clear();
        self.marks.clear();
        self.privates = (0, 0);
        self.pinned = false;
        self.late = false;
        self.attaches = false;
        self.early = false;
    }

    /// The smallest variable that contains this address of the host.
    #[cold]
    pub fn variable_at(&self, host: usize) -> Option<Variable> {
        let variables = self.items.iter().map(|item| item.variable);
        variables
            .filter(|variable| variable.begin <= host && host < variable.end())
            .min_by_key(|variable| variable.bytes)
    }
}

/// The lists of constructs that have ended, for the next ones.
#[derive(Default)]
pub struct Works {
    slots: [AtomicPtr<Work>; Works::COUNT],
}

impl Works {
    /// How many lists are kept.
    const COUNT: usize = 8;
    /// Lists with more items are not kept.
    const MOST_ITEMS: usize = 4096;

    /// A list without items.
    pub fn take(&self) -> Box<Work> {
        for slot in &self.slots {
            if slot.load(Ordering::Relaxed).is_null() {
                continue;
            }
            let work = slot.swap(std::ptr::null_mut(), Ordering::Acquire);
            if !work.is_null() {
                // SAFETY: `give` has put the list there, and the swap has taken it for this thread alone.
                let mut work = unsafe { Box::from_raw(work) };
                work.clear();
                return work;
            }
        }
        Box::default()
    }

    /// Keeps a list for later, unless it is very large.
    pub fn give(&self, work: Box<Work>) {
        if work.items.capacity() > Self::MOST_ITEMS {
            return;
        }
        let work = Box::into_raw(work);
        for slot in &self.slots {
            if slot.compare_exchange(std::ptr::null_mut(), work, Ordering::Release, Ordering::Relaxed).is_ok() {
                return;
            }
        }
        // SAFETY: no slot has taken the list.
        drop(unsafe { Box::from_raw(work) });
    }
}
