//! A device's mapping table: which ranges of the host's memory have counterparts on the device, and the reference
//! counts of each (OpenMP 5.1 §2.21.7.1). `README.md` has the protocol by which threads share the table.

use super::failure::Failure;
use super::stage::{self, Stage};
use super::types::{Name, POINTER, Variable};
use crate::device::driver::{Address, Mark};
use crate::model::atomic::{AtomicUsize, Ordering};
use crate::park::mutex::Mutex;
use std::cell::UnsafeCell;
use std::collections::BTreeMap;
use std::ops::Bound;

/// A count that never changes: associated memory, and variables that are declared for the device, stay.
pub const INFINITE: u64 = u64::MAX;

/// A range of the host's memory that has a counterpart on the device. Entries live for ever, and are reused for other
/// ranges.
pub struct Entry {
    /// How far the counterpart is.
    pub stage: Stage,
    /// Where the counterpart begins. Written by the entry's maker before the stage `ALLOCATED`, then only read.
    device: AtomicUsize,
    /// The rest, for the holder of the table's lock.
    state: UnsafeCell<State>,
}

// SAFETY: only `Inner` gives access to the state, under the table's lock.
unsafe impl Sync for Entry {}

/// The part of an entry that the table's lock guards.
#[derive(Default)]
pub struct State {
    /// The range.
    pub host: usize,
    pub end: usize,
    /// Where the whole variable begins, if the range is a section of it.
    pub base: usize,
    pub name: Name,
    /// Bytes of the device's memory before the counterpart, for its alignment.
    pub padding: usize,
    /// The reference count, and the one of `ompx_hold`.
    pub dynamic: u64,
    pub hold: u64,
    /// The number of constructs that use the counterpart at the moment. It stays until they are done.
    pub pins: u32,
    /// The construct that made the entry.
    pub maker: u64,
    /// Whether the memory is the table's to free.
    pub owned: bool,
    /// Pointers in the range whose counterparts point to other counterparts, by offset.
    pub attached: Vec<Attached>,
    /// The mark behind all that is queued for the counterpart.
    pub mark: Option<Mark>,
}

/// An attached pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attached {
    /// Where it lies in the range.
    pub offset: usize,
    /// Its value on the device.
    pub value: Address,
    /// Whether the value has been written, or that is queued. Until then each construct that relies on it writes it.
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

    /// One reference less, or none if `all`.
    pub fn release(&mut self, hold: bool, all: bool) {
        let count = self.count(hold);
        if *count != INFINITE {
            *count = if all { 0 } else { count.saturating_sub(1) };
        }
    }

    fn count(&mut self, hold: bool) -> &mut u64 {
        if hold { &mut self.hold } else { &mut self.dynamic }
    }

    /// The host's addresses of the attached pointers in a part of the range.
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

/// The result of a lookup.
#[derive(Clone, Copy)]
pub enum Found {
    /// The whole range has a counterpart.
    Inside(&'static Entry),
    /// Only a part of the range has a counterpart.
    Partly(&'static Entry),
    Nothing,
}

/// The mapping table of a device.
pub struct Table {
    inner: Mutex<Inner>,
}

/// The table, for the holder of its lock.
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
    /// Calls `body` under the table's lock. `body` must not call the program or a tool, and not allocate on the device.
    #[inline(always)]
    pub fn with<R>(&self, body: impl FnOnce(&mut Inner) -> R) -> R {
        self.inner.with(body)
    }

    /// In a forked child, where the thread that held the lock does not exist.
    pub fn force_open(&self) {
        self.inner.force_open();
    }

    /// In a forked child without the device: nothing is mapped.
    pub fn renew_after_fork(&self) {
        self.inner.renew_after_fork();
    }

    /// Adds a variable that has a counterpart in a loaded image. A counterpart from another image stays.
    pub fn declare(&self, host: usize, bytes: usize, device: Address, name: Name) {
        self.with(|table| {
            if matches!(table.find(host, bytes), Found::Nothing) {
                table.associate(host, bytes, device, name);
            }
        });
    }

    /// Associates memory of the device with a variable (`omp_target_associate_ptr`). False if a part of the variable
    /// has another counterpart.
    pub fn associate(&self, host: usize, bytes: usize, device: Address) -> bool {
        self.with(|table| match table.find(host, bytes) {
            Found::Nothing => {
                table.associate(host, bytes, device, Name::default());
                true
            }
            Found::Inside(entry) => {
                let state = table.state(entry);
                entry.device() == device && (state.host, state.end) == (host, host + bytes)
            }
            Found::Partly(_) => false,
        })
    }

    /// Ends an association (`omp_target_disassociate_ptr`), or that of an image which is about to be unloaded. The
    /// device's address and the size; `None` if nothing is associated there, or a construct refers to it.
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
    /// A new number for a construct.
    pub fn next_serial(&mut self) -> u64 {
        self.serial += 1;
        self.serial
    }

    /// An entry's guarded part.
    #[inline(always)]
    pub fn state(&self, entry: &Entry) -> &State {
        // SAFETY: a reference to `Inner` holds the table's lock, and states change through `&mut self` alone.
        unsafe { &*entry.state.get() }
    }

    /// An entry's guarded part, to change.
    #[inline(always)]
    pub fn state_mut(&mut self, entry: &Entry) -> &mut State {
        // SAFETY: as for `state`.
        unsafe { &mut *entry.state.get() }
    }

    /// Looks up a range. An empty range is inside of an entry that contains its address, or whose whole variable does.
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

    /// Makes an entry with one reference for a variable that has none.
    pub fn make(&mut self, variable: &Variable, padding: usize, hold: bool, maker: u64) -> &'static Entry {
        let entry = self.unused();
        entry.stage.set(stage::NEW);
        *self.state_mut(entry) = State {
            host: variable.begin,
            end: variable.end(),
            base: variable.base,
            name: variable.name,
            padding,
            dynamic: u64::from(!hold),
            hold: u64::from(hold),
            maker,
            owned: true,
            ..State::default()
        };
        self.entries.insert(variable.begin, entry);
        entry
    }

