//! Allocators and their handles: small numbers for predefined allocators, numbers above [`LAST_PREDEFINED`] for
//! allocators that programs make. An invalid handle is recognized. OpenMP 5.1 §3.13.2, §3.13.3.

use crate::model::atomic::{AtomicPtr, AtomicU32, AtomicUsize, Ordering};
use crate::shown;
use std::ffi::{CString, c_char};
use std::fmt;
use std::ptr;

use ompd_layout::Field;

use super::handle::Handle;
use super::spaces::{Composed, Space};
use super::traits::{PREDEFINED, Traits};
use crate::layout::{Shown, place};

/// No predefined allocator has a larger handle (`kmp_max_mem_alloc` of libomp).
pub const LAST_PREDEFINED: Handle = 1024;

/// The most allocators of programs at a time. Unused parts of the table take no memory.
const CAPACITY: usize = 1 << 14;

/// An allocator. Only `used` changes once the allocator is in the table.
pub struct Allocator {
    pub handle: Handle,
    /// The number that the headers of the allocator's blocks have.
    pub serial: u32,
    pub space: Space,
    /// The composed space that the allocator is made of, whose resources belong to `space`.
    pub composed: Option<&'static Composed>,
    pub traits: Traits,
    /// The program cannot destroy the allocator.
    lasting: bool,
    /// Bytes of the blocks that are in use, where the pool has a limit. Written and read by every thread that uses the
    /// allocator.
    used: AtomicUsize,
    /// The allocator's space and traits in the form of `OMP_ALLOCATOR`, for debuggers; null for a predefined allocator.
    text: AtomicPtr<c_char>,
}

/// The allocators that programs have made, by handle; null where there is none.
static TABLE: [AtomicPtr<Allocator>; CAPACITY] = [const { AtomicPtr::new(ptr::null_mut()) }; CAPACITY];

/// The predefined allocators, in the order of their table.
static DEFAULTS: [Allocator; PREDEFINED.len()] = {
    let mut all = [const { Allocator::new(0, 0, Space::Default, Traits::DEFAULT) }; PREDEFINED.len()];
    let mut index = 0;
    while index < all.len() {
        let one = &PREDEFINED[index];
        all[index] = Allocator::new(one.handle, 0, one.space, one.traits);
        index += 1;
    }
    all
};

impl Allocator {
    const fn new(handle: Handle, serial: u32, space: Space, traits: Traits) -> Allocator {
        let (used, text) = (AtomicUsize::new(0), AtomicPtr::new(ptr::null_mut()));
        Allocator { handle, serial, space, composed: None, traits, lasting: false, used, text }
    }

    /// The field that debuggers read.
    pub const SHOWN: Shown = &[(Field::AllocatorText, place!(Allocator, text))];

    /// Takes bytes of the pool; false where the pool has too few left.
    pub fn charge(&self, bytes: usize) -> bool {
        let limit = self.traits.pool_size;
        if limit == usize::MAX {
            return true;
        }
        let grown = |used: usize| used.checked_add(bytes).filter(|&sum| sum <= limit);
        self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, grown).is_ok()
    }

    /// Gives bytes back to the pool.
    pub fn discharge(&self, bytes: usize) {
        if self.traits.pool_size != usize::MAX {
            self.used.fetch_sub(bytes, Ordering::Relaxed);
        }
    }
}

impl fmt::Display for Allocator {
    /// The form of `OMP_ALLOCATOR`.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.composed {
            Some(space) => write!(f, "{space}{}", self.traits),
            None => write!(f, "{}{}", self.space.name(), self.traits),
        }
    }
}

/// The table of the allocators that programs have made, the handle of the first entry, and the number of entries.
pub fn made() -> (&'static [AtomicPtr<Allocator>], u32, u32) {
    (&TABLE, LAST_PREDEFINED + 1, CAPACITY as u32)
}

fn slot(handle: usize) -> Option<&'static AtomicPtr<Allocator>> {
    TABLE.get(handle.checked_sub(LAST_PREDEFINED as usize + 1)?)
}

/// The allocator that a handle names. A program must not destroy an allocator that it uses.
pub fn find(handle: usize) -> Option<&'static Allocator> {
    // The handles of OpenMP's allocators are 1, 2, …
    if let Some(allocator) = DEFAULTS.get(handle.wrapping_sub(1))
        && allocator.handle as usize == handle
    {
        return Some(allocator);
    }
    if let Some(slot) = slot(handle) {
        // SAFETY: an entry points to a boxed allocator, which is freed only when the program destroys the allocator.
        // The program must not do so during another use.
        return unsafe { slot.load(Ordering::Acquire).as_ref() };
    }
    DEFAULTS.iter().find(|allocator| allocator.handle as usize == handle)
}

