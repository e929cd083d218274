//! A device's mapping table: which ranges of the host's memory have counterparts on the device, and how often each is
//! referred to (OpenMP 5.1 §2.21.7.1). The protocol by which threads share it is in `README.md`.

use super::failure::Failure;
use super::stage::{self, Stage};
use super::types::{POINTER, Variable};
use crate::device::driver::{Address, Mark};
use crate::model::atomic::{AtomicUsize, Ordering};
use crate::park::mutex::Mutex;
use std::cell::UnsafeCell;
use std::collections::BTreeMap;
use std::ffi::c_char;
use std::ops::Bound;

/// A count that never changes: what is associated, or declared for the device, stays.
pub const INFINITE: u64 = u64::MAX;

/// A range of the host's memory that has a counterpart on the device. Entries live for ever, and are used again for
/// other ranges.
pub struct Entry {
    /// How far the counterpart is.
    pub stage: Stage,
    /// Where the counterpart begins. Written by whoever made the entry before it is allocated, then only read.
    device: AtomicUsize,
    /// The rest, for whoever holds the table.
    state: UnsafeCell<State>,
}

// SAFETY: the state is reached through the table alone, which its lock guards.
unsafe impl Sync for Entry {}

/// What the table's lock guards of an entry.
#[derive(Default)]
pub struct State {
    /// The range.
    pub host: usize,
    pub end: usize,
    /// Where the whole variable begins of which the range is a section.
    pub base: usize,
    /// The variable's name, as the compiler has it.
    pub name: usize,
    /// Bytes of the device's memory before the counterpart, for its alignment.
    pub padding: usize,
    /// The reference count, and the one of `ompx_hold`.
    pub dynamic: u64,
    pub hold: u64,
    /// Constructs that use the counterpart just now: it stays until they are done.
    pub pins: u32,
    /// The construct that made the entry.
    pub maker: u64,
    /// Whether the memory is the table's to free.
    pub owned: bool,
    /// Pointers in the range whose counterparts point to other counterparts, by offset.
    pub attached: Vec<Attached>,
    /// When what is queued for the counterpart, or from it, is complete.
    pub mark: Option<Mark>,
}

/// An attached pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attached {
    /// Where it lies in the range.
    pub offset: usize,
    /// What it is on the device.
    pub value: Address,
    /// Whether that has been written there, or is queued. Until then everybody writes it who relies on it.
    pub written: bool,
}

impl State {
    /// The references to the range, of both kinds.
    pub fn references(&self) -> u64 {
        if self.dynamic == INFINITE || self.hold == INFINITE { INFINITE } else { self.dynamic + self.hold }
    }

    /// One reference more.
    pub fn refer(&mut self, hold: bool) {
        let count = self.count(hold);
        if *count != INFINITE {
            *count += 1;
        }
    }

    /// One reference less, or none at all any more.
    pub fn release(&mut self, hold: bool, all: bool) {
        let count = self.count(hold);
        if *count != INFINITE {
            *count = if all { 0 } else { count.saturating_sub(1) };
        }
    }

    fn count(&mut self, hold: bool) -> &mut u64 {
        if hold { &mut self.hold } else { &mut self.dynamic }
    }

    /// Where attached pointers lie in a part of the range, by address.
    pub fn attached_within(&self, begin: usize, end: usize) -> impl Iterator<Item = usize> {
        let first = self.attached.partition_point(|pointer| self.host + pointer.offset < begin);
        let addresses = self.attached[first..].iter().map(|pointer| self.host + pointer.offset);
        addresses.take_while(move |&address| address + POINTER <= end)
    }

    fn attached_mut(&mut self, offset: usize) -> Option<&mut Attached> {
        let index = self.attached.binary_search_by_key(&offset, |pointer| pointer.offset).ok()?;
        Some(&mut self.attached[index])
    }
}

impl Entry {
    /// Where the counterpart begins. The stage has come to [`ALLOCATED`](stage::ALLOCATED).
    #[inline(always)]
    pub fn device(&self) -> Address {
        self.device.load(Ordering::Relaxed)
    }

    /// Notes the address, for the entry's maker.
    pub fn set_allocated(&self, device: Address) {
        self.device.store(device, Ordering::Relaxed);
        self.stage.set(stage::ALLOCATED);
    }
}

