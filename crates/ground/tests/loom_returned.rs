//! Model test of the list by which free blocks of tasks go back to their owner (`task/README.md`): none is lost, none
//! is there twice, and the owner uses a block only behind its giver.
#![cfg(loom)]

use ferromp_ground::model::atomic::{AtomicU32, Ordering};
use ferromp_ground::model::mutation::assert_caught;
use ferromp_ground::protocol::returned::Returned;
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::thread;

#[derive(Default)]
struct Block {
    /// The next block of the list, by address; what the block is used for otherwise.
    word: UnsafeCell<usize>,
}

#[derive(Default)]
struct Store {
    returned: Returned<Block>,
    blocks: [Block; 2],
    /// How many blocks have been given back. Relaxed: the count orders nothing, so the list has to.
    given: AtomicU32,
}

// SAFETY: cells are checked by loom.
unsafe impl Sync for Store {}
// SAFETY: nothing of it belongs to the thread that made it.
unsafe impl Send for Store {}

impl Store {
    /// Another thread uses a block for the last time, and gives it back.
    fn give(&self, number: usize) {
        let block = &self.blocks[number];
        // SAFETY: loom reports a race, here and below.
        block.word.with_mut(|word| unsafe { *word = 99 });
        // SAFETY: as above.
        self.returned.give(block, |next| block.word.with_mut(|word| unsafe { *word = next.addr() }));
        self.given.fetch_add(1, Ordering::Relaxed);
    }

    /// Waits until a block has been given back. Without this the model would look into the empty list only: loom does
    /// not go back behind the owner's first look.
    fn wait_for_one(&self) {
        while self.given.load(Ordering::Relaxed) == 0 {
            thread::yield_now();
        }
    }

    /// The owner takes what is there, and uses the blocks for something else. Returns how many there were.
    fn collect(&self) -> usize {
        let mut next = self.returned.take_all().addr();
        let mut number = 0;
        while next != 0 {
            let block = self.blocks.iter().find(|block| std::ptr::from_ref(*block).addr() == next);
            // SAFETY: as in `give`.
            next =
                block.expect("a block of the store").word.with_mut(|word| unsafe { std::mem::replace(&mut *word, 77) });
            number += 1;
        }
        number
    }
}

/// Two give while the owner takes. Three switches away from a thread that could go on let each giver lose to the other
/// and to the owner once.
#[test]
fn two_give_and_the_owner_takes() {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(3);
    model.check(|| {
        let store = Arc::new(Store::default());
        let threads: Vec<_> = (0..2)
            .map(|number| {
                let store = store.clone();
                thread::spawn(move || store.give(number))
            })
            .collect();
        store.wait_for_one();
        let mut found = store.collect();
        if found > 0 {}
        for thread in threads {
            thread.join().unwrap();
        }
        found += store.collect();
        assert_eq!(found, 2);
    });
}

/// A block that the owner has taken and used comes back before the first giver has got its exchange through.
#[test]
fn block_comes_back_while_another_is_given() {
    loom::model(|| {
        let store = Arc::new(Store::default());
        let other = store.clone();
        let thread = thread::spawn(move || {
            other.give(0);
            other.give(1);
        });
        store.wait_for_one();
        let mut found = store.collect();
        if found > 0 {}
        found += store.collect();
        thread.join().unwrap();
        found += store.collect();
        assert_eq!(found, 2);
    });
}

#[test]
fn faults_are_caught() {
    assert_caught("returned: given relaxed", "two_give_and_the_owner_takes");
    assert_caught("returned: taken relaxed", "two_give_and_the_owner_takes");
    assert_caught("returned: the link is not written again", "two_give_and_the_owner_takes");
}
