//! What a construct does with its variables on a device: each variable's item, and what is shared by the phases of a
//! construct. The phases and why they come in this order are in `README.md`.

use super::Context;
use super::failure::Failure;
use super::table::{Entry, Gone, Inner};
use super::types::{MapType, Variable};
use crate::device::driver::{Address, Mark};
use crate::model::atomic::{AtomicPtr, Ordering};
use crate::ompt::{self, Mappings};
use ::ompt::TargetMapFlag;

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

/// The bytes of a pointer.
pub const POINTER: usize = size_of::<usize>();

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

    /// Pins the entry of an item.
    #[inline(always)]
    pub fn pin(table: &mut Inner, item: &mut Item) {
        if let Some(entry) = item.entry {
            table.state_mut(entry).pins += 1;
            item.tasks |= task::PINNED;
        }
    }

    /// Notes the attached pointers in the range of an item that is copied: neither side's pointers are the other's.
    pub fn find_holes(table: &Inner, item: &mut Item, holes: &mut Vec<usize>) {
        let Some(entry) = item.entry else { return };
        let state = table.state(entry);
        if state.attached.is_empty() {
            return;
        }
        let start = holes.len();
        holes.extend(state.attached_within(item.variable.begin, item.variable.end()));
        item.holes = (start as u32, holes.len() as u32);
    }

    /// The runs of bytes of an item that are copied, between attached pointers: where they begin, and their lengths.
    fn runs(&self, item: &Item) -> impl Iterator<Item = (usize, usize)> {
        let holes = &self.holes[item.holes.0 as usize..item.holes.1 as usize];
        let begins = std::iter::once(item.variable.begin).chain(holes.iter().map(|hole| hole + POINTER));
        let ends = holes.iter().copied().chain(std::iter::once(item.variable.end()));
        begins.zip(ends).filter(|(begin, end)| begin < end).map(|(begin, end)| (begin, end - begin))
    }

    /// Pins are released, and what nobody refers to any more goes. On the table's lock; [`free`](Self::free) follows
    /// without it.
    fn unpin(&mut self, table: &mut Inner) {
        for item in &mut self.items {
            for (bit, entry) in [(task::PINNED, item.entry), (task::POINTER_PINNED, item.pointer_entry)] {
                if item.tasks & bit != 0
                    && let Some(entry) = entry
                {
                    item.tasks &= !bit;
                    let state = table.state_mut(entry);
                    state.pins -= 1;
                    if state.pins == 0 && state.references() == 0 {
                        self.gone.extend(table.remove(entry));
                    }
                }
            }
        }
        self.pinned = false;
    }

    /// What the construct has pinned may go.
    pub fn release(&mut self, context: &Context) {
        if self.pinned {
            context.device.maps.with(|table| self.unpin(table));
        }
        for gone in self.gone.drain(..) {
            context.free(&gone);
        }
    }

    /// Waits until the items' counterparts have addresses, of those that other constructs are about to make.
    #[inline(always)]
    pub fn await_allocated(&self) {
        for entry in self.items.iter().flat_map(|item| [item.entry, item.pointer_entry]).flatten() {
            if !entry.is_allocated() {
                entry.await_allocated();
            }
        }
    }

    /// Waits until the items' counterparts have their content, of those that other constructs are about to copy.
    #[inline(always)]
    pub fn await_ready(&mut self, context: &Context) {
        let mut waited = std::mem::take(&mut self.early);
        for entry in self.items.iter().flat_map(|item| [item.entry, item.pointer_entry]).flatten() {
            if !entry.is_ready() {
                entry.await_ready();
                waited = true;
            }
        }
        if waited {
            self.order_again(context);
        }
    }

    /// The stream goes on after what other constructs had not queued yet when the items were looked up.
    #[cold]
    fn order_again(&mut self, context: &Context) {
        context.device.maps.with(|table| {
            for entry in self.items.iter().flat_map(|item| [item.entry, item.pointer_entry]).flatten() {
                self.marks.extend(table.state(entry).mark);
            }
        });
        self.order(context);
    }

    /// The stream goes on after what other constructs have queued for the items' counterparts.
    #[inline(always)]
    pub fn order(&mut self, context: &Context) {
        for mark in self.marks.drain(..) {
            context.stream.after(mark);
        }
    }

    /// What has been queued so far is what others have to wait for who find the counterparts of items that are copied.
    #[cold]
    pub fn leave_marks(&mut self, context: &Context) {
        let mark = context.stream.mark();
        context.device.maps.with(|table| {
            for entry in self.items.iter().filter(|item| item.has(task::COPY)).filter_map(|item| item.entry) {
                table.state_mut(entry).mark = Some(mark);
            }
        });
    }

    /// The items that are to be copied and whose map type has `way`.
    fn copied(&self, way: u64) -> impl Iterator<Item = &Item> {
        self.items.iter().filter(move |item| item.has(task::COPY) && item.variable.kind.has(way))
    }

    /// Copies those items that are to be copied to the device.
    ///
    /// # Safety
    /// The variables are there until what is queued is complete.
    pub unsafe fn copy_to_device(&self, context: &Context) {
        for item in self.copied(MapType::TO) {
            for (begin, bytes) in self.runs(item) {
                let device = item.device_begin() + (begin - item.variable.begin);
                // SAFETY: the counterpart has as many bytes.
                unsafe { context.send(begin, begin, device, bytes) };
            }
        }
    }

    /// Copies those items that are to be copied from the device.
    ///
    /// # Safety
    /// The variables are there until what is queued is complete.
    pub unsafe fn copy_from_device(&self, context: &Context) {
        for item in self.copied(MapType::FROM) {
            for (begin, bytes) in self.runs(item) {
                let device = item.device_begin() + (begin - item.variable.begin);
                // SAFETY: the counterpart has as many bytes.
                unsafe { context.fetch(device, begin, bytes) };
            }
        }
    }

    /// Tells a tool of the mappings that are in effect now, or about to end.
    #[cold]
    pub fn tell_tool(&mut self, context: &Context, begin: bool) {
        self.mappings = Mappings::default();
        let is_told = |item: &&Item| item.entry.is_some() && !item.has(task::LATE) && !item.variable.kind.is_unmapped();
        for item in self.items.iter().filter(is_told) {
            let (variable, kind) = (item.variable, item.variable.kind);
            let copied = [(MapType::TO, TargetMapFlag::TO), (MapType::FROM, TargetMapFlag::FROM)];
            let mut flags = copied.iter().filter(|(bit, _)| kind.has(*bit)).fold(0, |flags, (_, flag)| flags | flag.0);
            if flags == 0 {
                flags = match (begin, kind.has(MapType::DELETE)) {
                    (_, true) => TargetMapFlag::DELETE.0,
                    (true, false) => TargetMapFlag::ALLOC.0,
                    (false, false) => TargetMapFlag::RELEASE.0,
                };
            }
            flags |= modifiers(kind);
            if item.device_begin() == variable.begin {
                flags |= TargetMapFlag::SHARED.0;
            }
            self.mappings.push(variable.begin, item.device_begin(), variable.bytes, flags as u32);
        }
        ompt::target_map(context.tool, &mut self.mappings);
    }

    /// Frees the device's memory for private variables.
    pub fn free_privates(&mut self, context: &Context) {
        let (address, bytes) = std::mem::take(&mut self.privates);
        if address != 0 {
            context.free_memory(address, address, bytes, bytes);
        }
    }
}

/// Works that no construct uses just now.
pub struct Works {
    slots: [AtomicPtr<Work>; Works::COUNT],
}

/// What a mapping's modifiers are to tools; all but the first are those of OpenMP 5.2.
fn modifiers(kind: MapType) -> i32 {
    let all = [
        (MapType::IMPLICIT, TargetMapFlag::IMPLICIT),
        (MapType::ALWAYS, TargetMapFlag::ALWAYS),
        (MapType::PRESENT, TargetMapFlag::PRESENT),
        (MapType::CLOSE, TargetMapFlag::CLOSE),
    ];
    all.iter().filter(|(bit, _)| kind.has(*bit)).fold(0, |flags, (_, flag)| flags | flag.0)
}

impl Works {
    /// As many constructs at once use memory that others have left.
    const COUNT: usize = 8;
    /// Larger ones are not kept.
    const MOST_ITEMS: usize = 4096;

    pub const fn new() -> Self {
        Works { slots: [const { AtomicPtr::new(std::ptr::null_mut()) }; Self::COUNT] }
    }

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

impl Default for Works {
    fn default() -> Self {
        Self::new()
    }
}

/// The result of a phase.
pub type Done = Result<(), Failure>;