/// What the table knows of a range.
#[derive(Clone, Copy)]
pub enum Found {
    /// The whole of it has a counterpart.
    Inside(&'static Entry),
    /// A part of it has one, and another part has not.
    Partly(&'static Entry),
    Nothing,
}

/// The mapping table of a device.
pub struct Table {
    inner: Mutex<Inner>,
}

/// The table, for whoever holds its lock.
#[derive(Default)]
pub struct Inner {
    /// By the host's address. Ranges do not overlap.
    entries: BTreeMap<usize, &'static Entry>,
    /// Entries without a range.
    spare: Vec<&'static Entry>,
    /// The number of the last construct.
    serial: u64,
}

impl Default for Table {
    fn default() -> Self {
        Table { inner: Mutex::new(Inner::default()) }
    }
}

impl Table {
    /// Runs `body` with the table to itself. It must not call back into the program or a tool, nor allocate on the
    /// device.
    #[inline(always)]
    pub fn with<R>(&self, body: impl FnOnce(&mut Inner) -> R) -> R {
        self.inner.with(body)
    }

    /// In a forked child that keeps the device: whoever held the table is not there.
    pub fn force_open(&self) {
        self.inner.force_open();
    }

    /// In a forked child: there is no device any more, and nothing is mapped.
    pub fn renew_after_fork(&self) {
        self.inner.renew_after_fork();
    }

    /// A variable of the program has a counterpart in an image that was loaded. If it has another one already, that
    /// stays.
    pub fn declare(&self, host: usize, bytes: usize, device: Address, name: *const c_char) {
        self.with(|table| {
            if matches!(table.find(host, bytes), Found::Nothing) {
                table.associate(host, bytes, device, name);
            }
        });
    }

    /// Memory of the device stands for a variable from here on (`omp_target_associate_ptr`). False if a part of the
    /// variable has another counterpart already.
    pub fn associate(&self, host: usize, bytes: usize, device: Address) -> bool {
        self.with(|table| match table.find(host, bytes) {
            Found::Nothing => {
                table.associate(host, bytes, device, std::ptr::null());
                true
            }
            Found::Inside(entry) => entry.device() == device && table.range(entry) == (host, host + bytes),
            Found::Partly(_) => false,
        })
    }

    /// It stands for it no longer (`omp_target_disassociate_ptr`), or the image is about to be unloaded. The device's
    /// address and the size; none if nothing is associated there, or something still holds it.
    pub fn disassociate(&self, host: usize) -> Option<(Address, usize)> {
        self.with(|table| {
            let entry = *table.entries.get(&host)?;
            let state = table.state(entry);
            if state.dynamic != INFINITE || state.hold != 0 || state.pins != 0 {
                return None;
            }
            let bytes = state.end - state.host;
            table.remove(entry);
            Some((entry.device(), bytes))
        })
    }

    /// The device's address of the counterpart of a byte of the host's memory.
    pub fn device_address(&self, host: usize) -> Option<Address> {
        let (entry, offset) = self.with(|table| match table.find(host, 1) {
            Found::Inside(entry) => Some((entry, host - table.state(entry).host)),
            _ => None,
        })?;
        entry.stage.reach(stage::ALLOCATED);
        Some(entry.device() + offset)
    }

    /// Calls `with` for each range, by address. For display.
    pub fn for_each(&self, mut with: impl FnMut(&State, Address)) {
        self.with(|table| {
            for &entry in table.entries.values() {
                with(table.state(entry), entry.device());
            }
        });
    }
}

impl Inner {
    /// The number of a construct.
    pub fn next_serial(&mut self) -> u64 {
        self.serial += 1;
        self.serial
    }

    /// An entry's guarded part.
    #[inline(always)]
    pub fn state(&self, entry: &Entry) -> &State {
        // SAFETY: whoever has the table has its entries' states; they change through `&mut self` alone.
        unsafe { &*entry.state.get() }
    }

    /// An entry's guarded part, to change.
    #[inline(always)]
    pub fn state_mut(&mut self, entry: &Entry) -> &mut State {
        // SAFETY: as above.
        unsafe { &mut *entry.state.get() }
    }

    fn range(&self, entry: &Entry) -> (usize, usize) {
        let state = self.state(entry);
        (state.host, state.end)
    }

    /// What is known of a range. One of no bytes is inside of a range that holds its address, or where the whole
    /// variable is known to reach over it.
    #[inline]
    pub fn find(&self, begin: usize, bytes: usize) -> Found {
        let before = self.entries.range(..=begin).next_back().map(|(_, &entry)| entry);
        if let Some(entry) = before {
            let state = self.state(entry);
            if begin < state.end {
                return if bytes <= state.end - begin { Found::Inside(entry) } else { Found::Partly(entry) };
            }
            if bytes == 0 && begin < state.base {
                return Found::Inside(entry);
            }
        }
        match self.entries.range((Bound::Excluded(begin), Bound::Unbounded)).next() {
            Some((&host, &entry)) if bytes != 0 && host - begin < bytes => Found::Partly(entry),
            Some((_, &entry)) if bytes == 0 && begin >= self.state(entry).base => Found::Inside(entry),
            _ => Found::Nothing,
        }
    }

    /// Makes an entry for a variable of which nothing is known, with one reference.
    pub fn make(&mut self, variable: &Variable, padding: usize, hold: bool, maker: u64) -> &'static Entry {
        let entry = self.unused();
        entry.stage.set(stage::NEW);
        *self.state_mut(entry) = State {
            host: variable.begin,
            end: variable.end(),
            base: variable.base,
            name: variable.name as usize,
            padding,
            dynamic: u64::from(!hold),
            hold: u64::from(hold),
            pins: 0,
            maker,
            owned: true,
            attached: Vec::new(),
            mark: None,
        };
        self.entries.insert(variable.begin, entry);
        entry
    }

    fn associate(&mut self, host: usize, bytes: usize, device: Address, name: *const c_char) {
        let entry = self.unused();
        entry.device.store(device, Ordering::Relaxed);
        entry.stage.set(stage::READY);
        *self.state_mut(entry) =
            State { host, end: host + bytes, base: host, name: name as usize, dynamic: INFINITE, ..State::default() };
        self.entries.insert(host, entry);
    }

    fn unused(&mut self) -> &'static Entry {
        self.spare.pop().unwrap_or_else(|| {
            let state = UnsafeCell::new(State::default());
            Box::leak(Box::new(Entry { stage: Stage::default(), device: AtomicUsize::new(0), state }))
        })
    }

