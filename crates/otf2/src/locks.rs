//! OTF2's numbers of locks and of their acquisitions.

use rustc_hash::FxHashMap;

/// A lock that somebody has acquired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Acquisition {
    /// The number of the lock.
    pub lock: u32,
    /// How often the lock had been acquired before.
    pub order: u32,
}

/// The locks of a process, by their wait ids.
#[derive(Default)]
pub struct Locks {
    /// The last acquisition of each lock.
    last: FxHashMap<u64, Acquisition>,
    /// What threads hold. A release is recorded after others can acquire the lock, so two threads may seem to hold one.
    held: FxHashMap<(u64, u32), Acquisition>,
}

impl Locks {
    /// A thread acquires a lock. `next` is the number of a new lock, and is counted up.
    pub fn acquire(&mut self, wait: u64, thread: u32, next: &mut u32) -> Acquisition {
        let last = self.last.entry(wait).or_insert_with(|| {
            *next += 1;
            Acquisition { lock: *next - 1, order: u32::MAX }
        });
        last.order = last.order.wrapping_add(1);
        self.held.insert((wait, thread), *last);
        *last
    }

    /// The acquisition of a lock that a thread holds, such as a nest lock that its owner acquires again.
    pub fn held(&self, wait: u64, thread: u32) -> Option<Acquisition> {
        self.held.get(&(wait, thread)).copied()
    }

    /// A thread releases a lock. None if its acquisition is not known.
    pub fn release(&mut self, wait: u64, thread: u32) -> Option<Acquisition> {
        self.held.remove(&(wait, thread))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn acquisitions_of_a_lock_are_counted() {
        let (mut locks, mut next) = (Locks::default(), 7);
        let of = |lock, order| Acquisition { lock, order };
        assert_eq!(locks.acquire(40, 0, &mut next), of(7, 0));
        assert_eq!((locks.held(40, 0), locks.held(40, 1)), (Some(of(7, 0)), None));
        assert_eq!((locks.acquire(41, 0, &mut next), locks.acquire(40, 1, &mut next)), (of(8, 0), of(7, 1)));
        assert_eq!((locks.release(40, 0), locks.release(40, 1)), (Some(of(7, 0)), Some(of(7, 1))));
        assert_eq!((locks.held(40, 0), locks.release(40, 1), locks.release(42, 0)), (None, None, None));
    }
}