/// Makes an allocator; `None` where there are too many.
pub fn add(space: Space, traits: Traits) -> Option<Handle> {
    enter(Allocator::new(0, 0, space, traits))
}

/// Makes an allocator of a space that a program has composed; `None` where there are too many. Programs cannot destroy
/// a `lasting` allocator.
pub fn add_composed(space: &'static Composed, traits: Traits, lasting: bool) -> Option<Handle> {
    enter(Allocator { composed: Some(space), lasting, ..Allocator::new(0, 0, space.base, traits) })
}

/// Puts an allocator into the table, with a handle and the text for debuggers.
fn enter(allocator: Allocator) -> Option<Handle> {
    /// How many allocators have been made. The search for a free entry begins there, so that no handle is soon reused.
    static MADE: AtomicU32 = AtomicU32::new(0);
    let made = MADE.fetch_add(1, Ordering::Relaxed);
    let mut new = Box::new(Allocator { serial: made.wrapping_add(1), ..allocator });
    *new.text.get_mut() = shown::c_string(new.to_string().as_bytes()).into_raw();
    for step in 0..CAPACITY {
        let index = (made as usize + step) % CAPACITY;
        new.handle = LAST_PREDEFINED + 1 + index as Handle;
        let handle = new.handle;
        let pointer = Box::into_raw(new);
        if TABLE[index].compare_exchange(ptr::null_mut(), pointer, Ordering::Release, Ordering::Relaxed).is_ok() {
            return Some(handle);
        }
        // SAFETY: the pointer came from a box just now, and is not in the table.
        new = unsafe { Box::from_raw(pointer) };
    }
    free(*new);
    None
}

/// Destroys an allocator that a program has made; false where the handle names none. A lasting allocator stays.
pub fn remove(handle: usize) -> bool {
    let Some(slot) = slot(handle) else { return false };
    if find(handle).is_some_and(|allocator| allocator.lasting) {
        return true;
    }
    let pointer = slot.swap(ptr::null_mut(), Ordering::AcqRel);
    if pointer.is_null() {
        return false;
    }
    // SAFETY: the pointer came from a box in `enter`. The swap took it out of the table, so that only this call has it,
    // and the program uses the allocator no more.
    free(*unsafe { Box::from_raw(pointer) });
    true
}

/// Frees an allocator that a program has made. The type has no destructor, which the constant table does not allow.
fn free(mut allocator: Allocator) {
    // SAFETY: the text came from a string in `enter`.
    drop(unsafe { CString::from_raw(*allocator.text.get_mut()) });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::allocators::traits::Fallback;

    #[test]
    fn predefined_allocators() {
        for handle in (1..=8).chain(100..=102).chain([201]) {
            let allocator = find(handle).unwrap();
            assert_eq!(allocator.handle as usize, handle);
            let expected = if handle == 1 { Fallback::Null } else { Fallback::DefaultMem };
            assert_eq!(allocator.traits.fallback, expected);
            assert!(!remove(handle));
        }
        assert!(find(200).unwrap().traits.pinned);
        assert_eq!(find(4).unwrap().space, Space::HighBw);
        assert_eq!(find(102).unwrap().space, Space::TargetDevice);
        for handle in [0, 9, 13, 99, 103, 199, 202, 1024, usize::MAX, LAST_PREDEFINED as usize + 1 + CAPACITY] {
            assert!(find(handle).is_none() && !remove(handle), "{handle}");
        }
    }

    #[test]
    fn made_allocators_come_and_go() {
        let traits = Traits { pool_size: 100, ..Traits::DEFAULT };
        let first = add(Space::Default, traits).unwrap();
        let second = add(Space::Const, Traits::DEFAULT).unwrap();
        assert!(first > LAST_PREDEFINED && second > LAST_PREDEFINED && first != second);
        assert_eq!(find(second as usize).unwrap().space, Space::Const);
        assert!(remove(first as usize) && find(first as usize).is_none() && !remove(first as usize));
        assert!(remove(second as usize));
    }

    #[test]
    fn a_pool_is_exact() {
        let allocator = Allocator::new(2000, 1, Space::Default, Traits { pool_size: 100, ..Traits::DEFAULT });
        assert!(allocator.charge(60) && allocator.charge(40));
        assert!(!allocator.charge(1));
        allocator.discharge(40);
        assert!(!allocator.charge(41) && !allocator.charge(usize::MAX) && allocator.charge(40));
    }
}