    /// Nobody uses the counterpart any more and nothing refers to it: it is forgotten. What is to be freed, if it is
    /// the table's.
    pub fn remove(&mut self, entry: &'static Entry) -> Option<Gone> {
        let state = std::mem::take(self.state_mut(entry));
        self.entries.remove(&state.host);
        self.spare.push(entry);
        let device = entry.device();
        let bytes = state.end - state.host;
        state.owned.then_some(Gone {
            host: state.host,
            device,
            padding: state.padding,
            bytes,
            name: state.name as *const c_char,
        })
    }

    /// A pointer is about to be attached. False if it is attached so already, and nothing need be written.
    pub fn attach(&mut self, entry: &Entry, offset: usize, value: Address) -> bool {
        let attached = &mut self.state_mut(entry).attached;
        let new = Attached { offset, value, written: false };
        match attached.binary_search_by_key(&offset, |pointer| pointer.offset) {
            Ok(index) if attached[index].value == value => !attached[index].written,
            Ok(index) => {
                attached[index] = new;
                true
            }
            Err(index) => {
                attached.insert(index, new);
                true
            }
        }
    }

    /// The counterpart of a pointer has been written, or that is queued.
    pub fn written(&mut self, entry: &Entry, offset: usize, value: Address) {
        if let Some(pointer) = self.state_mut(entry).attached_mut(offset) {
            pointer.written |= pointer.value == value;
        }
    }

    /// Whether a pointer is attached so already.
    pub fn is_attached(&mut self, entry: &Entry, offset: usize, value: Address) -> bool {
        self.state_mut(entry).attached_mut(offset).is_some_and(|pointer| pointer.written && pointer.value == value)
    }

    /// A variable of which a part is mapped, and the whole is not.
    #[cold]
    pub fn overlap(&self, variable: &Variable, entry: &Entry) -> Failure {
        let state = self.state(entry);
        Failure::Overlap { variable: *variable, host: state.host, end: state.end, name: state.name as *const c_char }
    }
}

/// Memory of the device for which the table has no use any more.
pub struct Gone {
    pub host: usize,
    /// Where the counterpart was; the memory begins `padding` bytes before it.
    pub device: Address,
    pub padding: usize,
    pub bytes: usize,
    pub name: *const c_char,
}
