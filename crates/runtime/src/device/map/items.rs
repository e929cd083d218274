//! What a construct keeps of its variables on a device: an item for each variable, and what the items have in common.

use super::table::{Entry, Gone, Inner};
use super::types::{MapType, Variable};
use crate::device::driver::{Address, Mark};
use crate::model::atomic::{AtomicPtr, Ordering};
use crate::ompt::Mappings;

/// What is to be done with a variable. The numbers say nothing.
pub mod task {
    /// This construct has made its entry.
    pub const MADE: u32 = 1;
    /// It counts as a reference, so that the end of the region releases it.
    pub const COUNTED: u32 = 1 << 1;
    /// Its entry is pinned, and the one of its pointer.
    pub const PINNED: u32 = 1 << 2;
    pub const POINTER_PINNED: u32 = 1 << 3;
    /// To be copied.
    pub const COPY: u32 = 1 << 4;
    /// Its pointer is to be attached.
    pub const ATTACH: u32 = 1 << 5;
    /// The device uses the host's memory.
    pub const SHARED: u32 = 1 << 6;
    /// Others of the list are members of it.
    pub const WHOLE: u32 = 1 << 7;
    /// An argument or a capture whose counterpart others of the list have mapped: looked up when that is done.
    pub const LATE: u32 = 1 << 8;
    /// It is copied back for the last time: others who find it wait for that.
    pub const LEAVING: u32 = 1 << 9;
    /// It is the pointer to the variable that follows, which has one entry with it in the compiler's list.
    pub const POINTER: u32 = 1 << 10;
    /// It is said to be a member of another variable, and lies outside of that: it has references of its own.
    pub const APART: u32 = 1 << 11;
}

/// Set in the place of a variable that is not in the construct's own list, but in what a mapper has made.
pub const COMPONENT: u32 = 1 << 31;
/// The place of what is in no list.
pub const NO_INDEX: u32 = u32::MAX;

/// A variable and what becomes of it.
pub struct Item {
    /// The base is resolved: it is never that of the pointer.
    pub variable: Variable,
    /// See [`task`].
    pub tasks: u32,
    /// Its place in the construct's own list; with [`COMPONENT`] that in a mapper's; or [`NO_INDEX`].
    pub index: u32,
    /// Its entry, if it has one, and where in the entry's range it begins.
    pub entry: Option<&'static Entry>,
    pub offset: usize,
    /// Where the host has the pointer to it; its entry, and where it is in there. The entry of a private attachment is
    /// that of what the pointer points to.
    pub pointer: usize,
    pub pointer_entry: Option<&'static Entry>,
    pub pointer_offset: usize,
    /// What the attached pointer's counterpart becomes. Of attachments, before they are looked up: the host's address
    /// of what the pointer points to.
    pub pointer_value: Address,
    /// Which of the holes lie in it.
    pub holes: (u32, u32),
}

impl Item {
    pub fn new(variable: Variable, index: u32, tasks: u32) -> Self {
        Item {
            variable,
            tasks,
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
    pub fn has(&self, tasks: u32) -> bool {
        self.tasks & tasks != 0
    }

    /// Whether the construct refers to it. A member of a structure goes with the reference to the structure.
    #[inline(always)]
    pub fn is_counted(&self) -> bool {
        let kind = self.variable.kind;
        kind.parent().is_none() || kind.has(MapType::PTR_AND_OBJ) || self.has(task::APART)
    }

    /// Where the section begins on the device: its counterpart once that is allocated, or the address itself.
    #[inline(always)]
    pub fn device_begin(&self) -> Address {
        match self.entry {
            Some(entry) => entry.device().wrapping_add(self.offset),
            None => self.variable.begin,
        }
    }

    /// Where the whole variable would begin there.
    #[inline(always)]
    pub fn device_base(&self) -> Address {
        self.device_begin().wrapping_sub(self.variable.begin).wrapping_add(self.variable.base)
    }
}

/// What a construct keeps of its variables until its end. Used again by later constructs, for its memory.
#[derive(Default)]
pub struct Work {
    /// The construct's number.
    pub serial: u64,
    pub items: Vec<Item>,
    /// Where attached pointers lie in items that are copied.
    pub holes: Vec<usize>,
    /// The kernel's arguments.
    pub arguments: Vec<usize>,
    /// The device's memory for private variables, 0 if there is none, and how many bytes.
    pub privates: (Address, usize),
    /// The values of small firstprivate variables, as they are transferred.
    pub packed: Vec<u8>,
    /// Memory that is to be freed.
    pub gone: Vec<Gone>,
    /// What other constructs have queued for counterparts.
    pub marks: Vec<Mark>,
    /// Mappings, for a tool.
    pub mappings: Mappings,
    /// Whether an entry is pinned.
    pub pinned: bool,
    /// Whether an item is to be looked up late.
    pub late: bool,
    /// Whether an item is a pointer that becomes attached to what others of the list have mapped.
    pub attaches: bool,
    /// Whether counterparts are to be aligned as their variables are.
    pub aligned_alike: bool,
    /// Whether an entry was not ready when it was found: its mark may have come later.
    pub early: bool,
}

// SAFETY: the addresses of the program's variables are numbers to the runtime, and used as the construct asks for, on
// one thread at a time.
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

    /// The variable that the host has at this address.
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
    /// As many constructs at once use memory that others have left.
    const COUNT: usize = 8;
    /// Larger ones are not kept.
    const MOST_ITEMS: usize = 4096;

    /// One without items.
    pub fn take(&self) -> Box<Work> {
        for slot in &self.slots {
            if slot.load(Ordering::Relaxed).is_null() {
                continue;
            }
            let work = slot.swap(std::ptr::null_mut(), Ordering::Acquire);
            if !work.is_null() {
                // SAFETY: whoever put it there has given it up, and nobody else has taken it.
                let mut work = unsafe { Box::from_raw(work) };
                work.clear();
                return work;
            }
        }
        Box::default()
    }

    /// Keeps one for later, unless it is very large.
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
        // SAFETY: ours again.
        drop(unsafe { Box::from_raw(work) });
    }
}
