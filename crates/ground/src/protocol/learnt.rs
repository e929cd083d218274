//! What is learnt about functions while they run, so that all members of a team go by the same knowledge.
//!
//! A property that is found to hold gets a number, the number of properties found so far. A region keeps the number
//! that was the latest when the region began. Its members believe a property only if the property's number is no
//! larger. So a property that is found during a region counts for none of its members, and for all members of the
//! regions that begin later.
//!
//! The protocol stands in the runtime's `work/README.md`; `tests/loom_learnt.rs` models it.

use crate::model::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use crate::model::mutation;

/// A function is looked for in so many entries.
const PROBES: usize = 4;

/// What is known about up to `N` functions.
pub struct Learnt<const N: usize> {
    entries: [Entry; N],
    /// The number of properties found.
    found: AtomicU32,
    /// Whether a thread is adding to them.
    adding: AtomicBool,
}

/// A function may have so many properties.
const PROPERTIES: usize = 3;

/// What is known about a function.
pub struct Entry {
    /// The function's address; 0 while the entry is free.
    function: AtomicUsize,
    /// Each property's number; 0 while it has not been found.
    numbers: [AtomicU32; PROPERTIES],
    /// How often the function was met.
    met: AtomicU32,
    /// How often the function was measured.
    measured: AtomicU32,
    /// The smallest measure.
    least: AtomicU32,
}

impl Entry {
    #[cfg(not(loom))]
    const fn new() -> Self {
        Entry {
            function: AtomicUsize::new(0),
            numbers: [const { AtomicU32::new(0) }; PROPERTIES],
            met: AtomicU32::new(0),
            measured: AtomicU32::new(0),
            least: AtomicU32::new(u32::MAX),
        }
    }

    #[cfg(loom)]
    fn new() -> Self {
        Entry {
            function: AtomicUsize::new(0),
            numbers: std::array::from_fn(|_| AtomicU32::new(0)),
            met: AtomicU32::new(0),
            measured: AtomicU32::new(0),
            least: AtomicU32::new(u32::MAX),
        }
    }

    /// Whether the members of a region that began at `since` go by a property, below [`PROPERTIES`].
    #[inline]
    pub fn holds(&self, property: usize, since: u32) -> bool {
        // Relaxed: a number that is no larger than `since` was written before the region began.
        let number = self.numbers[property].load(Ordering::Relaxed);
        number != 0 && number <= since
    }

    /// Whether a property has been found, for whatever region.
    pub fn has(&self, property: usize) -> bool {
        self.numbers[property].load(Ordering::Relaxed) != 0
    }

    /// Counts that the function was met. Returns how often that was.
    pub fn meet(&self) -> u32 {
        self.met.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Adds a measure. Returns the smallest one if there are `enough`.
    pub fn measure(&self, value: u32, enough: u32) -> Option<u32> {
        let least = self.least.fetch_min(value, Ordering::Relaxed).min(value);
        (self.measured.fetch_add(1, Ordering::Relaxed) + 1 >= enough).then_some(least)
    }
}

/// Where the search for a function's entry begins. The lowest bits of an address say little.
#[inline(always)]
fn place(function: usize) -> usize {
    function / 16
}

impl<const N: usize> Learnt<N> {
    /// Nothing is known.
    #[cfg(not(loom))]
    pub const fn new() -> Self {
        Learnt { entries: [const { Entry::new() }; N], found: AtomicU32::new(0), adding: AtomicBool::new(false) }
    }

    /// Nothing is known.
    #[cfg(loom)]
    pub fn new() -> Self {
        Learnt {
            entries: std::array::from_fn(|_| Entry::new()),
            found: AtomicU32::new(0),
            adding: AtomicBool::new(false),
        }
    }

    /// What a region that begins now keeps.
    #[inline(always)]
    pub fn now(&self) -> u32 {
        // Acquire: the members of the region see the properties up to here.
        self.found.load(mutation::or_relaxed("learnt: read relaxed", Ordering::Acquire))
    }

    /// The entry of a function, which may be a new one; none if there is no room. All threads get the same answer at
    /// all times: an entry stays its function's, and where there was no room once, there never is.
    #[inline]
    pub fn entry(&self, function: usize) -> Option<&Entry> {
        let entry = &self.entries[place(function) % N];
        if entry.function.load(Ordering::Relaxed) == function { Some(entry) } else { self.search(function) }
    }

    #[cold]
    fn search(&self, function: usize) -> Option<&Entry> {
        (0..PROBES.min(N)).map(|probe| &self.entries[(place(function) + probe) % N]).find(|entry| {
            let owner = match entry.function.load(Ordering::Relaxed) {
                0 => entry.function.compare_exchange(0, function, Ordering::Relaxed, Ordering::Relaxed),
                owner => Err(owner),
            };
            owner.is_ok() || owner == Err(function)
        })
    }

    /// A property, below [`PROPERTIES`], holds for the function of this entry. Nothing happens if another thread is
    /// about to say such a thing of any function: the caller will find the property again.
    pub fn found(&self, entry: &Entry, property: usize) {
        if self.adding.swap(true, Ordering::Acquire) {
            return;
        }
        if !entry.has(property) {
            let number = self.found.load(Ordering::Relaxed) + 1;
            if mutation::is("learnt: counted before it is written") {
                self.found.store(number, Ordering::Release);
            }
            entry.numbers[property].store(number, Ordering::Relaxed);
            // Release: whoever reads this number sees the property.
            self.found.store(number, mutation::or_relaxed("learnt: counted relaxed", Ordering::Release));
        }
        self.adding.store(false, Ordering::Release);
    }

    /// In a forked child, whose parent may have had a thread in [`found`](Self::found). A number that this thread has
    /// written and not counted is given out again, which does no harm.
    pub fn after_fork(&self) {
        self.adding.store(false, Ordering::Release);
    }
}

#[cfg(not(loom))]
impl<const N: usize> Default for Learnt<N> {
    fn default() -> Self {
        Learnt::new()
    }
}

#[cfg(all(test, not(any(loom, simulated))))]
mod tests {
    use super::*;

    #[test]
    fn a_property_counts_for_later_regions() {
        let learnt = Learnt::<8>::new();
        let entry = learnt.entry(0x1000).unwrap();
        let before = learnt.now();
        assert!(!entry.holds(0, before) && !entry.has(0));
        assert_eq!((entry.meet(), entry.meet()), (1, 2));
        assert_eq!(entry.measure(70, 2), None);
        assert_eq!(entry.measure(90, 2), Some(70));
        learnt.found(entry, 0);
        let then = learnt.now();
        assert!(entry.has(0) && !entry.holds(0, before) && entry.holds(0, then));
        learnt.found(entry, 1);
        assert!(!entry.holds(1, then) && entry.holds(1, learnt.now()));
        let other = learnt.entry(0x2000).unwrap();
        assert!(!other.holds(0, learnt.now()) && !other.has(0));
    }

    #[test]
    fn without_room_there_is_no_entry() {
        let learnt = Learnt::<2>::new();
        let entry = |function| learnt.entry(function).map(std::ptr::from_ref);
        let (one, two) = (entry(0x10), entry(0x20));
        assert!(one.is_some() && two.is_some() && one != two);
        assert_eq!(entry(0x30), None);
        assert_eq!((entry(0x10), entry(0x20)), (one, two));
    }
}
