//! A map from addresses of the program to a device's handles. A lookup is one hash access without a lock, for the
//! kernel of a target region that is repeated (OpenMP 5.1 §2.14.5).

use crate::model::atomic::{AtomicPtr, AtomicUsize, Ordering};
use crate::park::mutex::Mutex;

/// The key of a free slot: nothing of a program lies at address 0.
const FREE: usize = 0;
/// The key of a removed entry: searches go on behind it.
const REMOVED: usize = usize::MAX;

/// A word for each address. Any thread may look up an address at any time; changes are made one at a time.
pub struct Addresses {
    slots: AtomicPtr<Slots>,
    /// The number of slots that are taken, or were. Held while slots change.
    used: Mutex<usize>,
}

/// A power of two of slots, at most half of them taken.
struct Slots {
    mask: usize,
    slots: Box<[Slot]>,
}

#[derive(Default)]
struct Slot {
    key: AtomicUsize,
    value: AtomicUsize,
}

impl Addresses {
    /// The word for `address`.
    #[inline]
    pub fn get(&self, address: usize) -> Option<usize> {
        // SAFETY: null or slots, which are never freed.
        let slots = unsafe { self.slots.load(Ordering::Acquire).as_ref() }?;
        slots.find(address).map(|slot| slot.value.load(Ordering::Relaxed))
    }

    /// Sets the word for an address, which is not 0.
    pub fn insert(&self, address: usize, value: usize) {
        self.used.with(|used| {
            let slots = self.with_free_slot(used);
            let slot = slots.find(address).unwrap_or_else(|| slots.vacant(address));
            *used += usize::from(slot.key.load(Ordering::Relaxed) == FREE);
            slot.value.store(value, Ordering::Relaxed);
            // Release: a thread that finds the key finds its value.
            slot.key.store(address, Ordering::Release);
        });
    }

    /// Removes an address. No thread looks it up meanwhile.
    pub fn remove(&self, address: usize) {
        self.used.with(|_| {
            // SAFETY: as in `get`.
            let Some(slots) = (unsafe { self.slots.load(Ordering::Relaxed).as_ref() }) else { return };
            if let Some(slot) = slots.find(address) {
                slot.key.store(REMOVED, Ordering::Relaxed);
            }
        });
    }

    /// In a forked child.
    pub fn after_fork(&self) {
        self.used.renew_after_fork();
        self.slots.store(std::ptr::null_mut(), Ordering::Relaxed);
    }

    /// The slots, of which one more can be taken. Slots that are replaced are never freed, because a thread may be
    /// reading them. All of them together are smaller than the new ones.
    fn with_free_slot(&self, used: &mut usize) -> &Slots {
        // SAFETY: as in `get`.
        let old = unsafe { self.slots.load(Ordering::Relaxed).as_ref() };
        if let Some(old) = old.filter(|old| *used < old.slots.len() / 2) {
            return old;
        }
        let there: Vec<(usize, usize)> = old.map_or(Vec::new(), Slots::all);
        let count = old.map_or(64, |old| old.slots.len() * 2);
        let slots: Box<[Slot]> = (0..count).map(|_| Slot::default()).collect();
        let new = Box::leak(Box::new(Slots { mask: count - 1, slots }));
        for &(key, value) in &there {
            let slot = new.vacant(key);
            slot.value.store(value, Ordering::Relaxed);
            slot.key.store(key, Ordering::Relaxed);
        }
        *used = there.len();
        self.slots.store(new, Ordering::Release);
        new
    }
}

impl Default for Addresses {
    fn default() -> Self {
        Addresses { slots: AtomicPtr::default(), used: Mutex::new(0) }
    }
}

impl Slots {
    /// All slots, beginning with the one where the search for `address` begins.
    #[inline]
    fn from(&self, address: usize) -> impl Iterator<Item = &Slot> {
        let hash = address.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let start = hash >> 32;
        (0..=self.mask).map(move |step| &self.slots[(start + step) & self.mask])
    }

    /// The slot of an address.
    #[inline]
    fn find(&self, address: usize) -> Option<&Slot> {
        let keys = self.from(address).map(|slot| (slot, slot.key.load(Ordering::Acquire)));
        keys.take_while(|&(_, key)| key != FREE).find_map(|(slot, key)| (key == address).then_some(slot))
    }

    /// A slot that an address without one can take.
    fn vacant(&self, address: usize) -> &Slot {
        let mut slots = self.from(address);
        slots.find(|slot| matches!(slot.key.load(Ordering::Relaxed), FREE | REMOVED)).expect("more slots than keys")
    }

    /// All addresses and their words.
    fn all(&self) -> Vec<(usize, usize)> {
        let pairs =
            self.slots.iter().map(|slot| (slot.key.load(Ordering::Relaxed), slot.value.load(Ordering::Relaxed)));
        pairs.filter(|&(key, _)| key != FREE && key != REMOVED).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_noted_is_found() {
        let addresses = Addresses::default();
        assert_eq!(addresses.get(8), None);
        for key in 1..=1000 {
            addresses.insert(key * 8, key);
        }
        assert!((1..=1000).all(|key| addresses.get(key * 8) == Some(key)));
        assert_eq!(addresses.get(8 * 1001), None);
        addresses.insert(80, 7);
        assert_eq!(addresses.get(80), Some(7));
    }

    #[test]
    fn what_comes_and_goes_fills_nothing() {
        let addresses = Addresses::default();
        for round in 0..10_000 {
            addresses.insert(8 + round % 77, round);
            assert_eq!(addresses.get(8 + round % 77), Some(round));
            addresses.remove(8 + round % 77);
            assert_eq!(addresses.get(8 + round % 77), None);
        }
        assert_eq!(addresses.get(9), None);
    }
}