    fn associate(&mut self, host: usize, bytes: usize, device: Address, name: Name) {
        let entry = self.unused();
        entry.device.store(device, Ordering::Relaxed);
        entry.stage.set(stage::READY);
        *self.state_mut(entry) =
            State { host, end: host + bytes, base: host, name, dynamic: INFINITE, ..State::default() };
        self.entries.insert(host, entry);
    }

    fn unused(&mut self) -> &'static Entry {
        self.spare.pop().unwrap_or_else(|| {
            let state = UnsafeCell::new(State::default());
            Box::leak(Box::new(Entry { stage: Stage::default(), device: AtomicUsize::new(0), state }))
        })
    }

    /// Forgets an entry without pins and references. The result is the memory to free, if the table owns it.
    pub fn remove(&mut self, entry: &'static Entry) -> Option<Gone> {
        let state = std::mem::take(self.state_mut(entry));
        self.entries.remove(&state.host);
        self.spare.push(entry);
        let State { host, end, padding, name, .. } = state;
        state.owned.then(|| Gone { host, device: entry.device(), padding, bytes: end - host, name })
    }

    /// Notes that a pointer is about to be attached. False if it is attached already, so that nothing is to be written.
    pub fn attach(&mut self, entry: &Entry, offset: usize, value: Address) -> bool {
        let attached = &mut self.state_mut(entry).attached;
        let new = Attached { offset, value, written: false };
        match attached.binary_search_by_key(&offset, |pointer| pointer.offset) {
            Ok(index) if attached[index].value == value => return !attached[index].written,
            Ok(index) => attached[index] = new,
            Err(index) => attached.insert(index, new),
        }
        true
    }

    /// Notes that the counterpart of a pointer has been written, or that the write is queued.
    pub fn written(&mut self, entry: &Entry, offset: usize, value: Address) {
        if let Some(pointer) = self.state_mut(entry).attached_mut(offset) {
            pointer.written |= pointer.value == value;
        }
    }

    /// Whether a pointer is attached with this value.
    pub fn is_attached(&mut self, entry: &Entry, offset: usize, value: Address) -> bool {
        self.state_mut(entry).attached_mut(offset).is_some_and(|pointer| pointer.written && pointer.value == value)
    }

    /// The failure of a variable that is only partly mapped.
    #[cold]
    pub fn overlap(&self, variable: &Variable, entry: &Entry) -> Failure {
        let state = self.state(entry);
        Failure::Overlap { variable: *variable, host: state.host, end: state.end, name: state.name }
    }
}

/// Memory of the device that the table has forgotten.
pub struct Gone {
    pub host: usize,
    /// Where the counterpart was; the memory begins `padding` bytes before it.
    pub device: Address,
    pub padding: usize,
    pub bytes: usize,
    pub name: Name,
}
