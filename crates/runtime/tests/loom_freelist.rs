//! Model test of the stack of free word arrays (`ompt/several/README.md`): a number is with one taker at a time, and
//! none gets lost.
#![cfg(loom)]

use ferromp::model::atomic::{AtomicU32, Ordering};
use ferromp::model::mutation::assert_caught;
use ferromp::ompt::freelist::FreeList;
use loom::sync::Arc;
use loom::thread;

const NUMBERS: usize = 2;

struct Store {
    free: FreeList,
    links: [AtomicU32; NUMBERS],
    /// How many have the number.
    users: [AtomicU32; NUMBERS],
}

impl Store {
    fn full() -> Arc<Store> {
        let store = Store {
            free: FreeList::default(),
            links: [AtomicU32::new(0), AtomicU32::new(0)],
            users: [AtomicU32::new(0), AtomicU32::new(0)],
        };
        for number in 0..NUMBERS as u32 {
            store.free.give(number, store.link(number));
        }
        Arc::new(store)
    }

    fn link(&self, number: u32) -> &AtomicU32 {
        &self.links[number as usize]
    }

    fn take(&self) -> Option<u32> {
        let number = self.free.take(|number| self.link(number))?;
        assert_eq!(self.users[number as usize].fetch_add(1, Ordering::Relaxed), 0);
        Some(number)
    }

    fn give(&self, number: u32) {
        self.users[number as usize].fetch_sub(1, Ordering::Relaxed);
        self.free.give(number, self.link(number));
    }

    fn assert_full(&self) {
        let mut all = [self.take().unwrap(), self.take().unwrap()];
        all.sort_unstable();
        assert_eq!((all, self.take()), ([0, 1], None));
    }
}

/// One taker looks at the link of a number that the other takes, with the one below it, and gives back: the same number
/// is on top again, above another one than before.
#[test]
fn a_taker_notices_that_the_top_is_not_the_same() {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(3);
    model.check(|| {
        let store = Store::full();
        let other = store.clone();
        let thread = thread::spawn(move || {
            let (first, second) = (other.take(), other.take());
            // In the order in which they came: the first is on top at the end, and nothing below it if the second is
            // kept.
            let kept = if first.is_some() { second } else { None };
            if let Some(first) = first {
                other.give(first);
            }
            kept
        });
        let mine = store.take();
        let kept = thread.join().unwrap();
        for number in mine.into_iter().chain(kept) {
            store.give(number);
        }
        store.assert_full();
    });
}

#[test]
fn none_gets_lost_between_three() {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(2);
    model.check(|| {
        let store = Store::full();
        let others: Vec<_> = (0..2)
            .map(|_| {
                let other = store.clone();
                thread::spawn(move || {
                    if let Some(number) = other.take() {
                        other.give(number);
                    }
                })
            })
            .collect();
        if let Some(number) = store.take() {
            store.give(number);
        }
        for other in others {
            other.join().unwrap();
        }
        store.assert_full();
    });
}

#[test]
fn numbers_with_two_takers_are_caught() {
    assert_caught("freelist: changes are not counted", "a_taker_notices_that_the_top_is_not_the_same");
    assert_caught("freelist: given relaxed", "none_gets_lost_between_three");
}
